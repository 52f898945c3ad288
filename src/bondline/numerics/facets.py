"""Facets of an interface as arrays: lines of two nodes, faces of three or four."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Indices = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class FacetMesh:
    """Points in space (n x 3) and facets (m x 2 lines, or m x 4 faces).

    A triangle among faces repeats its last node; `counts` says how many are its own.
    """

    points: Array
    corners: Indices
    counts: Indices

    @property
    def lines(self) -> bool:
        """Whether the facets are lines."""
        return bool(self.corners.shape[1] == 2)

    @cached_property
    def own(self) -> Array:
        """One for a facet's own nodes, zero for the repeated one (m x k)."""
        k = np.arange(self.corners.shape[1])
        return (k < self.counts[:, None]).astype(np.float64)

    @cached_property
    def X(self) -> Array:
        """Positions of the corners (m x k x 3)."""
        return self.points[self.corners]

    @cached_property
    def centres(self) -> Array:
        """Mean of the nodes of each facet."""
        total: Array = np.einsum("mk,mkx->mx", self.own, self.X)
        return total / self.counts[:, None]

    @cached_property
    def radii(self) -> Array:
        """Distance from the centre to the farthest node."""
        reach = np.linalg.norm(self.X - self.centres[:, None, :], axis=2)
        radii: Array = reach.max(axis=1, initial=0.0)
        return radii

    @cached_property
    def axes(self) -> Array:
        """Twice the area times the normal of a face; from end to end of a line."""
        X = self.X
        if self.lines:
            return X[:, 1] - X[:, 0]
        return np.cross(X[:, 2] - X[:, 0], X[:, 3] - X[:, 1])

    @cached_property
    def measures(self) -> Array:
        """Length of a line, area of a face."""
        size: Array = np.linalg.norm(self.axes, axis=1)
        return size if self.lines else 0.5 * size

    @cached_property
    def directions(self) -> Array:
        """Unit tangent of a line, unit normal of a face."""
        unit: Array = self.axes / np.linalg.norm(self.axes, axis=1)[:, None]
        return unit

    @cached_property
    def evenness(self) -> Array:
        """Smallest over largest corner of each face: one where it is affine.

        Zero or less means that a quadrilateral is folded or not convex.
        """
        X = self.X
        ahead, behind = np.roll(X, -1, axis=1) - X, np.roll(X, 1, axis=1) - X
        size = np.einsum("mkx,mx->mk", np.cross(ahead, behind), self.axes)
        ratio = size.min(axis=1) / np.maximum(size.max(axis=1), np.finfo(float).tiny)
        even: Array = np.where(self.own[:, 3] > 0.0, ratio, 1.0)
        return even

    def weights(self) -> Array:
        """∫ φⱼ over each facet, for each of its corners (m x k)."""
        if self.lines:
            return 0.5 * self.measures[:, None] * np.ones((1, 2))
        thirds = self.measures[:, None] / 3.0 * self.own
        return np.where(self.own[:, 3:] > 0.0, _quad_weights(self.X), thirds)


def facet_mesh(points: Array, facets: Sequence[Sequence[int]]) -> FacetMesh:
    """Facets of two nodes, or of three and four, as one array.

    >>> facet_mesh(np.zeros((4, 3)), [(0, 1, 2), (0, 1, 2, 3)]).corners
    array([[0, 1, 2, 2],
           [0, 1, 2, 3]])
    """
    counts = np.array([len(f) for f in facets], dtype=np.intp)
    width = 2 if counts.size and counts.max() == 2 else 4
    rows = [[*f, *([f[-1]] * (width - len(f)))] for f in facets]
    return FacetMesh(points, np.array(rows, dtype=np.intp).reshape(-1, width), counts)


def bilinear(xi: Array, eta: Array) -> Array:
    """Shape functions of a quadrilateral; ξ, η from 0 to 1, a new last axis of 4."""
    return np.stack(
        [(1 - xi) * (1 - eta), xi * (1 - eta), xi * eta, (1 - xi) * eta], axis=-1
    )


def shapes_at(corners: Array, own: Array, points: Array) -> Array:
    """Shape functions of plane faces at points in their plane (n x q x 4).

    `corners` is n x 4 x 2, `points` n x q x 2. They add up to one and reproduce the
    points to round-off, however the quadrilateral is distorted.
    """
    flat = own[:, 3] == 0.0
    N = np.zeros((*points.shape[:2], 4))
    N[flat] = _barycentric(corners[flat], points[flat])
    N[~flat] = _inverse_bilinear(corners[~flat], points[~flat])
    return N


def _barycentric(X: Array, points: Array) -> Array:
    p, b, c, _ = _components(X, points)
    det = _cross(b, c)
    s, t = _cross(p, c) / det, _cross(b, p) / det
    return np.stack([1.0 - s - t, s, t, np.zeros_like(s)], axis=-1)


def _inverse_bilinear(X: Array, points: Array) -> Array:
    """ξ, η of p = b ξ + c η + d ξ η: the root of a quadratic, and a step of Newton."""
    p, b, c, d = _components(X, points)
    way = np.sign(_cross(b, c))  # of two roots, the one where the map does not fold
    A, C = way * _cross(d, c), way * _cross(p, b)
    B = way * (_cross(p, d) + _cross(b, c))
    root = B + np.sqrt(np.maximum(B * B - 4.0 * A * C, 0.0))
    eta = -2.0 * C / np.where(root > 0.0, root, np.inf)
    side = b + d * eta
    xi = ((p - c * eta) * side).sum(axis=0) / (side * side).sum(axis=0)
    at_eta = c + d * xi
    r = p - b * xi - at_eta * eta
    det = _cross(side, at_eta)
    return bilinear(xi + _cross(r, at_eta) / det, eta + _cross(side, r) / det)


def _components(X: Array, points: Array) -> tuple[Array, ...]:
    """p, b, c, d from the first corner, x and y first: whole arrays are faster."""
    p = np.moveaxis(points, 2, 0) - X[:, 0].T[:, :, None]
    return p, *(e.T[:, :, None] for e in _edges(X))


def _edges(X: Array) -> tuple[Array, Array, Array]:
    """b, c, d of the map b ξ + c η + d ξ η; d = −b for a triangle, which has none."""
    b, c = X[:, 1] - X[:, 0], X[:, 3] - X[:, 0]
    return b, c, X[:, 2] - X[:, 3] - b


def _quad_weights(X: Array) -> Array:
    """∫ φⱼ over quadrilaterals in space, two by two Gauss points."""
    g = 0.5 + 0.5 * np.array([-1.0, 1.0]) / np.sqrt(3.0)
    xi, eta = np.repeat(g, 2)[:, None], np.tile(g, 2)[:, None]
    b, c, d = (e[:, None] for e in _edges(X))
    area = np.linalg.norm(np.cross(b + d * eta, c + d * xi), axis=2)
    weights: Array = 0.25 * area @ bilinear(xi[:, 0], eta[:, 0])
    return weights


def _cross(a: Array, b: Array) -> Array:
    product: Array = a[0] * b[1] - a[1] * b[0]
    return product
