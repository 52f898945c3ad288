"""Interface quasi-Newton with inverse least squares."""

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


@dataclass(frozen=True)
class IQNILS:
    """Secant corrections from all pairs of this window and of `windows` before it.

    Pairs that newer ones make up, but for a part of `filter`, are left out (QR filter).
    The scale ω of the fixed point is what one probe along the first residual shows, and
    the probe is the first pair; or it is `scale`. A correction without any pair takes
    only `relaxation` of it.
    """

    tolerance: float = 1e-10
    force_tolerance: float = 1e-6
    max_iterations: int = 50
    windows: int = 3
    filter: float = 1e-6
    relaxation: float = 0.1
    columns: int = 100
    scale: float | None = None
    patience: int = 10

    def __post_init__(self) -> None:
        stops(self)
        at_least("windows", self.windows, 0, "3, or 0 to forget each window")
        at_least("columns", self.columns, 1, "100")
        between("filter", self.filter, 0.0, 0.5, "1e-6, or more for noisy parts")
        between("relaxation", self.relaxation, 0.0, 1.0, "0.1")
        usable("scale", self.scale)

    def start(self) -> Learned | None:
        """No pairs yet."""
        return None

    def solve(
        self, problem: InterfaceProblem, guess: Vector, memory: Learned | None
    ) -> InterfaceSolution[Learned | None] | Rejected:
        """Iterate with the pairs of this window and of those before."""
        stop = Stop(
            self.tolerance, self.force_tolerance, self.max_iterations, self.patience
        )
        return iterate(problem, guess, self, memory, stop)

    def propose(
        self, problem: InterfaceProblem, trail: Trail, memory: Learned | None
    ) -> Move[Learned | None] | Rejected:
        """The secant correction; the first one ever is cautious."""
        r = trail.here.residual
        if memory is not None and not trail.corrections:
            memory = aged(memory, self.windows)
        if not r.any():
            return Move(-r, memory)
        found = recall(problem, trail, memory, self.scale)
        if isinstance(found, Rejected):
            return found
        known = remember(problem, trail, found.learned, self.columns)
        share = 1.0 if len(known.dz) else self.relaxation
        return Move(secant_step(known, r, share, self.filter), known, found.solves)

    def settings(self) -> dict[str, Any]:
        """All fields."""
        return {"kind": "iqn-ils", **asdict(self)}

    def dump(self, memory: Learned | None) -> Tree:
        """The scale, and the pairs that may be used again."""
        return dump(memory)

    def load(self, data: Tree) -> Learned | None:
        """The memory that `dump` wrote."""
        return load(data)
