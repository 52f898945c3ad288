"""Flexible mechanisms of the literature, with known answers."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from bondline.leaves.mbd.forces import JointMotion, Polynomial
from bondline.leaves.mbd.model import Body, Frame, Joint, Mechanism, Modes, Node
from bondline.leaves.mbd.pack import pack
from bondline.leaves.mbd.tree import Tree

X = (1.0, 0.0, 0.0)


def rod_modes(length=0.30, side=0.008, E=2e11, rho=7870.0):
    """Two sine waves of bending; stretching as quadratic finite elements have it."""
    xi, w = np.polynomial.legendre.leggauss(40)
    xi, m = (xi + 1) / 2, rho * side**2 * length * w / 2
    shapes = np.zeros((40, 3, 4))
    shapes[:, 1, 0], shapes[:, 1, 1] = np.sin(np.pi * xi), np.sin(2 * np.pi * xi)
    shapes[:, 0, 2], shapes[:, 0, 3] = 4 * xi * (1 - xi), xi * (2 * xi - 1)
    s = np.zeros((40, 3))
    s[:, 0] = length * xi
    J = m @ s[:, 0] ** 2 + m.sum() * side**2 / 12
    S2 = np.einsum("p,pik,pjl->klij", m, shapes, shapes)
    S2[2:, 2:] *= 15.0  # see test_slider_crank
    K = np.diag([np.pi**4 / 24, np.pi**4 * 2 / 3, 0.0, 0.0]) * (side / length) ** 2
    K[2:, 2:] = [[16 / 3, -8 / 3], [-8 / 3, 7 / 3]]
    shift = np.zeros((3, 4))
    shift[0, 3] = 1.0
    end = Node(Frame((length, 0.0, 0.0)), shift, np.zeros((3, 4)))
    return Modes(
        *(m.sum(), m @ s, np.diag([J / 2, J, J]), np.einsum("p,pik->ki", m, shapes)),
        *(np.einsum("p,pi,pjk->kij", m, s, shapes), S2, np.einsum("klii->kl", S2)),
        *(E * side**2 / length * K, np.zeros((4, 4)), {"end": end}),
        start=(0.0, 0.0, 1.033398630e-5, 1.693279690e-5),
        speed=(
            0.4448961125815990,
            4.634339319238670e-3,
            -1.785910760e-6,
            -2.689386720e-6,
        ),
    )


def slider_crank():
    """Simeon's: a crank told to turn at 150 rad/s, a flexible rod, a sliding mass."""
    crank = Body(
        "crank", 0.36, (0.0014, 0.0014, 0.0027), markers={"tip": Frame((0.15, 0, 0))}
    )
    rod = Body("rod", modes=rod_modes())
    slider = Body("slider", 0.075552, (1e-5, 1e-5, 1e-5), markers={"x": Frame.along(X)})
    joints = (
        Joint("phi1", "revolute", "ground", "crank", (), (150.0,)),
        Joint("phi2", "revolute", "crank.tip", "rod", (), (-150.0 - 74.9957670396,)),
        Joint("end", "revolute", "rod.end", "slider", (), (74.9957670396,)),
    )
    return pack(
        Mechanism(
            *("slider-crank", (crank, rod, slider), joints),
            gravity=(0.0, 0.0, 0.0),
            loops=[Joint("slide", "prismatic", Frame.along(X), "slider.x")],
            motions=[JointMotion("phi1", (Polynomial((0.0, 150.0)),))],
        )
    )


def test_slider_crank():
    """The published numbers, and what they were computed with.

    The code behind them has the masses of the two stretching shapes without their
    factor 1/15, and 3.1415927 for pi, which is what the seventh digit of q sees.
    """
    packed = slider_crank()
    tree = Tree(packed)
    n = tree.n_q

    def rhs(t, x):
        return np.concatenate(tree.rates(t, x[:n], x[n:]))

    x = np.concatenate(tree.projected(packed.layout.start, packed.layout.speed))
    x = solve_ivp(rhs, (0.0, 0.1), x, "DOP853", rtol=1e-10, atol=1e-14).y[:, -1]
    q, u = x[:n], x[n:]
    slider = tree.outputs(q, u, [packed.markers["slider"]])[0][0]
    assert q[0] == pytest.approx(15.0, abs=1e-10)
    assert q[0] + q[1] == pytest.approx(-0.3311734988256260, abs=1e-10)
    assert slider[0] == pytest.approx(0.1697373328427860, abs=1e-9)
    modes = [1.893192899613509e-4, 2.375751249879174e-5]
    modes += [-5.323896770569702e-6, -8.363313279112129e-6]
    np.testing.assert_allclose(q[2:6], modes, rtol=1e-6)
    assert tree.gaps(q, u, 0.1).max() <= 1e-10
