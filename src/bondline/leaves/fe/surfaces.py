"""The facets of elements: those in a set of nodes, and the outline of a mesh."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from bondline.leaves.fe.assemble import kind
from bondline.leaves.fe.elements.element import Faced
from bondline.leaves.fe.mesh import Block, Indices, Mesh

_QUARTERS = ((0, 3, 5), (3, 1, 4), (5, 4, 2), (3, 4, 5))
_SHARP = np.cos(np.radians(30.0))


def facets_in(mesh: Mesh, nodes: Indices) -> tuple[tuple[int, ...], ...]:
    """Facets whose nodes are all among `nodes`, as places in that list, each once.

    Faces of solids and whole shells; where there are none, edges of shells and beams.
    A curved face of six nodes gives four triangles.
    """
    place = np.full(len(mesh.points), -1, dtype=np.intp)
    place[nodes] = np.arange(len(nodes))
    for found in (_faces(mesh), _edges(mesh)):
        listed: dict[tuple[int, ...], tuple[int, ...]] = {}
        for group in found:
            inside = place[group]
            for facet in inside[(inside >= 0).all(axis=1)].tolist():
                listed.setdefault(tuple(sorted(facet)), tuple(facet))
        if listed:
            return tuple(listed.values())
    return ()


def _faces(mesh: Mesh) -> Iterator[Indices]:
    """Faces with three or four nodes, those of one kind at once."""
    for group, _ in _faces_told(mesh):
        yield group


def _faces_told(mesh: Mesh) -> Iterator[tuple[Indices, bool]]:
    """The same, and whether they are shells."""
    for block in mesh.blocks:
        element = kind(block.kind)
        for face in element.faces if isinstance(element, Faced) else ():
            if len(face) == 6:
                for part in _QUARTERS:
                    yield block.nodes[:, [face[k] for k in part]], False
            else:
                yield block.nodes[:, list(face)], _flat(block)


def _edges(mesh: Mesh) -> Iterator[Indices]:
    """Edges of shells, and elements of two nodes."""
    for block in mesh.blocks:
        n = block.nodes.shape[1]
        if n == 2:
            yield block.nodes
        elif _flat(block):
            for k in range(n):
                yield block.nodes[:, [k, (k + 1) % n]]


def _flat(block: Block) -> bool:
    element = kind(block.kind)
    n = block.nodes.shape[1]
    return isinstance(element, Faced) and len(element.faces[0]) == n


def outline(mesh: Mesh) -> list[Indices]:
    """Rows of the mesh along free and sharp edges and along beams, as polylines."""
    lines = [block.nodes for block in mesh.blocks if block.nodes.shape[1] == 2]
    edges = np.concatenate([np.zeros((0, 2), np.intp), _sharp(mesh), *lines])
    return list(_trails([(a, b) for a, b in edges.tolist()]))


def _sharp(mesh: Mesh) -> Indices:
    """Edges with one face of the skin, or where it turns by more than 30 degrees."""
    sides, normals, faces = [], [], 0
    for group in skin_faces(mesh):
        x, n = mesh.points[group], group.shape[1]
        normal = np.cross(x[:, 2] - x[:, 0], x[:, -1] - x[:, 1 if n == 4 else 0])
        normals.append(normal / np.linalg.norm(normal, axis=1)[:, None])
        number = faces + np.arange(len(group))
        for k in range(n):
            ends = np.sort(group[:, [k, (k + 1) % n]], axis=1)
            sides.append(np.column_stack([ends, number]))
        faces += len(group)
    if not faces:
        return np.zeros((0, 2), np.intp)
    every, normal = np.concatenate(sides), np.concatenate(normals)
    every = every[np.lexsort(every.T[::-1])]
    new = np.append(True, (np.diff(every[:, :2], axis=0) != 0).any(axis=1))
    first = np.flatnonzero(new)
    count = np.diff(np.append(first, len(every)))
    second = np.minimum(first + 1, len(every) - 1)
    one, other = normal[every[first, 2]], normal[every[second, 2]]
    turned = np.abs(np.einsum("ei,ei->e", one, other)) < _SHARP
    return every[first[(count != 2) | turned], :2]


def skin_faces(mesh: Mesh) -> Iterator[Indices]:
    """Shells, each once, and faces of solids that belong to one element only."""
    for n in (3, 4):
        groups = [(g, flat) for g, flat in _faces_told(mesh) if g.shape[1] == n]
        if groups:
            every = np.concatenate([g for g, _ in groups])
            flat = np.concatenate([np.full(len(g), flat) for g, flat in groups])
            _, first, place, count = np.unique(
                np.sort(every, axis=1),
                axis=0,
                return_index=True,
                return_inverse=True,
                return_counts=True,
            )
            shells = np.bincount(place.ravel(), flat, len(first)) > 0.0
            yield every[np.sort(first[(count == 1) | shells])]


def _trails(edges: list[tuple[int, int]]) -> Iterator[Indices]:
    """Edges joined to long lines, each edge once."""
    near: dict[int, dict[int, None]] = {}
    for a, b in edges:
        near.setdefault(a, {})[b] = None
        near.setdefault(b, {})[a] = None
    ends = [n for n, others in near.items() if len(others) % 2]
    for start in [*ends, *near]:
        line = [start]
        while near[line[-1]]:
            after = next(iter(near[line[-1]]))
            near[line[-1]].pop(after)
            near[after].pop(line[-1])
            line.append(after)
        if len(line) > 1:
            yield np.array(line, dtype=np.intp)
