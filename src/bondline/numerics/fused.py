"""A step of Newmark's method in one call: K, C and the factor are read, and that is it.

Other threads may run meanwhile.
"""

from __future__ import annotations

from ctypes import Structure, byref, c_double, c_void_p
from dataclasses import dataclass
from functools import cached_property
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


@dataclass(frozen=True, eq=False)
class FusedStep:
    """Steps of `h`, (33)-(36); `band` has the factor of K*."""

    halves: Halves
    band: Band
    h: float
    beta: float
    gamma: float

    def __call__(self, u: Array, v: Array, a: Array, f: Array) -> Array:
        """u, v and a after a step under the load `f`, in rows."""
        after, work = np.empty((3, len(u))), np.empty(4 * len(u))
        self._take(*map(pointer, (u, v, a, f, after, work)))
        return after

    @cached_property
    def _take(self) -> Any:
        kernel = function("bondline_newmark_step", *[c_void_p] * 7, gives=None)
        parts = self.halves.twins.known, self.band.known
        own = CStep(*parts, self.h, self.beta, self.gamma)
        return lambda *given: kernel(byref(own), *given)
