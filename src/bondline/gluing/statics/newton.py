"""Newton's method on the interface of statics, at one load."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from bondline.core import Rejected, Vector
from bondline.errors import CouplingDiverged
from bondline.gluing.statics.interface import Interface, Point
from bondline.gluing.statics.regular import Inverse, invert, objection

_MOST = 25  # corrections
_GOOD = 1e-13  # of the largest motion: round-off
_FAIR = 1e-9  # good enough where further corrections change nothing


@dataclass(frozen=True, eq=False)
class Found:
    """The unknowns, the parts at rest, and what it took."""

    point: Point
    inverse: Inverse
    history: tuple[float, ...]  # relative residual of every sweep
    solves: int
    builds: int

    def rebuilt(self, inverse: Inverse, builds: int) -> Found:
        """With another slope, and its price if it was built."""
        solves = self.solves + builds * inverse.slope.solves
        return replace(
            self, inverse=inverse, solves=solves, builds=self.builds + builds
        )


def solve(
    problem: Interface, guess: Vector, known: Inverse | None = None
) -> Found | Rejected:
    """Iterate from `guess`; an affine problem keeps its one slope, and may know it."""
    here = problem.at(guess)
    if isinstance(here, Rejected):
        return here
    first = known or inverse_at(problem, here)
    if isinstance(first, Rejected):
        return first
    parts = len(problem.seen.assembly.parts)
    built = 0 if known else 1
    found = Found(here, first, (_off(here, first),), parts, 0).rebuilt(first, built)
    while not _done(found.history):
        after = _corrected(problem, found)
        if isinstance(after, Rejected):
            return after
        found = after
    return found


def _corrected(problem: Interface, found: Found) -> Found | Rejected:
    """One correction of all unknowns, wang2003 (3), and the slope after it."""
    here, inverse, history = found.point, found.inverse, found.history
    if len(history) > _MOST or not np.isfinite(history[-1]):
        return _diverged(problem, history)
    no = objection(problem, inverse, here.residual)
    if no is not None:
        return no
    after = problem.at(here.z - inverse.solve(here.residual))
    if isinstance(after, Rejected):
        return after
    solves = found.solves + len(problem.seen.assembly.parts)
    history = (*history, _off(after, inverse))
    found = Found(after, inverse, history, solves, found.builds)
    if problem.seen.assembly.affine or _done(history):
        return found
    fresh = inverse_at(problem, after)
    return fresh if isinstance(fresh, Rejected) else found.rebuilt(fresh, 1)


def inverse_at(problem: Interface, here: Point) -> Inverse | Rejected:
    """The slope around a point, ready to be solved with."""
    slope = problem.slope(here)
    return slope if isinstance(slope, Rejected) else invert(problem, here, slope)


def _off(here: Point, inverse: Inverse) -> float:
    """The largest condition that is not met, as a part of the largest unknown."""
    slope = inverse.slope
    size = float(np.abs(here.z / slope.columns).max(initial=0.0))
    off = float(np.abs(here.residual * slope.rows).max(initial=0.0))
    return off / max(size, off) if off > 0.0 else 0.0


def _done(history: Sequence[float]) -> bool:
    last = history[-1]
    slow = len(history) > 1 and last > 0.1 * history[-2]
    return last <= _GOOD or (slow and last <= _FAIR)


def _diverged(problem: Interface, history: Sequence[float]) -> Rejected:
    shown = ", ".join(f"{off:.1e}" for off in history[-3:])
    error = CouplingDiverged(
        f"{problem.seen.name}, static equilibrium at load factor "
        f"{problem.acting.factor:.6g}",
        f"the joints did not close after {len(history) - 1} corrections (last: "
        f"{shown}).",
        "Take more load steps (--load-steps), or look whether the structure buckles.",
        history,
    )
    return Rejected(problem.seen.name, error.finding, error=error)
