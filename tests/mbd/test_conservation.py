"""What no motion may change: energy, momentum, the view of a turned world."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from bondline.leaves.mbd.forces import Bushing, JointSpring, JointStop, Spring
from bondline.leaves.mbd.model import Body, Frame, Joint, Mechanism, Modes
from bondline.leaves.mbd.pack import pack
from bondline.leaves.mbd.tree import Tree
from tests.mbd.random_trees import (
    TREES,
    modes_of,
    random_cloud,
    random_state,
    random_tree,
)


def run(tree, q, u, t):
    """States along the way, each normalised as an integrator would."""
    n = tree.n_q

    def rhs(time, x):
        return np.concatenate(tree.rates(time, x[:n], x[n:]))

    x = np.concatenate([q, u])
    y = solve_ivp(rhs, (0.0, t), x, "DOP853", rtol=1e-13, atol=1e-14).y
    return [(state[:n], state[n:]) for state in y.T[:: max(1, len(y.T) // 5)]]


def undamped(mechanism, **changes):
    """The same bodies without damping of their modes."""

    def body(b):
        if not b.modes:
            return b
        names = ("mass", "c0", "J0", "I0", "S1", "S2", "M", "K")
        own = (getattr(b.modes, n) for n in names)
        modes = Modes(*own, 0.0 * b.modes.D, b.modes.nodes)
        return Body(b.name, markers=b.markers, modes=modes)

    given = {"joints": mechanism.joints, "gravity": mechanism.gravity, **changes}
    return Mechanism("still", [body(b) for b in mechanism.bodies], **given)


@pytest.mark.parametrize("name", ["rigid", "flexible", "all flexible", "one free"])
def test_energy_stays(name):
    rng = np.random.default_rng(3)
    mechanism, points = random_tree(rng, *TREES[name])
    tree = Tree(pack(undamped(mechanism)))
    q, u = random_state(rng, points, size=0.1)
    energies = [tree.energy(*x).sum() for x in run(tree, q, u, 0.5)]
    scale = tree.energy(q, u)[0]
    assert np.abs(np.array(energies) - energies[0]).max() <= 1e-9 * scale


def test_springs_and_stops_give_back_what_they_take():
    rng = np.random.default_rng(4)
    kinds, flexible = ("free", "revolute", "prismatic"), (2, 0, 2)
    mechanism, points = random_tree(rng, kinds, flexible)
    forces = (
        JointSpring("j1", 3.0, rest=0.2),
        JointStop("j2", 50.0, above=0.1, below=-0.1, power=3.0),
        Spring("b0.one", "b2.two", 5.0, length=0.5),
        Bushing("b1.one", "ground", (3.0, 2.0, 1.0, 2.0, 1.0, 3.0)),
    )
    tree = Tree(pack(undamped(mechanism, forces=forces)))
    q, u = random_state(rng, points, size=0.1)
    energies = [tree.energy(*x).sum() for x in run(tree, q, u, 0.5)]
    assert np.abs(np.array(energies) - energies[0]).max() <= 1e-9 * abs(energies[0])
    assert np.ptp([tree.energy(*x)[1] for x in run(tree, q, u, 0.5)]) > 0.01


def test_momenta_stay_without_forces():
    rng = np.random.default_rng(5)
    kinds = ("free", "universal", "spherical", "planar")
    mechanism, points = random_tree(rng, kinds, (2, 1, 2, 0))
    joints = [
        Joint(j.name, j.kind, "b0.one" if i else "ground", j.outboard)
        for i, j in enumerate(mechanism.joints)
    ]
    still = undamped(mechanism, gravity=(0.0, 0.0, 0.0), joints=joints)
    tree = Tree(pack(still))
    q, u = random_state(rng, points, size=0.1)
    momenta = np.array([tree.momentum(*x) for x in run(tree, q, u, 0.5)])
    assert np.abs(momenta - momenta[0]).max() <= 1e-9 * np.abs(momenta[0]).max()


def test_energy_stays_with_geometric_stiffening():
    rng = np.random.default_rng(6)
    cloud = random_cloud(rng, 3)
    given = modes_of(cloud)
    G = 0.3 * rng.normal(size=(12, 3, 3))
    names = ("mass", "c0", "J0", "I0", "S1", "S2", "M", "K")
    modes = Modes(
        *(getattr(given, n) for n in names),
        np.zeros((3, 3)),
        stiffening=G + G.transpose(0, 2, 1),
    )
    still = Mechanism(
        "m", [Body("b", modes=modes)], [Joint("j", "free", "ground", "b")]
    )
    tree = Tree(pack(still))
    q = np.array([0.1, 0.2, 0.3, 0.5, 0.5, -0.5, 0.5, 0.03, -0.02, 0.05])
    u = rng.normal(size=9)
    energies = [tree.energy(*x).sum() for x in run(tree, q, u, 0.5)]
    assert np.abs(np.array(energies) - energies[0]).max() <= 1e-9 * tree.energy(q, u)[0]


def test_stiffening_is_the_stiffness_under_each_motion():
    """Modal rows gain Σ γ G a: acceleration less gravity, its turn, products of ω."""
    rng = np.random.default_rng(8)
    cloud = random_cloud(rng, 2)
    given = modes_of(cloud)
    G = rng.normal(size=(12, 2, 2))
    G = G + G.transpose(0, 2, 1)
    names = ("mass", "c0", "J0", "I0", "S1", "S2", "M", "K", "D")
    own = [getattr(given, n) for n in names]
    joint = Joint("j", "free", "ground", "b")
    plain, stiff = (
        Tree(
            pack(Mechanism("m", [Body("b", modes=Modes(*own, stiffening=g))], [joint]))
        )
        for g in (None, G)
    )
    a, w, du = 1e-3 * rng.normal(size=2), rng.normal(size=3), rng.normal(size=6)
    q = np.array([0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, *a])
    u = np.array([0.0, 0.0, 0.0, *w, 0.0, 0.0])
    rows = []
    for tree in (plain, stiff):
        M, P = tree.mass(0.0, q, u)
        rows.append((M @ [*du, 0.0, 0.0] - P)[6:])
    x, y, z = w
    gamma = [
        *(du[:3] - np.array([0.0, 0.0, -9.81])),
        *du[3:],
        x * x,
        y * y,
        z * z,
        x * y,
        y * z,
        z * x,
    ]
    right = np.einsum("r,rkl,l->k", gamma, G, a)
    np.testing.assert_allclose(rows[1] - rows[0], right, rtol=1e-9)


def test_rigid_motion_bends_nothing():
    """Undeformed modes with nothing but a shift see no force from it."""
    rng = np.random.default_rng(9)
    cloud = random_cloud(rng, 3)
    body = Body("b", modes=modes_of(cloud))
    still = Mechanism(
        "m", [body], [Joint("j", "free", "ground", "b")], gravity=(0, 0, 0)
    )
    tree = Tree(pack(still))
    q = np.array([5.0, 6.0, 7.0, 0.5, -0.5, 0.5, 0.5, 0.0, 0.0, 0.0])
    u = np.array([1.0, 2.0, 3.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])
    assert np.abs(tree.rates(0.0, q, u)[1]).max() <= 1e-12
    assert tree.energy(q, u)[1] == 0.0


def test_a_turned_world_sees_the_same_motion():
    rng = np.random.default_rng(10)
    mechanism, points = random_tree(rng, *TREES["flexible"])
    q, u = random_state(rng, points)
    turned = Frame(turn=tuple(rng.normal(size=4)))
    joints = [
        Joint(j.name, j.kind, _turned(turned, j.inboard), j.outboard)
        for j in mechanism.joints
    ]
    gravity = tuple(turned.R @ mechanism.gravity)
    other = Mechanism("turned", mechanism.bodies, joints, (), gravity)
    one, two = (Tree(pack(m)) for m in (mechanism, other))
    du = one.rates(0.0, q, u)[1]
    assert np.abs(two.rates(0.0, q, u)[1] - du).max() <= 1e-10 * np.abs(du).max()
    seen, turned_seen = (t.outputs(q, u, [5], du) for t in (one, two))
    for x, y in zip(seen[1:], turned_seen[1:], strict=True):
        vectors = x.reshape(2, 3) @ turned.R.T
        np.testing.assert_allclose(y.reshape(2, 3), vectors, atol=1e-10)


def _turned(by, inboard):
    if not isinstance(inboard, Frame):
        return inboard
    a, b = np.array(by.turn), np.array(inboard.turn)
    w = a[0] * b[0] - a[1:] @ b[1:]
    v = a[0] * b[1:] + b[0] * a[1:] + np.cross(a[1:], b[1:])
    return Frame(tuple(by.R @ inboard.at), (w, *v))


def test_far_from_the_origin_nothing_is_lost():
    """Twists refer to a point near the body that flies."""
    rng = np.random.default_rng(11)
    kinds = ("free", "universal", "spherical")
    mechanism, points = random_tree(rng, kinds, (2, 2, 0))
    joints = [
        Joint(j.name, j.kind, "b0.one" if i else "ground", j.outboard)
        for i, j in enumerate(mechanism.joints)
    ]
    tree = Tree(pack(Mechanism("m", mechanism.bodies, joints)))
    q, u = random_state(rng, points)
    far = q.copy()
    far[:3] += (1e5, -2e5, 3e5)
    near = tree.rates(0.0, q, u)[1]
    assert np.abs(tree.rates(0.0, far, u)[1] - near).max() <= 1e-9 * np.abs(near).max()
