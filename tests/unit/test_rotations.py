"""Laws of finite rotations."""

from __future__ import annotations

from math import pi

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from bondline.numerics import rotations as rot

unit = st.floats(-1.0, 1.0)
angles = st.sampled_from([0.0, 1e-200, 1e-12, 1e-6, 0.1, 0.999, 1.001, 2.0, 3.0, 3.14])


def close(a, b, tol=1e-14):
    assert_allclose(a, b, rtol=tol, atol=tol)


@st.composite
def vectors(draw, angle=angles):
    d = np.array(draw(st.tuples(unit, unit, unit))) + np.array([0.0, 0.0, 1.5])
    return draw(angle) * d / np.linalg.norm(d)


@given(vectors(), vectors())
def test_product_is_the_product_of_matrices(r, s):
    p, q = rot.exp(r), rot.exp(s)
    close(rot.matrix(rot.product(p, q)), rot.matrix(p) @ rot.matrix(q))


@given(vectors())
def test_the_matrix_is_orthogonal_and_the_conjugate_turns_back(r):
    q = rot.exp(r)
    R = rot.matrix(q)
    close(R @ R.T, np.eye(3))
    assert np.linalg.det(R) == pytest.approx(1.0)
    close(rot.matrix(rot.conjugate(q)), R.T)


@given(vectors())
def test_log_undoes_exp(r):
    assert_allclose(rot.log(rot.exp(r)), r, rtol=4e-15, atol=1e-250)
    assert_allclose(rot.log(-rot.exp(r)), r, rtol=4e-15, atol=1e-250)


@pytest.mark.parametrize("short", [0.0, 1e-13, 1e-9, 1e-3])
def test_log_is_sharp_up_to_half_a_turn(short):
    r = (pi - short) * np.array([0.6, 0.0, 0.8])
    assert_allclose(rot.log(rot.exp(r)), r, rtol=1e-15)


def test_beyond_half_a_turn_log_goes_the_short_way():
    close(rot.log(rot.exp(np.array([0.0, 0.0, 4.0]))), [0.0, 0.0, 4.0 - 2 * pi])


@given(vectors())
def test_quaternion_undoes_matrix(r):
    q = rot.quaternion(rot.matrix(rot.exp(r)))
    close(rot.matrix(q), rot.matrix(rot.exp(r)))
    assert q[0] >= 0.0


@pytest.mark.parametrize("r", np.vstack([pi * np.eye(3), np.zeros((1, 3))]))
def test_quaternion_of_half_turns(r):
    close(rot.matrix(rot.quaternion(rot.matrix(rot.exp(r)))), rot.matrix(rot.exp(r)))


def test_normalise():
    close(rot.normalise(np.array([0.0, 3.0, 0.0, 4.0])), [0.0, 0.6, 0.0, 0.8])


@given(vectors(), vectors())
def test_skew_is_the_cross_product(a, b):
    close(rot.skew(a) @ b, np.cross(a, b))
    close(rot.cross(a, b), np.cross(a, b))


@given(vectors())
def test_the_jacobians_are_inverse_to_each_other(r):
    close(rot.left_jacobian(r) @ rot.left_jacobian_inverse(r), np.eye(3), 4e-15)


@given(vectors())
def test_the_inverse_jacobian_carries_the_other_side_by_its_transpose(r):
    J = rot.left_jacobian_inverse(r)
    close(J @ rot.matrix(rot.exp(r)), J.T, 4e-15)


def test_series_and_closed_forms_meet():
    below, above = 1.0 - 1e-13, 1.0 + 1e-13
    for f in (rot._jacobian_terms, rot._jacobian_slopes):
        assert_allclose(f(below), f(above), rtol=2e-12)
    for g in (rot._inverse_term, rot._inverse_slope):
        assert_allclose(g(below), g(above), rtol=2e-12)


def difference(f, t, h=1e-2):
    """f'(t), central, eighth order."""
    weights = {1: 4 / 5, 2: -1 / 5, 3: 4 / 105, 4: -1 / 280}
    return sum(w * (f(t + k * h) - f(t - k * h)) for k, w in weights.items()) / h


CURVES = [
    (np.array([0.0, 0.0, 0.0]), np.array([0.3, -0.2, 0.5]), np.array([1.0, 0.5, -0.7])),
    (np.array([0.9, 0.5, -0.4]), np.array([0.3, 1.2, 0.5]), np.array([0.2, 0.5, -0.7])),
    (np.array([-1.9, 0.5, 2.0]), np.array([0.1, 0.2, 0.5]), np.array([-0.3, 0.5, 0.4])),
]


@pytest.mark.parametrize("curve", CURVES)
def test_spins_are_the_rates_of_the_frame(curve):
    r0, r1, r2 = curve

    def r(t):
        return r0 + t * r1 + 0.5 * t**2 * r2

    def spin(t):
        return rot.spins(r(t), r1 + t * r2, r2)[0]

    def R(t):
        return rot.matrix(rot.exp(r(t)))

    w, w_rate = rot.spins(r0, r1, r2)
    close(difference(R, 0.0), rot.skew(w) @ R(0.0), 1e-12)
    close(difference(spin, 0.0), w_rate, 1e-12)


@pytest.mark.parametrize("curve", CURVES)
def test_log_rates_undo_spins(curve):
    r0, r1, r2 = curve
    rate, rate2 = rot.log_rates(r0, *rot.spins(r0, r1, r2))
    close(rate, r1, 1e-14)
    close(rate2, r2, 1e-13)


@pytest.mark.parametrize("angle", [0.0, 0.5, 1.5, 3.0])
def test_slopes_are_those_of_the_terms(angle):
    """Both are functions of θ², so their difference by θ² is half the slope."""

    def at(s):
        return np.array([*rot._jacobian_terms(s**0.5), rot._inverse_term(s**0.5)])

    square = angle**2 + 0.05
    slopes = [*rot._jacobian_slopes(square**0.5), rot._inverse_slope(square**0.5)]
    close(2.0 * difference(at, square), slopes, 1e-12)
