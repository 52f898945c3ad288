"""Do windows suit parts that take several steps along a motion they are told?

X-X and X-T coupling ask for equilibrium at t₁ and let the motion run there along a
fixed path. A part that takes one trapezoidal step a window does what it would do in
the whole, and nothing grows. A part that takes several has modes behind the interface
that answer to the path between t₀ and t₁. By `numerics.driven_recursion` errors grow
in every window where such a mode is not resolved, by factors up to 100 and more:

    ω h ≤ 3 in X-X newmark/f, whatever share of the inertia is behind the interface
    ω h ≤ 3/2 and S(h) S(h/2)⁻¹ ≤ 9/5 in X-X cubic/f
    ω h ≤ 2 and 3/2 in X-T newmark/f and linear/f (docs/theory/couplings.md)

for every mode of a part with its led dofs held. S is the slope of the residual: the
inertia of the interface while the window is short, and more where the window does not
resolve light interface dofs between heavy masses, at ωh of 3.46 the limit of cubic/f.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from bondline.core import (
    Assembly,
    Coupling,
    Harmonic,
    Model,
    Rejected,
    Situation,
    Window,
)
from bondline.errors import SettingError
from bondline.gluing.couplings.driven_fitness import glued
from bondline.gluing.couplings.resolution import flexibilities, resolution

RESOLVED: Mapping[tuple[str, str], float] = {  # ωh by method and scheme
    ("X-X", "newmark/f"): 3.0,
    ("X-X", "cubic/f"): 1.5,
    ("X-T", "newmark/f"): 2.0,
    ("X-T", "linear/f"): 1.5,
}
STEADY = 1.8  # S(h) S(h/2)⁻¹
_BEYOND = 1e12  # rad/s: no mode is quicker


def check_driven(
    name: str,
    coupling: Coupling[Any],
    assembly: Assembly,
    situation: Situation,
    window: Window,
    history: Any,
) -> SettingError | None:
    """Why windows like this one would let errors grow; None where they do not."""
    settings = coupling.settings()
    method, scheme = str(settings.get("method")), str(settings.get("scheme"))
    limit = RESOLVED.get((method, scheme))
    several = [n for n in glued(assembly) if not _one_step(assembly.parts[n])]
    if limit is None or not several:
        return None
    place = f"{name}: {method} {scheme}, windows of {window.h:.3g} s"
    for part, count in too_quick(assembly, limit / window.h):
        return SettingError(
            place,
            f"{part} takes several steps a window and has {count} modes above "
            f"ωh = {limit:g}, its led dofs held: they answer to the path inside the "
            "window, and errors grow from window to window.",
            f"Let {part} take one step a window (steps=1), which is stable whatever "
            "the window; or let its ports take forces (T-T); or shorten the windows.",
        )
    first = (assembly, situation, window, history)
    if scheme == "cubic/f" and _unsteady(coupling, *first):
        return SettingError(
            place,
            "the interface has so little inertia of its own that what is behind it "
            "moves it within a window: errors grow from window to window.",
            "Use newmark/f, or shorten the windows.",
        )
    return None


def too_quick(assembly: Assembly, omega: float) -> Iterator[tuple[str, int]]:
    """Parts of several steps a window with modes above ω, and how many they are."""
    for name in glued(assembly):
        part = assembly.parts[name]
        count = 0 if _one_step(part) else modes_above(part, omega)
        if count:
            yield name, count


def _one_step(part: Model) -> bool:
    return part.capabilities.one_step


def modes_above(part: Model, omega: float) -> int:
    """How many modes a part has above ω, its led ports held; 0 where nobody can say."""
    if not isinstance(part, Harmonic):
        return 0
    below, every = (part.receptance(w, damped=False).below for w in (omega, _BEYOND))
    return 0 if below is None or every is None else every - below


def _unsteady(
    coupling: Coupling[Any],
    assembly: Assembly,
    situation: Situation,
    window: Window,
    history: Any,
) -> bool:
    """Whether S grows too much with the window; not where it cannot be found."""
    z, slopes = coupling.guess(assembly, window, history), []
    for h in (window.h, 0.5 * window.h):
        shorter = Window(window.t0, window.t0 + h)
        problem = coupling.problem(assembly, situation, shorter, history)
        found = flexibilities(problem, z)
        if isinstance(found, Rejected) or not np.any(found["interface"]):
            return False
        slopes.append(found["interface"])
    return float(resolution(slopes[0], slopes[1]).max(initial=1.0)) > STEADY
