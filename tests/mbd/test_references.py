"""The gun-turret and the chain of numerics.md, section 6."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from bondline.leaves.mbd.pack import pack
from bondline.leaves.mbd.tree import Tree
from tests.mbd.models import CHAIN, GUN, chain, gun_turret


def integrate(tree, x, t, rtol=1e-12, atol=1e-13):
    n = tree.n_q

    def rhs(time, x):
        return np.concatenate(tree.rates(time, x[:n], x[n:]))

    return solve_ivp(rhs, (0.0, t), x, "DOP853", rtol=rtol, atol=atol).y[:, -1]


def closed_form_mass(q, p=GUN):
    """Mass matrix of the gun-turret, worked out by hand with Lagrange."""
    c, s = np.cos(q[1]), np.sin(q[1])
    av, ah = q[2:4], q[4:6]
    I0, I1 = np.array(p["I0"]), np.array(p["I1"])
    M = np.zeros((6, 6), dtype=q.dtype)
    M[0, 0] = (
        p["J_yaw"] + ah @ ah + p["p_x"] ** 2 * p["m"] + c**2 * p["J"]
        + s**2 * (av @ av) + 2 * p["p_x"] * (c * p["S1"] + s * (I0 @ av))
        + 2 * c * s * (I1 @ av)
    )  # fmt: skip
    M[0, 1] = -c * (ah @ av) + s * (I1 @ ah)
    M[1, 1] = p["J_my"] + p["J"] + av @ av
    M[0, 2:4], M[0, 4:6] = -s * ah, p["p_x"] * I0 + c * I1 + s * av
    M[1, 2:4] = -I1
    M[2:, 2:] = np.eye(4)
    return np.triu(M) + np.triu(M, 1).T


def lagrange_forces(q, u, t, p=GUN):
    """P from T = ½ u·M u, V and the torques; M differentiated by complex steps."""
    h = 1e-30
    dM = np.array([closed_form_mass(q + 1j * h * e).imag / h for e in np.eye(6)])
    c, s, I0 = np.cos(q[1]), np.sin(q[1]), np.array(p["I0"])
    g = p["g"]
    Q = np.zeros(6)
    Q[0] = -45500.0 * np.sin(2 * np.pi * t)
    Q[1] = 17600.0 * np.sin(2 * np.pi * t) - 33451.0
    Q[1] += g * (c * p["S1"] + s * (I0 @ q[2:4]))  # V = g (−s S1 + c I0·av)
    Q[2:4] = -g * c * I0 - np.square(p["om"]) * q[2:4]
    Q[4:6] = -np.square(p["om"]) * q[4:6]
    return Q - np.einsum("kij,k,j->i", dM, u, u) + 0.5 * np.einsum("kij,i,j", dM, u, u)


@pytest.mark.parametrize("seed", range(5))
def test_gun_turret_is_that_of_lagrange(seed):
    rng = np.random.default_rng(seed)
    tree = Tree(pack(gun_turret()))
    q, u = rng.normal(size=(2, 6))
    M, P = tree.mass(0.3, q, u)
    right = closed_form_mass(q)
    assert np.abs(M - right).max() <= 1e-13 * np.abs(right).max()
    forces = lagrange_forces(q, u, 0.3)
    assert np.abs(P - forces).max() <= 1e-12 * np.abs(forces).max()


def test_gun_turret_after_a_second():
    tree = Tree(pack(gun_turret()))
    x = integrate(tree, np.zeros(12), 1.0)
    right = [
        *(-0.1228801009462, 0.1989145338912, -0.2445061329859),
        *(9.823089329989e-3, -3.161532680295e-4, 8.089323867504e-6),
    ]
    np.testing.assert_allclose(x[:6], right, rtol=0, atol=2e-10)


@pytest.mark.quick(1)
@pytest.mark.parametrize("solver", ["dense", "recursive"])
def test_chain_of_forty_after_two_seconds(solver):
    packed = pack(chain(), solver=solver)
    tree = Tree(packed)
    start = np.concatenate([packed.layout.start, packed.layout.speed])
    x = integrate(tree, start, 2.0, 1e-10, 1e-11)
    right = np.array(CHAIN["x_at_2s"])
    absolute = np.concatenate([np.cumsum(x[:40]), x[40:42]])
    np.testing.assert_allclose(absolute, right[:42], rtol=0, atol=1e-6)
