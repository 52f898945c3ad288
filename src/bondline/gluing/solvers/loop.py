"""The iteration that all interface solvers share: propose, test, sweep, count."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import sqrt
from typing import Generic, Protocol, TypeVar

import numpy as np

from bondline.core import (
    InterfaceProblem,
    InterfaceSolution,
    Rejected,
    Sweep,
    Vector,
)
from bondline.gluing.solvers.checks import stops

M = TypeVar("M")

_FORCE, _USUAL = 1e-6, 1e-10  # a force tolerance, and the tolerance it goes with
_NEAR = 100.0  # times the noise: a tolerance below this asks for round-off
_LAST = 0.25  # of the noise, which is a bound: from here on nothing is to be gained
_TINY = 10.0  # times the noise: a difference below this teaches nothing
_RUNAWAY = 1e10  # times the first residual: nobody comes back from there


@dataclass(frozen=True, slots=True, eq=False)
class Move(Generic[M]):
    """The next correction of the unknowns, and what was learned to find it."""

    step: Vector
    memory: M
    solves: int = 0  # advances of leaves that the probes took
    builds: int = 0
    condition: float | None = None
    warnings: tuple[str, ...] = ()
    due: bool = False  # to be taken, however small the residual is


@dataclass(slots=True)
class Trail:
    """Where the iteration is, the correction that led here, and the price so far."""

    z: Vector
    here: Sweep
    history: list[float]
    solves: int
    builds: int = 0
    fresh: int = 0  # corrections before the memory was last built from probes
    step: Vector | None = None
    change: Vector | None = None  # of the residual, by the last correction
    warnings: tuple[str, ...] = ()

    @property
    def corrections(self) -> int:
        """Corrections so far in this window."""
        return len(self.history) - 1

    def teaches(self, problem: InterfaceProblem) -> bool:
        """Whether the last correction showed more than round-off."""
        return self.change is not None and norm(self.change) > _TINY * problem.noise

    def count(self, move: Move[M]) -> None:
        """Pay for the probes of a move."""
        self.solves += move.solves
        if move.builds:
            self.builds += move.builds
            self.fresh = self.corrections
        if move.warnings:
            new = [text for text in move.warnings if text not in self.warnings]
            self.warnings = (*self.warnings, *new)

    def go(self, step: Vector, there: Sweep) -> None:
        """Take the correction."""
        self.step, self.change = step, there.residual - self.here.residual
        self.z, self.here = self.z + step, there
        self.solves += there.solves
        self.history.append(norm(there.residual))


class Rule(Protocol[M]):
    """How a solver finds its next correction."""

    def propose(
        self, problem: InterfaceProblem, trail: Trail, memory: M
    ) -> Move[M] | Rejected:
        """The correction from where `trail` is; learns from the last one first."""
        ...


@dataclass(frozen=True, slots=True)
class Stop:
    """When to stop: the residual and the next correction are small, or no hope is left.

    The residual alone would not do: a gap δ comes back as a force 2 Λ δ. So the next
    correction must be below `force_tolerance` times the largest unknown, too; 1e-6 if
    it is not given. A residual that is round-off is always enough, because −Λ r is
    round-off then as well; and who asks for a tolerance hardly above round-off gets
    all that round-off leaves, unless `force_tolerance` says how much is wanted.
    """

    tolerance: float = 1e-10
    force_tolerance: float | None = None
    max_iterations: int = 100
    patience: int = 10

    def __post_init__(self) -> None:
        stops(self)

    def done(self, problem: InterfaceProblem, trail: Trail, move: Move[M]) -> bool:
        """Whether the unknowns are a solution."""
        if move.due or not closed(problem, self.tolerance, trail.history[-1]):
            return False
        largest = max(float(np.abs(trail.z).max()), problem.floor)
        small = float(np.abs(move.step).max()) <= self._share(problem) * largest
        return small or _exhausted(problem.noise, trail.history)

    def _share(self, problem: InterfaceProblem) -> float:
        """What the next correction may be, as a part of the largest unknown."""
        if self.force_tolerance is not None:
            return self.force_tolerance
        sharp = self.tolerance < min(_USUAL, _NEAR * problem.noise)
        return 0.0 if sharp and not problem.affine else _FORCE

    def gives_up(self, history: Sequence[float]) -> bool:
        """Whether to stop without a solution; a window too long may have none."""
        first, last = history[0], history[-1]
        wandering = len(history) > 2 * self.patience and last > first
        runaway = not last <= _RUNAWAY * max(first, self.tolerance)  # or not a number
        return wandering or runaway or len(history) > self.max_iterations


def iterate(
    problem: InterfaceProblem, guess: Vector, rule: Rule[M], memory: M, stop: Stop
) -> InterfaceSolution[M] | Rejected:
    """wang2003, Algorithm 3, steps 2 to 7, for any rule."""
    here = problem.sweep(guess)
    if isinstance(here, Rejected):
        return here
    if not problem.size:  # nothing is glued: any advance is the solution
        return InterfaceSolution(guess, here, memory, (0.0,), True, here.solves)
    trail = Trail(guess, here, [norm(here.residual)], here.solves)
    while True:
        move = rule.propose(problem, trail, memory)
        if isinstance(move, Rejected):
            return replace(move, solves=move.solves + trail.solves)
        memory = move.memory
        trail.count(move)
        done = stop.done(problem, trail, move)
        if done or stop.gives_up(trail.history):
            return _solution(trail, move, done, allowed(problem, stop.tolerance))
        there = problem.sweep(trail.z + move.step)
        if isinstance(there, Rejected):
            return replace(there, solves=there.solves + trail.solves)
        trail.go(move.step, there)


def closed(problem: InterfaceProblem, tolerance: float, residual: float) -> bool:
    """Whether a residual is within the tolerance, or is round-off."""
    return residual <= allowed(problem, tolerance)


def allowed(problem: InterfaceProblem, tolerance: float) -> float:
    """The largest residual that counts as none."""
    return max(tolerance, problem.noise)


def _exhausted(noise: float, history: Sequence[float]) -> bool:
    """Whether a residual within the tolerance is round-off: corrections only stir it.

    Parts lose digits inside that the problem cannot know of: two corrections that find
    nothing better than what there was say so.
    """
    *before, last = history
    if last <= _LAST * noise or not before:
        return last <= _LAST * noise
    if last <= noise and last > 0.5 * before[-1]:
        return True
    return len(history) > 3 and min(history[-2:]) >= min(history[:-2])


def norm(x: Vector) -> float:
    """Euclidean length."""
    return sqrt(x @ x)


def _solution(
    trail: Trail, move: Move[M], done: bool, limit: float
) -> InterfaceSolution[M]:
    return InterfaceSolution(
        trail.z,
        trail.here,
        move.memory,
        tuple(trail.history),
        done,
        trail.solves,
        trail.builds,
        move.condition,
        trail.warnings,
        limit,
    )
