"""Compiled mechanical systems, q' = N(q) u and u' = f(t, q, u), behind an address.

Models fill a `System` of `kernels/c/system.h`; integrators take it from there, so that
no Python runs inside a time step. States are y = (q, u) in one array.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from bondline.kernels.library import pointer
from bondline.kernels.system import CSystem, words

Array: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class System:
    """A `System` in C at `address`; `owner` is whatever must live as long as it."""

    address: int
    owner: object = None
    library: ctypes.CDLL | None = None  # with integrators for this system alone

    @cached_property
    def c(self) -> CSystem:
        """Its fields."""
        return CSystem.from_address(self.address)

    @property
    def n_q(self) -> int:
        """Positions."""
        return int(self.c.n_q)

    @property
    def n_u(self) -> int:
        """Velocities."""
        return int(self.c.n_u)

    @property
    def size(self) -> int:
        """Numbers in a state."""
        return self.n_q + self.n_u

    @property
    def fast(self) -> list[int]:
        """Velocities that are fast, kim2000 (34)."""
        return _numbers(self.c.fast, int(self.c.n_fast))

    @property
    def slow(self) -> list[int]:
        """Velocities that are slow."""
        return _numbers(self.c.slow, int(self.c.n_slow))

    @property
    def turns(self) -> list[tuple[int, int]]:
        """Where quaternions begin among the positions, and their spins among u."""
        count = int(self.c.n_turns)
        q, u = _numbers(self.c.turn_q, count), _numbers(self.c.turn_u, count)
        return list(zip(q, u, strict=True))

    def rates(self, t: float, y: Array) -> Array:
        """y' at a state."""
        rate = np.empty(self.size)
        y = self._held(y)
        q, u = self._halves(y)
        dq, du = pointer(rate), pointer(rate) + 8 * self.n_q
        space = np.empty(int(self.c.work) + 1)
        _raise(self.c.rates(self.address, t, q, u, pointer(space), dq, du))
        return rate

    def fast_rates(self, t: float, y: Array) -> tuple[Array, Array]:
        """w and N of u'_f = w − N u'_s, the second row of kim2000 (36)."""
        w, N = np.empty(len(self.fast)), np.empty((len(self.fast), len(self.slow)))
        y = self._held(y)
        q, u = self._halves(y)
        space, call = np.empty(int(self.c.work) + 1), self.c.fast_rates
        _raise(call(self.address, t, q, u, pointer(space), pointer(w), pointer(N)))
        return w, N

    def split_rates(self, t: float, y: Array) -> tuple[Array, Array]:
        """y', and B = m_e⁻¹ m_sf of the first row of kim2000 (36)."""
        rate, B = np.empty(self.size), np.empty((len(self.slow), len(self.fast)))
        y = self._held(y)
        q, u = self._halves(y)
        dq, du = pointer(rate), pointer(rate) + 8 * self.n_q
        space, call = np.empty(int(self.c.work) + 1), self.c.split_rates
        _raise(call(self.address, t, q, u, pointer(space), dq, du, pointer(B)))
        return rate, B

    def _held(self, y: Array) -> Array:
        """The state as a kernel reads it; alive as long as the caller holds it."""
        held = np.ascontiguousarray(y, dtype=np.float64)
        assert held.shape == (self.size,)
        return held

    def _halves(self, y: Array) -> tuple[int, int]:
        return pointer(y), pointer(y) + 8 * self.n_q


def _numbers(address: int | None, count: int) -> list[int]:
    if not count or not address:
        return []
    return list((ctypes.c_int * count).from_address(address))


def _raise(trouble: int) -> None:
    if trouble:
        raise ArithmeticError(words(trouble))
