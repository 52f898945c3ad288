"""The point of a facet mesh nearest to a point."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from bondline.numerics.facets import Array, FacetMesh, Indices, bilinear


@dataclass(frozen=True, eq=False)
class Nearest:
    """For each point its facet, the facet's shape functions there, the distance."""

    facets: Indices
    weights: Array
    distances: Array


def nearest(points: Array, mesh: FacetMesh) -> Nearest:
    """The nearest point of the mesh, inside a facet, on an edge or at a corner.

    Of facets equally near, the first counts.
    """
    point, facet = _candidates(points, mesh)
    here, X, own = points[point], mesh.X[facet], mesh.own[facet]
    weights = _on_lines(X, here) if mesh.lines else _on_faces(X, own, here)
    away = _away(weights, X, here)
    order = np.lexsort((facet, away, point))
    best = order[np.searchsorted(point[order], np.arange(len(points)))]
    return Nearest(facet[best], weights[best], away[best])


def pairs_within(centres: Array, reach: Array, mesh: FacetMesh) -> tuple[Indices, ...]:
    """Pairs (point, facet) whose spheres meet: `reach` about each of the points."""
    tree = cKDTree(mesh.centres)
    lists = tree.query_ball_point(
        centres, reach + mesh.radii.max(initial=0.0), return_sorted=True
    )
    first = np.repeat(np.arange(len(centres)), [len(near) for near in lists])
    second = np.array([j for near in lists for j in near], dtype=np.intp)
    away = np.linalg.norm(centres[first] - mesh.centres[second], axis=1)
    meets = away <= reach[first] + mesh.radii[second]
    return first[meets], second[meets]


def _candidates(points: Array, mesh: FacetMesh) -> tuple[Indices, ...]:
    """No facet is nearer than the sphere around the nearest centre allows."""
    distance = np.asarray(cKDTree(mesh.centres).query(points)[0])
    return pairs_within(points, distance * (1.0 + 1e-9), mesh)


def _on_lines(X: Array, p: Array) -> Array:
    t = _along(X[:, 0], X[:, 1], p)
    return np.stack([1.0 - t, t], axis=1)


def _on_faces(X: Array, own: Array, p: Array) -> Array:
    quads = own[:, 3] > 0.0
    inside = _plane(X, p)
    inside[quads] = _bilinear_foot(X[quads], p[quads])
    edge = _on_edges(X, p)
    # a search from far off may end anywhere: the inside counts only if it is nearer
    taken = (inside.min(axis=1) >= -1e-12) & (_away(inside, X, p) <= _away(edge, X, p))
    return np.where(taken[:, None], inside, edge)


def _plane(X: Array, p: Array) -> Array:
    """Barycentric coordinates of the foot on the plane of a triangle."""
    b, c, r = X[:, 1] - X[:, 0], X[:, 2] - X[:, 0], p - X[:, 0]
    s, t = _least_squares(b, c, r)
    return np.stack([1.0 - s - t, s, t, np.zeros_like(s)], axis=1)


def _bilinear_foot(X: Array, p: Array) -> Array:
    """The foot on a quadrilateral by Newton's method; at once on a parallelogram.

    Beyond the centre of curvature of a warped facet it may be another foot.
    """
    b, c = X[:, 1] - X[:, 0], X[:, 3] - X[:, 0]
    d = X[:, 2] - X[:, 3] - b
    xi = np.full((len(X), 1), 0.5)
    eta = xi.copy()
    for _ in range(30):
        at_xi, at_eta = b + d * eta, c + d * xi
        r = p - X[:, 0] - b * xi - at_eta * eta
        step_xi, step_eta = _least_squares(at_xi, at_eta, r, _dot(d, r))
        # far outside the map may fold; edges take over there
        xi = np.clip(xi + step_xi[:, None], -1.0, 2.0)
        eta = np.clip(eta + step_eta[:, None], -1.0, 2.0)
        if max(np.abs(step_xi).max(initial=0), np.abs(step_eta).max(initial=0)) < 1e-14:
            break
    return bilinear(xi[:, 0], eta[:, 0])


def _least_squares(
    b: Array, c: Array, r: Array, twist: Array | float = 0.0
) -> tuple[Array, Array]:
    """s, t that bring s b + t c + s t d nearest to r, to second order; twist = d·r."""
    bb, bc, cc = _dot(b, b), _dot(b, c), _dot(c, c)
    bc = np.where((bc - twist) ** 2 < bb * cc, bc - twist, bc)
    br, cr = _dot(b, r), _dot(c, r)
    det = bb * cc - bc * bc
    safe = np.where(det > 0.0, det, np.inf)
    return (cc * br - bc * cr) / safe, (bb * cr - bc * br) / safe


def _on_edges(X: Array, p: Array) -> Array:
    """Shape functions at the nearest point of the boundary of a face."""
    after = np.roll(X, -1, axis=1)
    t = _along(X, after, p[:, None, :])
    foot = X + t[..., None] * (after - X)
    edge = np.argmin(np.linalg.norm(foot - p[:, None, :], axis=2), axis=1)
    weights, row = np.zeros(X.shape[:2]), np.arange(len(X))
    weights[row, edge] = 1.0 - t[row, edge]
    weights[row, (edge + 1) % X.shape[1]] += t[row, edge]
    return weights


def _along(start: Array, end: Array, p: Array) -> Array:
    """Where on the segment, from 0 to 1, the point nearest to p is."""
    d = end - start
    square = _dot(d, d)
    t = _dot(d, p - start) / np.where(square > 0.0, square, 1.0)
    return np.clip(t, 0.0, 1.0)


def _away(weights: Array, X: Array, p: Array) -> Array:
    away: Array = np.linalg.norm(np.einsum("nk,nkx->nx", weights, X) - p, axis=1)
    return away


def _dot(a: Array, b: Array) -> NDArray[np.float64]:
    product: Array = np.sum(a * b, axis=-1)
    return product
