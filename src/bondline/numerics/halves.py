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


_BITS = 22  # of K_hi
_DOUBLE = 53  # of any number


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


class CTwins(Structure):
    """`Twins` of linear.h."""

    _fields_ = (("half", CHalf), ("scale", c_void_p), ("bits", c_ssize_t))


@dataclass(frozen=True, eq=False)
class Twins:
    """K and C, of which K is cut in two, so that K u can be summed exactly.

    With sᵢ² ≥ Kᵢᵢ, |Kᵢⱼ| ≤ sᵢ sⱼ where K is positive; elsewhere sᵢ² is as large as any
    Kᵢⱼ. K_hi keeps `_BITS` bits below that, u_hi so many below the largest sⱼ uⱼ that
    no sum over a row needs more than 53. Numbers too large for that are summed as
    usual.
    """

    half: Half  # K_hi, C and K_lo
    scale: Array  # sᵢ: powers of two
    bits: int  # of u_hi

    @classmethod
    def of(cls, K: Any, C: Any) -> Twins:
        """From symmetric matrices in CSR form."""
        entries = K.tocoo()
        power = _scales(np.abs(K.diagonal()), entries)
        least = power[entries.row] + power[entries.col] - _BITS
        high, low = entries.copy(), entries.copy()
        high.data = np.ldexp(np.rint(np.ldexp(entries.data, -least)), least)
        low.data = entries.data - high.data
        longest = int(np.diff(K.indptr).max(initial=1))
        bits = _DOUBLE - _BITS - int(longest).bit_length()
        scale = np.ldexp(1.0, power)
        return cls(Half.of(high, C, low), scale, bits)

    @cached_property
    def known(self) -> CTwins:
        """Its addresses: good as long as this lives."""
        return CTwins(self.half.known, pointer(self.scale), self.bits)


def _scales(diagonal: Array, entries: Any) -> NDArray[np.int64]:
    """Powers of two whose products are not below the entries."""
    power, size = _root(diagonal), np.abs(entries.data)
    if (size <= np.ldexp(1.0, power[entries.row] + power[entries.col])).all():
        return power
    largest = diagonal.copy()
    np.maximum.at(largest, entries.row, size)
    return _root(largest)


def _root(sizes: Array) -> NDArray[np.int64]:
    """The power of two that is not below the square root; 0 for 0."""
    return np.ceil(0.5 * np.log2(np.where(sizes > 0.0, sizes, 1.0))).astype(np.int64)


@dataclass(frozen=True, eq=False)
class Halves:
    """M, C and K of a sparse structure: one pass through half of them a call."""

    twins: Twins  # K and C
    mass: Half

    @classmethod
    def of(cls, M: Any, C: Any, K: Any) -> Halves | None:
        """None where one of them is dense, or not that simple."""
        if not all(hasattr(A, "indptr") for A in (M, C, K)):
            return None
        return cls(Twins.of(K, C), Half.of(M))

    def inner(self, u: Array, v: Array) -> Array:
        """K u + C v."""
        total, work = np.empty(len(u)), np.empty(8 * len(u))
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

    def energies_along(self, path: Array) -> list[list[float]]:
        """The same three after every step of a path: points × levels × dofs."""
        steps = len(path) - 1
        found, work = np.empty((steps, 3)), np.empty(2 * path.shape[2])
        self._along(steps, *map(pointer, (path, found, work)))
        numbers: list[list[float]] = found.tolist()
        return numbers

    @cached_property
    def _along(self) -> Any:
        takes = c_void_p, c_void_p, c_ssize_t, *[c_void_p] * 3
        kernel = function("bondline_row_energies", *takes, gives=None)
        return partial(kernel, byref(self.twins.known), byref(self.mass.known))

    @cached_property
    def _inner(self) -> Any:
        kernel = function("bondline_inner_forces", *[c_void_p] * 5, gives=None)
        return partial(kernel, byref(self.twins.known))

    @cached_property
    def _energies(self) -> Any:
        kernel = function("bondline_energies", *[c_void_p] * 7, gives=None)
        return partial(kernel, byref(self.twins.known), byref(self.mass.known))
