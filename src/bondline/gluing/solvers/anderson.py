"""Anderson's mixing: the best combination of the last few iterates."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from bondline.core import (
    InterfaceProblem,
    InterfaceSolution,
    Rejected,
    Tree,
    Vector,
)
from bondline.gluing.solvers.checks import at_least, between, stops, usable
from bondline.gluing.solvers.learned import Learned, dump, load, recall
from bondline.gluing.solvers.loop import Move, Stop, Trail, iterate
from bondline.gluing.solvers.secants import aged, remember, secant_step

_FILTER = 1e-10  # pairs that say the same to this part would divide by nothing


@dataclass(frozen=True)
class Anderson:
    """Secant corrections from the last `depth` pairs of this window.

    Of the residual that no pair explains, z moves by −mixing ω r. The scale ω is what
    one probe along the first residual shows, or `scale`; only ω goes on to the next
    window.
    """

    tolerance: float = 1e-10
    force_tolerance: float = 1e-6
    max_iterations: int = 50
    depth: int = 5
    mixing: float = 1.0
    scale: float | None = None
    patience: int = 10

    def __post_init__(self) -> None:
        stops(self)
        at_least("depth", self.depth, 1, "5")
        between("mixing", self.mixing, 0.0, 2.0, "1, or less if it diverges")
        usable("scale", self.scale)

    def start(self) -> Learned | None:
        """No scale yet."""
        return None

    def solve(
        self, problem: InterfaceProblem, guess: Vector, memory: Learned | None
    ) -> InterfaceSolution[Learned | None] | Rejected:
        """Iterate with the pairs of this window."""
        stop = Stop(
            self.tolerance, self.force_tolerance, self.max_iterations, self.patience
        )
        return iterate(problem, guess, self, memory, stop)

    def propose(
        self, problem: InterfaceProblem, trail: Trail, memory: Learned | None
    ) -> Move[Learned | None] | Rejected:
        """The secant correction."""
        r = trail.here.residual
        if memory is not None and not trail.corrections:
            memory = aged(memory, 0)
        if not r.any():
            return Move(-r, memory)
        found = recall(problem, trail, memory, self.scale)
        if isinstance(found, Rejected):
            return found
        known = remember(problem, trail, found.learned, self.depth)
        return Move(secant_step(known, r, self.mixing, _FILTER), known, found.solves)

    def settings(self) -> dict[str, Any]:
        """All fields."""
        return {"kind": "anderson", **asdict(self)}

    def dump(self, memory: Learned | None) -> Tree:
        """The scale, and the pairs of the last window."""
        return dump(memory)

    def load(self, data: Tree) -> Learned | None:
        """The memory that `dump` wrote."""
        return load(data)
