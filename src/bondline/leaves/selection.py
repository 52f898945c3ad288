"""Which dofs of a structure a port shows."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from bondline.core import Matrix, Vector

Dofs: TypeAlias = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Selection:
    """L: a port's dofs in terms of the structure's, as rows or as a list of dofs."""

    given: Matrix | Dofs

    @cached_property
    def dofs(self) -> Dofs | None:
        """The dofs, where the port shows dofs as they are and none of them twice."""
        if self.given.ndim == 1:
            return self.given.astype(np.intp)
        rows, columns = np.nonzero(self.given)
        plain = np.array_equal(rows, np.arange(len(self.given)))
        ones = plain and bool((self.given[rows, columns] == 1.0).all())
        return columns if ones and len(set(columns.tolist())) == len(columns) else None

    def fits(self, n: int) -> bool:
        """Whether `n` dofs have all of it; a list names no dof twice."""
        if self.given.ndim != 1:
            return self.given.shape[1:] == (n,)
        dofs = self.given.tolist()
        whole = np.issubdtype(self.given.dtype, np.integer) or not dofs
        return whole and len(set(dofs)) == len(dofs) and all(0 <= d < n for d in dofs)

    @property
    def size(self) -> int:
        """How many dofs the port has."""
        return len(self.given)

    def show(self, y: Vector) -> Vector:
        """L y; `y` may have several columns."""
        return self.given @ y if self.dofs is None else y[self.dofs]

    def add(self, f: Vector, force: Vector) -> None:
        """Add Lᵀ force to the load `f`, in place."""
        if self.dofs is None:
            f += self.given.T @ force
        else:
            f[self.dofs] += force
