"""The flat facets that shell elements are projected on."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from bondline.leaves.fe.elements.checks import Verdict, refuse
from bondline.leaves.fe.elements.element import Array
from bondline.leaves.fe.elements.facets import Facet


class Flat(NamedTuple):
    """Facets in the mean planes of their corners, and their way back to the nodes.

    `axes` (elements × 3 × 3) has the local axes as rows, the last is the normal; `xy`
    (elements × n × 2) are the corners about the area's centre; `heights` (elements × n)
    is how far the nodes lie above the mean plane; `J` (elements × g × 2 × 2) derives
    x, y (columns) by r, s (rows); `weights` (elements × g) are the points' areas.
    """

    axes: Array
    xy: Array
    heights: Array
    J: Array
    weights: Array

    @property
    def sides(self) -> Array:
        """Edge k from corner k to corner k + 1: elements × n × 2."""
        return np.asarray(np.roll(self.xy, -1, axis=1) - self.xy)

    @property
    def area(self) -> Array:
        """Area of every element."""
        return np.asarray(self.weights.sum(axis=1))


def flatten(x: Array, facet: Facet, kind: str) -> Flat:
    """Project elements × n × 3 positions on mean planes.

    Numbering the corners of a quadrilateral from another one turns its axes by right
    angles; a triangle's first axis is its first edge.
    """
    axes = _axes(x, kind)
    local = (x - x.mean(axis=1, keepdims=True)) @ axes.transpose(0, 2, 1)
    xy = local[..., :2]
    J = facet.slopes @ xy[:, None]
    dA = facet.weights * np.linalg.det(J)
    refuse(kind, x, ~np.all(dA > 0.0, axis=1), _FOLDED)
    centre = np.einsum("eg,gn,enc->ec", dA, facet.N, xy) / dA.sum(axis=1)[:, None]
    return Flat(axes, xy - centre[:, None], local[..., 2], J, dA)


def _axes(x: Array, kind: str) -> Array:
    """Return local axes as rows: the normal of the diagonals (or edges) is the last."""
    if x.shape[1] == 4:
        a, b = _unit(x[:, 2] - x[:, 0]), _unit(x[:, 3] - x[:, 1])
        along = a - b
    else:
        a, b = _unit(x[:, 1] - x[:, 0]), _unit(x[:, 2] - x[:, 0])
        along = a
    normal = np.cross(a, b)
    size = np.linalg.norm(normal, axis=1)
    refuse(kind, x, ~(size > 1e-10), _FLAT)
    e1, e3 = _unit(along), _unit(normal)
    return np.stack((e1, np.cross(e3, e1), e3), axis=1)


def _unit(a: Array) -> Array:
    size = np.linalg.norm(a, axis=-1, keepdims=True)
    unit: Array = a / np.where(size > 0.0, size, 1.0)
    return unit


_FOLDED = Verdict(
    "the corners do not go around a convex shape.",
    "List them in order around the element, every inner angle below 180 degrees.",
)
_FLAT = Verdict(
    "the corners lie on a line.",
    "Mend the mesh there; write a quadrilateral with two equal corners as S3.",
)
