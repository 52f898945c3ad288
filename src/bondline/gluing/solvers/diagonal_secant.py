"""A secant for each unknown by itself, with guards."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from bondline.core import InterfaceProblem, Vector
from bondline.gluing.solvers.checks import usable
from bondline.gluing.solvers.learned import Learned
from bondline.gluing.solvers.loop import Trail

_TINY = 1e-12  # of the residual's first size: a difference below this teaches nothing
_RANGE = (0.2, 5.0)  # of the nominal factor: outside, a neighbour is to blame
_ALIKE = 1e3  # how much nominal factors of forces and moments may differ


@dataclass(frozen=True)
class DiagonalSecant:
    """zⱼ ← zⱼ − Cⱼ rⱼ, each Cⱼ the secant of its own unknown.

    A secant counts only if its difference is not tiny and it lies within 0.2 to 5
    times the nominal Cⱼ; else the last one stays, also in the next window. Nominal is
    what one probe of all unknowns together shows, or `scale`. For interfaces that are
    all but diagonal, such as a part on large masses.
    """

    scale: float | None = None

    kind: ClassVar[str] = "diagonal-secant"
    each: ClassVar[bool] = True
    windows: ClassVar[int] = 0

    def __post_init__(self) -> None:
        usable("scale", self.scale)

    def correct(
        self, problem: InterfaceProblem, trail: Trail, known: Learned
    ) -> tuple[Vector, Learned]:
        """−C r, unknown by unknown."""
        known = _spread(known, problem.size)
        known = replace(known, factor=_factors(problem, trail, known))
        return -known.factor * trail.here.residual, known


def _spread(known: Learned, size: int) -> Learned:
    """One nominal factor for each unknown: what the probe shows, if that is sane."""
    if len(known.nominal) == size and not len(known.dz):
        return known
    common = np.full(size, known.nominal[0])
    if len(known.dz):
        (dz,), (dr,) = known.dz, known.dr
        common = _within(_ratio(dz, dr, common), common, (1.0 / _ALIKE, _ALIKE), common)
    none = np.zeros((0, size))
    return replace(
        known, nominal=common, factor=common, dz=none, dr=none, ages=np.zeros(0)
    )


def _factors(problem: InterfaceProblem, trail: Trail, known: Learned) -> Vector:
    dz, dr = trail.step, trail.change
    if dz is None or dr is None:
        return known.factor
    least = max(problem.noise, _TINY * trail.history[0])
    own = _ratio(dz, np.where(np.abs(dr) > least, dr, 0.0), known.factor)
    return _within(own, known.nominal, _RANGE, known.factor)


def _within(
    own: Vector, nominal: Vector, limits: tuple[float, float], otherwise: Vector
) -> Vector:
    low, high = limits
    share = own / nominal
    return np.where((low < share) & (share < high), own, otherwise)


def _ratio(dz: Vector, dr: Vector, otherwise: Vector) -> Vector:
    """Δz/Δr where there is a Δr."""
    there = dr != 0.0
    return np.where(there, dz / np.where(there, dr, 1.0), otherwise)
