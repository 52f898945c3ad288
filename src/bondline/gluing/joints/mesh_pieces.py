"""Pieces of overlap: where one slave facet meets one master facet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from bondline.gluing.joints.mesh_pair import Pair
from bondline.numerics.clipping import clip_polygons, fan, triangle_rule
from bondline.numerics.facets import Array, FacetMesh, Indices, shapes_at
from bondline.numerics.nearest import pairs_within

FACING = 0.5  # cosine of the largest angle between facets that may meet
ORDERS = (3, 4, 5, 6, 8, 10, 14, 20, 30)


@dataclass(frozen=True, eq=False)
class Pieces:
    """Integrals over n pieces, each of one slave and one master facet.

    `sizes` are their lengths or areas, `mass` holds ∫ φᵢ φⱼ of the slave, `cross`
    ∫ φᵢ φⱼᵐ (n x corners x corners).
    """

    slave: Indices
    master: Indices
    sizes: Array
    mass: Array
    cross: Array

    def where(self, keep: NDArray[np.bool_]) -> Pieces:
        """Only some of the pieces."""
        return Pieces(*(getattr(self, f.name)[keep] for f in fields(self)))


def line_pieces(pair: Pair) -> Pieces:
    """Master lines laid on slave lines along the slave's normal."""
    i, j = _facing(pair)
    slave, master = pair.slave.X[i], pair.master.X[j]
    along, length = pair.slave.directions[i], pair.slave.measures[i]
    ends = np.einsum("nkx,nx->nk", master - slave[:, :1], along)
    low = np.maximum(ends.min(axis=1), 0.0)
    high = np.minimum(ends.max(axis=1), length)
    met = high - low > 1e-14 * length
    i, j, ends, low, length = i[met], j[met], ends[met], low[met], length[met]
    x, w = np.polynomial.legendre.leggauss(2)
    size = high[met] - low
    t = low[:, None] + np.outer(size, 0.5 * (x + 1.0))
    s = t / length[:, None]
    r = (t - ends[:, :1]) / (ends[:, 1] - ends[:, 0])[:, None]
    N = np.stack([1.0 - s, s], axis=2), np.stack([1.0 - r, r], axis=2)
    return _integrate(pair, (i, j), np.outer(size, 0.5 * w), N)


def face_pieces(pair: Pair) -> Pieces:
    """Triangles of the polygons that facets share, seen along the slave's normal."""
    i, j = _facing(pair)
    plane, origin = _planes(pair.slave)[i], pair.slave.centres[i]
    slave = _in_plane(pair.slave.X[i], origin, plane)
    master = _in_plane(pair.master.X[j], origin, plane)
    triangles, area = fan(clip_polygons(slave, _counter_clockwise(master)))
    met, k = np.nonzero(area > 1e-15 * pair.slave.measures[i][:, None])
    corners, area = triangles[met, k], area[met, k]
    order = _orders(pair, i[met], j[met], corners)
    found = []
    for n in ORDERS:
        of = np.flatnonzero(order == n)
        points, weights = triangle_rule(n)
        at, p = points @ corners[of], met[of]
        N_slave = shapes_at(slave[p], pair.slave.own[i[p]], at)
        N_master = shapes_at(master[p], pair.master.own[j[p]], at)
        W = area[of, None] * weights
        found.append(_integrate(pair, (i[p], j[p]), W, (N_slave, N_master)))
    return _joined(found)


def _integrate(
    pair: Pair, facets: tuple[Indices, Indices], W: Array, N: tuple[Array, Array]
) -> Pieces:
    """Integrals with weights W (n x q) over the pieces whose sides are in reach."""
    (i, j), (N_slave, N_master) = facets, N
    apart = N_slave @ pair.slave.X[i] - N_master @ pair.master.X[j]
    near = np.linalg.norm(apart, axis=2).max(axis=1, initial=0.0) <= pair.reach
    weighted = (W[:, :, None] * N_slave).transpose(0, 2, 1)
    pieces = Pieces(i, j, W.sum(axis=1), weighted @ N_slave, weighted @ N_master)
    return pieces.where(near)


def _joined(parts: Sequence[Pieces]) -> Pieces:
    names = [f.name for f in fields(Pieces)]
    return Pieces(*(np.concatenate([getattr(p, n) for p in parts]) for n in names))


def _facing(pair: Pair) -> tuple[Indices, Indices]:
    """Pairs of facets near enough to meet, and parallel enough."""
    slave, master = pair.slave, pair.master
    i, j = pairs_within(slave.centres, slave.radii + pair.reach, master)
    cosine = np.einsum("nx,nx->n", slave.directions[i], master.directions[j])
    meets = np.abs(cosine) > FACING
    return i[meets], j[meets]


def _orders(pair: Pair, i: Indices, j: Indices, triangles: Array) -> Indices:
    """Points a direction that integrate the shape functions to round-off.

    On triangles and parallelograms they are polynomials, of degree 4 in all. On other
    quadrilaterals they have a branch point where the map folds, evenness / (1 -
    evenness) facets away. At s lengths of the piece Gauss's error falls as ρ⁻²ⁿ with
    ρ = 1 + 2 s + 2 √(s + s²).
    """
    edges = triangles - np.roll(triangles, 1, axis=1)
    length = np.linalg.norm(edges, axis=2).max(axis=1)
    s = np.minimum(_room(pair.slave)[i], _room(pair.master)[j]) / length
    needed = np.log(1e14) / (2.0 * np.log1p(2.0 * s + 2.0 * np.sqrt(s + s * s)))
    place = np.searchsorted(ORDERS, needed)
    orders: Indices = np.array(ORDERS)[np.minimum(place, len(ORDERS) - 1)]
    return orders


def _room(mesh: FacetMesh) -> Array:
    """How far from each facet its map folds."""
    width = np.sqrt(2.0) * mesh.radii  # of a square
    room: Array = width * mesh.evenness / np.maximum(1.0 - mesh.evenness, 1e-15)
    return room


def _planes(mesh: FacetMesh) -> Array:
    """Two unit vectors in the plane of each face (m x 2 x 3)."""
    first = mesh.X[:, 1] - mesh.X[:, 0]
    normal = mesh.directions
    first = first - np.einsum("mx,mx->m", first, normal)[:, None] * normal
    first /= np.linalg.norm(first, axis=1)[:, None]
    return np.stack([first, np.cross(normal, first)], axis=1)


def _in_plane(X: Array, origin: Array, plane: Array) -> Array:
    flat: Array = np.einsum("nkx,nax->nka", X - origin[:, None, :], plane)
    return flat


def _counter_clockwise(polygons: Array) -> Array:
    a, b = polygons[:, 2] - polygons[:, 0], polygons[:, 3] - polygons[:, 1]
    flip = a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0] < 0.0
    return np.where(flip[:, None, None], polygons[:, ::-1], polygons)
