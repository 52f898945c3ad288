"""Solves with Cholesky's factor of a band; other threads may run meanwhile."""

from __future__ import annotations

from ctypes import Structure, byref, c_ssize_t, c_void_p
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bondline.kernels import function, pointer


class CBand(Structure):
    """`Band` of linear.h."""

    _fields_ = (
        *((name, c_ssize_t) for name in ("n", "reach")),
        *((name, c_void_p) for name in ("L", "order")),
    )


@dataclass(frozen=True, eq=False)
class Band:
    """L as LAPACK's dpbtrf leaves it; its row i is row `order[i]` of f and of x."""

    L: NDArray[np.float64]
    order: NDArray[np.intp]

    def solve(self, f: NDArray[np.float64]) -> NDArray[np.float64]:
        """(L Lᵀ)⁻¹ f, for one right-hand side or several columns."""
        given = np.asarray(f, dtype=np.float64, order="F")
        x, work = np.empty(f.shape, order="F"), np.empty(len(self.order))
        columns = 1 if f.ndim == 1 else f.shape[1]
        self._solve(columns, pointer(given.T), pointer(x.T), pointer(work))
        return x

    @property
    def reads(self) -> int:
        """Numbers that a solve reads for each row, down and up."""
        return 2 * len(self.L)

    def rows(self, dofs: NDArray[np.intp]) -> NDArray[np.intp]:
        """Where rows of f and x are in the factor."""
        at = np.empty_like(self.order)
        at[self.order] = np.arange(len(self.order))
        return at[dofs]

    @cached_property
    def known(self) -> CBand:
        """Its addresses: good as long as this lives."""
        rows, n = self.L.shape
        return CBand(n, rows - 1, pointer(self.L.T), pointer(self.order))

    @cached_property
    def _solve(self) -> Any:
        takes = (c_void_p, c_ssize_t, c_void_p, c_void_p, c_void_p)
        kernel = function("bondline_band_columns", *takes, gives=None)
        own = byref(self.known)
        return lambda *given: kernel(own, *given)
