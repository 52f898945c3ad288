"""Aitken's dynamic relaxation: one factor, found anew after each correction."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from bondline.core import InterfaceProblem, Vector
from bondline.gluing.solvers.checks import usable
from bondline.gluing.solvers.learned import Learned, scale_of
from bondline.gluing.solvers.loop import Trail

_RANGE = (0.2, 5.0)  # of the nominal factor: what the next window may start with


@dataclass(frozen=True)
class Aitken:
    """z ← z − a r with the scalar secant a = Δz·Δr / Δr·Δr of the last correction.

    That is Aitken's ω ← −ω r·Δr / Δr·Δr without its first guess: the first factor is
    the secant of one probe along the first residual, or `scale`. One factor for all
    unknowns: exact for one, slow where their slopes differ much.
    """

    scale: float | None = None

    kind: ClassVar[str] = "aitken"
    each: ClassVar[bool] = False
    windows: ClassVar[int] = 0

    def __post_init__(self) -> None:
        usable("scale", self.scale)

    def correct(
        self, problem: InterfaceProblem, trail: Trail, known: Learned
    ) -> tuple[Vector, Learned]:
        """−a r."""
        known = replace(known, factor=_factor(problem, trail, known))
        return -known.factor * trail.here.residual, known


def _factor(problem: InterfaceProblem, trail: Trail, known: Learned) -> Vector:
    """From the last correction; at the start of a window, near the nominal one."""
    if trail.step is None or trail.change is None:
        low, high = sorted(known.nominal[0] * share for share in _RANGE)
        return known.factor.clip(low, high)
    if not trail.teaches(problem):
        return known.factor
    return np.array([scale_of(trail.step, trail.change)])
