"""Flexible mechanisms of the literature, with known answers."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from bondline.leaves.mbd.forces import Harmonic, JointMotion, Polynomial
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


L, EA, EI, RHO = 10.0, 2.8e7, 1.4e4, 1.2  # Kane's beam
K = np.array([1.87510406871196, 4.69409113297418, 7.85475743823761]) / L


def bending(x):
    """Shapes and slopes of a cantilever."""
    z, end = np.multiply.outer(x, K), K * L
    sigma = (np.sinh(end) - np.sin(end)) / (np.cosh(end) + np.cos(end))
    shape = np.cosh(z) - np.cos(z) - sigma * (np.sinh(z) - np.sin(z))
    slope = K * (np.sinh(z) + np.sin(z) - sigma * (np.cosh(z) - np.cos(z)))
    return shape, slope


def beam_modes(stiffened):
    """Along x: three ways to bend in y, and how a spinning bar stretches."""
    xi, w = np.polynomial.legendre.leggauss(60)
    x, w = L * (xi + 1) / 2, L * w / 2
    m, s, shapes = RHO * w, np.outer(x, X), np.zeros((60, 3, 4))
    shapes[:, 1, :3] = bending(x)[0]
    shapes[:, 0, 3] = (x * L**2 - x**3 / 3) / (2 / 3 * L**3)
    stiffness = EI * K**4 * np.einsum("p,pk->k", w, shapes[:, 1, :3] ** 2)
    stretch = EA * w @ ((L**2 - x**2) / (2 / 3 * L**3)) ** 2
    S2, J = np.einsum("p,pik,pjl->klij", m, shapes, shapes), m @ x**2
    return Modes(
        *(m.sum(), m @ s, np.diag([0.0, J, J]), np.einsum("p,pik->ki", m, shapes)),
        *(np.einsum("p,pi,pjk->kij", m, s, shapes), S2, np.einsum("klii->kl", S2)),
        *(np.diag([*stiffness, stretch]), np.zeros((4, 4))),
        stiffening=drawn_in(x, w) if stiffened else None,
    )


def drawn_in(x, w):
    """Bending draws mass at x in by ½ ∫ slope² of all that lies before it."""
    G, slope = np.zeros((12, 4, 4)), bending(x)[1]
    before = np.tri(60).T - 0.5 * np.eye(60)
    drawn = -np.einsum("p,pi,pj,px->ijx", w, slope, slope, before)
    G[0, :3, :3] = drawn @ (RHO * w)
    G[7, :3, :3] = G[8, :3, :3] = -drawn @ (RHO * w * x)
    return G


def spinning_beam(stiffened):
    """Told to spin up about z to 6 rad/s in 15 s."""
    a, T = 6.0 / 15.0, 15.0 / (2.0 * np.pi)
    ramp = Polynomial((-a * T**2, 0.0, a / 2))
    told = JointMotion("psi", (ramp, Harmonic(a=(a * T**2,), omega=1.0 / T)))
    body = Body("beam", modes=beam_modes(stiffened))
    joint = Joint("psi", "revolute", "ground", "beam")
    return Tree(
        pack(Mechanism("m", [body], [joint], gravity=(0, 0, 0), motions=[told]))
    )


def spun(stiffened, t):
    """Times, lag of the tip and stretch."""
    tree = spinning_beam(stiffened)

    def rhs(t, x):
        return np.concatenate(tree.rates(t, x[:5], x[5:]))

    times = np.linspace(0.0, t, 1501)
    y = solve_ivp(rhs, (0.0, t), np.zeros(10), "DOP853", times, rtol=1e-7, atol=1e-9).y
    return times, bending(L)[0] @ y[1:4], y[4]


def test_a_spinning_beam_lags_and_comes_back():
    times, lag, stretch = spun(True, 15.0)
    assert lag.min() == pytest.approx(-0.5738, rel=2e-3)
    assert times[lag.argmin()] == pytest.approx(6.76, abs=0.02)
    assert abs(lag[-1]) < 0.01
    assert stretch[-1] == pytest.approx(5.1429e-4, rel=1e-3)


def test_without_stiffening_it_flies_off():
    """The negative control: stretching by itself does not stiffen linear modes."""
    assert np.abs(spun(False, 12.0)[1]).max() > 10.0
