"""From a mechanism to a rung: compiled, carried through time, looked at."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from bondline.core import Matrix, Vector
from bondline.leaves.mbd.driving import compiled
from bondline.leaves.mbd.model import Mechanism
from bondline.leaves.mbd.pack import Packed, pack
from bondline.leaves.mbd.tree import Tree
from bondline.numerics.integrators import Stepper
from bondline.numerics.memory import state_of
from bondline.numerics.systems import System
from tests.cases.ladder.rung import Rung


@dataclass(frozen=True, eq=False)
class Moving:
    """A mechanism under an integrator, from its start at 0 s."""

    mechanism: Mechanism
    method: Stepper

    @cached_property
    def packed(self) -> Packed:
        return pack(self.mechanism)

    @cached_property
    def tree(self) -> Tree:
        return Tree(self.packed)

    @cached_property
    def system(self) -> System:
        return compiled(self.tree)

    def states(self, times: Vector) -> Matrix:
        """Positions and velocities at times in ascending order, one row each."""
        order = self.packed.layout
        y = np.concatenate([order.start, order.speed])
        memory, found = self.method.begin(self.system, 0.0, y), []
        for t in times:
            memory = self.method.advance(self.system, memory, float(t)).memory
            found.append(state_of(self.system, memory))
        return np.array(found)

    def tidied(self, steps: int, window: float) -> Matrix:
        """The start, and the states after windows, each projected onto the loops."""
        order = self.packed.layout
        found = [np.concatenate([order.start, order.speed])]
        for k in range(steps):
            memory = self.method.begin(self.system, k * window, found[-1])
            memory = self.method.advance(self.system, memory, (k + 1) * window).memory
            q, u = np.split(state_of(self.system, memory), [self.tree.n_q])
            found.append(np.concatenate(self.tree.projected(q, u)))
        return np.array(found)

    def points(self, marker: str, states: Matrix) -> Matrix:
        """Where a marker is, one row for each state."""
        which = [self.packed.markers[marker]]
        halves = (np.split(y, [self.tree.n_q]) for y in states)
        return np.array([self.tree.outputs(q, u, which)[0][0, :3] for q, u in halves])

    def gap(self, state: Vector) -> float:
        """The largest one of its loops."""
        return float(self.tree.gaps(*np.split(state, [self.tree.n_q]))[0])

    def energies(self, states: Matrix) -> Vector:
        """Kinetic, elastic and gravitational energy together."""
        halves = (np.split(y, [self.tree.n_q]) for y in states)
        return np.array([self.tree.energy(q, u).sum() for q, u in halves])


def relaxed(moving: Moving, modal: slice) -> Vector:
    """Positions in which modes stand still under the speeds of the start.

    Their accelerations are linear in the modes where these only stretch.
    """
    order = moving.packed.layout
    q, u = order.start.copy(), order.speed

    def pull(a: Vector) -> Vector:
        moved = q.copy()
        moved[modal] += a
        return moving.tree.rates(0.0, moved, u)[1][modal]

    free = pull(np.zeros(len(q[modal])))
    slope = np.array([pull(unit) - free for unit in np.eye(len(free))]).T
    q[modal] -= np.linalg.solve(slope, free)
    return q


def error(case: str, name: str, found: float, most: float, of: tuple[int, str]) -> Rung:
    """A rung whose value should be zero; `of` are dofs and the source."""
    dofs, source = of
    return Rung(case, name, 0.0, float(found), (0.0, most), None, 0.0, "", dofs, source)
