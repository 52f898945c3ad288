"""X-X coupling: guessed motion, efforts in equilibrium."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from bondline.core import (
    Capabilities,
    Port,
    Window,
    ref,
)
from bondline.gluing import Bushing, Newton, Tie
from bondline.gluing.couplings.motion_schemes import motion_scheme
from bondline.gluing.couplings.shared_motion import null_space
from bondline.gluing.couplings.xx import XX
from bondline.leaves import Structure
from bondline.numerics import Kinematics, LinearSystem
from tests.gluing.driven import (
    T,
    X,
    all_at_once,
    coupled,
    cut_in_three,
    cut_in_two,
    in_parts,
    led,
    led_pair,
    order,
    row,
    run,
)

OMEGA = np.sqrt((40.0 + 20.0) / (1.0 + 2.0))


def xx(name="newmark/f"):
    return XX(motion_scheme(name))


def pair(name="newmark/f", **more):
    parts = led("a", 1.0, 40.0, x0=0.1), led("b", 2.0, 20.0, x0=0.1)
    return coupled(xx(name), *parts, **more)


def cosine(t):
    return 0.1 * np.cos(OMEGA * t)


@pytest.mark.parametrize("name", ["newmark/f", "cubic/f"])
def test_two_masses_converge_with_order_2(name):
    assert order(lambda: pair(name), cosine) == pytest.approx(2.0, abs=0.1)


@pytest.mark.parametrize("name", ["newmark/f", "cubic/f"])
def test_a_mass_that_no_port_shows_converges_with_order_2(name):
    """Free masses 1 + 2 at the interface, 3 behind a spring: one exact mode."""
    omega = np.sqrt(90.0 * (1 / 3.0 + 1 / 3.0))

    def make():
        return coupled(
            xx(name),
            led_pair("a", (1.0, 3.0), 90.0, x0=0.1, y0=-0.1),
            led("b", 2.0, x0=0.1),
        )

    found = order(make, lambda t: 0.1 * np.cos(omega * t))
    assert found == pytest.approx(2.0, abs=0.1)


def test_springs_without_inertia_follow_a_line_with_order_2():
    """k in series with k₂ on a mass that no port shows: one exact mode."""
    k = 1.0 / (1 / 30.0 + 1 / 60.0)

    def make():
        inner = led_pair("a", (0.0, 2.0), 60.0, x0=0.1 * 60 / 90, y0=0.1)
        return coupled(xx("linear/f"), inner, led("b", 0.0, 30.0, x0=0.1 * 60 / 90))

    def exact(t):
        return 0.1 * 60 / 90 * np.cos(np.sqrt(k / 2.0) * t)

    assert order(make, exact) == pytest.approx(2.0, abs=0.1)


@pytest.mark.parametrize("cut", [cut_in_two(X, X), cut_in_three(X, X, X, X)])
def test_one_step_parts_are_the_whole_structure(cut):
    found, counts = in_parts(xx(), *cut)
    whole = all_at_once()
    assert np.abs(found - whole).max() < 1e-12 * np.abs(whole).max()
    assert counts == {1}


def test_a_one_step_part_and_one_that_integrates_inside_meet_with_order_2():
    def make():
        a = row("a", [1.0], [], {"r": (0, X)}, [0.1], wall=40.0)
        ties = [Tie("j", (ref("b.end"), ref("a.r")), ("x",))]
        undamped = replace(a, system=a.system._replace(C=0.0 * a.system.C))
        return coupled(xx(), undamped, led("b", 2.0, 20.0, x0=0.1), ties=ties)

    assert order(make, cosine) == pytest.approx(2.0, abs=0.1)


@pytest.mark.parametrize(("name", "stable"), [("newmark/f", 50.0), ("cubic/f", 3.4)])
def test_windows_up_to_the_limit_stay_bounded(name, stable):
    x, _ = run(pair(name), stable / OMEGA, 60)
    assert np.abs(x).max() < 0.8


def test_linear_acceleration_explodes_beyond_its_limit():
    x, _ = run(pair("cubic/f"), 3.6 / OMEGA, 40)
    assert np.abs(x).max() > 1e3


def test_a_start_that_cannot_be_pressed_costs_no_order():
    class Blunt:
        """Without `press`."""

        def __init__(self, inner):
            self._inner, self.name = inner, inner.name
            self.ports, self.parameters = inner.ports, inner.parameters
            self.capabilities = inner.capabilities
            self.start, self.advance = inner.start, inner.advance

    def make():
        return coupled(
            xx(),
            *map(Blunt, (led("a", 1.0, 40.0, x0=0.1), led("b", 2.0, 20.0, x0=0.1))),
        )

    assert order(make, cosine) == pytest.approx(2.0, abs=0.15)


def test_three_parts_at_one_node_move_as_their_sum():
    parts = led("a", 1.0, 30.0, x0=0.1), led("b", 1.5, 20.0, x0=0.1)
    model = coupled(xx(), *parts, led("c", 0.5, 10.0, x0=0.1))
    both = pair()
    assert run(model, 0.05, 40)[0] == pytest.approx(run(both, 0.05, 40)[0], abs=1e-12)


def test_efforts_of_a_joint_are_its_forces():
    model = pair()
    _, step = run(model, 0.05, 10)
    F = model.reactions(step.state)["joint.j"].coefficients
    a = step.state.motions[ref("a.end")]
    assert F[0] == pytest.approx(1.0 * a.a + 40.0 * a.x, rel=1e-9)


def test_a_nonlinear_part_is_iterated_to_the_tolerance():
    hard = led("b", 2.0, 20.0, x0=0.1, hard=2e3, capabilities=Capabilities())
    model = coupled(xx(), led("a", 1.0, 40.0, x0=0.1), hard)
    x, step = run(model, 0.01, 100)
    assert step.stats["residual"] < 1e-10
    y, t = np.array([0.1, 0.0]), 1e-4
    for _ in range(10000):  # semi-implicit Euler is enough for three digits
        y[1] -= t * (60.0 * y[0] + 2e3 * y[0] ** 3) / 3.0
        y[0] += t * y[1]
    assert x[-1] == pytest.approx(y[0], abs=2e-4)


def plate(name, x0, causality=X):
    """Two dofs, x and y, each a mass on a spring."""
    M, K = np.diag([1.0, 2.0]), np.diag([40.0, 50.0])
    port = Port("end", ("x", "y"), causality=causality)
    start = Kinematics(np.array(x0), np.zeros(2), np.zeros(2))
    return Structure(
        name, LinearSystem(M, 0 * M, K), {"end": [0, 1]}, {"end": port}, start_at=start
    )


def test_dofs_that_a_tie_leaves_free_are_their_own():
    a, b = plate("a", [0.1, 0.2]), plate("b", [0.1, -0.3])
    ends = (ref("a.end"), ref("b.end"))
    tie = Tie.of("j", ends, [a.ports["end"], b.ports["end"]], ("x",))
    model = coupled(xx(), a, b, ties=[tie])
    alone = row("c", [2.0], [], {"o": (0, T)}, [0.2], wall=50.0)
    quiet = replace(alone, system=alone.system._replace(C=0.0 * alone.system.C))
    step, other = model.start(0.0), quiet.start(0.0)
    for n in range(50):
        w = Window(0.01 * n, 0.01 * (n + 1))
        step = model.advance(step.state, w, {})
        other = quiet.advance(other.state, w, {})
    x = {p: step.state.motions[ref(f"{p}.end")].x for p in "ab"}
    assert x["a"][0] == x["b"][0]
    assert x["a"][1] == pytest.approx(other.state[0], abs=1e-12)
    assert x["b"][1] == pytest.approx(-1.5 * x["a"][1], abs=1e-12)


def test_a_bushing_between_two_motions_is_a_spring():
    a, b = led("a", 1.0, 20.0, x0=0.1), led("b", 2.0, x0=0.1)
    tie = Tie("j", (ref("a.end"), ref("b.end")), ("x",))
    K = np.array([[20.0 + 30.0, -30.0], [-30.0, 30.0]]) / [[1.0], [2.0]]
    squares, modes = np.linalg.eig(K)
    shares = np.linalg.solve(modes, [0.1, 0.1])

    def make():
        return coupled(xx(), a, b, ties=[Bushing(tie, (30.0,), (0.0,))])

    def exact(t):
        return np.cos(np.outer(t, np.sqrt(squares))) @ (modes[0] * shares)

    assert order(make, exact) == pytest.approx(2.0, abs=0.1)


def test_a_state_goes_through_bytes_without_losing_a_bit():
    model = pair()
    _, step = run(model, 0.05, 7)
    again = model.load(model.dump(step.state))
    w = Window(0.35, 0.4)
    one, two = (model.advance(s, w, {}).state for s in (step.state, again))
    assert model.dump(one) == model.dump(two)


def test_the_order_of_parts_does_not_change_a_bit():
    (a, b, c), ties = cut_in_three(X, X, X, X)
    models = coupled(xx(), a, b, c, ties=ties), coupled(xx(), c, a, b, ties=ties)
    one, two = (run(m, 0.01, 30)[1].state for m in models)
    for n in "abc":
        assert one.parts[n].tobytes() == two.parts[n].tobytes()


@given(st.integers(1, 5), st.integers(2, 8), st.data())
def test_shared_motions_open_no_gap(rows, columns, data):
    entries = st.integers(-3, 3).map(float)
    B = data.draw(hnp.arrays(float, (rows, columns), elements=entries))
    T, free = null_space(B)
    assert T.shape == (columns, columns - np.linalg.matrix_rank(B))
    assert np.abs(B @ T).max(initial=0.0) < 1e-9
    assert np.array_equal(T[free], np.eye(len(free)))


def test_the_tolerance_is_relative_to_the_efforts():
    """A million times the forces, the same iterations and the same digits."""
    small, large = (
        coupled(
            xx(), led("a", s, 40.0 * s, x0=0.1), led("b", 2.0 * s, 20.0 * s, x0=0.1),
            solver=Newton(tolerance=1e-12),
        )
        for s in (1.0, 2.0**20)
    )  # fmt: skip
    assert run(small, 0.05, 20)[0].tobytes() == run(large, 0.05, 20)[0].tobytes()
