"""Matrices that are sparse but for a few products of vectors: A + Σ d u wᵀ."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bondline.numerics.sparse import Array, Factor, Solve

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Plain: TypeAlias = "Array | csr_array[np.float64, tuple[int, int]]"


@dataclass(frozen=True, eq=False)
class Updated:
    """`base` + U diag(d) Wᵀ, never multiplied out: damping of a few modes.

    U and W have a column for each weight in d. Where it is symmetric, they are one
    object and no weight is negative.
    """

    base: Plain
    U: Array
    d: Array
    W: Array

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return len(self.U), len(self.W)

    def __matmul__(self, x: Array) -> Array:
        inner = self.W.T @ x
        weighed = (self.d * inner.T).T
        return np.asarray(self.base @ x + self.U @ weighed, dtype=np.float64)

    def __getitem__(self, at: Any) -> Updated:
        """Some rows; or, after a colon, some columns."""
        base: Any = self.base
        if isinstance(at, tuple):
            return Updated(base[:, at[1]], self.U, self.d, self.W[at[1]])
        return Updated(base[at], self.U[at], self.d, self.W)

    def diagonal(self) -> Array:
        """The entries on the diagonal."""
        more = np.einsum("ik,k,ik->i", self.U, self.d, self.W)
        return np.asarray(self.base.diagonal() + more, dtype=np.float64)

    def toarray(self) -> Array:
        """All entries."""
        base = self.base
        whole = base if isinstance(base, np.ndarray) else base.toarray()
        return np.asarray(whole + (self.U * self.d) @ self.W.T, dtype=np.float64)


def factor_updated(base: Factor, A: Updated) -> Factor:
    """Factors of a symmetric `A` from those of its base, by Woodbury's formula.

    With V = U d^½ and Z = base⁻¹ V it is A⁻¹ = base⁻¹ − Z (1 + VᵀZ)⁻¹ Zᵀ. What is
    added is positive, so the base's slack is a lower bound.
    """
    solve = woodbury(base.solve, A.U * np.sqrt(A.d))
    return base._replace(solve=solve, band=None)


def woodbury(solve: Solve, V: NDArray[Any]) -> Any:
    """How to solve with A + V Vᵀ, given how to solve with a symmetric A."""
    Z = solve(V)
    small = np.linalg.inv(np.eye(V.shape[1]) + V.T @ Z)
    back = Z @ small

    def updated(f: NDArray[Any]) -> NDArray[Any]:
        more: NDArray[Any] = solve(f) - back @ (Z.T @ f)
        return more

    return updated
