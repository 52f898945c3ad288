"""Nodes, elements and named sets of a finite-element model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bondline.core import Matrix
from bondline.errors import SettingError
from bondline.leaves.fe.sections import Section

Indices: TypeAlias = NDArray[np.intp]


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


def row_numbers(says: str, nodes: Any) -> Indices:
    """One or more rows of a mesh as an array; `says` is who names them."""
    rows = np.atleast_1d(np.asarray(nodes))
    if rows.size and not np.issubdtype(rows.dtype, np.integer):
        raise SettingError(
            says,
            f"its nodes are {nodes!r}.",
            'Give rows of `Mesh.points`; those of a node set: mesh.node_sets["name"].',
        )
    return rows.astype(np.intp)
