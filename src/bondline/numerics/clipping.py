"""Where facets overlap: intervals on a line, convex polygons in a plane."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def clip_polygons(subject: Array, window: Array) -> Array:
    """The part of each convex polygon inside a convex window (n x m x 2 each).

    The window's corners go counter-clockwise and may repeat. The answer has m + k
    corners; unused ones repeat the last, so areas and fans need no counts. Pairs that
    do not meet give polygons without area.

    >>> square = np.array([[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]])
    >>> fan(clip_polygons(square, square + 0.25))[1].sum().round(12)
    np.float64(0.5625)
    """
    for k in range(window.shape[1]):
        start, end = window[:, k], window[:, (k + 1) % window.shape[1]]
        subject = _clip_half_plane(subject, start, end - start)
    return subject


def fan(polygons: Array) -> tuple[Array, Array]:
    """Triangles from the first corner (n x m-2 x 3 x 2), and their areas (n x m-2)."""
    first = np.broadcast_to(polygons[:, :1], polygons[:, 1:-1].shape)
    triangles = np.stack([first, polygons[:, 1:-1], polygons[:, 2:]], axis=2)
    b, c = triangles[..., 1, :] - first, triangles[..., 2, :] - first
    area: Array = 0.5 * (b[..., 0] * c[..., 1] - b[..., 1] * c[..., 0])
    return triangles, area


def triangle_rule(n: int) -> tuple[Array, Array]:
    """Barycentric points and weights (sum one), exact to degree 2n - 1.

    >>> points, weights = triangle_rule(2)
    >>> (weights @ points[:, 0] ** 3).round(12)  # 3! 2! / 5!
    np.float64(0.1)
    """
    x, w = np.polynomial.legendre.leggauss(n + 1)
    s, ws = 0.5 * (x + 1.0), 0.5 * w
    x, w = np.polynomial.legendre.leggauss(n)
    t, wt = 0.5 * (x + 1.0), 0.5 * w
    # the square collapsed on the first corner; one more point pays for its Jacobian
    S, T = np.repeat(s, n), np.tile(t, n + 1)
    weights = np.repeat(2.0 * ws * s, n) * np.tile(wt, n + 1)
    return np.stack([1.0 - S, S * (1.0 - T), S * T], axis=1), weights


def _clip_half_plane(polygon: Array, start: Array, along: Array) -> Array:
    """What lies to the left of the line from `start` along `along`."""
    offset = polygon - start[:, None, :]
    side = along[:, None, 0] * offset[..., 1] - along[:, None, 1] * offset[..., 0]
    after, side_after = np.roll(polygon, -1, axis=1), np.roll(side, -1, axis=1)
    crosses = (side > 0.0) & (side_after < 0.0) | (side < 0.0) & (side_after > 0.0)
    share = side / np.where(crosses, side - side_after, 1.0)
    between = polygon + share[..., None] * (after - polygon)
    n, m, _ = polygon.shape
    corners = np.stack([polygon, between], axis=2).reshape(n, 2 * m, 2)
    kept = np.stack([side >= 0.0, crosses], axis=2).reshape(n, 2 * m)
    return _packed(corners, kept, m + 1)


def _packed(corners: Array, kept: NDArray[np.bool_], room: int) -> Array:
    """The kept corners first, the last of them repeated to fill the room."""
    order = np.argsort(~kept, axis=1, kind="stable")
    count = kept.sum(axis=1)
    place = np.minimum(np.arange(room), np.maximum(count - 1, 0)[:, None])
    chosen = np.take_along_axis(order, place, axis=1)
    return np.take_along_axis(corners, chosen[..., None], axis=1)
