"""Fixed point iteration with a constant factor."""

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
from bondline.gluing.solvers.checks import between, stops, usable
from bondline.gluing.solvers.learned import Learned, dump, load, recall
from bondline.gluing.solvers.loop import Move, Stop, Trail, iterate


@dataclass(frozen=True)
class Relaxation:
    """z ← z − factor ω r, with one scale ω for a run.

    Without `scale` ω is what one probe along the first residual shows: 1 where unknown
    and residual are of one kind is the plain fixed point. It converges where the slopes
    in all directions are alike, and slowly.
    """

    tolerance: float = 1e-10
    force_tolerance: float = 1e-6
    max_iterations: int = 100
    factor: float = 0.7
    scale: float | None = None
    patience: int = 10

    def __post_init__(self) -> None:
        stops(self)
        between("factor", self.factor, 0.0, 2.0, "0.7, or less if it diverges")
        usable("scale", self.scale)

    def start(self) -> Learned | None:
        """No scale yet."""
        return None

    def solve(
        self, problem: InterfaceProblem, guess: Vector, memory: Learned | None
    ) -> InterfaceSolution[Learned | None] | Rejected:
        """Iterate with one factor."""
        stop = Stop(
            self.tolerance, self.force_tolerance, self.max_iterations, self.patience
        )
        return iterate(problem, guess, self, memory, stop)

    def propose(
        self, problem: InterfaceProblem, trail: Trail, memory: Learned | None
    ) -> Move[Learned | None] | Rejected:
        """−factor ω r."""
        r = trail.here.residual
        if not r.any():
            return Move(-r, memory)
        found = recall(problem, trail, memory, self.scale)
        if isinstance(found, Rejected):
            return found
        known = found.learned
        return Move(-self.factor * known.factor * r, known, found.solves)

    def settings(self) -> dict[str, Any]:
        """All fields."""
        return {"kind": "relaxation", **asdict(self)}

    def dump(self, memory: Learned | None) -> Tree:
        """The scale and the window it belongs to."""
        return dump(memory)

    def load(self, data: Tree) -> Learned | None:
        """The memory that `dump` wrote."""
        return load(data)
