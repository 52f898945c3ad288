"""Iterate, or sweep once: as the problem of the window says."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Protocol, runtime_checkable

from bondline.core import (
    InterfaceProblem,
    InterfaceSolution,
    InterfaceSolver,
    Rejected,
    Tree,
    Vector,
)
from bondline.gluing.solvers.one_pass import Carried, OnePass


@runtime_checkable
class PosedOnce(Protocol):
    """A problem that may be one of a single sweep."""

    @property
    def once(self) -> bool:
        """Whether it is."""
        ...


class Both(NamedTuple):
    """What each of the two has learned."""

    iterated: Any
    once: Carried | None


@dataclass(frozen=True)
class AsPosed:
    """`iterated` where a window is to be iterated, `OnePass` where it is not."""

    iterated: InterfaceSolver[Any]
    once: OnePass = OnePass()  # noqa: RUF009 - a frozen value

    @property
    def tolerance(self) -> float:
        """That of the iterations."""
        return self.iterated.tolerance

    def start(self) -> Both:
        """Nothing learned."""
        return Both(self.iterated.start(), self.once.start())

    def solve(
        self, problem: InterfaceProblem, guess: Vector, memory: Both
    ) -> InterfaceSolution[Both] | Rejected:
        """By the one or the other."""
        once = isinstance(problem, PosedOnce) and problem.once
        solver: InterfaceSolver[Any] = self.once if once else self.iterated
        done = solver.solve(problem, guess, memory.once if once else memory.iterated)
        if isinstance(done, Rejected):
            return done
        which = "once" if once else "iterated"
        return replace(done, memory=memory._replace(**{which: done.memory}))

    def settings(self) -> dict[str, Any]:
        """Those of the iterations."""
        return {**self.iterated.settings(), "posed": "auto"}

    def dump(self, memory: Both) -> Tree:
        """Both."""
        return [self.iterated.dump(memory.iterated), self.once.dump(memory.once)]

    def load(self, data: Tree) -> Both:
        """The memory that `dump` wrote."""
        assert isinstance(data, list), "two memories"
        return Both(self.iterated.load(data[0]), self.once.load(data[1]))
