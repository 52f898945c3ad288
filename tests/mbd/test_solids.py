"""Inertia of simple solids against sums over points, and how they add up."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from bondline.errors import SettingError
from bondline.leaves.mbd.frame import Frame
from bondline.leaves.mbd.solids import (
    box,
    capsule,
    composite,
    cylinder,
    ellipsoid,
    point,
    rod,
    sphere,
    tube,
)

FRAME = Frame((0.3, -0.2, 0.7), (0.5, 0.5, -0.1, 0.7))


def summed(inside, reach, n=100):
    """Mass and inertia of points that fill a shape, at unit density."""
    axes = [(np.arange(n) + 0.5) / n * 2 * r - r for r in reach]
    p = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3)
    cell = np.prod([2 * r / n for r in reach])
    p = p[inside(*p.T)]
    second = cell * p.T @ p
    return cell * len(p), np.trace(second) * np.eye(3) - second


@pytest.mark.parametrize(
    ("lump", "inside", "reach"),
    [
        (box(0.4, 0.6, 1.0, density=1.0), lambda x, y, z: x == x, (0.2, 0.3, 0.5)),
        (
            cylinder(0.3, 1.0, density=1.0),
            lambda x, y, z: x**2 + y**2 <= 0.09,
            (0.3, 0.3, 0.5),
        ),
        (
            tube(1.0, 0.3, 0.2, density=1.0),
            lambda x, y, z: (x**2 + y**2 <= 0.09) & (x**2 + y**2 > 0.04),
            (0.3, 0.3, 0.5),
        ),
        (
            ellipsoid(0.3, 0.4, 0.5, density=1.0),
            lambda x, y, z: (x / 0.3) ** 2 + (y / 0.4) ** 2 + (z / 0.5) ** 2 <= 1,
            (0.3, 0.4, 0.5),
        ),
        (
            capsule(0.3, 0.8, density=1.0),
            lambda x, y, z: x**2 + y**2 + np.maximum(abs(z) - 0.4, 0) ** 2 <= 0.09,
            (0.3, 0.3, 0.7),
        ),
    ],
)
def test_a_solid_has_the_inertia_of_its_points(lump, inside, reach):
    mass, inertia = summed(inside, reach)
    assert_allclose(lump.mass, mass, rtol=4e-3)
    assert_allclose(lump.inertia, inertia, rtol=4e-3, atol=1e-9)


def test_two_halves_make_the_whole():
    half = box(0.5, 0.2, 0.3, mass=1.0)
    left, right = (half.moved(Frame((x, 0, 0))) for x in (-0.25, 0.25))
    whole = composite(left, right).moved(FRAME)
    same = composite(left.moved(FRAME), right.moved(FRAME))
    straight = box(1.0, 0.2, 0.3, mass=2.0).moved(FRAME)
    for one in (whole, same):
        assert_allclose(one.com, straight.com)
        assert_allclose(one.inertia, straight.inertia, atol=1e-15)


def test_a_bored_cylinder_is_a_tube():
    bore = cylinder(0.2, 1.0, density=1.0)
    hole = type(bore)(-bore.mass, bore.com, -bore.inertia)
    made = composite(cylinder(0.3, 1.0, density=1.0), hole)
    assert_allclose(made.inertia, tube(1.0, 0.3, 0.2, density=1.0).inertia)


def test_a_ball_is_round_and_a_body_keeps_what_it_is():
    assert_allclose(sphere(0.5, mass=2.0).inertia, 0.2 * np.eye(3))
    body = composite(rod(2.0, 3.0), point(1.0, (0, 0, 1))).body("arm")
    assert body.mass == 4.0
    assert_allclose(body.com, (0, 0, 0.25))
    assert_allclose(np.diag(body.inertia), [1.75, 1.75, 0.0])


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: box(1, 1, 1), "both a mass and a density"),
        (lambda: box(1, 1, 1, mass=1.0, density=1.0), "both"),
        (lambda: sphere(-1.0, mass=1.0), "volume"),
        (lambda: tube(1.0, 0.1, 0.2, mass=1.0), "outer"),
        (lambda: rod(1.0, 0.0), "mass"),
        (lambda: composite(), "composite"),
    ],
)
def test_what_is_no_solid_is_refused(make, says):
    with pytest.raises(SettingError, match=says):
        make()
