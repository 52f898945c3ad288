"""Surfaces as polygons: corners, edges that one would draw, finer pieces."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bondline.core import Matrix, Skin

Indices: TypeAlias = NDArray[np.intp]
_SHARP = np.cos(np.radians(30.0))


def corners(skin: Skin) -> Indices:
    """Four points a facet; a triangle has its last one twice."""
    triangles = skin.triangles[:, [0, 1, 2, 2]]
    return np.concatenate([skin.quads, triangles])


def normals(x: Matrix) -> Matrix:
    """Unit normals of facets (n × 4 × 3); zero for one without area."""
    n = np.cross(x[:, 2] - x[:, 0], x[:, 3] - x[:, 1])
    size = np.linalg.norm(n, axis=1, keepdims=True)
    made: Matrix = n / np.where(size > 0.0, size, 1.0)
    return made


class Edges(NamedTuple):
    """Edges to be drawn (n × 2 points), and two facets at each (the same, if one)."""

    ends: Indices
    beside: Indices


def edges(quads: Indices, normal: Matrix) -> Edges:
    """Edges at one facet or more than two, or where the surface turns sharply."""
    sides = np.stack([quads, np.roll(quads, -1, axis=1)], axis=2).reshape(-1, 2)
    facet = np.repeat(np.arange(len(quads)), 4)
    real = sides[:, 0] != sides[:, 1]
    sides, facet = np.sort(sides[real], axis=1), facet[real]
    order = np.lexsort((facet, sides[:, 1], sides[:, 0]))
    sides, facet = sides[order], facet[order]
    new = np.append(True, (np.diff(sides, axis=0) != 0).any(axis=1))[: len(sides)]
    first = np.flatnonzero(new)
    count = np.diff(np.append(first, len(sides)))
    one, two = facet[first], facet[first + (count > 1)]
    turned = np.abs(np.einsum("ei,ei->e", normal[one], normal[two])) < _SHARP
    drawn = (count != 2) | turned
    return Edges(sides[first[drawn]], np.stack([one, two], axis=1)[drawn])


def finer(x: Matrix) -> Matrix:
    """Each facet (n × 4 × k) as four, n × 4 × 4 × k, bilinear between its corners."""
    middle = 0.5 * (x + np.roll(x, -1, axis=1))
    centre = x.mean(axis=1, keepdims=True)
    pieces = [
        np.stack([x[:, i], middle[:, i], centre[:, 0], middle[:, i - 1]], axis=1)
        for i in range(4)
    ]
    return np.stack(pieces, axis=1)
