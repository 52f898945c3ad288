"""Solvers without a gluing matrix: a rule for corrections, and when to stop."""

from __future__ import annotations

from dataclasses import Field, asdict, dataclass
from typing import Any, ClassVar, Protocol

from bondline.core import (
    InterfaceProblem,
    InterfaceSolution,
    Rejected,
    Tree,
    Vector,
)
from bondline.gluing.solvers.learned import Learned, aged, dump, load, recall
from bondline.gluing.solvers.loop import Move, Stop, Trail, iterate


class Correction(Protocol):
    """The mathematics of a solver without a gluing matrix: a frozen dataclass."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]
    kind: ClassVar[str]
    each: ClassVar[bool]  # whether the first probe shows each unknown by itself

    @property
    def scale(self) -> float | None:
        """How far to go for a residual; none: one probe along it finds that."""
        ...

    @property
    def windows(self) -> int:
        """For how many windows a pair (Δz, Δr) is of use after its own."""
        ...

    def correct(
        self, problem: InterfaceProblem, trail: Trail, known: Learned
    ) -> tuple[Vector, Learned]:
        """The next correction, and what is known after the last one."""
        ...


@dataclass(frozen=True)
class Iterated:
    """Corrections by a rule, from what one probe and all corrections so far showed."""

    rule: Correction
    stop: Stop = Stop()  # noqa: RUF009 - a frozen value

    @property
    def tolerance(self) -> float:
        """On the residual."""
        return self.stop.tolerance

    def start(self) -> Learned | None:
        """Nothing is known yet."""
        return None

    def solve(
        self, problem: InterfaceProblem, guess: Vector, memory: Learned | None
    ) -> InterfaceSolution[Learned | None] | Rejected:
        """Iterate, with what the last windows taught."""
        return iterate(problem, guess, self, memory, self.stop)

    def propose(
        self, problem: InterfaceProblem, trail: Trail, memory: Learned | None
    ) -> Move[Learned | None] | Rejected:
        """The correction of the rule; where there is no residual, none."""
        r = trail.here.residual
        if memory is not None and not trail.corrections:
            memory = aged(memory, self.rule.windows)
        if not r.any():
            return Move(-r, memory)
        found = recall(problem, trail, memory, self.rule.scale, self.rule.each)
        if isinstance(found, Rejected):
            return found
        step, known = self.rule.correct(problem, trail, found.learned)
        return Move(step, known, found.solves)

    def settings(self) -> dict[str, Any]:
        """All fields of the rule and of the stop."""
        return {"kind": self.rule.kind, **asdict(self.stop), **asdict(self.rule)}

    def dump(self, memory: Learned | None) -> Tree:
        """What was learned, and the length of the windows it belongs to."""
        return dump(memory)

    def load(self, data: Tree) -> Learned | None:
        """The memory that `dump` wrote."""
        return load(data)
