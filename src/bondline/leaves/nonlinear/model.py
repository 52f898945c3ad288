"""A nonlinear finite-element model: points, blocks of elements, supports and loads."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bondline.core import Matrix, Vector
from bondline.errors import SettingError
from bondline.leaves.fe.dofs import Dofs
from bondline.leaves.nonlinear.elements.block import (
    Answer,
    Array,
    Elements,
    Granting,
    Indices,
    Moved,
)
from bondline.leaves.nonlinear.pattern import Pattern
from bondline.leaves.nonlinear.turning import left_jacobians, matrices
from bondline.leaves.nonlinear.wellformed import check_model


@dataclass(frozen=True, eq=False)
class Hold:
    """Components 0 … 5 (x y z rx ry rz) of some nodes stay where they are."""

    nodes: Indices | tuple[int, ...]
    components: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Push:
    """A force or moment on a component of a node, along world axes, over time."""

    node: int
    component: int
    history: Callable[[float], float]


class Place(NamedTuple):
    """Where the model is: displacements and velocities of its dofs, turns of nodes.

    `since` are the rotation vectors by which nodes have turned since the last state
    that was accepted: the unknowns of rotation are increments of these.
    """

    u: Vector
    v: Vector
    turns: Array
    since: Array | None = None


class Balance(NamedTuple):
    """Inner forces with their slopes in u and v, and what goes with them."""

    force: Vector
    stiffness: Vector  # values of the model's pattern
    damping: Vector
    history: Vector
    largest: tuple[float, float]  # force and moment of any element on a node
    stored: float
    plastic: float


@dataclass(frozen=True, eq=False)
class NonlinearModel:
    """All that is to be known of a model; masses do not change.

    `gravity` acts on all masses. Dofs are those that elements have and no `Hold` has.
    """

    name: str
    points: Matrix
    blocks: tuple[Elements, ...]
    holds: tuple[Hold, ...] = ()
    pushes: tuple[Push, ...] = ()
    gravity: tuple[float, float, float] = (0.0, 0.0, 0.0)

    def __post_init__(self) -> None:
        check_model(self)

    @cached_property
    def dofs(self) -> Dofs:
        """Their numbers."""
        present = self._given.copy()
        for hold in self.holds:
            rows = np.asarray(hold.nodes, dtype=np.intp)
            present[rows[:, None], list(hold.components)] = False
        return Dofs.where(present, np.arange(len(self.points)))

    @cached_property
    def _given(self) -> NDArray[np.bool_]:
        found = np.zeros((len(self.points), 6), dtype=bool)
        for block in self.blocks:
            rows = np.unique(block.nodes)
            granted = block.grants if isinstance(block, Granting) else block.components
            found[rows[:, None], list(granted)] = True
        return found

    @cached_property
    def turning(self) -> Indices:
        """Nodes with three rotations: they have a quaternion."""
        return np.flatnonzero(self._given[:, 3:].all(axis=1))

    @cached_property
    def _turning_row(self) -> Indices:
        rows = np.full(len(self.points), -1, dtype=np.intp)
        rows[self.turning] = np.arange(len(self.turning))
        return rows

    @cached_property
    def pattern(self) -> Pattern:
        """Where its matrices have entries."""
        index = self.dofs.index
        each = [
            index[b.nodes][:, :, list(b.components)].reshape(len(b.nodes), -1)
            for b in self.blocks
        ]
        return Pattern(self.dofs.size, tuple(each))

    @cached_property
    def slices(self) -> tuple[slice, ...]:
        """Where the history of each block is."""
        ends = np.cumsum([0, *(b.numbers for b in self.blocks)]).tolist()
        return tuple(slice(a, b) for a, b in pairwise(ends))

    @property
    def numbers(self) -> int:
        """Length of the history."""
        return sum(b.numbers for b in self.blocks)

    @cached_property
    def mass(self) -> Vector:
        """M, as values of the pattern."""
        each = [b.mass(self.points) for b in self.blocks]
        return self.pattern.gather(each, np.zeros(self.dofs.size))

    @cached_property
    def drag(self) -> Vector:
        """Σ α M of the blocks, as values of the pattern."""
        each = [b.drag() * b.mass(self.points) for b in self.blocks]
        return self.pattern.gather(each, np.zeros(self.dofs.size))

    @cached_property
    def weighs(self) -> float:
        """Its mass in kg, held nodes included."""
        total = 0.0
        for b in self.blocks:
            M = b.mass(self.points).sum(axis=0)
            along = np.tile(np.array(b.components) == 0, b.nodes.shape[1])
            total += float(along @ M @ along)
        return total

    @cached_property
    def _weight(self) -> Vector:
        g = np.concatenate([self.gravity, np.zeros(3)])
        each = []
        for b in self.blocks:
            field = np.tile(g[list(b.components)], b.nodes.shape[1])
            each.append(b.mass(self.points) @ field)
        return self.pattern.add(each)

    @cached_property
    def _pushed(self) -> Indices:
        numbers = np.array(
            [self.dofs.index[p.node, p.component] for p in self.pushes], dtype=np.intp
        )
        if (numbers < 0).any():
            first = self.pushes[int(np.flatnonzero(numbers < 0)[0])]
            raise SettingError(
                f"{self.name}: push on node {first.node}",
                f"component {first.component} is held or does not exist.",
                "Push a dof that elements have and no hold has.",
            )
        return numbers

    def load(self, t: float) -> Vector:
        """Its own loads: pushes and weight."""
        f = self._weight.copy()
        values = [p.history(t) for p in self.pushes]
        np.add.at(f, self._pushed, np.asarray(values, dtype=np.float64))
        return f

    @property
    def loaded(self) -> bool:
        """Whether there are loads of its own."""
        return bool(self.pushes) or any(self.gravity)

    def moved(self, block: Elements, place: Place) -> Moved:
        """How the nodes of a block have moved."""
        return self._moved(block, *self._wide(place))

    def _wide(self, place: Place) -> tuple[Array, Array]:
        """Displacements and velocities side by side, 12 a node; turns of nodes."""
        both = [self.dofs.spread(y) for y in (place.u, place.v)]
        still = np.eye(3)[None]  # of nodes that do not turn: row −1
        turns = np.concatenate([matrices(place.turns), still])
        return np.concatenate(both, axis=1), turns

    def _moved(self, block: Elements, wide: Array, turns: Array) -> Moved:
        c = len(block.components)
        pick = [*block.components, *(6 + k for k in block.components)]
        each = wide[block.nodes][:, :, pick]
        if block.components[-3:] != (3, 4, 5):
            return Moved(each[:, :, :c], each[:, :, c:])
        R = turns[self._turning_row[block.nodes]]
        return Moved(each[:, :, :c], each[:, :, c:], R)

    def balance(self, place: Place, past: Vector) -> Balance:
        """Inner forces of all blocks; the history is that of a trial."""
        wide = self._wide(place)
        answers = [
            b.respond(self.points, self._moved(b, *wide), past[at])
            for b, at in zip(self.blocks, self.slices, strict=True)
        ]
        none = np.zeros(self.dofs.size)
        pairs = list(zip(self.blocks, answers, strict=True))
        K = self.pattern.gather([self._slopes(b, a, place) for b, a in pairs], none)
        C = self.pattern.gather([a.damping for a in answers], none) + self.drag
        force = self.pattern.add([a.force for a in answers])
        return Balance(
            force + self.pattern.times(self.drag, place.v),
            K,
            C,
            np.concatenate([np.zeros(0), *(a.history for a in answers)]),
            self._largest(pairs),
            sum(a.stored for a in answers),
            sum(a.plastic for a in answers),
        )

    def _slopes(self, block: Elements, answer: Answer, place: Place) -> Array:
        """∂force/∂(increments): spins follow rotation vectors by their Jacobian."""
        if place.since is None or block.components[-3:] != (3, 4, 5):
            return answer.tangent
        every = np.concatenate([left_jacobians(place.since), np.eye(3)[None]])
        J = every[self._turning_row[block.nodes]]
        e, k = block.nodes.shape
        K = answer.tangent.reshape(e, -1, k, len(block.components)).copy()
        K[..., -3:] = np.einsum("emki,ekij->emkj", K[..., -3:], J)
        return K.reshape(answer.tangent.shape)

    def _largest(self, pairs: list[tuple[Elements, Answer]]) -> tuple[float, float]:
        found = [0.0, 0.0]
        for block, answer in pairs:
            wide = np.abs(answer.force).reshape(-1, len(block.components))
            most = wide.max(axis=0) if len(wide) else np.zeros(wide.shape[1])
            for c, value in zip(block.components, most.tolist(), strict=True):
                found[c > 2] = max(found[c > 2], value)
        return found[0], found[1]

    @cached_property
    def rotations(self) -> Indices:
        """Which dofs are rotations."""
        return np.flatnonzero(self.dofs.slots % 6 > 2)

    @cached_property
    def size(self) -> float:
        """How large it is, in metres."""
        return float(np.ptp(self.points, axis=0).max()) or 1.0

    @cached_property
    def element_size(self) -> float:
        """The mean distance between the first two nodes of elements, in metres."""
        found = [
            np.linalg.norm(np.diff(self.points[b.nodes[:, :2]], axis=1), axis=2).ravel()
            for b in self.blocks
            if b.nodes.shape[1] > 1
        ]
        every = np.concatenate([np.zeros(0), *found])
        return float(every[every > 0.0].mean()) if every.any() else self.size
