"""Which motions of the glued ports leave no gap: what X-X coupling iterates on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from bondline.core import Assembly, Matrix, Motion, PortRef, Vector

_NOTHING = 1e-12  # relative to the largest entry of B


@dataclass(frozen=True, eq=False)
class SharedMotion:
    """x' = T q' for the dofs of all glued ports, q being the `free` ones among them.

    B T = 0 with B = ∂e/∂x of all rigid joints, so every q leaves their gaps as they
    are; equilibrium is Tᵀ f = 0. Dofs that no joint ties are their own q.
    """

    ports: tuple[PortRef, ...]
    where: Mapping[PortRef, slice]
    T: Matrix
    free: NDArray[np.intp]
    B: Matrix  # of all joints
    rigid: NDArray[np.bool_]  # rows of B that must not open

    def stack(self, each: Mapping[PortRef, Vector]) -> Vector:
        """One vector for all ports."""
        return np.concatenate([each[p] for p in self.ports])

    def ahead(self, each: Mapping[PortRef, Vector]) -> Vector:
        """How far rates of the ports are ahead of those of the free dofs."""
        rates = self.stack(each)
        return rates - self.T @ rates[self.free]

    def apart(self, gap: Vector) -> Vector:
        """How far the dofs that are not free are ahead, from the gap of all joints."""
        return self._back @ gap[self.rigid]

    @cached_property
    def _back(self) -> Matrix:
        """A right inverse of B of the rigid joints that moves no free dof."""
        B = self.B[self.rigid].copy()
        B[:, self.free] = 0.0
        inverse: Matrix = np.linalg.pinv(B).astype(np.float64)
        return inverse

    def forces(self, efforts: Vector, springs: Vector) -> Vector:
        """Joint forces F with Bᵀ F = efforts; the compliant ones are known."""
        F = springs.copy()
        rest = efforts - springs @ self.B
        F[self.rigid] = np.linalg.lstsq(self.B[self.rigid].T, rest, rcond=None)[0]
        return F


def shared_motion(
    assembly: Assembly, motions: Mapping[PortRef, Motion]
) -> SharedMotion:
    """Ports in the order in which joints name them: parts may come in any order."""
    joints = assembly.connections
    ports = tuple(dict.fromkeys(end for c in joints for end in c.ends))
    sizes = [len(motions[p].v) for p in ports]
    at = np.concatenate([[0], np.cumsum(sizes)])
    where = {p: slice(int(at[k]), int(at[k + 1])) for k, p in enumerate(ports)}
    B = np.zeros((assembly.offsets[-1], int(at[-1])))
    for k, c in enumerate(joints):
        rows = slice(assembly.offsets[k], assembly.offsets[k + 1])
        each = c.jacobian([motions[end] for end in c.ends])
        for end, B_i in zip(c.ends, each, strict=True):
            B[rows, where[end]] += B_i
    rigid = np.ones(len(B), dtype=bool)
    if assembly.compliant is not None:
        rigid[assembly.compliant[0]] = False
    T, free = null_space(B[rigid])
    return SharedMotion(ports, where, T, free, B, rigid)


def null_space(B: Matrix) -> tuple[Matrix, NDArray[np.intp]]:
    """T with B T = 0 and unit rows at the free columns, by elimination.

    Of a tie it is made of zeros and ones, exactly. Rows that repeat others do no harm.

    >>> T, free = null_space(np.array([[1.0, -1.0, 0.0]]))
    >>> T.tolist(), free.tolist()
    ([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]], [1, 2])
    """
    R, columns = B.copy(), B.shape[1]
    held = _eliminate(R)
    free = np.setdiff1d(np.arange(columns), held)
    T = np.zeros((columns, len(free)))
    T[free, np.arange(len(free))] = 1.0
    T[held] = -R[: len(held)][:, free] + 0.0
    return T, free


def _eliminate(R: Matrix) -> Sequence[int]:
    """Bring `R` to reduced rows, in place; the columns of its pivots, row by row."""
    small = _NOTHING * float(np.abs(R).max(initial=0.0))
    held: list[int] = []
    for row in range(len(R)):
        rest = np.abs(R[row:])
        best, column = np.unravel_index(int(np.argmax(rest)), rest.shape)
        if rest[best, column] <= small:
            break
        R[[row, row + int(best)]] = R[[row + int(best), row]]
        R[row] /= R[row, column]
        others = np.delete(np.arange(len(R)), row)
        R[others] -= R[others, column][:, None] * R[row]
        held.append(int(column))
    return held
