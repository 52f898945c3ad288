"""Joints that give way, and joints whose levers turn inside a window."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from bondline.core import Port, ref, uniform
from bondline.gluing import TT, IntegratedModel, Newton, make_joint, scheme
from bondline.leaves import RigidBody, Structure
from bondline.numerics import FixedStep, Kinematics, LinearSystem
from tests.cases.feature_table.all_at_once import Linear
from tests.cases.two_masses.exact import bushed, order
from tests.gluing.driven import pushed

TIGHT = Newton(tolerance=1e-15, force_tolerance=1e-11)
MASSES, SPRINGS, K, C, X0 = (1.0, 0.5), (15.0, 10.0), 40.0, 0.8, (0.1, -0.05)


def glued(parts, ports, name, kind="bushing", **settings):
    ends = tuple(ref(f"{p.name}.{port}") for p, port in zip(parts, ports, strict=True))
    both = [p.ports[port] for p, port in zip(parts, ports, strict=True)]
    joint = make_joint(kind, "j", ends, both, **settings)
    named = {p.name: p for p in parts}
    return IntegratedModel("pair", named, [joint], TT(scheme(name)), TIGHT)


def run(model, h, windows):
    """The start and what came after every window."""
    steps = [model.start(0.0)]
    for n in range(windows):
        steps.append(model.advance(steps[-1].state, uniform(0.0, h, n), {}))
    return steps


def positions(step):
    return np.concatenate([m.x for m in step.state.motions.values()])


@pytest.mark.quick(2)
@pytest.mark.parametrize(
    ("name", "theory"),
    [
        ("constant/e", 2),
        ("linear-discontinuous/e,v", 4),
        ("quadratic-discontinuous/e,v,a", 4),
        ("linear/deadbeat", 2),
        ("mixed/a,v,u", 2),
    ],
)
def test_a_bushing_between_two_masses_has_its_order(name, theory):
    exact, errors = bushed(MASSES, SPRINGS, K, C, X0), []
    for n in (16, 32, 64, 128, 256):
        each = zip("ab", MASSES, SPRINGS, X0, strict=True)
        parts = [pushed(part, m, k, x0=x) for part, m, k, x in each]
        model = glued(parts, ("end", "end"), name, stiffness=K, damping=C)
        x = np.array([positions(s) for s in run(model, 1.0 / n, n)])
        errors.append(np.abs(x - exact(np.linspace(0.0, 1.0, n + 1))).max())
    assert order(errors) == pytest.approx(theory, abs=0.1)


def newmark_masses():
    for part, m, k, x in zip("ab", MASSES, SPRINGS, X0, strict=True):
        one = np.eye(1)
        at = Kinematics(np.array([x]), np.zeros(1), np.zeros(1))
        system, port = LinearSystem(m * one, 0 * one, k * one), Port("end", ("x",))
        yield Structure(part, system, {"end": [0]}, {"end": port}, start_at=at)


def test_newmark_parts_and_a_bushing_are_one_newmark_model():
    model = glued([*newmark_masses()], ("end", "end"), "newmark/a,v,u",
                  stiffness=K, damping=C)  # fmt: skip
    link = np.array([[1.0, -1.0], [-1.0, 1.0]])
    K_all, M_all = np.diag(SPRINGS) + K * link, np.diag(MASSES)
    whole = Linear(M_all, C * link, K_all, np.zeros((0, 2)), np.array(X0))
    x = np.array([positions(s) for s in run(model, 0.02, 200)[1:]])
    assert np.abs(x - whole.newmark(0.02, 200)).max() < 1e-12 * max(X0)


def test_newmark_parts_and_a_bushing_keep_account_of_energy():
    model = glued([*newmark_masses()], ("end", "end"), "newmark/a,v,u",
                  stiffness=K, damping=C)  # fmt: skip
    steps = run(model, 0.02, 200)
    assert balance(steps) < 1e-13
    assert sum(s.energy.dissipated for s in steps[1:]) > 0.3 * steps[0].energy.stored


def balance(steps):
    """How much of the energy at the start is unaccounted for, at worst."""
    stored = np.array([s.energy.stored for s in steps])
    lost = np.cumsum([0.0, *(s.energy.dissipated for s in steps[1:])])
    return np.abs(stored + lost - stored[0]).max() / stored[0]


def points(stiffness, damping, name="constant/e"):
    """Two bodies pushed at their centres, so that constant forces are felt exactly."""
    a, b = (
        RigidBody(n, m, [0.1, 0.1, 0.1], position=(0, 0, 0), velocity=v,
                  points={"p": (0, 0, 0)}, integrate=FixedStep(1))
        for n, m, v in (("a", 1.0, (0.4, -0.2, 0.1)), ("b", 2.0, (-0.3, 0.5, 0.2)))
    )  # fmt: skip
    return glued((a, b), "pp", name, stiffness=stiffness, damping=damping)


def test_a_constant_force_keeps_account_of_energy():
    steps = run(points((60.0, 80.0, 40.0), (0.5, 0.2, 0.0)), 0.02, 100)
    assert balance(steps) < 1e-12
    assert all(s.energy.dissipated >= 0.0 for s in steps[1:])


@pytest.mark.parametrize("name", ["constant/e", "linear-discontinuous/e,v"])
def test_a_direction_without_stiffness_is_free(name):
    """Along y both bodies go on as they came."""
    steps = run(points((60.0, 0.0, 40.0), (0.5, 0.0, 0.0), name), 0.02, 50)
    a, b = (steps[-1].state.motions[ref(f"{n}.p")] for n in "ab")
    assert a.x[1] == pytest.approx(-0.2 * 1.0, abs=1e-13)
    assert b.x[1] == pytest.approx(0.5 * 1.0, abs=1e-13)
    assert abs(a.v[0] - 0.4) > 0.1


def test_a_bushing_may_start_deformed():
    steps = run(glued([*newmark_masses()], ("end", "end"), "newmark/a,v,u",
                      stiffness=K, damping=C), 0.02, 1)  # fmt: skip
    assert steps[0].state.forces.ravel() == pytest.approx([-K * (X0[0] - X0[1])])


def hinged(name):
    """Two bodies that spin about a common axis and tumble."""
    arms = {"l": (-0.5, 0.0, 0.1), "r": (0.5, 0.0, -0.1)}
    spins = np.array([[0.3, 1.0, 2.0], [0.3, 1.0, -3.0]])
    meeting = np.cross(spins[0], arms["r"])
    a = RigidBody("a", 2.0, [0.3, 0.4, 0.5], spin=spins[0], markers=arms,
                  integrate=FixedStep(4))  # fmt: skip
    b = RigidBody("b", 1.0, [0.2, 0.3, 0.15], position=(1.0, 0.0, -0.2),
                  velocity=meeting - np.cross(spins[1], arms["l"]), spin=spins[1],
                  markers=arms, integrate=FixedStep(4))  # fmt: skip
    return glued((a, b), "rl", name, "revolute")


def momentum(model, state):
    """About the origin, and linear."""
    turning, going = np.zeros(3), np.zeros(3)
    for n, p in model.parts.items():
        x, q, v, spin = np.split(state.parts[n], [3, 7, 10])
        R = Rotation.from_quat(np.roll(q, -1)).as_matrix()
        turning += p.mass * np.cross(x, v) + R @ (np.array(p.inertia) * spin)
        going += p.mass * v
    return turning, going


def test_parts_keep_the_spin_they_were_told():
    start = hinged("constant/e").start(0.0).state.parts
    assert start["b"][10:13] == pytest.approx([0.3, 1.0, -3.0])


@pytest.mark.quick(2)
@pytest.mark.parametrize(
    ("name", "turning", "energy"),
    [
        ("constant/e", 4, 3),
        ("linear-discontinuous/e,v", 4, 3),
        ("linear/deadbeat", 4, 4),
        ("quadratic-discontinuous/e,v,a", 5, 3),
    ],
)
def test_a_turning_hinge_keeps_momentum_and_energy(name, turning, energy):
    """The orders are measured ones; at least 2 is asked for."""
    defects = []
    for n in (10, 20, 40, 80):
        model = hinged(name)
        steps = run(model, 0.4 / n, n)
        each = [(*momentum(model, s.state), s.energy.stored) for s in steps]
        L, P, E = (np.array(column) for column in zip(*each, strict=True))
        assert np.abs(P - P[0]).max() < 1e-13
        defects.append((np.abs(L - L[0]).max(), np.abs(E - E[0]).max()))
    of_L, of_E = zip(*defects, strict=True)
    assert order(of_L) == pytest.approx(turning, abs=0.15)
    assert order(of_E) == pytest.approx(energy, abs=0.15)
    assert of_E[0] < 1e-4 * 2.7


def test_the_travel_of_a_bushing_is_no_gap():
    """Beside it a tie: its gap alone counts."""
    parts = [
        pushed(n, 1.0, 10.0, x0=x) for n, x in zip("abc", (0.1, 0.1, -0.3), strict=True)
    ]
    ends = [(ref(f"{p}.end"), ref(f"{q}.end")) for p, q in ("ab", "bc")]
    port = parts[0].ports["end"]
    tie = make_joint("tie", "t", ends[0], [port, port])
    soft = make_joint("bushing", "s", ends[1], [port, port], stiffness=K, damping=C)
    named = {p.name: p for p in parts}
    coupling = TT(scheme("linear-discontinuous/e,v"))
    model = IntegratedModel("row", named, [soft, tie], coupling, TIGHT)
    for step in run(model, 0.01, 8)[1:]:
        x = {str(r): m.x[0] for r, m in step.state.motions.items()}
        v = {str(r): m.v[0] for r, m in step.state.motions.items()}
        assert abs(x["b.end"] - x["c.end"]) > 0.01
        assert step.stats["gap"] == abs(x["a.end"] - x["b.end"]) < 1e-12
        assert step.stats["gap_rate"] == abs(v["a.end"] - v["b.end"]) < 1e-10
