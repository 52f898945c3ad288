"""Coordinates of joints that are told what to do."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from bondline.errors import SettingError
from bondline.leaves.mbd.forces import (
    Constant,
    Expression,
    Harmonic,
    JointMotion,
    Polynomial,
    Table,
    rate_of,
)
from bondline.leaves.mbd.model import Mechanism
from bondline.leaves.mbd.pack import pack
from bondline.leaves.mbd.tree import Tree
from tests.mbd.random_trees import random_state, random_tree

TOLD = (Polynomial((0.1, 0.2, 0.3)), Harmonic(0.2, (0.1,), (0.3, 0.2), omega=2.0))


def told_tree(rng, histories=TOLD):
    kinds = ("universal", "cylindrical", "spherical")
    plain, points = random_tree(rng, kinds, (2, 0, 2))
    motions = [
        JointMotion("j0", histories, "y"),
        JointMotion("j1", (Constant(0.3),), "angle"),
    ]
    told = Mechanism(
        "m", plain.bodies, plain.joints, gravity=plain.gravity, motions=motions
    )
    return pack(plain), pack(told), points


def wanted(t):
    """Value, rate and second rate of the told coordinate, by hand."""
    c, s, c2, s2 = np.cos(2 * t), np.sin(2 * t), np.cos(4 * t), np.sin(4 * t)
    return (
        0.1 + 0.2 * t + 0.3 * t**2 + 0.2 + 0.1 * c + 0.3 * s + 0.2 * s2,
        0.2 + 0.6 * t - 0.2 * s + 0.6 * c + 0.8 * c2,
        0.6 - 0.4 * c - 1.2 * s - 3.2 * s2,
    )


def test_the_rest_moves_as_if_the_told_accelerations_were_known():
    rng = np.random.default_rng(1)
    plain, told, points = told_tree(rng)
    tree, t = Tree(told), 0.7
    q, u = random_state(rng, points, size=0.1)
    k = [told.layout.speeds.index(n) for n in ("j0.y", "j1.angle")]
    rest = np.setdiff1d(np.arange(len(u)), k)
    M, P = Tree(plain).mass(t, q, u)
    right = np.zeros(len(u))
    right[k] = wanted(t)[2], 0.0
    rows = np.ix_(rest, rest)
    right[rest] = np.linalg.solve(M[rows], (P - M @ right)[rest])
    found = tree.rates(t, q, u)[1]
    np.testing.assert_allclose(found, right, rtol=0, atol=1e-9 * np.abs(right).max())


def test_told_coordinates_stay_where_they_are_told():
    rng = np.random.default_rng(2)
    _, told, points = told_tree(rng)
    tree = Tree(told)
    q, u = tree.projected(*random_state(rng, points, size=0.1), 0.0)
    assert tree.gaps(q, u, 0.0).max() <= 1e-12
    n = tree.n_q

    def rhs(t, x):
        return np.concatenate(tree.rates(t, x[:n], x[n:]))

    x = np.concatenate([q, u])
    end = solve_ivp(rhs, (0.0, 0.5), x, "DOP853", rtol=1e-11, atol=1e-12).y[:, -1]
    i, j = told.layout.positions.index("j0.y"), told.layout.speeds.index("j0.y")
    assert end[i] == pytest.approx(wanted(0.5)[0], abs=1e-9)
    assert end[n + j] == pytest.approx(wanted(0.5)[1], abs=1e-9)
    assert tree.gaps(end[:n], end[n:], 0.5).max() <= 1e-8


@pytest.mark.parametrize("history", [Constant(2.0), *TOLD])
def test_rates_of_histories_are_their_derivatives(history):
    rate, h = rate_of("here", history), 1e-6

    def at(which, t):
        if isinstance(which, Polynomial):
            return np.polynomial.polynomial.polyval(t - which.t0, which.coefficients)
        return which.at(t)[0]

    slope = (at(history, 0.4 + h) - at(history, 0.4 - h)) / (2 * h)
    assert at(rate, 0.4) == pytest.approx(slope, abs=1e-8)


@pytest.mark.parametrize("history", [Table((0.0,), (1.0,)), Expression("t")])
def test_motions_without_known_rates_are_refused(history):
    name = type(history).__name__.lower()
    with pytest.raises(SettingError, match=f"cannot be told by a {name}") as found:
        told_tree(np.random.default_rng(0), (history,))
    assert found.value.place == "m, JointMotion"
    assert "polynomials and harmonics" in found.value.remedy


def test_spins_cannot_be_told():
    plain, _ = random_tree(np.random.default_rng(0), ("spherical",), (0,))
    motion = JointMotion("j0", (Constant(1.0),), "wx")
    with pytest.raises(SettingError, match="'wx' of 'j0' is a spin") as found:
        pack(Mechanism("m", plain.bodies, plain.joints, motions=[motion]))
    assert "other joints" in found.value.remedy
