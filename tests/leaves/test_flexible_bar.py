"""A flexible bar and a crank obey d'Alembert, and account for their energy."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.linalg import eigvals

from bondline.core import Breaking, Rejected, Serialising, Signal, Window, uniform
from bondline.errors import SettingError
from bondline.leaves import Crank, FlexibleBar

number = st.floats(-1.0, 1.0)
STEEL = {"axial": 1.5e8, "flexural": 8.3e3}
SOFT = {"axial": 4e3, "flexural": 30.0, "damping": 0.05}
BAR = FlexibleBar("bar", 5.0, 1.3, **SOFT, bending=3, gravity=9.81, spin=-2.0)
CRANK = Crank("crank", 10.0, 20.0, 0.8, 1.7, 0.3, -0.4, -2.0, 1.0, -80.0, 0.1, 9.81)
x, w = np.polynomial.legendre.leggauss(40)
s, w = 0.5 * (x + 1.0), 0.5 * w


def unit(angle):
    return np.array([np.cos(angle), np.sin(angle)])


def bar_points(q):
    """Material points of the flexible bar, then its tip: wang2003 (51)."""
    at = np.append(s, 1.0)
    k = np.arange(1, len(q) - 1)
    along = BAR.length * at + np.sin(np.pi / 2 * at) * q[1]
    across = np.sin(np.pi * np.outer(at, k)) @ q[2:]
    return np.outer(along, unit(q[0])) + np.outer(across, unit(q[0] + np.pi / 2))


def crank_points(q):
    elbow = CRANK.crank * unit(q[0])
    at = np.append(s, 1.0)
    coupler = elbow + np.outer(CRANK.coupler * at, unit(q[1]))
    return np.concatenate([np.outer(CRANK.crank * s, unit(q[0])), coupler])


def unbalanced(points, dm, weight, state, rates, tip_force):
    """Virtual work of inertia, weight and tip force along every coordinate."""
    n = len(state) // 2
    q, p, a = state[:n], state[n:], rates[n : 2 * n]
    d = 1e-3

    def path(t):
        return points(q + p * t + 0.5 * a * t * t)

    accel = (
        16 * (path(d) + path(-d)) - path(2 * d) - path(-2 * d) - 30 * path(0.0)
    ) / (12 * d * d)
    force = -dm[:, None] * (accel + np.array([0.0, weight]))
    force[-1] += tip_force
    J = [(points(q + 1e-6 * e) - points(q - 1e-6 * e)) / 2e-6 for e in np.eye(n)]
    return np.array([np.sum(force * column) for column in J])


@settings(max_examples=25)
@given(st.lists(number, min_size=12, max_size=12))
def test_a_flexible_bar_obeys_dalembert(u):
    """For points along the bar, not for the closed forms it is made of."""
    state = np.array(
        [3.0 * u[0], *(0.05 * np.array(u[1:5])), *(3.0 * np.array(u[5:10]))]
    )
    modes = replace(BAR, flexural=0.3).modes  # slow enough for differences in time
    rates = np.array(modes.rates([*state, 0.0], 20.0 * u[10], 20.0 * u[11]))
    dm = BAR.mass * np.append(w, 0.0)
    tip = 20.0 * np.array(u[10:12])
    found = unbalanced(bar_points, dm, 9.81, state, rates, tip)
    k, d = np.array(modes.stiffness), np.array(modes.viscosity)
    found[1:] -= k * state[1:5] + d * state[6:]
    assert found == pytest.approx(np.zeros(5), abs=1e-5)
    assert rates[-1] == pytest.approx(d @ state[6:] ** 2)


@settings(max_examples=25)
@given(st.lists(number, min_size=6, max_size=6))
def test_a_crank_obeys_dalembert(u):
    state, tip = 3.0 * np.array(u[:4]), 20.0 * np.array(u[4:])
    a = CRANK.press(state, 0.05, {"C": tip}).outputs["C"].a
    alpha = CRANK._accel(tuple(state), -40.0, *tip)
    dm = np.concatenate([10.0 * w, 20.0 * w, [0.0]])
    rates = np.array([*state[2:], *alpha])
    found = unbalanced(crank_points, dm, 9.81, state, rates, tip)
    assert found == pytest.approx([40.0, 0.0], abs=1e-5)  # balanced by the torque
    assert np.isfinite(a).all()


def test_frequencies_are_those_of_the_paper():
    """Round steel bar, 15 mm radius, 5 kg, 1 m."""
    r, E = 0.015, 210e9
    EA, EI = E * np.pi * r**2, E * np.pi * r**4 / 4
    bar = FlexibleBar("b", 5.0, 1.0, EA, EI, 0.1)
    assert bar.frequencies == pytest.approx((8558.8, 403.32, 1613.3), rel=1e-5)
    assert bar.modes.stiffness == pytest.approx(
        (1.831308e8, 4.066715e5, 6.506744e6), rel=1e-6
    )


def lowest(modes):
    """The first bending frequency of a bar that turns about its hinge."""
    bar = FlexibleBar("b", 2.0, 1.5, **STEEL, bending=modes)
    n, d = modes + 2, 1e-7
    M = np.empty((n, n))
    for j in range(n):  # accelerations under q_j alone
        y = np.zeros(2 * n + 1)
        y[j] = d
        M[:, j] = bar.modes.rates(y.tolist(), 0.0, 0.0)[n : 2 * n]
    omega = np.sqrt(np.sort(np.abs(eigvals(M / d).real)))
    return omega[1]


def test_with_more_modes_it_becomes_the_beam_of_euler_and_bernoulli():
    """Hinged and free: βl = 3.926602; assumed modes are stiffer, never softer."""
    exact = 3.92660231**2 * np.sqrt(8.3e3 / (2.0 * 1.5**3))
    excess = np.array([lowest(n) for n in (1, 2, 4, 8)]) / exact - 1.0
    assert np.all(np.diff(excess) < 0.0)
    assert 0.0 < excess[-1] < 2e-3


def test_the_stretching_mode_rings_and_fades():
    bar = FlexibleBar("b", 5.0, 1.0, 1e6, 1e5, 0.1)
    state = np.array([0.0, 1e-5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])
    t, omega = 0.02, bar.frequencies[0]
    done = bar.advance(state, Window(0.0, t), {})
    damped = omega * np.sqrt(1 - 0.1**2)
    wave = np.cos(damped * t) + 0.1 / np.sqrt(1 - 0.1**2) * np.sin(damped * t)
    exact = 1e-5 * np.exp(-0.1 * omega * t) * wave
    assert done.state[1] == pytest.approx(exact, rel=1e-4)


def push(fx, fy, slope):
    return {"C": Signal(np.array([[fx, fy], [slope, -slope]]))}


@pytest.mark.parametrize("leaf", [replace(BAR, radians=0.05), CRANK])
@settings(max_examples=5)
@given(fx=number, fy=number, slope=number)
def test_the_ports_answer_is_the_motion_of_a_point(leaf, fx, fy, slope):
    """x' = v and v' = a, by differences in the length of the window."""
    state, d = leaf.start(0.0).state, 1e-5

    def tip(t):
        inputs = push(20 * fx, 20 * fy, 20 * slope * t / 0.05)
        return leaf.advance(state, Window(0.0, t), inputs).outputs["C"]

    before, now, after = tip(0.05 - d), tip(0.05), tip(0.05 + d)
    assert now.v == pytest.approx((after.x - before.x) / (2 * d), abs=1e-5)
    assert now.a == pytest.approx((after.v - before.v) / (2 * d), abs=1e-4, rel=1e-6)


@pytest.mark.parametrize("leaf", [BAR, CRANK], ids=["bar", "crank"])
def test_energy_is_accounted_for(leaf):
    """Stored = supplied − dissipated + work of the tip force, window by window."""
    step, h = leaf.start(0.0), 1e-3
    F = {"C": Signal.hold(np.array([30.0, -12.0]))}
    first, before = step.energy.stored, step.outputs["C"].x
    flows = 0.0
    for n in range(150):
        step = leaf.advance(step.state, uniform(0.0, h, n), F)
        flows += step.energy.supplied - step.energy.dissipated
    work = F["C"].start @ (step.outputs["C"].x - before)
    assert step.energy.stored - first == pytest.approx(flows + work, abs=1e-8)
    assert abs(flows) > 0.01


def test_inner_steps_follow_the_highest_frequency():
    """No more than `radians` of it in a step, whatever the window."""
    bar = FlexibleBar("b", 5.0, 1.0, **STEEL, bending=5)
    for h in (1e-4, 1e-3, 0.01):
        assert bar.modes.fastest * h / bar.steps(h) <= bar.radians
    assert bar.steps(1e-7) == 2
    grid = {bar.steps(uniform(0.0, 1e-3, n).h) for n in range(1500)}
    assert len(grid) == 1


def test_finer_inner_steps_change_nothing_that_matters():
    told = {"mass": 5.0, **STEEL, "damping": 0.1, "angle": 0.3, "spin": -2.0}
    F = {"C": Signal.hold(np.array([-500.0, -44.0]))}
    tips = []
    for radians in (0.5, 0.1):
        bar = FlexibleBar("b", **told, radians=radians)
        done = bar.advance(bar.start(0.0).state, Window(0.0, 1e-3), F)
        tips.append(done.outputs["C"].x)
    assert np.abs(tips[0] - tips[1]).max() < 1e-10


def test_the_torque_grows_and_stays_and_says_where_it_kinks():
    assert isinstance(CRANK, Breaking)
    assert list(CRANK.breaks(Window(0.0, 0.2))) == [0.1]
    assert list(CRANK.breaks(Window(-0.1, 0.2))) == [0.0, 0.1]
    assert not CRANK.breaks(uniform(0.0, 1e-3, 99))
    assert not CRANK.breaks(uniform(0.0, 1e-3, 100))
    assert [CRANK._drive(t) for t in (-1.0, 0.0, 0.05, 0.1, 2.0)] == pytest.approx(
        [0.0, 0.0, -40.0, -80.0, -80.0]
    )
    assert Crank("sudden", torque=3.0)._drive(0.0) == 3.0


def test_a_window_over_a_kink_is_two_windows():
    state = CRANK.start(0.0).state
    once = CRANK.advance(state, Window(0.09, 0.11), {})
    first = CRANK.advance(state, Window(0.09, 0.1), {})
    twice = CRANK.advance(first.state, Window(0.1, 0.11), {})
    assert np.array_equal(once.state, twice.state)


def bits(advance):
    m = advance.outputs["C"]
    return m.x.tobytes() + m.v.tobytes() + m.a.tobytes()


@pytest.mark.parametrize("leaf", [BAR, CRANK], ids=["bar", "crank"])
def test_it_keeps_the_obligations_of_a_subsystem(leaf):
    assert isinstance(leaf, Serialising)
    W = Window(0.1, 0.12)
    state = leaf.advance(leaf.start(0.0).state, Window(0.0, 0.1), {}).state
    state.setflags(write=False)
    first = bits(leaf.advance(state, W, push(1, 2, 3)))
    leaf.advance(state, W, push(-50, 7, 0))
    assert bits(leaf.advance(state, W, push(1, 2, 3))) == first
    assert bits(leaf.advance(state, W, {})) == bits(
        leaf.advance(state, W, push(0, 0, 0))
    )
    assert bits(leaf.advance(leaf.load(leaf.dump(state)), W, push(1, 2, 3))) == first
    assert np.array_equal(leaf.press(state, 0.1, {}).state, state)


@pytest.mark.parametrize("leaf", [BAR, CRANK], ids=["bar", "crank"])
def test_a_force_beyond_all_numbers_is_a_rejection(leaf):
    inputs = {"C": Signal.hold(np.full(2, 1e300))}
    done = leaf.advance(leaf.start(0.0).state, Window(0.0, 0.1), inputs)
    assert isinstance(done, Rejected)
    assert done.until == 0.05


def test_shapes_end_at_the_port():
    for leaf in (BAR, CRANK):
        done = leaf.advance(leaf.start(0.0).state, Window(0.0, 0.1), push(5, 5, 0))
        line = leaf.shapes(done.state)[""]
        assert line[0] == pytest.approx([0.0, 0.0])
        assert line[-1] == pytest.approx(done.outputs["C"].x)


@pytest.mark.parametrize(
    ("make", "place", "finding", "remedy"),
    [
        (lambda: FlexibleBar("b", bending=1.5), "b.bending", "1.5", "Give 2"),
        (lambda: FlexibleBar("b", bending=0), "b.bending", "0", "greater than"),
        (lambda: FlexibleBar("b", damping=1.0), "b.damping", "1", "below 1"),
        (lambda: FlexibleBar("b", damping=-0.1), "b.damping", "-0.1", "from 0"),
        (lambda: FlexibleBar("b", axial=0.0), "b.axial", "0", "greater than"),
        (lambda: Crank("c", ramp=-1.0), "c.ramp", "-1", "Give 0"),
        (lambda: Crank("c", crank=0.0), "c.crank", "0", "greater than"),
    ],
)
def test_nonsense_is_refused_where_it_is_said(make, place, finding, remedy):
    with pytest.raises(SettingError) as caught:
        make()
    assert caught.value.place == place
    assert finding in caught.value.finding
    assert remedy in caught.value.remedy
