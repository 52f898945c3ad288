"""Fixed point iteration with a constant factor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from bondline.core import InterfaceProblem, Vector
from bondline.gluing.solvers.checks import between, usable
from bondline.gluing.solvers.learned import Learned
from bondline.gluing.solvers.loop import Trail


@dataclass(frozen=True)
class Relaxation:
    """z ← z − factor ω r, with one scale ω for a run.

    Without `scale` ω is what one probe along the first residual shows: 1 where unknown
    and residual are of one kind is the plain fixed point. It converges where the slopes
    in all directions are alike, and slowly.
    """

    factor: float = 0.7
    scale: float | None = None

    kind: ClassVar[str] = "relaxation"
    each: ClassVar[bool] = False
    windows: ClassVar[int] = 0

    def __post_init__(self) -> None:
        between("factor", self.factor, 0.0, 2.0, "0.7, or less if it diverges")
        usable("scale", self.scale)

    def correct(
        self, problem: InterfaceProblem, trail: Trail, known: Learned
    ) -> tuple[Vector, Learned]:
        """−factor ω r."""
        return -self.factor * known.factor * trail.here.residual, known
