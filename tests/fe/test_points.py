"""Lumped masses, springs and dashpots."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from bondline.leaves.fe.elements import ELEMENTS
from bondline.leaves.fe.sections import Bushing, PointMass

from .small import rigid_motions, rotation

STIFF, DAMP = np.array([1e3, 2e3, 3e3, 4.0, 5.0, 6.0]), np.arange(1.0, 7.0)
BUSH = Bushing(STIFF, DAMP)
SPRING, MASS = ELEMENTS["SPRING"], ELEMENTS["MASS"]


def test_a_grounded_spring_is_its_six_stiffnesses():
    x = np.random.default_rng(0).normal(size=(2, 1, 3))
    assert_allclose(SPRING.stiffness(x, BUSH), [np.diag(STIFF)] * 2)
    assert_allclose(SPRING.damping(x, BUSH), [np.diag(DAMP)] * 2)
    assert_allclose(SPRING.mass(x, BUSH, False), np.zeros((2, 6, 6)))


def test_a_spring_between_coincident_nodes_feels_their_difference():
    x = np.ones((1, 2, 3))
    pair = np.array([[1.0, -1.0], [-1.0, 1.0]])
    assert_allclose(SPRING.stiffness(x, BUSH)[0], np.kron(pair, np.diag(STIFF)))


@pytest.mark.parametrize("matrix", ["stiffness", "damping"])
def test_rigid_motion_gives_no_force_at_any_distance(matrix):
    x = 10.0 * np.random.default_rng(1).normal(size=(4, 2, 3))
    bush = replace(BUSH, axes=rotation(2))
    A = getattr(SPRING, matrix)(x, bush)
    forces = A @ rigid_motions(x, 6)
    assert_allclose(forces, 0.0, atol=1e-12 * np.abs(A).max() * 50)


def test_the_springs_sit_in_the_middle():
    """A relative turn about the middle is felt by the springs of rotation only."""
    x = np.array([[[0, 0, 0], [2.0, 0, 0]]])
    turn, middle = np.array([0.0, 0.0, 0.01]), np.array([1.0, 0, 0])
    u = np.zeros((1, 2, 6))
    for node, sign in ((0, -0.5), (1, 0.5)):
        u[0, node, :3] = np.cross(sign * turn, x[0, node] - middle)
        u[0, node, 3:] = sign * turn
    found = SPRING.resultants(x, BUSH, u.reshape(1, 12))
    assert_allclose(found[0], [[0, 0, 0, 0, 0, 0.06]] * 2, atol=1e-15)


def test_axes_of_a_spring_are_its_rows():
    R = rotation(3)
    bush = replace(BUSH, axes=R)
    x = np.zeros((1, 1, 3))
    u = np.concatenate([R[1], np.zeros(3)])[None]
    assert_allclose(SPRING.resultants(x, bush, u)[0, 0, :3], [0, 2e3, 0], atol=1e-9)
    assert_allclose(SPRING.stiffness(x, bush)[0] @ u[0], 2e3 * u[0], atol=1e-9)


def test_a_point_mass_has_its_mass_and_inertia():
    tensor = np.diag([1.0, 2.0, 3.0])
    x = np.zeros((3, 1, 3))
    M = MASS.mass(x, PointMass(5.0, tensor), lumped=True)
    assert_allclose(M[2], np.diag([5, 5, 5, 1, 2, 3.0]))
    assert_allclose(MASS.mass(x, PointMass(5.0), False)[0, 3:, 3:], 0.0)
    assert not MASS.stiffness(x, PointMass(5.0)).any()
