"""A secant for each unknown by itself, with guards."""

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
from bondline.gluing.solvers.learned import Learned, dump, load, recall
from bondline.gluing.solvers.loop import Move, Stop, Trail, iterate

_TINY = 1e-12  # of the residual's first size: a difference below this teaches nothing
_RANGE = (0.2, 5.0)  # of the nominal factor: outside, a neighbour is to blame
_ALIKE = 1e3  # how much nominal factors of forces and moments may differ


@dataclass(frozen=True)
class DiagonalSecant:
    """zⱼ ← zⱼ − Cⱼ rⱼ, each Cⱼ the secant of its own unknown.

    A secant counts only if its difference is not tiny and it lies within 0.2 to 5
    times the nominal Cⱼ; else the last one stays, also in the next window. Nominal is
    what one probe of all unknowns together shows, or `scale`. For interfaces that are
    all but diagonal, such as a part on large masses.
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
        """No factors yet."""
        return None

    def solve(
        self, problem: InterfaceProblem, guess: Vector, memory: Learned | None
    ) -> InterfaceSolution[Learned | None] | Rejected:
        """Iterate, with the last window's factors first."""
        stop = Stop(
            self.tolerance, self.force_tolerance, self.max_iterations, self.patience
        )
        return iterate(problem, guess, self, memory, stop)

    def propose(
        self, problem: InterfaceProblem, trail: Trail, memory: Learned | None
    ) -> Move[Learned | None] | Rejected:
        """−C r, unknown by unknown."""
        r = trail.here.residual
        if not r.any():
            return Move(-r, memory)
        found = recall(problem, trail, memory, self.scale, each=True)
        if isinstance(found, Rejected):
            return found
        known = _spread(found.learned, problem.size)
        known = replace(known, factor=_factors(problem, trail, known))
        return Move(-known.factor * r, known, found.solves)

    def settings(self) -> dict[str, Any]:
        """All fields."""
        return {"kind": "diagonal-secant", **asdict(self)}

    def dump(self, memory: Learned | None) -> Tree:
        """The factors and the window they belong to."""
        return dump(memory)

    def load(self, data: Tree) -> Learned | None:
        """The memory that `dump` wrote."""
        return load(data)


def _spread(known: Learned, size: int) -> Learned:
    """One nominal factor for each unknown: what the probe shows, if that is sane."""
    if len(known.nominal) == size and not len(known.dz):
        return known
    common = np.full(size, known.nominal[0])
    if len(known.dz):
        (dz,), (dr,) = known.dz, known.dr
        common = _within(_ratio(dz, dr, common), common, (1.0 / _ALIKE, _ALIKE), common)
    none = np.zeros((0, size))
    return replace(
        known, nominal=common, factor=common, dz=none, dr=none, ages=np.zeros(0)
    )


def _factors(problem: InterfaceProblem, trail: Trail, known: Learned) -> Vector:
    dz, dr = trail.step, trail.change
    if dz is None or dr is None:
        return known.factor
    least = max(problem.noise, _TINY * trail.history[0])
    own = _ratio(dz, np.where(np.abs(dr) > least, dr, 0.0), known.factor)
    return _within(own, known.nominal, _RANGE, known.factor)


def _within(
    own: Vector, nominal: Vector, limits: tuple[float, float], otherwise: Vector
) -> Vector:
    low, high = limits
    share = own / nominal
    return np.where((low < share) & (share < high), own, otherwise)


def _ratio(dz: Vector, dr: Vector, otherwise: Vector) -> Vector:
    """Δz/Δr where there is a Δr."""
    there = dr != 0.0
    return np.where(there, dz / np.where(there, dr, 1.0), otherwise)
