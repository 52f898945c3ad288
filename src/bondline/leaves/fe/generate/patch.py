"""Points and elements of one shape: what generators return and transforms take."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

import numpy as np

from bondline.core import Matrix, Vector
from bondline.errors import UsageError
from bondline.leaves.fe.mesh import Block, Indices, Mesh
from bondline.leaves.fe.sections import Section

Sets: TypeAlias = Mapping[str, Indices]


@dataclass(frozen=True, eq=False)
class Patch:
    """Points, elements of one shape between them, and sets with names.

    `nodes` has a row of positions in `points` an element. `node_sets` list rows of
    `points`; `face_sets` pairs of an element's row (from 0) and the number of one of
    its faces (from 1, as Abaqus numbers them).
    """

    points: Matrix
    nodes: Indices
    node_sets: Sets = field(default_factory=dict)
    face_sets: Sets = field(default_factory=dict)

    def mapped(self, f: Callable[[Matrix], Matrix]) -> Patch:
        """The same elements with every point moved to `f(points)`."""
        return replace(self, points=np.asarray(f(self.points), dtype=np.float64))

    def moved(self, by: Vector, rotation: Matrix | None = None) -> Patch:
        """Turned about the origin by `rotation`, then shifted."""
        R = np.eye(3) if rotation is None else np.asarray(rotation)
        return self.mapped(lambda x: x @ R.T + np.asarray(by))

    def mirrored(self, axis: int) -> Patch:
        """The image in the plane through the origin normal to an axis (0, 1 or 2).

        Node numbers stay, so elements are inside out: shells point the other way,
        solids need `flipped` after it.
        """
        sign = np.ones(3)
        sign[axis] = -1.0
        return self.mapped(lambda x: x * sign)

    def flipped(self) -> Patch:
        """The same elements numbered the other way round: normals turn over.

        For lines, triangles, quadrilaterals, tetrahedra of four nodes and bricks.
        Face sets are dropped, because the faces get other numbers.
        """
        order = _FLIPPED.get(self.nodes.shape[1])
        if order is None:
            raise UsageError(
                "Patch.flipped",
                f"elements of {self.nodes.shape[1]} nodes cannot be turned over.",
                "Turn the linear patch over before you refine it.",
            )
        return replace(self, nodes=self.nodes[:, order], face_sets={})

    def select(self, keep: Indices) -> Patch:
        """Only the elements in these rows (or of this mask), without loose nodes."""
        rows = np.arange(len(self.nodes))[keep]
        used, nodes = np.unique(self.nodes[rows], return_inverse=True)
        place = np.full(len(self.points), -1, dtype=np.intp)
        place[used] = np.arange(len(used))
        new_row = np.full(len(self.nodes), -1, dtype=np.intp)
        new_row[rows] = np.arange(len(rows))
        return Patch(
            self.points[used],
            nodes.reshape(-1, self.nodes.shape[1]),
            {n: _present(place[s]) for n, s in self.node_sets.items()},
            {n: _faces_kept(new_row, s) for n, s in self.face_sets.items()},
        )

    def with_set(self, name: str, rows: Indices) -> Patch:
        """The patch with one more node set (rows or a mask of `points`)."""
        found = np.arange(len(self.points))[rows]
        return replace(self, node_sets={**self.node_sets, name: found})

    def mesh(self, kind: str, section: Section) -> Mesh:
        """A mesh of one block; owner's numbers count from 1, all elements are `all`."""
        ids = np.arange(1, len(self.nodes) + 1)
        block = Block(kind, self.nodes, section, ids)
        faces = {n: s + np.array([1, 0]) for n, s in self.face_sets.items()}
        return Mesh(
            self.points,
            (block,),
            np.arange(1, len(self.points) + 1),
            self.node_sets,
            {"all": ids},
            faces,
        )


_FLIPPED = {
    2: [1, 0],
    3: [0, 2, 1],
    4: [0, 3, 2, 1],
    8: [4, 5, 6, 7, 0, 1, 2, 3],
}


def _present(rows: Indices) -> Indices:
    return rows[rows >= 0]


def _faces_kept(new_row: Indices, faces: Indices) -> Indices:
    moved = np.column_stack([new_row[faces[:, 0]], faces[:, 1]])
    return moved[moved[:, 0] >= 0]
