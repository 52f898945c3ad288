"""A rigid body flies, tumbles and answers as one body."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from bondline.core import (
    Breaking,
    Motion,
    Observing,
    Placing,
    Pressing,
    Rejected,
    Serialising,
    Showing,
    Signal,
    Window,
    uniform,
)
from bondline.errors import SettingError
from bondline.gluing import glue
from bondline.leaves import RigidBody
from bondline.leaves import body as by_numbers
from bondline.numerics import FixedStep

TENSOR = np.array([[2.0, 0.1, -0.2], [0.1, 1.5, 0.05], [-0.2, 0.05, 1.1]])
TILT = (0.9, 0.1, -0.3, 0.3)
number = st.floats(-1.0, 1.0)
triples = st.tuples(number, number, number)


def body(**given):
    """Nothing about it is symmetric."""
    told = {
        "position": (0.1, -0.2, 0.3),
        "turn": TILT,
        "velocity": (1.0, 0.5, -0.7),
        "spin": (2.0, -1.0, 3.0),
        "gravity": (0.3, 0.0, -9.81),
        "markers": {"a": (0.4, 0.1, -0.2), "b": (-0.3, 0.2, 0.5, TILT)},
        "points": {"p": (0.0, 0.7, 0.1)},
    }
    return RigidBody("body", 3.0, TENSOR, **{**told, **given})


def turn_of(q):
    return Rotation.from_quat(np.roll(q, -1))


def fly(leaf, windows, h=0.01, inputs=None):
    step = leaf.start(0.0)
    for n in range(windows):
        step = leaf.advance(step.state, uniform(0.0, h, n), inputs or {})
    return step


def momentum(state):
    """Of rotation, about the centre, in world axes."""
    return turn_of(state[3:7]).apply(TENSOR @ state[10:])


def test_torque_free_it_keeps_momentum_and_energy():
    top = body(gravity=(0.0, 0.0, 0.0))
    first, last = top.start(0.0), fly(top, 500)
    assert momentum(last.state) == pytest.approx(momentum(first.state), abs=1e-11)
    assert last.energy.stored == pytest.approx(first.energy.stored, abs=1e-11)
    assert np.linalg.norm(last.state[3:7]) == pytest.approx(1.0, abs=1e-15)
    assert abs(last.state[10:] - first.state[10:]).max() > 0.1  # yet it tumbles


def test_a_symmetric_top_is_the_one_in_the_textbook():
    """Spin in body axes goes round at Ω = (I₃ − I₁)/I₁ ω₃; precession is |L|/I₁."""
    I1, I3, w, t = 1.2, 2.0, np.array([0.5, 0.0, 4.0]), 3.0
    top = RigidBody("top", 1.0, (I1, I1, I3), spin=w)
    state = fly(top, 300).state
    rate = (I3 - I1) / I1 * w[2]
    spin = [w[0] * np.cos(rate * t), w[0] * np.sin(rate * t), w[2]]
    L = np.array([I1, I1, I3]) * w
    exact = Rotation.from_rotvec(L / I1 * t) * Rotation.from_rotvec([0, 0, -rate * t])
    assert state[10:] == pytest.approx(spin, abs=1e-11)
    assert turn_of(state[3:7]).as_matrix() == pytest.approx(
        exact.as_matrix(), abs=1e-11
    )


def test_one_window_of_a_hundredth_is_right_to_a_millionth_of_a_millionth():
    leaf = body(spin=(3.0, -5.0, 8.0))
    fine = body(spin=(3.0, -5.0, 8.0), integrate=FixedStep(200))
    push = {"a": Signal(np.arange(1.0, 13.0).reshape(2, 6))}
    found, exact = fly(leaf, 1, 0.01, push), fly(fine, 1, 0.01, push)
    assert np.abs(found.state - exact.state).max() < 1e-12


def test_its_centre_falls_whatever_it_does_about_it():
    state = fly(body(), 100).state
    g = np.array([0.3, 0.0, -9.81])
    x, v = np.array([0.1, -0.2, 0.3]), np.array([1.0, 0.5, -0.7])
    assert state[:3] == pytest.approx(x + v + g / 2, abs=1e-12)
    assert state[7:10] == pytest.approx(v + g, abs=1e-12)


def pushes(f, m):
    return {
        "a": Signal(np.array([[*f, *m], [*m, *f]])),
        "b": Signal.hold(np.array([*m, *f])),
        "p": Signal(np.array([f, m, f])),
    }


def stretched(signal, ratio):
    """The same function of time over a window `ratio` as long."""
    powers = ratio ** np.arange(len(signal.coefficients))
    return Signal(signal.coefficients * powers[:, None])


@settings(max_examples=20)
@given(triples, triples)
def test_ports_answer_with_the_motion_of_a_frame(f, m):
    """x' = v, v' = a, and the turn follows the spin: by differences in t₁."""
    leaf, d = body(), 1e-5
    state = leaf.start(0.0).state

    def shown(t):
        inputs = {n: stretched(s, t / 0.1) for n, s in pushes(f, m).items()}
        return leaf.advance(state, Window(0.0, t), inputs).outputs

    before, now, after = shown(0.1 - d), shown(0.1), shown(0.1 + d)
    for n, port in leaf.ports.items():
        moved = (after[n].x - before[n].x) / (2 * d)
        assert now[n].v[:3] == pytest.approx(moved, abs=1e-6)
        assert now[n].a == pytest.approx((after[n].v - before[n].v) / (2 * d), abs=1e-6)
        if port.frame:
            turned = turn_of(after[n].turn) * turn_of(before[n].turn).inv()
            spin = turned.as_rotvec() / (2 * d)
            assert now[n].v[3:] == pytest.approx(spin, abs=1e-6)


def test_a_marker_has_its_own_axes():
    shown = body().start(0.0).outputs
    twice = turn_of(TILT) * turn_of(TILT)
    assert turn_of(shown["b"].turn).as_matrix() == pytest.approx(twice.as_matrix())
    assert shown["p"].turn is None


@settings(max_examples=5)
@given(triples, triples)
def test_work_on_the_ports_is_the_gain_of_energy(f, m):
    leaf, h, parts = body(), 0.05, 20
    first = step = leaf.start(0.0)
    inputs, gauss = pushes(f, m), np.polynomial.legendre.leggauss(4)
    work = 0.0
    for k, w in enumerate(Window(0.0, h).split(parts)):
        piece = {n: s.part(k / parts, (k + 1) / parts) for n, s in inputs.items()}
        for x, weight in zip(*gauss, strict=True):
            s = 0.5 * (x + 1.0)
            inner = {n: signal.part(0.0, s) for n, signal in piece.items()}
            at = leaf.advance(step.state, Window(w.t0, w.at(s)), inner).outputs
            power = sum(piece[n].at(s) @ at[n].v for n in piece)
            work += 0.5 * weight * w.h * power
        step = leaf.advance(step.state, w, piece)
    gain = step.energy.stored - first.energy.stored
    assert gain == pytest.approx(work, abs=1e-11)


def test_its_own_loads_are_supplied_work():
    leaf = body(
        force=lambda t: (3.0 * np.cos(40.0 * t), 1.0, -2.0),
        torque=lambda t: (0.5, 4.0 * t, max(t - 0.03, 0.0)),
        kinks=(0.03,),
    )
    assert list(leaf.breaks(Window(0.0, 0.1))) == [0.03]
    first, last = leaf.start(0.0), fly(leaf, 1, 0.1)
    gain = last.energy.stored - first.energy.stored
    assert gain == pytest.approx(last.energy.supplied, abs=1e-9)
    assert abs(last.energy.supplied) > 0.1


def test_a_moment_is_two_forces_apart():
    """f at one marker and −f at the other, and the moment of the pair about either."""
    leaf = body()
    state, f = leaf.start(0.0).state, np.array([1.0, -2.0, 0.5])
    shown = leaf.start(0.0).outputs
    moment = np.cross(shown["a"].x - shown["b"].x, f)
    zero = np.zeros(3)
    pair = {"a": np.array([*f, *zero]), "b": np.array([*-f, *zero])}
    for n in ("a", "b"):
        alone = leaf.press(state, 0.0, {n: np.array([*zero, *moment])}).outputs
        both = leaf.press(state, 0.0, pair).outputs
        assert alone["p"].a == pytest.approx(both["p"].a, abs=1e-12)


def test_pressing_moves_nothing_but_the_accelerations():
    leaf = body()
    before = leaf.start(0.0)
    after = leaf.press(before.state, 0.0, {"p": np.array([30.0, 0.0, 0.0])})
    free, pushed = before.outputs["a"], after.outputs["a"]
    assert after.state is before.state
    assert np.array_equal(free.v, pushed.v)
    assert np.abs(free.a - pushed.a).max() > 1.0


@given(triples, triples, triples)
def test_placing_a_frame_sets_pose_and_twist(x, v, w):
    leaf = body()
    turn = np.array([0.5, 0.5, -0.5, 0.5])
    at = Motion(np.array(x), np.array([*v, *w]), None, turn)
    shown = leaf.place(leaf.start(0.0).state, "b", at).outputs["b"]
    assert shown.x == pytest.approx(at.x, abs=1e-14)
    assert shown.v == pytest.approx(at.v, abs=1e-14)
    assert shown.turn == pytest.approx(turn, abs=1e-14)


@given(triples, triples)
def test_placing_a_point_keeps_turn_and_spin(x, v):
    leaf = body()
    state = leaf.start(0.0).state
    for port in ("p", "a"):
        placed = leaf.place(state, port, Motion(np.array(x), np.array(v)))
        assert placed.outputs[port].x == pytest.approx(x, abs=1e-14)
        assert placed.outputs[port].v[:3] == pytest.approx(v, abs=1e-14)
        assert np.array_equal(placed.state[3:7], state[3:7])
        assert np.array_equal(placed.state[10:], state[10:])


def bits(advance):
    levels = [(m.x, m.v, m.a, m.turn) for m in advance.outputs.values()]
    return [None if x is None else x.tobytes() for m in levels for x in m]


def test_it_keeps_the_obligations_of_a_subsystem():
    leaf, w = body(), Window(0.1, 0.15)
    state = fly(leaf, 10).state
    state.setflags(write=False)
    some, other = pushes((1, 2, 3), (4, 5, 6)), pushes((50, -2, 3), (9, 5, -60))
    first = bits(leaf.advance(state, w, some))
    leaf.advance(state, w, other)
    assert bits(leaf.advance(state, w, some)) == first
    shuffled = dict(reversed(some.items()))
    assert bits(leaf.advance(state, w, shuffled)) == first
    none = {n: Signal.hold(np.zeros(p.size)) for n, p in leaf.ports.items()}
    assert bits(leaf.advance(state, w, {})) == bits(leaf.advance(state, w, none))
    assert bits(leaf.advance(leaf.load(leaf.dump(state)), w, some)) == first


@pytest.mark.parametrize(
    "ability", [Breaking, Observing, Placing, Pressing, Serialising, Showing]
)
def test_it_can_what_bodies_can(ability):
    assert isinstance(body(), ability)


def test_it_shows_where_it_is():
    leaf = body()
    state = fly(leaf, 3).state
    seen = {n: o.value for n, o in leaf.observe(state).items()}
    assert [seen[f"com.{d}"] for d in "xyz"] == state[:3].tolist()
    spin = turn_of(state[3:7]).apply(state[10:])
    assert [seen[f"spin.{d}"] for d in "xyz"] == pytest.approx(spin)
    line = leaf.shapes(state)[""]
    shown = leaf.press(state, 0.03, {}).outputs
    assert line[0] == pytest.approx(shown["a"].x)
    assert line[-1] == pytest.approx(shown["p"].x)
    assert line[1] == pytest.approx(state[:3])


@pytest.mark.parametrize("push", [0.0, 1e200])
def test_spinning_too_fast_for_the_window_is_a_rejection(push):
    leaf = body(spin=(0.0, 0.0, 2e3))
    inputs = {"p": Signal.hold(np.full(3, push))}
    done = leaf.advance(leaf.start(0.0).state, Window(0.0, 0.1), inputs)
    assert isinstance(done, Rejected)
    assert "shorten the window" in done.reason
    assert done.until == 0.05


@pytest.mark.parametrize(
    ("wrong", "place", "finding", "remedy"),
    [
        ({"mass": 0.0}, "b.mass", "0.0", "greater than zero"),
        ({"inertia": (1.0, 2.0)}, "b.inertia", "shape (2,)", "three principal"),
        ({"inertia": (1.0, np.nan, 2.0)}, "b.inertia", "not finite", "3 x 3"),
        ({"inertia": (1.0, 1.0, 2.1)}, "b.inertia", "1, 1, 2.1", "sum of the other"),
        ({"inertia": (1.0, 1.0, -1.0)}, "b.inertia", "-1, 1, 1", "positive"),
        ({"inertia": np.tri(3) + np.eye(3)}, "b.inertia", "symmetric", "same sign"),
        ({"turn": (0, 0, 0, 0)}, "b.turn", "length zero", "(1, 0, 0, 0)"),
        ({"position": (1, 2)}, "b.position", "1, 2", "3 finite"),
        ({"gravity": (0, 0, np.inf)}, "b.gravity", "inf", "3 finite"),
        ({"markers": {"a": (1, 2)}}, "b.a", "1, 2", "3 finite"),
        ({"markers": {"a": (1, 2, 3)}, "points": {"a": (1, 2, 3)}}, "b.a",
         "same name", "its own"),
    ],
)  # fmt: skip
def test_nonsense_is_refused_where_it_is_said(wrong, place, finding, remedy):
    with pytest.raises(SettingError) as caught:
        RigidBody("b", **{"mass": 1.0, "inertia": (1.0, 1.0, 1.0), **wrong})
    assert caught.value.place == place
    assert finding in caught.value.finding
    assert remedy in caught.value.remedy


def test_two_bodies_glued_at_a_point_keep_the_momentum_of_the_pair():
    """A ball joint in space: no work in it, and nothing from outside."""
    one = body(gravity=(0.0, 0.0, 0.0))
    other = RigidBody("other", 1.5, (0.4, 0.5, 0.3), points={"p": (0.2, -0.3, 0.1)})
    pair = glue("pair", [one, other], {"ball": ("body.p", "other.p")})

    def momenta(state):
        P, L = np.zeros(3), np.zeros(3)
        for name, leaf, inertia in (
            ("body", one, TENSOR),
            ("other", other, np.diag([0.4, 0.5, 0.3])),
        ):
            y = state.parts[name]
            P += leaf.mass * y[7:10]
            L += np.cross(y[:3], leaf.mass * y[7:10])
            L += turn_of(y[3:7]).apply(inertia @ y[10:])
        return P, L

    first, last = pair.start(0.0), fly(pair, 100)
    (P0, L0), (P, L) = momenta(first.state), momenta(last.state)
    assert pytest.approx(P0, abs=1e-9) == P
    assert pytest.approx(L0, abs=1e-7) == L
    assert last.energy.stored == pytest.approx(first.energy.stored, abs=1e-3)
    assert last.stats["gap"] < 1e-10


def test_a_body_can_be_told_by_numbers_alone():
    """What a model file says: a quarter turn about z, then where its frames are."""
    told = {"mass": 2.0, "Ixx": 0.4, "Iyy": 0.5, "Izz": 0.6, "Ixy": 0.1}
    leaf = by_numbers("b", **told, x=1.0, rz=np.pi / 2, wz=3.0, ax=0.5, bz=-0.2)
    shown = leaf.start(0.0).outputs
    assert shown["a"].x == pytest.approx([1.0, 0.5, 0.0])
    assert shown["b"].x == pytest.approx([1.0, 0.0, -0.2])
    assert shown["a"].v == pytest.approx([-1.5, 0.0, 0.0, 0.0, 0.0, 3.0])
    assert turn_of(shown["a"].turn).as_rotvec() == pytest.approx([0, 0, np.pi / 2])
    assert leaf.parameters["Ixy"].value == 0.1
    with pytest.raises(SettingError) as caught:
        by_numbers("b", Iyx=1.0)
    assert caught.value.place == "b.Iyx"
    assert "no such parameter" in caught.value.finding
    assert "Ixy" in caught.value.remedy


@pytest.mark.parametrize("late", [False, True])
def test_a_window_that_ends_at_a_jump_has_not_seen_it(late):
    jump = 0.1

    def push(t, *_):
        on = t > jump if late else t >= jump
        return (5.0 if on else 0.0, 0.0, 0.0)

    free = RigidBody(
        "b", 2.0, (1, 1, 1), force=push, kinks=(jump,), markers={"a": (0, 0, 0)}
    )
    before = free.advance(free.start(0.0).state, Window(0.0, jump), {})
    assert before.outputs["a"].a[0] == 0.0
    assert before.outputs["a"].v[0] == 0.0
    after = free.advance(before.state, Window(jump, 0.2), {})
    assert after.outputs["a"].v[0] == pytest.approx(0.25, rel=1e-12)
