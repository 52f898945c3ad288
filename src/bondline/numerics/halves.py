"""The upper halves of sparse symmetric matrices, as compiled kernels read them."""

from __future__ import annotations

from ctypes import Structure, byref, c_ssize_t, c_void_p
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bondline.kernels import function, pointer

Array: TypeAlias = NDArray[np.float64]


class CHalf(Structure):
    """`Half` of linear.h."""

    _fields_ = (
        ("n", c_ssize_t),
        *((name, c_void_p) for name in ("begins", "columns", "values")),
    )


@dataclass(frozen=True, eq=False)
class Half:
    """Matrices of one size, entry by entry: `values` has a column for each."""

    begins: NDArray[np.int32]
    columns: NDArray[np.int32]
    values: Array

    @classmethod
    def of(cls, *matrices: Any) -> Half:
        """From symmetric matrices in CSR form; entries that one lacks are zero."""
        n, parts = matrices[0].shape[0], [A.tocoo() for A in matrices]
        upper = [part.row <= part.col for part in parts]
        places = [
            part.row[here].astype(np.int64) * n + part.col[here]
            for part, here in zip(parts, upper, strict=True)
        ]
        diagonal = np.arange(n, dtype=np.int64) * (n + 1)
        every = np.unique(np.concatenate([diagonal, *places]))
        values = np.zeros((len(every), len(matrices)))
        for k, (part, here) in enumerate(zip(parts, upper, strict=True)):
            np.add.at(values[:, k], np.searchsorted(every, places[k]), part.data[here])
        rows, columns = np.divmod(every, n)
        begins = np.searchsorted(rows, np.arange(n + 1))
        return cls(begins.astype(np.int32), columns.astype(np.int32), values)

    @cached_property
    def known(self) -> CHalf:
        """Its addresses: good as long as this lives."""
        arrays: tuple[NDArray[Any], ...] = (self.begins, self.columns, self.values)
        return CHalf(len(self.begins) - 1, *map(pointer, arrays))


@dataclass(frozen=True, eq=False)
class Halves:
    """M, C and K of a sparse structure: one pass through half of them a call."""

    twins: Half  # K and C
    mass: Half

    @classmethod
    def of(cls, M: Any, C: Any, K: Any) -> Halves | None:
        """None where one of them is dense, or not that simple."""
        if not all(hasattr(A, "indptr") for A in (M, C, K)):
            return None
        return cls(Half.of(K, C), Half.of(M))

    def inner(self, u: Array, v: Array) -> Array:
        """K u + C v."""
        total, work = np.empty(len(u)), np.empty(4 * len(u))
        self._inner(*map(pointer, (u, v, total, work)))
        return total

    def energies(
        self, u: Array, v_before: Array, v: Array
    ) -> tuple[float, float, float]:
        """½ uᵀK u, ½ vᵀM v, and ½ v̄ᵀC v̄ of the mean velocity."""
        found, work = np.empty(3), np.empty(2 * len(u))
        self._energies(*map(pointer, (u, v_before, v, found, work)))
        strain, kinetic, damped = found.tolist()
        return strain, kinetic, damped

    @cached_property
    def _inner(self) -> Any:
        kernel = function("bondline_inner_forces", *[c_void_p] * 5, gives=None)
        return partial(kernel, byref(self.twins.known))

    @cached_property
    def _energies(self) -> Any:
        kernel = function("bondline_energies", *[c_void_p] * 7, gives=None)
        return partial(kernel, byref(self.twins.known), byref(self.mass.known))
