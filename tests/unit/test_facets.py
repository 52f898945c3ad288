"""Facets: overlaps add up, shape functions reproduce, nearest is nearest."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from bondline.numerics.clipping import clip_polygons, fan
from bondline.numerics.facets import facet_mesh, shapes_at
from bondline.numerics.nearest import nearest

seeds = st.integers(0, 10_000)
SQUARE = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])


def convex_quads(n, seed, size=1.0):
    """Counter-clockwise, corners on an ellipse, one in each quarter turn."""
    rng = np.random.default_rng(seed)
    angle = (np.arange(4) + rng.uniform(0.1, 0.9, (n, 4))) * np.pi / 2
    axes = rng.uniform(0.3, 1.0, (n, 1, 2)) * size
    middle = rng.uniform(-0.5, 0.5, (n, 1, 2))
    return middle + axes * np.stack([np.cos(angle), np.sin(angle)], axis=2)


def area(polygons):
    return fan(polygons)[1].sum(axis=1)


@given(seeds)
def test_overlap_does_not_depend_on_the_order(seed):
    a, b = convex_quads(20, seed), convex_quads(20, seed + 1)
    both = area(clip_polygons(a, b))
    np.testing.assert_allclose(both, area(clip_polygons(b, a)), atol=1e-14)
    assert (both <= np.minimum(area(a), area(b)) + 1e-14).all()


@given(seeds)
def test_tiles_cover_a_polygon_once(seed):
    polygon = convex_quads(1, seed)
    corners = np.stack(np.meshgrid(*[np.arange(-2.0, 2.0, 0.25)] * 2), -1).reshape(
        -1, 2
    )
    tiles = corners[:, None] + 0.25 * SQUARE
    pieces = clip_polygons(np.broadcast_to(polygon, tiles.shape), tiles)
    np.testing.assert_allclose(area(pieces).sum(), area(polygon)[0], rtol=1e-12)


def test_polygons_that_do_not_meet_share_no_area():
    assert area(clip_polygons(SQUARE[None], SQUARE[None] + 3.0)).tolist() == [0.0]
    assert area(clip_polygons(SQUARE[None], SQUARE[None] + [1.0, 0.0])).tolist() == [
        0.0
    ]


@given(seeds)
def test_shape_functions_reproduce_points_either_way_round(seed):
    quads = convex_quads(10, seed)
    quads[::2] = quads[::2, ::-1]
    inside = np.random.default_rng(seed).dirichlet(np.ones(4), (10, 6))
    points = inside @ quads
    own = np.ones((10, 4))
    own[5:, 3] = 0.0
    quads[5:, 3] = quads[5:, 2]
    N = shapes_at(quads, own, points)
    np.testing.assert_allclose(N.sum(axis=2), 1.0, atol=1e-12)
    np.testing.assert_allclose(N @ quads, points, atol=1e-12)
    assert N[:5].min() > -1e-12


@settings(deadline=None)
@given(seeds)
def test_no_point_of_the_mesh_is_nearer_than_the_nearest(seed):
    rng = np.random.default_rng(seed)
    y, z = np.meshgrid(np.arange(4.0), np.arange(4.0), indexing="ij")
    nodes = np.stack([0 * y, y, z], -1).reshape(-1, 3) + rng.uniform(-0.2, 0.2, (16, 3))
    k = np.arange(16).reshape(4, 4)
    quads = np.stack([k[:-1, :-1], k[1:, :-1], k[1:, 1:], k[:-1, 1:]], -1).reshape(
        -1, 4
    )
    facets = [tuple(q) if n % 2 else tuple(q[:3]) for n, q in enumerate(quads.tolist())]
    mesh = facet_mesh(nodes, facets)
    points = rng.uniform(-1.0, 4.0, (12, 3)) * [0.1, 1.0, 1.0]
    found = nearest(points, mesh)
    s, t = rng.uniform(0, 1, (2, 400))
    bilinear = np.stack([(1 - s) * (1 - t), s * (1 - t), s * t, (1 - s) * t])
    u = np.minimum(s, 1 - t), np.maximum(s, 1 - t)
    linear = np.stack([u[0], u[1] - u[0], 1 - u[1], 0 * s])
    X = mesh.X
    rules = [linear if count == 3 else bilinear for count in mesh.counts]
    samples = [rule.T @ x for rule, x in zip(rules, X, strict=True)]
    away = np.linalg.norm(points[:, None] - np.vstack(samples), axis=2).min(axis=1)
    assert (found.distances <= away + 1e-9).all()
    assert (found.distances >= away - 0.3).all()
    foot = np.einsum("nk,nkx->nx", found.weights, X[found.facets])
    np.testing.assert_allclose(
        np.linalg.norm(foot - points, axis=1), found.distances, atol=1e-14
    )
    assert found.weights.min() > -1e-12
