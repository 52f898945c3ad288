"""Interface quasi-Newton with inverse least squares."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from bondline.core import InterfaceProblem, Vector
from bondline.gluing.solvers.checks import at_least, between, usable
from bondline.gluing.solvers.learned import Learned
from bondline.gluing.solvers.loop import Trail
from bondline.gluing.solvers.secants import remember, secant_step


@dataclass(frozen=True)
class IQNILS:
    """Secant corrections from all pairs of this window and of `windows` before it.

    Pairs that newer ones make up, but for a part of `filter`, are left out (QR filter).
    The scale ω of the fixed point is what one probe along the first residual shows, and
    the probe is the first pair; or it is `scale`. A correction without any pair takes
    only `relaxation` of it.
    """

    windows: int = 3
    filter: float = 1e-6
    relaxation: float = 0.1
    columns: int = 100
    scale: float | None = None

    kind: ClassVar[str] = "iqn-ils"
    each: ClassVar[bool] = False

    def __post_init__(self) -> None:
        at_least("windows", self.windows, 0, "3, or 0 to forget each window")
        at_least("columns", self.columns, 1, "100")
        between("filter", self.filter, 0.0, 0.5, "1e-6, or more for noisy parts")
        between("relaxation", self.relaxation, 0.0, 1.0, "0.1")
        usable("scale", self.scale)

    def correct(
        self, problem: InterfaceProblem, trail: Trail, known: Learned
    ) -> tuple[Vector, Learned]:
        """The secant correction; the first one ever is cautious."""
        known = remember(problem, trail, known, self.columns)
        share = 1.0 if len(known.dz) else self.relaxation
        return secant_step(known, trail.here.residual, share, self.filter), known
