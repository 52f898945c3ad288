"""The gluing matrix Λ = (∂e/∂F)⁻¹, wang2003 (4), (12), (47)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bondline.core import InterfaceProblem, Matrix, Rejected, Sweep, Vector
from bondline.errors import NonFinite, SingularInterface

_SINGULAR = 1e15  # beyond this, not one digit of the inverse is left


@dataclass(frozen=True, slots=True)
class GluingMatrix:
    """Λ for windows of length `h`, the condition of its scaled slope, and its price."""

    matrix: Matrix
    h: float
    condition: float
    solves: int = 0

    def fits(self, h: float) -> bool:
        """Whether a window is of the same length, but for round-off of its ends."""
        return abs(h - self.h) <= 1e-9 * self.h


def build(problem: InterfaceProblem, z: Vector, here: Sweep) -> GluingMatrix | Rejected:
    """Λ from the slope of the problem at `z`.

    Rows and columns are scaled by their largest entries first, because forces and
    moments differ by orders of magnitude. (The paper's (12) lacks the inverse.)
    """
    slope = problem.slope(z, here)
    if isinstance(slope, Rejected):
        return slope
    J = slope.matrix
    if not np.isfinite(J).all():
        return _not_finite(problem, J)
    rows = np.abs(J).max(axis=1)
    columns = np.abs(J / np.where(rows, rows, 1.0)[:, None]).max(axis=0)
    if not (rows.all() and columns.all()):
        return _singular(problem, J)
    scaled = J / rows[:, None] / columns
    try:
        inverse = np.linalg.inv(scaled)
    except np.linalg.LinAlgError:
        return _singular(problem, scaled)
    condition = _norm(scaled) * _norm(inverse)
    if not condition < _SINGULAR:
        return _singular(problem, scaled)
    matrix = inverse / rows / columns[:, None]
    return GluingMatrix(matrix, problem.h, condition, slope.solves)


def _norm(A: Matrix) -> float:
    """Largest sum over a row: a tenth of the price of singular values."""
    return float(np.abs(A).sum(axis=1).max())


def broyden(Lam: GluingMatrix, dz: Vector, dr: Vector) -> GluingMatrix:
    """Broyden's good update: the Λ nearest to this one that maps `dr` to `dz`."""
    predicted = Lam.matrix @ dr
    scale = float(dz @ predicted)
    if abs(scale) < 1e-8 * float(dz @ dz):  # the update would be nearly singular
        return Lam
    change = ((dz - predicted) / scale)[:, None] * (dz @ Lam.matrix)
    return GluingMatrix(Lam.matrix + change, Lam.h, Lam.condition)


def _singular(problem: InterfaceProblem, J: Matrix) -> Rejected:
    """Names the forces that move nothing, or that the others already make up."""
    direction = np.abs(np.linalg.svd(J)[2][-1])
    finding = (
        f"the forces {_named(problem, direction)} do not change the gap independently "
        "of each other."
    )
    error = SingularInterface(
        "interface",
        finding,
        "Remove a joint that repeats another one, or free a part that cannot move at "
        "this port.",
    )
    return Rejected("interface", finding, error=error)


def _not_finite(problem: InterfaceProblem, J: Matrix) -> Rejected:
    bad = (~np.isfinite(J)).sum(axis=0).astype(np.float64)
    finding = f"moving {_named(problem, bad)} a little gives a gap that is not finite."
    error = NonFinite(
        "interface",
        finding,
        "Shorten the window (--step), or look at the parts of this joint: their own "
        "solvers may have become unstable.",
    )
    return Rejected("interface", finding, error=error)


def _named(problem: InterfaceProblem, weights: Vector) -> str:
    """The unknowns with the largest weights, each once."""
    worst = [
        label
        for label, x in zip(problem.labels, weights, strict=True)
        if x > 0.1 * weights.max()
    ]
    return ", ".join(dict.fromkeys(worst))
