"""Solving with the slope of the interface; what to say where it is singular."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from bondline.core import Matrix, Rejected, Vector
from bondline.errors import SingularInterface
from bondline.gluing.solvers.blame import named
from bondline.gluing.statics.free import repeated
from bondline.gluing.statics.interface import Interface, Point, Slope

_DOUBTFUL = 1e6  # condition from which on free motions are looked for
_SINGULAR = 1e13  # condition from which on solutions are looked at closely
_NOTHING = 1e-14  # of the largest singular value: no force and no motion
_TILT = 1e-6  # how far round-off may turn a null direction

Solve: TypeAlias = Callable[[Matrix], Matrix]


@dataclass(frozen=True, eq=False)
class Inverse:
    """The slope, ready to be solved with: J⁻¹ r, also of several columns.

    Of joints that repeat each other it uses the smallest forces; `blind` are the
    residuals that no force changes, in scaled rows.
    """

    slope: Slope
    solve: Solve
    blind: Matrix
    notes: tuple[str, ...] = ()


def invert(problem: Interface, here: Point, slope: Slope) -> Inverse | Rejected:
    """The inverse; a rejection that names the free motions where there are some."""
    S = slope.rows[:, None] * slope.J * slope.columns
    if not np.isfinite(S).all():
        return _not_finite(problem)
    found, condition = _lu(S, slope)
    if found is not None and condition < _DOUBTFUL:
        return found
    count = repeated(problem, here, slope)
    if isinstance(count, Rejected):
        return count
    if found is not None and not count and condition < _SINGULAR:
        return found
    return _reduced(problem, slope, S, count)


def objection(problem: Interface, inverse: Inverse, r: Vector) -> Rejected | None:
    """Joints that repeat each other and want different things."""
    scaled = inverse.slope.rows * r
    left = inverse.blind.T @ scaled
    if np.linalg.norm(left) <= _TILT * max(float(np.linalg.norm(scaled)), 1e-300):
        return None
    weights = np.abs(inverse.blind @ left)
    error = SingularInterface(
        f"{_place(problem)}",
        f"the conditions {named(problem.labels, weights)} repeat each other and "
        "contradict each other.",
        "Remove one of these joints, or let the parts meet where all of them close.",
    )
    return Rejected("interface", error.finding, error=error)


def _lu(S: Matrix, slope: Slope) -> tuple[Inverse | None, float]:
    """LU and the condition; no LU where a pivot is zero."""
    from scipy.linalg.lapack import dgecon, dgetrf, dgetrs  # 0.2 s to import

    if not S.size:
        return Inverse(slope, lambda r: r, np.zeros((0, 0))), 1.0
    LU, pivots, failed = dgetrf(S)
    share = dgecon(LU, float(np.abs(S).sum(axis=0).max()))[0]
    if failed or share == 0.0:
        return None, np.inf

    def solve(r: Matrix) -> Matrix:
        rows, columns = slope.rows, slope.columns
        x, _ = dgetrs(LU, pivots, (rows * r.T).T)
        return np.asarray((columns * x.T).T, dtype=np.float64)

    return Inverse(slope, solve, np.zeros((len(S), 0))), 1.0 / share


def _reduced(problem: Interface, slope: Slope, S: Matrix, count: int) -> Inverse:
    """By singular values, without the directions of joints that repeat others.

    `count` are those that B knows of; two ports of a part may show one dof, too.
    """
    U, s, Vt = np.linalg.svd(S)
    rank = len(s) - max(count, int((s < _NOTHING * s[0]).sum()))
    core = (Vt[:rank].T / s[:rank]) @ U[:, :rank].T

    def solve(r: Matrix) -> Matrix:
        x: Matrix = (slope.columns * (core @ (slope.rows * r.T).T).T).T
        return x

    notes = (_repeats(problem, Vt[rank:].T),) if rank < len(s) else ()
    return Inverse(slope, solve, U[:, rank:], notes)


def _repeats(problem: Interface, null: Matrix) -> str:
    weights = np.linalg.norm(null, axis=1)
    return (
        f"{null.shape[1]} of {problem.forces} joint conditions repeat others, among "
        f"{named(problem.labels, weights)}: the smallest forces that close the gaps "
        "are used. Remove a joint that repeats others if single forces matter."
    )


def _not_finite(problem: Interface) -> Rejected:
    return Rejected("interface", f"{_place(problem)}: a part answers with no number.")


def _place(problem: Interface) -> str:
    return f"{problem.seen.name}, static equilibrium"
