"""Anderson's mixing: the best combination of the last few iterates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from bondline.core import InterfaceProblem, Vector
from bondline.gluing.solvers.checks import at_least, between, usable
from bondline.gluing.solvers.learned import Learned
from bondline.gluing.solvers.loop import Trail
from bondline.gluing.solvers.secants import remember, secant_step

_FILTER = 1e-10  # pairs that say the same to this part would divide by nothing


@dataclass(frozen=True)
class Anderson:
    """Secant corrections from the last `depth` pairs of this window.

    Of the residual that no pair explains, z moves by −mixing ω r. The scale ω is what
    one probe along the first residual shows, or `scale`; only ω goes on to the next
    window.
    """

    depth: int = 5
    mixing: float = 1.0
    scale: float | None = None

    kind: ClassVar[str] = "anderson"
    each: ClassVar[bool] = False
    windows: ClassVar[int] = 0

    def __post_init__(self) -> None:
        at_least("depth", self.depth, 1, "5")
        between("mixing", self.mixing, 0.0, 2.0, "1, or less if it diverges")
        usable("scale", self.scale)

    def correct(
        self, problem: InterfaceProblem, trail: Trail, known: Learned
    ) -> tuple[Vector, Learned]:
        """The secant correction."""
        known = remember(problem, trail, known, self.depth)
        return secant_step(known, trail.here.residual, self.mixing, _FILTER), known
