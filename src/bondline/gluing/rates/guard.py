"""Are long windows short enough? Asked of the parts before the first one.

The paper's form is unstable above ω_c H of about 1, ω_c being the highest coupled
frequency that the joints feel, and where the fast part's inertia is more than a small
share of the slow one's. By its mobility a stand-in answers to the fast part at once,
so neither limit is left; what is left is how fast the slow part changes by itself,
ω_s H. With both above, each window may feed up to 0.3 (ω_s H)² into undamped vibration.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from bondline.core import Assembly, Rejected, Situation, Window
from bondline.errors import SettingError
from bondline.gluing.couplings.resolution import Resolution, check_start
from bondline.gluing.rates.measure import Measured, measure
from bondline.gluing.rates.two_rates import TwoRates
from bondline.gluing.state import GluedState

REFUSED, WARNED = 1.0, 0.2  # ωH
LIGHT: Mapping[int, float] = {1: 1 / 3, 2: 0.08, 3: 0.08}  # paper: μ by order
_FELT = 1e-3  # growth of a window


def guard_rates(
    name: str,
    coupling: TwoRates,
    assembly: Assembly,
    state: GluedState,
    window: Window,
) -> tuple[str, ...]:
    """What to note; `SettingError` where errors would grow."""
    place = f"{name}: two rates, windows of {window.h:.3g} s"
    _refuse_coarse(place, coupling, assembly, state, window)
    found = measure(coupling, assembly, state, window)
    if isinstance(found, Rejected):
        return ()
    if found.slow > REFUSED:
        raise SettingError(
            place,
            f"the slow part {found.where} changes too fast by itself: its frequency "
            f"times the window is {found.slow:.2g}, and above {REFUSED:g} errors grow.",
            f"Shorten the step to {0.5 * window.h / found.slow:.2g} s, or glue at one "
            "rate.",
        )
    if coupling.form == "paper":
        _refuse_paper(place, coupling, found, window)
    return _notes(coupling, found)


def _refuse_coarse(
    place: str,
    coupling: TwoRates,
    assembly: Assembly,
    state: GluedState,
    window: Window,
) -> None:
    """Short windows must resolve the fast part, as those of one rate must."""
    situation = Situation(state.parts, state.motions, {})
    posed = coupling.problem(assembly, situation, window, state.history)
    begun, inner = posed.begun(np.zeros((posed.order, posed.split.size))), posed.split
    found = check_start(
        inner.coupling,
        inner.inner.assembly,
        Situation(begun.parts, begun.motions, {}),
        next(window.split(coupling.windows)),
        begun.history,
    )
    if isinstance(found, Resolution) and found.ratio < 2.0:
        raise SettingError(
            place,
            f"{coupling.fast} has a mode too quick for its short windows of "
            f"{found.h:.3g} s: G(h)/G(h/2) = {found.ratio:.2f}, where 4 is ideal and "
            "below 2 errors grow.",
            "Give it more of them (ratio), or shorten the step.",
        )


def _refuse_paper(
    place: str, coupling: TwoRates, found: Measured, window: Window
) -> None:
    residual = 'Use the form "residual", which has no such limit'
    if found.mass > LIGHT[coupling.order]:
        raise SettingError(
            place,
            f"the fast part has {found.mass:.2g} times the slow one's inertia at the "
            f"joints, and the paper's form with order {coupling.order} is unstable "
            f"above {LIGHT[coupling.order]:.2g}, whatever the step.",
            f"{residual}.",
        )
    if found.coupled > REFUSED:
        raise SettingError(
            place,
            f"the coupled frequency times the window is {found.coupled:.2g}, and above "
            f"{REFUSED:g} the paper's form is unstable.",
            f"{residual}, or shorten the step to "
            f"{0.5 * window.h / found.coupled:.2g} s.",
        )


def _notes(coupling: TwoRates, found: Measured) -> tuple[str, ...]:
    notes = []
    if found.slow > WARNED:
        notes.append(
            f"two rates: the slow part {found.where} changes by itself, ωH = "
            f"{found.slow:.2g}; above {WARNED:g} it costs accuracy. Shorten the step."
        )
    if coupling.form == "paper" and found.coupled > WARNED:
        notes.append(
            f"two rates: coupled frequency times window is {found.coupled:.2g}; above "
            f"{WARNED:g} the paper's form costs accuracy. Use the form residual."
        )
    growth = 0.3 * found.slow**2
    if growth > _FELT and found.coupled > REFUSED and not coupling.iterate:
        notes.append(
            "two rates in one pass: undamped vibration may grow by up to "
            f"{100.0 * growth:.2g} % a window (ω_s H = {found.slow:.2g}, ω_c H = "
            f"{found.coupled:.2g}). Shorten the step, or iterate."
        )
    return tuple(notes)
