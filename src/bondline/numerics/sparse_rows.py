"""A sparse matrix times a few vectors that stand in rows.

For small ones: scipy.sparse takes ten times as long to find out what to do.
"""

from __future__ import annotations

from collections.abc import Sequence
from ctypes import Structure, byref, c_ssize_t, c_void_p
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bondline.kernels import function, pointer

Array: TypeAlias = NDArray[np.float64]


class CSparse(Structure):
    """`Sparse` of sparse_rows.c."""

    _fields_ = (
        *((name, c_ssize_t) for name in ("n", "width")),
        *((name, c_void_p) for name in ("begins", "columns", "values")),
    )


@dataclass(frozen=True, eq=False)
class SparseRows:
    """A in compressed rows; sums run along a row in the order of its entries."""

    shape: tuple[int, int]
    begins: NDArray[np.int32]
    columns: NDArray[np.int32]
    values: Array

    @classmethod
    def of(cls, A: Any) -> SparseRows:
        """From a matrix of scipy.sparse in CSR form, its entries as they are."""
        begins, columns = (x.astype(np.int32) for x in (A.indptr, A.indices))
        return cls(A.shape, begins, columns, A.data.astype(np.float64))

    @classmethod
    def below(cls, blocks: Sequence[tuple[int, Array]], width: int) -> SparseRows:
        """From dense blocks one below the other, each with its first column."""
        where = [np.nonzero(A) for _, A in blocks]
        counts = [
            np.bincount(r, minlength=len(A))
            for (r, _), (_, A) in zip(where, blocks, strict=True)
        ]
        begins = np.cumsum(np.concatenate([[0], *counts]))
        columns = [c + at for (_, c), (at, _) in zip(where, blocks, strict=True)]
        values = [A[at] for at, (_, A) in zip(where, blocks, strict=True)]
        places = begins.astype(np.int32), np.concatenate(columns).astype(np.int32)
        return cls((len(begins) - 1, width), *places, np.concatenate(values))

    def times(self, x: Array) -> Array:
        """A x for every row x of a matrix, in rows."""
        x, found = np.ascontiguousarray(x), np.empty((len(x), self.shape[0]))
        assert x.shape[1] == self.shape[1], "rows are as long as A is wide"
        self._times(len(x), pointer(x), pointer(found))
        return found

    @cached_property
    def _times(self) -> Any:
        takes = (c_void_p, c_ssize_t, c_void_p, c_void_p)
        kernel = function("bondline_sparse_rows", *takes, gives=None)
        arrays: tuple[NDArray[Any], ...] = (self.begins, self.columns, self.values)
        own = CSparse(*self.shape, *map(pointer, arrays))
        return partial(kernel, byref(own))
