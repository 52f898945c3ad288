"""Nodes, elements and named sets of a finite-element model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bondline.core import Matrix
from bondline.errors import SettingError, did_you_mean
from bondline.leaves.fe.sections import Section

Indices: TypeAlias = NDArray[np.intp]
Nodes: TypeAlias = str | Indices  # a node set by name, or rows of `Mesh.points`
Faces: TypeAlias = str | Indices  # a face set by name, or rows as it has them


@dataclass(frozen=True, eq=False)
class Block:
    """Elements of one kind with one section.

    `nodes` has a row of node positions (rows of `Mesh.points`) an element; `ids` are
    the owner's numbers of the elements.
    """

    kind: str
    nodes: Indices
    section: Section
    ids: Indices


@dataclass(frozen=True, eq=False)
class Mesh:
    """Points in space, the elements between them, and sets with names.

    `ids` are the owner's numbers of the nodes. `node_sets` list rows of `points`,
    `element_sets` the owner's numbers of elements, `face_sets` pairs of an element's
    number and the number of one of its faces, from 1.
    """

    points: Matrix
    blocks: tuple[Block, ...]
    ids: Indices
    node_sets: Mapping[str, Indices] = field(default_factory=dict)
    element_sets: Mapping[str, Indices] = field(default_factory=dict)
    face_sets: Mapping[str, Indices] = field(default_factory=dict)

    @property
    def elements(self) -> int:
        """How many elements there are."""
        return sum(len(block.nodes) for block in self.blocks)

    def rows(self, says: str, nodes: Nodes | int) -> Indices:
        """Rows of `points`, of a set by name or as given; `says` is who names them."""
        if isinstance(nodes, str):
            return _of_set(says, "node set", nodes, self.node_sets)
        rows = row_numbers(says, nodes)
        wrong = rows[(rows < 0) | (rows >= len(self.points))]
        if wrong.size:
            raise SettingError(
                says,
                f"there is no row {wrong[0]} in a mesh of {len(self.points)} nodes.",
                "Give rows of `Mesh.points`, not the owner's numbers; or the name of "
                "a node set.",
            )
        return rows

    def faces(self, says: str, faces: Faces) -> Indices:
        """Elements and faces as in `face_sets`, of a set by name or as given."""
        if isinstance(faces, str):
            return _of_set(says, "face set", faces, self.face_sets)
        return np.asarray(faces, dtype=np.intp)


def _of_set(says: str, what: str, name: str, sets: Mapping[str, Indices]) -> Indices:
    if name not in sets:
        raise SettingError(
            says, f"there is no {what} {name!r}.", did_you_mean(name, sets)
        )
    return np.asarray(sets[name], dtype=np.intp)


def row_numbers(says: str, nodes: Any) -> Indices:
    """One or more rows of a mesh as an array; `says` is who names them."""
    rows = np.atleast_1d(np.asarray(nodes))
    if rows.size and not np.issubdtype(rows.dtype, np.integer):
        raise SettingError(
            says,
            f"its nodes are {nodes!r}.",
            "Give rows of `Mesh.points`, or the name of a node set.",
        )
    return rows.astype(np.intp)
