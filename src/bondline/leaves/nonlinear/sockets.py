"""The ports of a nonlinear model: points, sets of nodes, and frames."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from bondline.core import FRAME_DOFS, Flexibility, Matrix, Motion, Port, Surface, Vector
from bondline.errors import SettingError
from bondline.leaves.nonlinear.elements.block import Array, Indices
from bondline.leaves.nonlinear.model import NonlinearModel
from bondline.leaves.nonlinear.wellformed import check_places


@dataclass(frozen=True, eq=False)
class Socket:
    """Nodes to be shown as a port that takes forces.

    A `frame` is one node with three rotations. Otherwise `components` (0 … 5) are
    those of every node, by default the translations it has; they show displacements,
    or positions with `absolute`.
    """

    nodes: Indices | tuple[int, ...]
    components: tuple[int, ...] = ()
    frame: bool = False
    absolute: bool = False


@dataclass(frozen=True, eq=False)
class Sockets:
    """The ports of a model in terms of its dofs."""

    model: NonlinearModel
    given: Mapping[str, Socket] = field(default_factory=dict)

    @cached_property
    def components(self) -> Mapping[str, tuple[int, ...]]:
        """Which dofs of its nodes each port has."""
        return {name: self._components(name) for name in self.given}

    def _components(self, name: str) -> tuple[int, ...]:
        socket, dofs = self.given[name], self.model.dofs.index
        place, count = f"{self.model.name}.{name}", len(self.model.points)
        check_places(place, socket.nodes, socket.components, count)
        if not len(socket.nodes) or len(set(socket.nodes)) != len(socket.nodes):
            raise SettingError(
                place, "no nodes, or one of them twice.", "Name each node once."
            )
        if socket.frame:
            nodes = np.asarray(socket.nodes)
            if len(nodes) != 1 or nodes[0] not in self.model.turning:
                raise SettingError(
                    f"{self.model.name}.{name}",
                    "a frame is one node with three rotations.",
                    "Take a node of beams or shells, or show it as a point.",
                )
            return (0, 1, 2, 3, 4, 5)
        have = np.asarray((dofs[list(socket.nodes)] >= 0).all(axis=0))
        wanted = socket.components or tuple(np.flatnonzero(have[:3]).tolist())
        if not wanted or not all(have[c] for c in wanted):
            words = " ".join(FRAME_DOFS[c] for c in np.flatnonzero(have))
            raise SettingError(
                f"{self.model.name}.{name}",
                "a dof of it is held or does not exist."
                if words
                else "its nodes have no dofs: nothing is attached to them, or all is "
                "held.",
                f"Dofs that all its nodes have and nothing holds: {words}."
                if words
                else "Give them a mass or an element, or take away what holds them.",
            )
        return wanted

    @cached_property
    def ports(self) -> Mapping[str, Port]:
        """As others see them."""
        return {name: self._port(name) for name in self.given}

    def _port(self, name: str) -> Port:
        socket, dofs = self.given[name], self.dofs[name]
        rest = Surface(self.model.points[list(socket.nodes)])
        fixed = tuple(np.flatnonzero(dofs < 0).tolist())
        names = tuple(FRAME_DOFS[c] for c in self.components[name])
        surface = None if socket.frame else rest
        count = len(socket.nodes)
        return Port(
            name, names, count, frame=socket.frame, surface=surface, fixed=fixed
        )

    @cached_property
    def dofs(self) -> Mapping[str, Indices]:
        """Numbers of the dofs of every port, node by node; −1 where one is held."""
        of = self.model.dofs.of
        return {
            name: of(np.asarray(s.nodes, dtype=np.intp), self.components[name])
            for name, s in self.given.items()
        }

    def load(self, forces: Mapping[str, Vector]) -> Vector:
        """Port forces as loads on dofs."""
        wide = np.zeros(self.model.dofs.size + 1)  # the last takes what is held
        for name, force in forces.items():
            np.add.at(wide, self.dofs[name], force)
        return wide[:-1]

    def motions(
        self, u: Vector, v: Vector, a: Vector, turns: Array
    ) -> dict[str, Motion]:
        """What the ports show."""
        wide = [np.append(y, 0.0) for y in (u, v, a)]
        return {name: self._motion(name, wide, turns) for name in self.given}

    def _motion(self, name: str, wide: list[Vector], turns: Array) -> Motion:
        socket, dofs = self.given[name], self.dofs[name]
        x, v, a = (y[dofs] for y in wide)
        if socket.frame:
            node = int(np.asarray(socket.nodes)[0])
            turn = turns[int(np.searchsorted(self.model.turning, node))].copy()
            return Motion(self.model.points[node] + x[:3], v, a, turn)
        if socket.absolute:
            x = x + self._rest(name)
        return Motion(x, v, a)

    def _rest(self, name: str) -> Vector:
        at = np.zeros((len(self.given[name].nodes), 6))
        at[:, :3] = self.model.points[list(self.given[name].nodes)]
        return at[:, list(self.components[name])].ravel()

    @cached_property
    def columns(self) -> Matrix:
        """A unit of force on every dof of every port: dofs × all."""
        sizes = [len(d) for d in self.dofs.values()]
        made = np.zeros((self.model.dofs.size + 1, sum(sizes)))
        numbers = np.concatenate([np.zeros(0, np.intp), *self.dofs.values()])
        made[numbers, np.arange(len(numbers))] = 1.0
        return made[:-1]

    def flexibility(self, levels: Array, solves: int) -> Flexibility:
        """G from levels × dofs × powers × unit forces."""
        wide = np.concatenate([levels, np.zeros_like(levels[:, :1])], axis=1)
        blocks, at = {}, 0
        for name, dofs in self.dofs.items():
            here = slice(at, at + len(dofs))
            at = here.stop
            for out, rows in self.dofs.items():
                blocks[out, name] = np.ascontiguousarray(wide[:, rows, :, here])
        return Flexibility(blocks, solves)
