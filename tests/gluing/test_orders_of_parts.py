"""Same inputs, same bits: whoever comes first, in whatever box."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from bondline.core import Alone, Observing, ref, uniform
from bondline.gluing import (
    TT,
    IntegratedModel,
    Newton,
    choose_solver,
    glue,
    joint,
    make_joint,
    scheme,
)
from bondline.gluing.couplings.motion_schemes import force_scheme, motion_scheme
from bondline.gluing.couplings.xt import XT
from bondline.gluing.couplings.xx import XX
from bondline.gluing.crew import Threads
from bondline.leaves import FreeBar, PinnedBar, RigidBody, body, ground
from bondline.numerics import FixedStep
from tests.cases.feature_table.bodies import spatial
from tests.cases.feature_table.combine import Cell, build, states
from tests.cases.feature_table.problems import row_of_masses, welded_nodes
from tests.gluing.driven import T, X, cut_in_three


@dataclass(frozen=True)
class Backwards:
    """Does the last job first, and answers in order."""

    def call(self, jobs):
        done = [job() for job in reversed(jobs)]
        return done[::-1]


@dataclass(frozen=True)
class Shuffled:
    """Does the jobs in an order of its own, another one each time."""

    seed: int

    def call(self, jobs):
        order = np.random.default_rng(self.seed + len(jobs)).permutation(len(jobs))
        done = {k: jobs[k]() for k in order}
        return [done[k] for k in range(len(jobs))]


def bodies():
    def one(name, x):
        return RigidBody(
            name, 1.0, [0.03, 0.04, 0.05], position=(x, 0.0, 0.0), spin=(1.0, 2.0, 0.5),
            velocity=(0.0, 0.5 * x, -2.0 * x), gravity=(0.0, 0.0, -9.81),
            markers={"l": (-0.5, 0.0, 0.0), "r": (0.5, 0.0, 0.0)},
            integrate=FixedStep(1),
        )  # fmt: skip

    parts = one("a", 0.0), one("b", 1.0), one("c", 2.0)
    joints = []
    for k, kind in enumerate(("revolute", "universal")):
        ends = ref(f"{'ab'[k]}.r"), ref(f"{'bc'[k]}.l")
        ports = parts[k].ports["r"], parts[k + 1].ports["l"]
        joints.append(make_joint(kind, f"j{k}", ends, ports))
    return parts, joints, TT(scheme("linear-discontinuous/e,v"))


def masses(coupling, *sides):
    parts, ties = cut_in_three(*sides)
    return parts, ties, coupling


CASES = {
    "bodies": bodies,
    "T-T": lambda: masses(TT(scheme("newmark/a,v,u")), T, T, T, T),
    "X-X": lambda: masses(XX(motion_scheme("newmark/f")), X, X, X, X),
    "X-T": lambda: masses(XT(force_scheme("newmark/f")), T, X, T, X),
}


def glued(case, order=None, crew=None):
    parts, joints, coupling = CASES[case]()
    named = {p.name: p for p in parts}
    ordered = {n: named[n] for n in order or named}
    crew = crew or Alone()
    return IntegratedModel("m", ordered, joints, coupling, Newton(), crew=crew)


def last(model, windows=8, h=0.01):
    step = model.start(0.0)
    for n in range(windows):
        step = model.advance(step.state, uniform(0.0, h, n), {})
    return step.state


CREWS = {"backwards": Backwards(), "shuffled": Shuffled(3), "threads": Threads(3)}


@pytest.mark.quick(4)
@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("crew", CREWS.values(), ids=CREWS)
def test_the_order_of_replies_changes_no_bit(case, crew):
    alone, other = glued(case), glued(case, crew=crew)
    assert alone.dump(last(alone)) == other.dump(last(other))


@pytest.mark.quick(4)
@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("order", ["cba", "bca", "acb"])
def test_the_order_of_parts_changes_no_bit(case, order):
    """States by part, motions by port, forces by joint."""
    one, two = glued(case), glued(case, order)
    first, second = last(one), last(two)
    for n, part in one.parts.items():
        assert part.dump(first.parts[n]) == part.dump(second.parts[n])
    for end, motion in first.motions.items():
        for level in ("x", "v", "a"):
            assert bits(getattr(motion, level)) == bits(
                getattr(second.motions[end], level)
            )
    assert bits(first.forces) == bits(second.forces)


def bits(x):
    return np.asarray(x).tobytes()


LINEAR = [
    (row_of_masses, "T-T", "newmark/a,v,u"),
    (welded_nodes, "T-T", "newmark/a,v,u"),
    (row_of_masses, "X-X", "newmark/f"),
    (row_of_masses, "X-T", "newmark/f"),
]


@pytest.mark.quick(4)
@pytest.mark.parametrize("level", ["two", "three"])
@pytest.mark.parametrize(("problem", "coupling", "name"), LINEAR)
def test_flat_is_nested_for_linear_parts(problem, coupling, name, level):
    p = problem()
    flat, nested = (shown(p, coupling, name, at, 30) for at in ("flat", level))
    assert np.abs(flat - nested).max() <= 1e-11 * np.abs(flat).max()


@pytest.mark.parametrize("joint", ["revolute", "spherical"])
@pytest.mark.parametrize("name", ["constant/e", "linear-discontinuous/e,v"])
def test_flat_is_nested_for_bodies(joint, name):
    p = spatial(joint)
    flat, nested = (shown(p, "T-T", name, at, 4) for at in ("flat", "two"))
    assert np.abs(flat - nested).max() <= 1e-11 * np.abs(flat).max()


def chain_in_space(level, **how):
    """Four bodies on three kinds of joints; nested, each one inside the one before."""
    pin, cross = {"axis": (0, 1, 0)}, {"axis": (0, 1, 0), "axis2": (0, 0, 1)}
    wall, (a, b, c, d) = ground("wall"), (link(k) for k in range(4))
    first = joint("revolute", "wall.a", "a.a", **pin)
    last = joint("revolute", "c.b", "d.a", **pin)
    if level == "flat":
        joints = {"j": first, "k": joint("universal", "a.b", "b.a", **cross)}
        joints |= {"l": joint("spherical", "b.b", "c.a"), "m": last}
        return glue("chain", [wall, a, b, c, d], joints, **how)
    end = glue("end", [c, d], {"m": last}, exports={"a": "c.a"}, **how)
    ball = joint("spherical", "b.b", "end.a")
    rest = glue("rest", [b, end], {"l": ball}, exports={"a": "b.a"}, **how)
    joints = {"j": first, "k": joint("universal", "a.b", "rest.a", **cross)}
    return glue("chain", [wall, a, rest], joints, **how)


def link(k):
    inertia = {"Ixx": 0.02, "Iyy": 0.1, "Izz": 0.1}
    place = {"x": 0.5 + k, "ax": -0.5, "bx": 0.5}
    return body("abcd"[k], mass=1.0 + k, gz=-9.81, **inertia, **place)


def fork_in_the_plane(level, **how):
    """A pendulum with two others at its tip; nested, one of them is hung up later."""
    top = PinnedBar("top", 1.0, 1.0, 0.5, 9.81)
    left, right = FreeBar("left", 2.0, 0.8, 0.9, 9.81), FreeBar("right", angle=-0.3)
    if level == "flat":
        joints = {"j": ("top.A", "left.A"), "k": ("left.A", "right.A")}
        return glue("fork", [top, left, right], joints, **how)
    first = {"j": ("top.A", "left.A")}
    both = glue("both", [top, left], first, exports={"A": "left.A"}, **how)
    return glue("fork", [both, right], {"k": ("both.A", "right.A")}, **how)


NONLINEAR = {  # by model: windows, and how long they are
    chain_in_space: (7, 0.01),
    fork_in_the_plane: (20, 0.01),
}


@pytest.mark.quick(2)
@pytest.mark.parametrize("make", NONLINEAR)
@pytest.mark.parametrize("name", ["constant/e", "linear-discontinuous/e,v"])
@pytest.mark.parametrize("asked", [{}, {"force_tolerance": 1e-12}], ids=["", "force"])
def test_flat_is_nested_for_those_who_ask_for_round_off(make, name, asked):
    """In every unit, to 1e-11 of the largest; nobody fails to reach round-off."""
    solver = choose_solver("newton", tolerance=1e-13, **asked)
    flat, nested = (make(at, scheme=name, solver=solver) for at in ("flat", "nested"))
    one, two = (seen(model, last(model, *NONLINEAR[make])) for model in (flat, nested))
    assert one.keys() == two.keys()
    for unit in {unit for _, unit in one}:
        largest = max(abs(x) for (_, u), x in one.items() if u == unit)
        far = max(abs(x - two[key]) for key, x in one.items() if key[1] == unit)
        assert far <= 1e-11 * largest


def seen(model, state):
    """What every leaf shows, by name and unit."""
    found = {}
    for n, part in model.parts.items():
        if isinstance(part, IntegratedModel):
            found |= seen(part, state.parts[n])
        elif isinstance(part, Observing):
            told = part.observe(state.parts[n]).items()
            found |= {(f"{n}.{key}", x.unit): x.value for key, x in told}
    return found


def shown(p, coupling, name, level, windows):
    model = build(Cell(p, coupling, name, "newton", level))
    return p.shown(states(model, last(model, windows, p.h)))
