"""Bars swing, fly and keep their energy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import ellipk

from bondline.core import Motion, Serialising, Signal, Window, uniform
from bondline.errors import SettingError
from bondline.leaves import FreeBar, PinnedBar, chain
from bondline.numerics import Adaptive, FixedStep

unit = st.floats(-1.0, 1.0)


def test_a_pinned_bar_swings_with_its_period():
    """T = 4 K(sin²(θ₀/2)) sqrt(2l/3g)."""
    bar = PinnedBar("bar", 3.0, 1.2, angle=2.0, gravity=9.81)
    period = 4 * ellipk(np.sin(1.0) ** 2) * np.sqrt(2 * 1.2 / 3 / 9.81)
    step = bar.start(0.0)
    for n in range(100):
        step = bar.advance(step.state, uniform(0.0, period / 100, n), {})
    assert step.state == pytest.approx([2.0, 0.0], abs=1e-7)


def test_a_free_bar_falls_and_spins():
    bar = FreeBar("bar", 2.0, 1.0, angle=0.3, gravity=9.81)
    state = np.array([0.0, 0.0, 0.3, 1.0, 2.0, 5.0])
    done = bar.advance(state, Window(0.0, 0.5), {})
    fallen = [0.5, 1.0 - 9.81 / 8, 2.8, 1.0, 2.0 - 9.81 / 2, 5.0]
    assert done.state == pytest.approx(fallen)


@given(unit, unit, unit)
def test_placing_moves_the_top_and_nothing_else(x, y, angle):
    bar = FreeBar("bar", 2.0, 1.0, angle=angle)
    at = Motion(np.array([x, y]), np.array([y, x]), np.zeros(2))
    placed = bar.place(bar.start(0.0).state, "A", at)
    assert placed.outputs["A"].x == pytest.approx([x, y], abs=1e-15)
    assert placed.outputs["A"].v == pytest.approx([y, x], abs=1e-15)
    assert placed.state[2] == angle


@pytest.mark.parametrize("bar", [PinnedBar, FreeBar])
@given(fx=unit, fy=unit, slope=unit)
def test_the_ports_answer_is_the_motion_of_a_point(bar, fx, fy, slope):
    """x' = v and v' = a, by differences in the length of the window."""
    body = bar("bar", 2.0, 1.0, angle=0.7, gravity=9.81)
    force = {"A": Signal(np.array([[fx, fy], [slope, 0.0]]))}
    state, d = body.start(0.0).state, 1e-5

    def tip(t):
        stretched = Signal(force["A"].coefficients * np.array([[1.0], [t / 0.1]]))
        return body.advance(state, Window(0.0, t), {"A": stretched}).outputs["A"]

    before, now, after = tip(0.1 - d), tip(0.1), tip(0.1 + d)
    assert now.v == pytest.approx((after.x - before.x) / (2 * d), abs=1e-6)
    assert now.a == pytest.approx((after.v - before.v) / (2 * d), abs=1e-6)


def test_supplied_work_is_the_gain_of_energy():
    bar = PinnedBar("bar", 2.0, 1.0, gravity=9.81, torque=3e3)
    before = bar.start(0.0)
    after = bar.advance(before.state, Window(0.0, 0.04), {})
    gain = after.energy.stored - before.energy.stored
    assert gain == pytest.approx(after.energy.supplied, rel=1e-9)


@pytest.mark.parametrize("bar", [PinnedBar("b", torque=5.0), FreeBar("b")])
def test_states_go_through_bytes(bar):
    assert isinstance(bar, Serialising)
    state = bar.advance(bar.start(0.0).state, Window(0.0, 0.3), {}).state
    assert np.array_equal(bar.load(bar.dump(state)), state)


def test_parameters_say_what_is_set():
    parameters = PinnedBar("b", mass=7.0, torque=-3.0).parameters
    assert parameters["mass"].value == 7.0
    assert parameters["mass"].unit == "kg"
    assert parameters["torque"].value == -3.0


@pytest.mark.parametrize("steps", [5, 10])
def test_fixed_steps_are_of_order_five(steps):
    def error(n):
        y = FixedStep(n)(lambda t, y: [y[1], -y[0]], 0.0, 1.0, [1.0, 0.0])
        return abs(y[0] - np.cos(1.0))

    assert np.log2(error(steps) / error(2 * steps)) == pytest.approx(5.0, abs=0.6)


def test_a_solver_that_gives_up_says_so():
    with pytest.raises(ArithmeticError, match="step size"):
        Adaptive()(lambda t, y: [y[0] ** 2], 0.0, 2.0, [1.0])


@pytest.mark.parametrize(
    ("make", "place", "finding"),
    [
        (lambda: PinnedBar("b", mass=-10.0), "b.mass", "-10"),
        (lambda: FreeBar("b", length=0.0), "b.length", "0"),
        (lambda: FreeBar("b", mass="3kg"), "b.mass", "'3kg'"),
        (lambda: PinnedBar("b", torque=np.nan), "b.torque", "nan"),
        (lambda: chain("c", stifness=5.0), "c.stifness", "no such parameter"),
        (lambda: chain("c", mass=-3.0), "c.mass", "-3"),
    ],
)
def test_nonsense_is_refused_where_it_is_said(make, place, finding):
    with pytest.raises(SettingError) as caught:
        make()
    assert caught.value.place == place
    assert finding in caught.value.finding
    assert caught.value.remedy
