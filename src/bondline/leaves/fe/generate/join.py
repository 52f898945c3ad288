"""Patches joined to one mesh where their nodes coincide."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components
from scipy.spatial import cKDTree

from bondline.core import Matrix
from bondline.errors import UsageError
from bondline.leaves.fe.generate.patch import Patch
from bondline.leaves.fe.mesh import Block, Indices, Mesh
from bondline.leaves.fe.sections import Section


@dataclass(frozen=True, eq=False)
class Piece:
    """A patch, the kind of its elements and what they are made of."""

    patch: Patch
    kind: str
    section: Section


def coincident(points: Matrix, tolerance: float) -> tuple[Indices, Indices]:
    """The points to keep, and for every point the place among them.

    Points closer than the tolerance are one, the first of them; chains of close
    points are one, too. Order is kept.
    """
    pairs = cKDTree(points).query_pairs(tolerance, output_type="ndarray")
    ones, n = np.ones(len(pairs)), len(points)
    graph = coo_array((ones, (pairs[:, 0], pairs[:, 1])), shape=(n, n))
    _, group = connected_components(graph, directed=False)
    _, first = np.unique(group, return_index=True)
    keep = np.sort(first)
    place = np.empty(len(first), dtype=np.intp)
    place[group[keep]] = np.arange(len(keep))
    return keep.astype(np.intp), place[group]


def join(pieces: Mapping[str, Piece], tolerance: float = 1e-9) -> Mesh:
    """One mesh of named pieces; nodes closer than `tolerance` (metres) are one.

    Elements are numbered from 1 in the order of the pieces. A piece's name is an
    element set and a node set; its sets are called `piece.set`.
    """
    if not pieces:
        raise UsageError("join", "there are no pieces.", "Give at least one Piece.")
    patches = [p.patch for p in pieces.values()]
    keep, place = coincident(np.concatenate([p.points for p in patches]), tolerance)
    node0 = _starts(len(p.points) for p in patches)
    first = _starts(len(p.nodes) for p in patches) + 1
    blocks, node_sets, elements, face_sets = [], {}, {}, {}
    for (name, piece), start, number in zip(pieces.items(), node0, first, strict=True):
        patch, ids = piece.patch, number + np.arange(len(piece.patch.nodes))
        here = place[start : start + len(patch.points)]
        blocks.append(Block(piece.kind, here[patch.nodes], piece.section, ids))
        node_sets[name], elements[name] = np.unique(here), ids
        for key, rows in patch.node_sets.items():
            node_sets[f"{name}.{key}"] = here[rows]
        for key, faces in patch.face_sets.items():
            face_sets[f"{name}.{key}"] = faces + np.array([number, 0])
    points = np.concatenate([p.points for p in patches])[keep]
    numbers = np.arange(1, len(points) + 1)
    return Mesh(points, tuple(blocks), numbers, node_sets, elements, face_sets)


def _starts(sizes: Iterable[int]) -> Indices:
    return np.concatenate([[0], np.cumsum(list(sizes))[:-1]]).astype(np.intp)
