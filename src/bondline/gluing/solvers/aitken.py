"""Aitken's dynamic relaxation: one factor, found anew after each correction."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from bondline.core import (
    InterfaceProblem,
    InterfaceSolution,
    Rejected,
    Tree,
    Vector,
)
from bondline.gluing.solvers.checks import stops, usable
from bondline.gluing.solvers.learned import Learned, dump, load, recall, scale_of
from bondline.gluing.solvers.loop import Move, Stop, Trail, iterate, norm

_TINY = 10.0  # times the noise: a difference below this teaches nothing
_RANGE = (0.2, 5.0)  # of the nominal factor: what the next window may start with


@dataclass(frozen=True)
class Aitken:
    """z ← z − a r with the scalar secant a = Δz·Δr / Δr·Δr of the last correction.

    That is Aitken's ω ← −ω r·Δr / Δr·Δr without its first guess: the first factor is
    the secant of one probe along the first residual, or `scale`. One factor for all
    unknowns: exact for one, slow where their slopes differ much.
    """

    tolerance: float = 1e-10
    force_tolerance: float = 1e-6
    max_iterations: int = 100
    scale: float | None = None
    patience: int = 10

    def __post_init__(self) -> None:
        stops(self)
        usable("scale", self.scale)

    def start(self) -> Learned | None:
        """No factor yet."""
        return None

    def solve(
        self, problem: InterfaceProblem, guess: Vector, memory: Learned | None
    ) -> InterfaceSolution[Learned | None] | Rejected:
        """Iterate, with the last window's factor first."""
        stop = Stop(
            self.tolerance, self.force_tolerance, self.max_iterations, self.patience
        )
        return iterate(problem, guess, self, memory, stop)

    def propose(
        self, problem: InterfaceProblem, trail: Trail, memory: Learned | None
    ) -> Move[Learned | None] | Rejected:
        """−a r."""
        r = trail.here.residual
        if not r.any():
            return Move(-r, memory)
        found = recall(problem, trail, memory, self.scale)
        if isinstance(found, Rejected):
            return found
        known = replace(found.learned, factor=_factor(problem, trail, found.learned))
        return Move(-known.factor * r, known, found.solves)

    def settings(self) -> dict[str, Any]:
        """All fields."""
        return {"kind": "aitken", **asdict(self)}

    def dump(self, memory: Learned | None) -> Tree:
        """The factor and the window it belongs to."""
        return dump(memory)

    def load(self, data: Tree) -> Learned | None:
        """The memory that `dump` wrote."""
        return load(data)


def _factor(problem: InterfaceProblem, trail: Trail, known: Learned) -> Vector:
    """From the last correction; at the start of a window, near the nominal one."""
    dz, dr = trail.step, trail.change
    if dz is None or dr is None:
        low, high = sorted(known.nominal[0] * share for share in _RANGE)
        return known.factor.clip(low, high)
    if norm(dr) <= _TINY * problem.noise:
        return known.factor
    return np.array([scale_of(dz, dr)])
