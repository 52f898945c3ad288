"""Newmark parts against parts that follow the force: one rule for both."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bondline.core import Port, Signal, Window, uniform
from bondline.errors import SettingError
from bondline.gluing import SCHEMES, default_scheme, scheme
from bondline.gluing import glue as join
from bondline.leaves import Structure, chain
from bondline.numerics import Kinematics, LinearSystem
from bondline.numerics.recursion import GluedMass, first_unstable, spectral_radius
from tests.gluing.parts import glue, mass, tie

MIXED = SCHEMES["mixed/a,v,u"]
shares = st.floats(0.001, 0.999)  # of the compliance that is the Newmark part's
speeds = st.one_of(st.just(0.0), st.floats(0.01, 100.0))


def pair(share, newmark=0.0, other=0.0, zeta=0.0):
    return (
        GluedMass(1.0 / share, newmark, zeta, steps=1),
        GluedMass(1.0 / (1.0 - share), other, zeta),
    )


@given(shares)
@settings(max_examples=30, deadline=None)
def test_errors_of_a_rigid_joint_are_halved_in_every_window(share):
    radius = spectral_radius(MIXED, *pair(share), 0.1)
    assert radius == pytest.approx(0.5, abs=1e-4)  # a double eigenvalue


@given(shares, speeds, st.floats(0.0, 0.1))
@settings(max_examples=30, deadline=None)
def test_newmark_parts_may_be_as_stiff_as_they_like(share, omega, zeta):
    assert spectral_radius(MIXED, *pair(share, omega, zeta=zeta), 1.0) < 1.0 + 1e-5


@given(shares, st.floats(0.01, 3.0))
@settings(max_examples=30, deadline=None)
def test_one_part_that_follows_the_force_is_stable_up_to_three(share, other):
    assert spectral_radius(MIXED, *pair(share, 0.0, other), 1.0) < 1.0 + 1e-5


@given(shares, st.floats(0.01, 2.1), st.floats(0.01, 2.1))
@settings(max_examples=30, deadline=None)
def test_one_percent_damping_is_enough_where_the_window_resolves(share, a, b):
    assert spectral_radius(MIXED, *pair(share, a, b, 0.01), 1.0) < 1.0 + 1e-6


@given(shares, st.floats(0.01, 0.5), st.floats(0.01, 0.5))
@settings(max_examples=30, deadline=None)
def test_without_damping_growth_is_of_fourth_order(share, a, b):
    """5e-5 a window at ωh = 1/2: 0.01 % of damping undoes it."""
    grown = spectral_radius(MIXED, *pair(share, a, b), 1.0) - 1.0
    assert grown < 1.2e-3 * max(a, b) ** 4 + 1e-7


@pytest.mark.parametrize("zeta", [0.0, 0.01])
def test_it_is_unstable_not_far_above_three(zeta):
    windows = np.arange(2.0, 5.0, 0.05)
    limits = [
        first_unstable(MIXED, pair(share, 0.0, 1.0, zeta), windows)
        for share in (0.01, 0.1, 0.5, 0.9)
    ]
    assert min(x for x in limits if x) == pytest.approx(3.12, abs=0.1)


@pytest.mark.parametrize("name", ["linear/deadbeat", "newmark/a,v,u", "constant/e"])
def test_other_schemes_grow_without_damping(name):
    """Why they are refused between the two kinds: unstable below ωh = 0.5."""
    windows = np.arange(0.05, 0.6, 0.05)
    limits = [
        first_unstable(SCHEMES[name], pair(share, newmark, other), windows, 1e-4)
        for share in (0.01, 0.1, 0.5)
        for newmark, other in ((1.0, 0.0), (0.0, 1.0))
    ]
    assert any(x is not None for x in limits)


def test_a_free_body_cannot_tell_the_cubic_from_newmarks_step():
    """Same motion at t₁ under the told force, from F₀ = −3 N to F₁ = 5 N."""
    F = MIXED.coefficients(np.array([5.0]), np.array([-3.0]))
    assert F[0] == pytest.approx([-3.0])
    assert F.sum(axis=0) == pytest.approx([5.0])
    free, window, load = mass("a", 2.0), Window(0.0, 0.3), {"end": Signal(F)}
    one = free.advance(free.start(0.0).state, window, load).outputs["end"]
    step = newmark("b", 2.0, 0.0)
    told = step.press(step.start(0.0).state, 0.0, {"end": np.array([-3.0])}).state
    two = step.advance(told, window, load).outputs["end"]
    for level in ("x", "v", "a"):
        assert getattr(one, level) == pytest.approx(getattr(two, level), rel=1e-12)


def newmark(name, m, k, x0=0.0):
    start = Kinematics(np.array([x0]), np.zeros(1), np.zeros(1))
    system = LinearSystem(*(np.array([[A]]) for A in (m, 0.0, k)))
    ports = {"end": Port("end", ("x",))}
    return Structure(
        name, system, {"end": np.eye(1)}, ports, start_at=start, publish={"x": 0}
    )


def errors(h, share, until=1.6):
    """Largest errors in x, v, F and the gap of two masses on springs, tied."""
    m_a, m_b, k_a, k_b = 1.0 / share, 1.0 / (1.0 - share), 40.0, 60.0
    omega = np.sqrt((k_a + k_b) / (m_a + m_b))
    model = glue(
        newmark("a", m_a, k_a, 0.1), mass("b", m_b, k_b, 0.1), name="mixed/a,v,u"
    )
    step, worst = model.start(0.0), np.zeros(4)
    for n in range(round(until / h)):
        step = model.advance(step.state, uniform(0.0, h, n), {})
        x, v = (
            0.1 * np.cos(omega * (n + 1) * h),
            -0.1 * omega * np.sin(omega * (n + 1) * h),
        )
        F = (k_a - m_a * omega**2) * x
        seen = model.observe(step.state)
        found = (
            seen["b.x"].value - x,
            seen["b.v"].value - v,
            step.state.forces.sum() - F,
        )
        worst = np.maximum(worst, np.abs([*found, step.stats["gap"]]))
    return worst


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_positions_velocities_and_forces_have_order_two_and_the_gap_three(share):
    coarse, fine = errors(0.02, share), errors(0.01, share)
    assert np.log2(coarse / fine) == pytest.approx([2.0, 2.0, 2.0, 3.0], abs=0.15)


def test_a_disturbed_joint_comes_to_rest():
    model = glue(newmark("a", 1.0, 0.0), mass("b", 3.0), name="mixed/a,v,u")
    state = model.start(0.0).state
    z, _, *rest = state.history
    state = replace(state, history=(z, np.array([7.0]), *rest))  # a wrong force
    forces = []
    for n in range(40):
        state = model.advance(state, uniform(0.0, 0.01, n), {}).state
        forces.append(abs(float(state.forces.sum())))
    assert forces[0] > 1.0
    assert forces[39] < 1e-5  # what the tolerance on the gap leaves


@pytest.mark.parametrize(
    ("parts", "name"),
    [
        ((chain("a"), chain("b")), "newmark/a,v,u"),
        ((mass("a"), mass("b")), "constant/e"),
        ((chain("a"), mass("b")), "mixed/a,v,u"),
        ((chain("a"), chain("b", steps=4)), "mixed/a,v,u"),
    ],
)
def test_the_scheme_follows_from_the_kinds_of_parts(parts, name):
    assert default_scheme({p.name: p for p in parts}).name == name


def nested(**more):
    joints = {"j": ("a.right", "b.end")}
    return join(
        "ab", [chain("a"), mass("b")], joints, exports={"out": "a.left"}, **more
    )


def test_a_composite_of_both_kinds_says_so():
    inner = nested()
    assert inner.capabilities.mixed
    assert not inner.capabilities.one_step
    outer = join("m", [inner, mass("c")], {"o": ("ab.out", "c.end")})
    assert outer.coupling.scheme.name == "mixed/a,v,u"


def test_nested_mixed_parts_follow_the_flat_model():
    """Not the same numbers: inner and outer joints settle one after the other."""

    def run(model, name):
        step = model.start(0.0)
        for n in range(100):
            step = model.advance(step.state, uniform(0.0, 0.01, n), {})
        return model.observe(step.state)[name].value

    c = mass("c", 2.0, 30.0, 0.0)
    a, b = chain("a", masses=2, force=5.0, wall=200.0), mass("b", 1.5, 100.0)
    flat = join("m", [a, b, c], {"j": ("a.right", "b.end"), "o": ("a.left", "c.end")})
    inner = join("ab", [a, b], {"j": ("a.right", "b.end")}, exports={"out": "a.left"})
    deep = join("m", [inner, c], {"o": ("ab.out", "c.end")})
    assert run(deep, "c.x") == pytest.approx(run(flat, "c.x"), rel=1e-9)


@pytest.mark.parametrize(
    ("name", "parts", "finding", "remedy"),
    [
        (
            "newmark/a,v,u",
            (chain("a"), mass("b")),
            "b follows the force",
            "mixed/a,v,u",
        ),
        ("constant/e", (chain("a"), mass("b")), "rings ever louder", "mixed/a,v,u"),
        ("linear/deadbeat", (chain("a"), mass("b")), "ωh = 0.4", "mixed/a,v,u"),
        ("linear-discontinuous/e,v", (chain("a"), mass("b")), "apart", "mixed/a,v,u"),
        (
            "constant/e",
            (nested(), mass("c")),
            "ab holds parts that take",
            "mixed/a,v,u",
        ),
    ],
)
def test_other_schemes_are_refused_with_the_reason(name, parts, finding, remedy):
    first, second = parts
    port = next(iter(first.ports))
    with pytest.raises(SettingError) as caught:
        glue(
            *parts, ties=[tie(f"{first.name}.{port}", f"{second.name}.end")], name=name
        )
    assert caught.value.place == f"pair: scheme {name}"
    assert finding in caught.value.finding
    assert remedy in caught.value.remedy


def test_the_scheme_is_known_by_its_name():
    assert scheme("mixed/a,v,u") is MIXED


@pytest.mark.parametrize("steps", [2, 3])
def test_two_or_three_steps_are_too_few_beside_one(steps):
    parts = [chain("a", wall=1e3), chain("b", steps=float(steps))]
    with pytest.raises(SettingError) as caught:
        join("m", parts, {"j": ("a.right", "b.left")})
    assert "scheme mixed/a,v,u" in caught.value.place
    assert "two or three Newmark steps" in caught.value.finding
    assert "four and more" in caught.value.remedy
