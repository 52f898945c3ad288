"""A few windows beforehand: does an error of the joint forces grow?

Leaders that are far lighter than what they lead, or have modes that a window does not
resolve, may let errors of an iterated interface grow from window to window, while every
window converges. Nothing measured in one window tells. So some windows are gone through
twice, the second time with a joint force that is a newton off, once.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from bondline.core import Rejected, Vector, Window
from bondline.errors import SettingError
from bondline.gluing.couplings.feedback import CHOICES, Feedback
from bondline.gluing.couplings.motion_schemes import FORCE_SCHEMES
from bondline.gluing.couplings.xt import XT
from bondline.gluing.glueing import Glueing
from bondline.gluing.state import GluedState

LIGHT = 10.0  # times a leader's inertia that followers have: worth a rehearsal
_WINDOWS = 16
_OFF = 1.0  # N
_GROWN = 10.0  # times: an error that was made once must not come to this


def refuse_growing(
    glueing: Glueing, state: GluedState, window: Window, found: Feedback
) -> None:
    """Raise `SettingError` where an error grows tenfold within a few windows."""
    grown = growth(glueing, state, window)
    if grown is None or grown < _GROWN:
        return
    other = _other(glueing, state, window, found)
    raise SettingError(
        f"{glueing.name}: scheme auto, windows of {window.h:.3g} s",
        f"the followers have {found.ratio:.3g} times the leaders' inertia, and an "
        f"error of {_OFF:g} N in a joint force grows to {_OFF * grown:.3g} N within "
        f"{_WINDOWS} windows, though every window is iterated.",
        f"{other}Shorten the step, or give the light bodies at the joints more mass, "
        "or leave them to the part that follows.",
    )


def _other(glueing: Glueing, state: GluedState, window: Window, found: Feedback) -> str:
    """The other iterated scheme, if it would do."""
    name = next(n for n in CHOICES[:1:-1] if n != found.scheme.name)
    coupling = XT(FORCE_SCHEMES[name])
    grown = growth(replace(glueing, coupling=coupling), state, window)
    fine = grown is not None and grown < _GROWN
    return f"With {name} it does not: try that. " if fine else ""


def growth(glueing: Glueing, state: GluedState, window: Window) -> float | None:
    """How large an error becomes, over what it was; None if it cannot be tried."""
    first = glueing.glue(state, window, {})
    if isinstance(first, Rejected):
        return None
    good, bad = first.state, _wrong(first.state)
    most, before = 0.0, window
    for _ in range(_WINDOWS):
        before = Window(before.t1, before.t1 + window.h)
        one, two = glueing.glue(good, before, {}), glueing.glue(bad, before, {})
        if isinstance(one, Rejected) or isinstance(two, Rejected):
            return most or None
        good, bad = one.state, two.state
        apart: Vector = np.abs(bad.history.asked - good.history.asked)
        most = max(most, float(apart.max(initial=0.0)) / _OFF)
    return most


def _wrong(state: GluedState) -> GluedState:
    """The same with joint forces that are off."""
    history = state.history
    off = history._replace(felt=history.felt + _OFF, asked=history.asked + _OFF)
    return replace(state, history=off)
