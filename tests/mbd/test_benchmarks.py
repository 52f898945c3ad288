"""Rigid mechanisms of the literature, with known answers."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from bondline.leaves.mbd.forces import Constant, JointLoad, Spring
from bondline.leaves.mbd.model import Body, Frame, Joint, Mechanism
from bondline.leaves.mbd.pack import pack
from bondline.leaves.mbd.tree import Tree


def states_at(packed, times, rtol=1e-12, atol=1e-13):
    tree = Tree(packed)
    n = tree.n_q

    def rhs(t, x):
        return np.concatenate(tree.rates(t, x[:n], x[n:]))

    x = np.concatenate([packed.layout.start, packed.layout.speed])
    span = (0.0, times[-1])
    found = solve_ivp(rhs, span, x, "DOP853", times, rtol=rtol, atol=atol).y
    return tree, [(x[:n], x[n:]) for x in found.T]


def points(packed, tree, states, name):
    which = [packed.markers[name]]
    return np.array([tree.outputs(*x, which)[0][0, :2] for x in states])


def test_simple_pendulum():
    bob = Body("bob", 1.0, markers={"pivot": Frame((1.0, 0.0, 0.0))})
    swing = Joint("swing", "revolute", "ground", "bob.pivot")
    packed = pack(Mechanism("m", [bob], [swing], gravity=(0.0, -9.81, 0.0)))
    found = points(packed, *states_at(packed, (1.0, 10.0)), "bob")
    right = [(0.986291751132, -0.165010853126), (-0.275087462576, -0.961419205099)]
    np.testing.assert_allclose(found, right, rtol=0, atol=1e-9)


def rod(name, way):
    """A uniform rod of 1 m and 1 kg from its origin along `way`."""
    J = (np.eye(3) - np.outer(way, way)) / 12.0
    return Body(name, 1.0, J, tuple(0.5 * np.array(way)), {"end": Frame(way)})


def n_four_bar():
    """Two windows of rods: IFToMM A02 with N = 2. It passes through a line."""
    up, along = (0.0, 1.0, 0.0), (1.0, 0.0, 0.0)
    bodies = [*(rod(f"v{i}", up) for i in range(3)), rod("h0", along), rod("h1", along)]
    joints = [
        Joint(f"g{i}", "revolute", Frame((float(i), 0.0, 0.0)), f"v{i}", (), (-1.0,))
        for i in range(3)
    ]
    tops = [
        Joint(f"t{i}", "revolute", f"v{i}.end", f"h{i}", (), (1.0,)) for i in range(2)
    ]
    loops = [Joint(f"c{i}", "revolute", f"h{i}.end", f"v{i + 1}.end") for i in range(2)]
    model = Mechanism(
        "m", bodies, [*joints, *tops], gravity=(0.0, -9.81, 0.0), loops=loops
    )
    return pack(model)


def test_a_linkage_passes_through_configurations_where_it_could_branch():
    """RK4 with projection after each step, as windows of a leaf are brought back."""
    packed = n_four_bar()
    tree = Tree(packed)
    q, u, h, found = packed.layout.start, packed.layout.speed, 1e-3, []
    for n in range(1, 10001):
        k1 = tree.rates(0.0, q, u)
        k2 = tree.rates(0.0, q + h / 2 * k1[0], u + h / 2 * k1[1])
        k3 = tree.rates(0.0, q + h / 2 * k2[0], u + h / 2 * k2[1])
        k4 = tree.rates(0.0, q + h * k3[0], u + h * k3[1])
        q, u = (
            x + h / 6 * (a + 2 * b + 2 * c + d)
            for x, a, b, c, d in zip((q, u), k1, k2, k3, k4, strict=True)
        )
        q, u = tree.projected(q, u)
        if n in (1000, 10000):
            found.append(tree.outputs(q, u, [packed.markers["v0.end"]])[0][0, :2])
    right = [(-0.1950203019, -0.9807992057), (0.3284581115, 0.9445185382)]
    np.testing.assert_allclose(found, right, rtol=0, atol=1e-6)


def plate(name, mass, inertia, com, **ends):
    places = {end: Frame((x, y, 0.0)) for end, (x, y) in ends.items()}
    return Body(name, mass, (inertia / 2, inertia / 2, inertia), (*com, 0.0), places)


def squeezer():
    """Andrews' squeezing mechanism: seven plates, three loops (Schiehlen 1990)."""
    e, ea, zf, fa = 2e-2, 1421e-5, 2e-2, 1421e-5
    bodies = (
        plate("k1", 0.04325, 2.194e-6, (92e-5, 0.0), tip=(7e-3, 0.0)),
        plate("k2", 0.00365, 4.410e-7, (-115e-4, 0.0), p=(-28e-3, 0.0)),
        plate(
            *("k3", 0.02373, 5.255e-6, (1043e-5, -1874e-5)),
            p=(0.0, -35e-3),
            d=(2e-2, -18e-3),
        ),
        plate("k4", 0.00706, 5.667e-7, (0.0, ea - e), p=(0.0, -e)),
        plate("k5", 0.07050, 1.169e-5, (2308e-5, 916e-5), tip=(4e-2, 0.0)),
        plate("k6", 0.00706, 5.667e-7, (zf - fa, 0.0), p=(zf, 0.0)),
        plate("k7", 0.05498, 1.912e-5, (-449e-5, -1228e-5), tip=(0.0, -4e-2)),
    )
    A, B = Frame((-0.06934, -0.00227, 0.0)), Frame((-0.03635, 0.03273, 0.0))
    rows = (
        ("beta", "ground", "k1", -0.0617138900142764496),
        ("Theta", "k1.tip", "k2", 0.0),
        ("gamma", B, "k3", 0.455279819163070380),
        ("delta", A, "k5", 0.487364979543842550),
        ("Phi", "k5.tip", "k4", 0.222668390165885884),
        ("epsilon", A, "k7", 1.23054744454982119),
        ("Omega", "k7.tip", "k6", -0.222668390165885884),
    )
    joints = [Joint(n, "revolute", a, b, (x,)) for n, a, b, x in rows]
    loops = [Joint(f"p{k}", "revolute", "k2.p", f"k{k}.p") for k in (3, 4, 6)]
    forces = (
        JointLoad("beta", Constant(0.033)),
        Spring("ground.C", "k3.d", 4530.0, length=0.07785),
    )
    ground = {"C": Frame((0.014, 0.072, 0.0))}
    return pack(Mechanism("m", bodies, joints, forces, (0, 0, 0), ground, loops))


SQUEEZED = {
    "beta": 15.81077119629904,
    "Theta": -15.75637105984298,
    "gamma": 0.04082224013073101,
    "Phi": -0.5347301163226948,
    "delta": 0.5244099658805304,
    "Omega": 0.5347301163226948,
    "epsilon": 1.048080741042263,
}


def test_andrews_squeezer():
    packed = squeezer()
    tree, (state,) = states_at(packed, (0.03,))
    assert tree.gaps(packed.layout.start, packed.layout.speed)[0] <= 1e-13
    found = dict(zip(packed.layout.positions, state[0], strict=True))
    for name, right in SQUEEZED.items():
        assert found[f"{name}.angle"] == pytest.approx(right, abs=1e-8)
