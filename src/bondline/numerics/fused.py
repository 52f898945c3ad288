"""A step of Newmark's method in one call: K, C and the factor are read, and that is it.

Other threads may run meanwhile.
"""

from __future__ import annotations

from ctypes import Structure, byref, c_double, c_ssize_t, c_void_p
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np

from bondline.kernels import function, pointer
from bondline.numerics.band import Band, CBand
from bondline.numerics.halves import Array, CHalf, Halves


class CStep(Structure):
    """`Step` of newmark.c."""

    _fields_ = (
        ("twins", CHalf),
        ("band", CBand),
        *((name, c_double) for name in ("h", "beta", "gamma")),
    )


class CUnits(Structure):
    """`Units` of newmark.c."""

    _fields_ = (
        ("count", c_ssize_t),
        ("columns", c_void_p),
        *((name, c_double) for name in ("to_u", "to_v")),
    )


@dataclass(frozen=True, eq=False)
class FusedStep:
    """Steps of `h`, (33)-(36); `band` has the factor of K*."""

    halves: Halves
    band: Band
    h: float
    beta: float
    gamma: float

    def __call__(self, now: Array, f: Array | None) -> Array:
        """u, v and a after a step, in rows as in `now`; under the load `f`, or none."""
        after, work = np.empty((3, now.size // 3)), np.empty(now.size // 3 * 4)
        load = None if f is None else pointer(f)
        self._take(pointer(now), load, pointer(after), pointer(work))
        return after

    @cached_property
    def _take(self) -> Any:
        kernel = function("bondline_newmark_step", *[c_void_p] * 5, gives=None)
        parts = self.halves.twins.known, self.band.known
        own = CStep(*parts, self.h, self.beta, self.gamma)
        return partial(kernel, byref(own))


@dataclass(frozen=True, eq=False)
class FusedShift:
    """What forces add to a step: a sum of unit responses, in one pass through them.

    `units` has the accelerations at the end of a step under a unit of each force, a
    column each, one after the other in memory; `to_u` and `to_v` are those of (33).
    """

    units: Array
    to_u: float
    to_v: float

    def __call__(self, without: Array, z: Array) -> Array:
        """u, v and a in rows, from those without the forces `z`."""
        found = np.empty(without.shape)
        self._shift(*map(pointer, (z, without, found)))
        return found

    @cached_property
    def _shift(self) -> Any:
        takes = (c_void_p, c_ssize_t, *[c_void_p] * 3)
        kernel = function("bondline_newmark_shift", *takes, gives=None)
        n, count = self.units.shape
        own = CUnits(count, pointer(self.units.T), self.to_u, self.to_v)
        return partial(kernel, byref(own), n)
