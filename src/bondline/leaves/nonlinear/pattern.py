"""Where elements put their numbers in a matrix: found once, filled in every iteration.

Small models are dense: a factorisation of 100 rows costs less than an ordering.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from bondline.core import Matrix, Vector
from bondline.leaves.nonlinear.elements.block import Array, Indices
from bondline.numerics.sparse import Solve

_DENSE = 160


@dataclass(frozen=True, eq=False)
class Pattern:
    """Matrices of `size` rows over the dofs of blocks (elements × m, −1: no dof).

    All matrices of a pattern have their entries in the same places, so that sums of
    matrices are sums of `values`.
    """

    size: int
    dofs: tuple[Indices, ...]

    @property
    def dense(self) -> bool:
        """Whether values are full matrices, row by row."""
        return self.size <= _DENSE

    @cached_property
    def _keys(self) -> Indices:
        """Column × size + row of every number that elements give, then the diagonal."""
        n, keys = self.size, list[Indices]()
        for dofs in self.dofs:
            rows, columns = dofs[:, :, None], dofs[:, None, :]
            key = np.where((rows >= 0) & (columns >= 0), columns * n + rows, -1)
            keys.append(key.ravel())
        return np.concatenate([*keys, np.arange(n) * (n + 1)])

    @cached_property
    def _places(self) -> tuple[Indices, Indices]:
        """Keys that exist, ascending, and where each number goes among them."""
        kept = self._keys[self._keys >= 0]
        if self.dense:
            return np.arange(self.size**2), kept
        keys, place = np.unique(kept, return_inverse=True)
        return keys, place.ravel().astype(np.intp)

    @cached_property
    def _inside(self) -> Any:
        return slice(None) if (self._keys >= 0).all() else self._keys >= 0

    def gather(self, blocks: Sequence[Array | None], diagonal: Array) -> Vector:
        """The values of a matrix from those of elements (None: zero) and a diagonal."""
        parts = [
            np.zeros(dofs.size * dofs.shape[1]) if each is None else each.ravel()
            for dofs, each in zip(self.dofs, blocks, strict=True)
        ]
        numbers = np.concatenate([*parts, diagonal])[self._inside]
        keys, place = self._places
        return np.bincount(place, numbers, len(keys)).astype(np.float64)

    def add(self, forces: Sequence[Array]) -> Vector:
        """Forces of elements (elements × m) as one vector."""
        f = np.zeros(self.size + 1)  # the last one takes what has no dof
        for dofs, each in zip(self.dofs, forces, strict=True):
            f += np.bincount(
                dofs.ravel() % (self.size + 1), each.ravel(), self.size + 1
            )
        return f[:-1]

    def matrix(self, values: Vector) -> Any:
        """Dense, or sparse by columns."""
        n = self.size
        if self.dense:
            return values.reshape(n, n).T
        from scipy.sparse import csc_array

        return csc_array((values, *self._columns), shape=(n, n))

    @cached_property
    def _columns(self) -> tuple[Indices, Indices]:
        """Rows of the values, and where columns start."""
        (keys, _), n = self._places, self.size
        starts = np.searchsorted(keys, np.arange(n + 1) * n)
        return (keys % n).astype(np.int32), starts.astype(np.int32)

    def times(self, values: Vector, x: Matrix) -> Matrix:
        """A x."""
        return np.asarray(self.matrix(values) @ x, dtype=np.float64)

    def diagonal(self, values: Vector) -> Vector:
        """The diagonal of a matrix."""
        return np.asarray(self.matrix(values).diagonal(), dtype=np.float64)

    def factor(self, values: Vector) -> Solve:
        """A⁻¹ f; the matrix need be neither symmetric nor definite.

        `LinAlgError` where it is singular.
        """
        A = self.matrix(values)
        return _dense(A) if self.dense else _sparse(A)


def _dense(A: Matrix) -> Solve:
    from scipy.linalg.lapack import dgetrf, dgetrs  # 0.2 s to import

    lu, pivots, failed = dgetrf(A)
    if failed or not np.isfinite(lu).all():
        raise np.linalg.LinAlgError("singular matrix")
    return lambda f: np.asarray(dgetrs(lu, pivots, f)[0], dtype=np.float64)


def _sparse(A: Any) -> Solve:
    from scipy.sparse.linalg import splu

    options = {"SymmetricMode": True}
    try:
        lu = splu(A, "MMD_AT_PLUS_A", diag_pivot_thresh=1e-3, options=options)
    except RuntimeError as error:  # exactly singular
        raise np.linalg.LinAlgError(str(error)) from error
    return lambda f: np.asarray(lu.solve(f), dtype=np.float64)
