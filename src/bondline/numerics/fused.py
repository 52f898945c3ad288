"""A step of Newmark's method in one call: K, C and the factor are read, and that is it.

Other threads may run meanwhile.
"""

from __future__ import annotations

from ctypes import Structure, byref, c_double, c_int, c_ssize_t, c_void_p
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bondline.kernels import function, pointer
from bondline.numerics.band import Band, CBand
from bondline.numerics.halves import Array, CTwins, Halves

Rows: TypeAlias = NDArray[np.intp]


class CStep(Structure):
    """`Step` of newmark.c."""

    _fields_ = (
        ("twins", CTwins),
        ("band", CBand),
        *((name, c_double) for name in ("h", "beta", "gamma")),
    )


class CUnits(Structure):
    """`Units` of newmark.c."""

    _fields_ = (
        ("count", c_ssize_t),
        ("columns", c_void_p),
        *((name, c_double) for name in ("to_u", "to_v")),
        ("band", CBand),
        ("rows", c_void_p),
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
        after, load = np.empty(now.shape), None if f is None else pointer(f)
        if self._take(pointer(now), load, pointer(after)):
            raise MemoryError
        return after

    def row(
        self, path: Array, f: Array | None, z: Array | None, rows: Rows, exact: bool
    ) -> None:
        """Steps one after the other: from the first point of `path` to all others.

        Under loads f, and forces z on some rows of the factor, a row a step, or none.
        Where they need not be `exact`, inner forces are rounded sums: quicker.
        """
        f_at, z_at = (None if y is None else pointer(y) for y in (f, z))
        count, steps = len(rows), len(path) - 1
        given = steps, exact, f_at, z_at, count, pointer(rows), pointer(path)
        if self._go(*given):
            raise MemoryError

    @cached_property
    def _go(self) -> Any:
        one = c_void_p, c_ssize_t, c_int, c_void_p, c_void_p, c_ssize_t
        kernel = function("bondline_newmark_row", *one, c_void_p, c_void_p)
        return partial(kernel, byref(self.known))

    @cached_property
    def known(self) -> CStep:
        """What the kernel reads: good as long as this lives."""
        parts = self.halves.twins.known, self.band.known
        return CStep(*parts, self.h, self.beta, self.gamma)

    @cached_property
    def _take(self) -> Any:
        kernel = function("bondline_newmark_step", *[c_void_p] * 4)
        return partial(kernel, byref(self.known))


@dataclass(frozen=True, eq=False)
class FusedLanding:
    """What forces add to a step, and the energies then: one pass through `units`.

    They are the accelerations at the end of a step under a unit of each force, a column
    each, one after the other in memory; `to_u` and `to_v` are those of (33). Where that
    reads more than the factor, once down and once up, they are solved for: then `units`
    is the factor, with the rows of it that the forces act on.
    """

    halves: Halves
    units: Array | tuple[Band, NDArray[np.intp]]
    to_u: float
    to_v: float

    def __call__(
        self, before: Array, without: Array, z: Array
    ) -> tuple[Array, tuple[float, float, float]]:
        """u, v and a in rows, from those without the forces `z`; and the energies.

        These are as those of `Halves`; `before` is where the step began.
        """
        found, energies = np.empty(without.shape), np.empty(3)
        if self._land(*map(pointer, (z, before, without, found, energies))):
            raise MemoryError
        strain, kinetic, damped = energies.tolist()
        return found, (strain, kinetic, damped)

    @cached_property
    def known(self) -> CUnits:
        """The unit responses, and where they are: good as long as this lives."""
        if isinstance(self.units, tuple):
            band, rows = self.units
            found = band.known, pointer(rows)
            return CUnits(len(rows), None, self.to_u, self.to_v, *found)
        columns = pointer(self.units.T), self.to_u, self.to_v
        return CUnits(self.units.shape[1], *columns)

    @cached_property
    def _land(self) -> Any:
        kernel = function("bondline_newmark_land", *[c_void_p] * 8)
        parts = self.halves.twins.known, self.halves.mass.known, self.known
        return partial(kernel, *map(byref, parts))
