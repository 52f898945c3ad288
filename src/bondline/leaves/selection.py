"""Which dofs of a structure a port shows."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bondline.core import Matrix, Vector
from bondline.numerics.factor import Operator

if TYPE_CHECKING:  # scipy.sparse takes long to import; small models never need it
    from scipy.sparse import csr_array

Dofs: TypeAlias = NDArray[np.intp]
Rows: TypeAlias = "csr_array[np.float64, tuple[int, int]]"


@dataclass(frozen=True, eq=False)
class Selection:
    """L: a port's dofs in terms of the structure's, as rows or as a list of dofs.

    Rows may be sparse; one without entries shows a dof that is fixed.
    """

    given: Matrix | Dofs | Rows

    @classmethod
    def of(cls, given: Any) -> Selection:
        """From an array, a list, or sparse rows."""
        return cls(given if hasattr(given, "indptr") else np.asarray(given))

    @cached_property
    def dofs(self) -> Dofs | None:
        """The dofs, where the port shows dofs as they are and none of them twice."""
        if not isinstance(self.given, np.ndarray):
            return None
        if self.given.ndim == 1:
            return self.given.astype(np.intp)
        rows, columns = np.nonzero(self.given)
        plain = np.array_equal(rows, np.arange(len(self.given)))
        ones = plain and bool((self.given[rows, columns] == 1.0).all())
        return columns if ones and len(set(columns.tolist())) == len(columns) else None

    def fits(self, n: int) -> bool:
        """Whether `n` dofs have all of it; a list names no dof twice."""
        if not isinstance(self.given, np.ndarray) or self.given.ndim != 1:
            return tuple(self.given.shape[1:]) == (n,)
        dofs = self.given.tolist()
        whole = np.issubdtype(self.given.dtype, np.integer) or not dofs
        return whole and len(set(dofs)) == len(dofs) and all(0 <= d < n for d in dofs)

    @property
    def size(self) -> int:
        """How many dofs the port has."""
        return int(self.given.shape[0])

    def rows(self, n: int) -> Matrix:
        """L in full, for a structure of `n` dofs."""
        if not isinstance(self.given, np.ndarray):
            return np.asarray(self.given.toarray())
        if self.given.ndim != 1:
            return np.asarray(self.given, dtype=np.float64)
        full = np.zeros((self.size, n))
        full[np.arange(self.size), self.given.astype(np.intp)] = 1.0
        return full

    def show(self, y: Vector) -> Vector:
        """L y; `y` may have several columns."""
        if self.dofs is None:
            return np.asarray(self.given @ y, dtype=np.float64)
        return y[self.dofs]

    def add(self, f: Vector, force: Vector) -> None:
        """Add Lᵀ force to the load `f`, in place."""
        if self.dofs is None:
            f += np.asarray(self.given.T @ force)
        else:
            f[self.dofs] += force

    def spring(self, k: Vector) -> Operator:
        """Lᵀ k L: springs on the port's dofs, as a sparse matrix."""
        from scipy.sparse import csr_array

        L: Any = csr_array(self.given)
        made: Operator = csr_array(L.T @ (k[:, None] * L))
        return made
