"""The gluing matrix Λ = (∂e/∂F)⁻¹, wang2003 (4), (12), (47)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bondline.core import InterfaceProblem, Matrix, Rejected, Sweep, Vector
from bondline.errors import SingularInterface

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
    rows = np.abs(J).max(axis=1)
    if not rows.all():
        raise _singular(problem, J)
    scaled = J / rows[:, None]
    columns = np.abs(scaled).max(axis=0)
    if not columns.all():
        raise _singular(problem, J)
    scaled = scaled / columns
    condition = float(np.linalg.cond(scaled))
    if not condition < _SINGULAR:
        raise _singular(problem, scaled)
    matrix = np.linalg.inv(scaled) / rows / columns[:, None]
    return GluingMatrix(matrix, problem.h, condition, slope.solves)


def broyden(Lam: GluingMatrix, dz: Vector, dr: Vector) -> GluingMatrix:
    """Broyden's good update: the Λ nearest to this one that maps `dr` to `dz`."""
    predicted = Lam.matrix @ dr
    scale = float(dz @ predicted)
    if abs(scale) < 1e-8 * float(dz @ dz):  # the update would be nearly singular
        return Lam
    change = ((dz - predicted) / scale)[:, None] * (dz @ Lam.matrix)
    return GluingMatrix(Lam.matrix + change, Lam.h, Lam.condition)


def _singular(problem: InterfaceProblem, J: Matrix) -> SingularInterface:
    """Names the forces that move nothing, or that the others already make up."""
    direction = np.abs(np.linalg.svd(J)[2][-1])
    worst = [
        label
        for label, x in zip(problem.labels, direction, strict=True)
        if x > 0.1 * direction.max()
    ]
    named = ", ".join(dict.fromkeys(worst))
    return SingularInterface(
        "interface",
        f"the forces {named} do not change the gap independently of each other.",
        "Remove a joint that repeats another one, or free a part that cannot move at "
        "this port.",
    )
