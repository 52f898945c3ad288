"""Curved meshes: nodes on the surface, elements the right way round, sizes right."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from bondline.leaves.fe.generate import (
    brick,
    cylindrical,
    elliptic,
    grid,
    octant,
    spherical,
    twisted,
)


def areas(patch):
    """Area vectors of quadrilaterals, along their normals."""
    x = patch.points[patch.nodes]
    return 0.5 * np.cross(x[:, 2] - x[:, 0], x[:, 3] - x[:, 1])


def test_a_quarter_of_an_elliptic_ring():
    patch = grid((4, 64), elliptic((2.0, 1.0), (3.25, 2.75)))
    x, y, _ = patch.points[patch.node_sets["u1"]].T
    assert_allclose((x / 3.25) ** 2 + (y / 2.75) ** 2, 1.0)
    wanted = 0.25 * np.pi * (3.25 * 2.75 - 2.0 * 1.0)
    assert_allclose(areas(patch).sum(axis=0), [0.0, 0.0, wanted], rtol=1e-3)


def test_a_ring_of_bricks_has_a_height():
    patch = brick((1, 4, 2), elliptic((1.0, 1.0), (2.0, 2.0), np.pi, 0.6))
    assert_allclose(patch.points[patch.node_sets["w1"], 2], 0.6)
    assert_allclose(patch.points[patch.node_sets["v1"], 1], 0.0, atol=1e-12)


def test_a_cylinder_is_as_long_and_as_round_as_told():
    patch = grid((3, 40), cylindrical(5.0, 2.0, np.radians(40.0)))
    x, y, z = patch.points.T
    assert_allclose(np.hypot(x, z), 5.0)
    assert (y.min(), y.max()) == (0.0, 2.0)
    size = np.linalg.norm(areas(patch), axis=1).sum()
    assert_allclose(size, 2.0 * 5.0 * np.radians(40.0), rtol=1e-4)


def test_a_sphere_has_its_normals_outside():
    patch = grid((24, 24), spherical(3.0, latitude=np.radians(72.0)))
    assert_allclose(np.linalg.norm(patch.points, axis=1), 3.0)
    out = patch.points[patch.nodes].mean(axis=1)
    assert (np.einsum("ei,ei->e", areas(patch), out) > 0.0).all()


def test_a_strip_turns_as_far_as_told():
    patch = grid((6, 2), twisted(12.0, 1.1))
    start, end = (patch.points[patch.node_sets[s]] for s in ("u0", "u1"))
    assert_allclose(np.ptp(start, axis=0), [0.0, 1.1, 0.0], atol=1e-12)
    assert_allclose(np.ptp(end, axis=0), [0.0, 0.0, 1.1], atol=1e-12)


@pytest.mark.parametrize("n", [1, 2, 7])
def test_an_octant_is_three_grids_in_one(n):
    patch = octant(10.0, n)
    assert len(patch.nodes) == 3 * n * n
    assert len(patch.points) == 3 * n * n + 3 * n + 1
    assert_allclose(np.linalg.norm(patch.points, axis=1), 10.0)
    assert_allclose(patch.points[patch.node_sets["corners"]], 10.0 * np.eye(3))
    for k, name in enumerate(("x0", "y0", "z0")):
        assert len(patch.node_sets[name]) == 2 * n + 1
        assert_allclose(patch.points[patch.node_sets[name], k], 0.0, atol=1e-9)
    out = patch.points[patch.nodes].mean(axis=1)
    assert (np.einsum("ei,ei->e", areas(patch), out) > 0.0).all()
