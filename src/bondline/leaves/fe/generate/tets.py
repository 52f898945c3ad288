"""Bricks cut into tetrahedra of four or ten nodes."""

from __future__ import annotations

from itertools import permutations

import numpy as np

from bondline.errors import UsageError
from bondline.leaves.fe.generate.patch import Patch, Sets
from bondline.leaves.fe.mesh import Indices

_BOTTOM = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]
_CORNERS = np.array([*_BOTTOM, *((i, j, 1) for i, j, _ in _BOTTOM)])
_BRICK_FACES = (
    (0, 1, 2, 3),
    (4, 7, 6, 5),
    (0, 4, 5, 1),
    (1, 5, 6, 2),
    (2, 6, 7, 3),
    (3, 7, 4, 0),
)
_TET_FACES = ((0, 1, 2), (0, 3, 1), (1, 3, 2), (2, 3, 0))
_EDGES = np.array([(0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3)])


def _cuts() -> Indices:
    """Kuhn's six tetrahedra round the diagonal: one for each order of the axes."""
    number = {tuple(c): i for i, c in enumerate(_CORNERS.tolist())}
    tets = []
    for order in permutations(range(3)):
        path = [np.zeros(3, dtype=int)]
        for axis in order:
            path.append(path[-1] + np.eye(3, dtype=int)[axis])
        even = np.linalg.det(np.diff(path, axis=0)) > 0.0
        a, b, c, d = (number[tuple(p.tolist())] for p in path)
        tets.append((a, b, c, d) if even else (a, c, b, d))
    return np.array(tets, dtype=np.intp)


_CUTS = _cuts()


def to_tet4(bricks: Patch) -> Patch:
    """Every brick cut into six tetrahedra; neighbours fit, because all cut alike.

    Fits where neighbouring bricks are numbered alike, as `brick` and `extrude` do.
    """
    if bricks.nodes.shape[1] != 8:
        raise UsageError(
            "to_tet4",
            f"the patch has elements of {bricks.nodes.shape[1]} nodes.",
            "Give eight-node bricks, as `brick` or `extrude` make them.",
        )
    nodes = bricks.nodes[:, _CUTS].reshape(-1, 4)
    faces = {n: _split_faces(s) for n, s in bricks.face_sets.items()}
    return Patch(bricks.points, nodes, bricks.node_sets, faces)


def to_tet10(patch: Patch) -> Patch:
    """Tetrahedra with nodes in the middle of their edges, from bricks or tetrahedra.

    A middle node belongs to the node sets that hold both ends of its edge. Move
    middle nodes onto curved surfaces with `Patch.mapped`.
    """
    tets = patch if patch.nodes.shape[1] == 4 else to_tet4(patch)
    pairs = np.sort(tets.nodes[:, _EDGES].reshape(-1, 2), axis=1)
    edges, which = np.unique(pairs, axis=0, return_inverse=True)
    middle = len(tets.points) + which.reshape(-1, 6)
    points = np.concatenate([tets.points, tets.points[edges].mean(axis=1)])
    return Patch(
        points,
        np.concatenate([tets.nodes, middle], axis=1),
        _sets_with_middles(tets, edges),
        tets.face_sets,
    )


def _sets_with_middles(tets: Patch, edges: Indices) -> Sets:
    sets = {}
    for name, rows in tets.node_sets.items():
        inside = np.zeros(len(tets.points), dtype=bool)
        inside[rows] = True
        more = np.flatnonzero(inside[edges].all(axis=1)) + len(tets.points)
        sets[name] = np.concatenate([rows, more])
    return sets


def _split_faces(faces: Indices) -> Indices:
    """The faces of tetrahedra that lie in faces of bricks, in the order of those."""
    parts = [
        np.column_stack([6 * faces[:, 0] + tet, np.full(len(faces), side + 1)])[hit]
        for tet, corners in enumerate(_CUTS)
        for side, local in enumerate(_TET_FACES)
        for hit in [faces[:, 1] == _brick_face(set(corners[list(local)].tolist()))]
    ]
    found = np.concatenate(parts)
    return found[np.lexsort((found[:, 1], found[:, 0]))]


def _brick_face(corners: set[int]) -> int:
    """The number of the brick's face that holds these corners, or 0."""
    inside = [corners <= set(face) for face in _BRICK_FACES]
    return inside.index(True) + 1 if any(inside) else 0
