"""A few windows beforehand: do errors of the joint forces grow, do ports keep together?

Leaders that are far lighter than what they lead, or have modes that a window does not
resolve, may let errors of an iterated interface grow from window to window, while every
window converges; or their accelerations ring, and a follower that weighs what it is
told falls behind. Nothing measured in one window tells. So some windows are gone
through twice, the second time with a joint force that is a newton off, once.
"""

from __future__ import annotations

from dataclasses import replace
from math import inf, isfinite
from typing import NamedTuple

import numpy as np

from bondline.core import Advance, Rejected, Vector, Window
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
_APART = 0.05  # of the largest speed: velocities at a joint, as certificates want it


class Rehearsed(NamedTuple):
    """What came of an error, over what it was; the velocity gap, over the speed."""

    grown: float
    apart: float

    @property
    def good(self) -> bool:
        """Whether a run may be begun so."""
        return self.grown < _GROWN and self.apart < _APART

    @property
    def words(self) -> str:
        """What is wrong."""
        if self.grown == inf:
            return (
                f"an error of {_OFF:g} N in a joint force makes windows fail, or grows "
                f"beyond all bounds, within {_WINDOWS} windows"
            )
        if self.grown >= _GROWN:
            return (
                f"an error of {_OFF:g} N in a joint force grows to "
                f"{_OFF * self.grown:.3g} N within {_WINDOWS} windows"
            )
        return (
            f"velocities at the joints are {self.apart:.2g} of the largest speed apart "
            f"after {_WINDOWS} windows, where {_APART:g} is allowed"
        )


def refuse_light(
    glueing: Glueing, state: GluedState, window: Window, found: Feedback
) -> None:
    """Raise `SettingError` where a few windows already go wrong."""
    seen = rehearsed(glueing, state, window)
    if seen is None or seen.good:
        return
    other = _other(glueing, state, window, found)
    raise SettingError(
        f"{glueing.name}: scheme auto, windows of {window.h:.3g} s",
        f"the followers have {found.ratio:.3g} times the leaders' inertia, and with "
        f"{found.scheme.name} {seen.words}, though every window converges.",
        f"{other}Shorten the step, or give the light bodies at the joints more mass, "
        "or leave them to the part that follows.",
    )


def _other(glueing: Glueing, state: GluedState, window: Window, found: Feedback) -> str:
    """The other iterated scheme, if it would do."""
    name = next(n for n in CHOICES[:1:-1] if n != found.scheme.name)
    coupling = XT(FORCE_SCHEMES[name])
    seen = rehearsed(replace(glueing, coupling=coupling), state, window)
    return f"With {name} it does not: try that. " if seen and seen.good else ""


def rehearsed(glueing: Glueing, state: GluedState, window: Window) -> Rehearsed | None:
    """What some windows from here do; None if they cannot be tried."""
    first = glueing.glue(state, window, {})
    if isinstance(first, Rejected):
        return None
    good, bad = first.state, _wrong(first.state)
    seen: Rehearsed | None = None
    grown, now = 0.0, window
    for _ in range(_WINDOWS):
        now = Window(now.t1, now.t1 + window.h)
        one, two = glueing.glue(good, now, {}), glueing.glue(bad, now, {})
        if isinstance(one, Rejected):
            return seen
        if isinstance(two, Rejected):  # for the error alone
            return Rehearsed(inf, _apart(one))
        good, bad = one.state, two.state
        grown = max(grown, _off(good, bad))
        seen = Rehearsed(grown, _apart(one))
    return seen


def _wrong(state: GluedState) -> GluedState:
    """The same with joint forces that are off."""
    history = state.history
    off = history._replace(felt=history.felt + _OFF, asked=history.asked + _OFF)
    return replace(state, history=off)


def _off(good: GluedState, bad: GluedState) -> float:
    apart: Vector = np.abs(bad.history.asked - good.history.asked)
    grown = float(apart.max(initial=0.0)) / _OFF
    return grown if isfinite(grown) else inf


def _apart(done: Advance[GluedState]) -> float:
    speed = done.stats["speed"]
    return done.stats["gap_rate"] / speed if speed > 0.0 else 0.0
