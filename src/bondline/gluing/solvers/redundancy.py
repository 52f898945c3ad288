"""Interface conditions that repeat each other: found by rank, solved by least force."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bondline.core import InterfaceProblem, Matrix, Rejected, Vector
from bondline.gluing.solvers.blame import contradiction, repeats
from bondline.gluing.solvers.forms import Inverse

_RANK = 1e-12  # singular values below this part of the largest are round-off
_NOISE = 1e-5  # the same for a slope from probes, where redundancy is known
_DEAD = 1e-15  # the same where no side gives at all
_DEPENDENT = 1e-9  # what is left of a unit row that the rows before it make up
_TILT = 1e-6  # how far round-off may turn a null direction


@dataclass(frozen=True, slots=True, eq=False)
class Reduced:
    """The scaled slope S = U s Vᵀ with `count` directions left out."""

    U: Matrix
    s: Vector
    Vt: Matrix
    rows: Vector
    columns: Vector
    count: int

    @property
    def rank(self) -> int:
        """Directions that are kept."""
        return len(self.s) - self.count

    @property
    def inverse(self) -> tuple[Inverse, float]:
        """Λ, and the condition of what was kept.

        Of all forces that close the gaps it gives the smallest, each measured in units
        of its column.
        """
        n, s = self.rank, self.s
        matrix = (self.Vt[:n].T / s[:n]) @ self.U[:, :n].T
        form = Inverse(matrix / self.rows / self.columns[:, None])
        return form, float(s[0] / s[n - 1])

    def objection(
        self, problem: InterfaceProblem, residual: Vector, tolerance: float
    ) -> Rejected | None:
        """Says so where no force can close the gaps that are left out."""
        W, _ = np.linalg.qr(self.U[:, self.rank :] / self.rows[:, None])
        left = float(np.linalg.norm(W.T @ residual))
        allowed = max(tolerance, problem.noise)
        allowed += _TILT * float(np.linalg.norm(residual))
        if left <= allowed:
            return None
        return contradiction(problem, np.linalg.norm(W, axis=1), left)

    def warning(self, problem: InterfaceProblem) -> str:
        """Names the forces that cannot be told apart."""
        weights = np.linalg.norm(self.Vt[self.rank :], axis=0)
        return repeats(problem, weights, self.count)


def reduce(S: Matrix, rows: Vector, columns: Vector, most: int | None) -> Reduced:
    """S without the directions that are round-off.

    Where it is known that `most` directions are redundant, the noise of probes counts
    as round-off, too; never more than `most` are left out then, and those in which
    nothing gives at all.
    """
    U, s, Vt = np.linalg.svd(S)
    if most is None:
        count = int((s < _RANK * s[0]).sum())
    else:
        dead = int((s < _DEAD * s[0]).sum())
        count = max(dead, min(most, int((s < _NOISE * s[0]).sum())))
    return Reduced(U, s, Vt, rows, columns, count)


def redundant_conditions(B: Matrix) -> Sequence[int]:
    """Rows of B = ∂e/∂x that the rows before them make up.

    What is left is a largest independent set of conditions: for ties at one node a
    spanning tree. The first conditions stay, so the order of joints decides.

    >>> triangle = np.array([[1.0, -1, 0], [0, 1, -1], [1, 0, -1]])
    >>> redundant_conditions(triangle)
    [2]
    """
    sizes = np.linalg.norm(B, axis=1)
    units = B / np.where(sizes, sizes, 1.0)[:, None]
    if _independent(units):
        return []
    basis, found = np.zeros_like(units), []
    rank = 0
    for row, unit in enumerate(units):
        left = unit
        for _ in range(2):  # twice is enough for orthogonality to the last bit
            left = left - basis[:rank].T @ (basis[:rank] @ left)
        size = float(np.linalg.norm(left))
        if size > _DEPENDENT:
            basis[rank] = left / size
            rank += 1
        else:
            found.append(row)
    return found


def _independent(units: Matrix) -> bool:
    """Whether one look settles it."""
    if len(units) > units.shape[1]:
        return False
    R = np.linalg.qr(units.T, mode="r")
    return bool((np.abs(np.diag(R)) > _DEPENDENT).all())
