"""The surface of a nonlinear model, with stress and plastic strain on it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from bondline.core import Deformed, Skin, Vector
from bondline.leaves.fe.mesh import Block, Mesh
from bondline.leaves.fe.sections import PointMass
from bondline.leaves.fe.surfaces import skin_faces
from bondline.leaves.nonlinear.elements.beam2 import Beams2
from bondline.leaves.nonlinear.elements.beam3 import Beams3
from bondline.leaves.nonlinear.elements.block import Elements, Indices, Stressed
from bondline.leaves.nonlinear.elements.shells import Shells
from bondline.leaves.nonlinear.elements.solids import Solids
from bondline.leaves.nonlinear.model import NonlinearModel, Place
from bondline.leaves.nonlinear.sockets import Socket
from bondline.leaves.nonlinear.state import Parts


@dataclass(frozen=True, eq=False)
class Surface:
    """Faces of solids and shells, and beams as bars; ports lie on them.

    Values at a point are the largest of the elements around it.
    """

    model: NonlinearModel
    sockets: Mapping[str, Socket] = field(default_factory=dict)

    @cached_property
    def _faces(self) -> tuple[Indices, Indices, Indices]:
        """Triangles, quadrilaterals and bars, as rows of the model's points."""
        blocks = [_faced(b) for b in self.model.blocks]
        ids = np.arange(len(self.model.points))
        mesh = Mesh(self.model.points, tuple(b for b in blocks if b), ids)
        groups = list(skin_faces(mesh))
        bars = [b.nodes for b in self.model.blocks if isinstance(b, Beams2 | Beams3)]
        return (
            _stacked([g for g in groups if g.shape[1] == 3], 3),
            _stacked([g for g in groups if g.shape[1] == 4], 4),
            _stacked(bars, 2),
        )

    @cached_property
    def rows(self) -> Indices:
        """Rows of the model's points that are seen, ascending."""
        ends = [np.asarray(s.nodes, dtype=np.intp) for s in self.sockets.values()]
        return np.unique(np.concatenate([*(f.ravel() for f in self._faces), *ends]))

    @cached_property
    def rest(self) -> Skin:
        """Where nothing has moved."""
        place = np.full(len(self.model.points), -1, dtype=np.intp)
        place[self.rows] = np.arange(len(self.rows))
        triangles, quads, bars = (place[f] for f in self._faces)
        ports = {n: place[np.asarray(s.nodes)] for n, s in self.sockets.items()}
        none = np.zeros(0, dtype=np.intp)
        points = np.ascontiguousarray(self.model.points[self.rows])
        return Skin(
            points, triangles, quads, bars, none, ports, stressed=True, strained=True
        )

    def at(self, now: Parts) -> Deformed:
        """Where the surface is in a state, and what is felt there."""
        moved = self.model.dofs.spread(now.u)[self.rows, :3]
        place = Place(now.u, now.v, now.turns)
        stress, strain = np.zeros((2, len(self.model.points)))
        for block, own in zip(self.model.blocks, self.model.slices, strict=True):
            past = now.history[own]
            if isinstance(block, Stressed):
                where = self.model.moved(block, place)
                _raise(stress, block, block.stresses(self.model.points, where, past))
            flowed = block.strains(past)
            if flowed is not None:
                _raise(strain, block, flowed)
        seen = np.ascontiguousarray(moved)
        return Deformed(seen, stress[self.rows], strain[self.rows])


def _raise(values: Vector, block: Elements, each: Vector) -> None:
    """Values of nodes, raised to those of their elements, in place."""
    wide = np.repeat(each, block.nodes.shape[1])
    np.maximum.at(values, block.nodes.ravel(), wide)


def _faced(block: Elements) -> Block | None:
    """A block as `leaves.fe` knows it: for its faces only."""
    kinds = (
        {8: "C3D8", 10: "C3D10"} if isinstance(block, Solids) else {3: "S3", 4: "S4"}
    )
    if not isinstance(block, Solids | Shells):
        return None
    number = np.arange(len(block.nodes))
    return Block(kinds[block.nodes.shape[1]], block.nodes, PointMass(0.0), number)


def _stacked(groups: list[Indices], size: int) -> Indices:
    return np.concatenate([np.zeros((0, size), dtype=np.intp), *groups])
