"""X-T coupling: leaders under force, followers along their motion."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from bondline.core import Capabilities, Port, Rejected, Signal, Window, ref
from bondline.errors import CouplingDiverged, SettingError
from bondline.gluing import (
    IQNILS,
    Aitken,
    Bushing,
    Iterated,
    Newton,
    Relaxation,
    Stop,
    Tie,
)
from bondline.gluing.couplings.motion_schemes import FORCE_SCHEMES, force_scheme
from bondline.gluing.couplings.xt import XT
from tests.gluing.driven import (
    Exact,
    T,
    X,
    all_at_once,
    between,
    coupled,
    cut_in_three,
    cut_in_two,
    in_parts,
    led,
    led_pair,
    order,
    pushed,
    row,
    run,
)
from tests.gluing.wrapped import Once

OMEGA = np.sqrt((40.0 + 20.0) / (1.0 + 2.0))


def xt(name="newmark/f"):
    return XT(force_scheme(name))


def pair(name="newmark/f", ratio=2.0, **more):
    """A leader of 1 kg, a follower `ratio` times as heavy; together ω = OMEGA."""
    k = OMEGA**2 * (1.0 + ratio)
    parts = pushed("a", 1.0, 0.75 * k, x0=0.1), led("b", ratio, 0.25 * k, x0=0.1)
    return coupled(xt(name), *parts, **more)


def cosine(t):
    return 0.1 * np.cos(OMEGA * t)


@pytest.mark.parametrize("name", ["newmark/f", "linear/f"])
def test_two_masses_converge_with_order_2(name):
    assert order(lambda: pair(name), cosine) == pytest.approx(2.0, abs=0.1)


@pytest.mark.parametrize("name", ["newmark/f", "linear/f"])
def test_a_mass_that_no_port_shows_converges_with_order_2(name):
    omega = np.sqrt(90.0 * (1 / 3.0 + 1 / 3.0))

    def make():
        follower = led_pair("b", (2.0, 3.0), 90.0, x0=0.1, y0=-0.1)
        return coupled(xt(name), pushed("a", 1.0, x0=0.1), follower)

    found = order(make, lambda t: 0.1 * np.cos(omega * t))
    assert found == pytest.approx(2.0, abs=0.1)


def test_a_follower_without_inertia_is_a_spring():
    def make():
        return coupled(xt(), pushed("a", 3.0, x0=0.1), led("b", 0.0, 60.0, x0=0.1))

    assert order(make, cosine) == pytest.approx(2.0, abs=0.1)


def silent(name="linear/f"):
    slow = replace(
        pushed("a", 1.0, 40.0, x0=0.1),
        capabilities=Capabilities(linear=True, acceleration=False),
    )
    return coupled(xt(name), Silent(slow), led("b", 2.0, 20.0, x0=0.1))


def test_leaders_without_accelerations_lead_along_a_cubic():
    found = order(silent, cosine, windows=(160, 320))
    assert found == pytest.approx(2.0, abs=0.1)


def test_leaders_without_accelerations_refuse_a_force_along_a_cubic():
    error = refused(lambda: silent("newmark/f"), "pair: scheme newmark/f")
    assert "a.end leads and gives no accelerations" in error.finding
    assert error.remedy == "Use linear/f."


class Silent:
    """A part that does not tell its accelerations."""

    def __init__(self, inner: Exact):
        self._inner, self.name = inner, inner.name
        self.ports, self.parameters = inner.ports, inner.parameters
        self.capabilities = inner.capabilities

    def _quiet(self, done):
        shown = {n: replace(m, a=None) for n, m in done.outputs.items()}
        return replace(done, outputs=shown)

    def start(self, t0):
        return self._quiet(self._inner.start(t0))

    def advance(self, state, window, inputs):
        return self._quiet(self._inner.advance(state, window, inputs))


CUTS = {
    "a leads b": cut_in_two(T, X),
    "b leads a": cut_in_two(X, T),
    "a leads b leads c": cut_in_three(T, X, T, X),
    "c leads b leads a": cut_in_three(X, T, X, T),
    "b leads both": cut_in_three(X, T, T, X),
    "b follows both": cut_in_three(T, X, X, T),
}


@pytest.mark.quick(3)
@pytest.mark.parametrize("cut", CUTS.values(), ids=CUTS)
def test_one_step_parts_are_the_whole_structure(cut):
    found, counts = in_parts(xt(), *cut)
    whole = all_at_once()
    assert np.abs(found - whole).max() < 1e-12 * np.abs(whole).max()
    assert counts == {1}


@pytest.mark.parametrize("ratio", [1e-3, 1e-1, 1.0, 1e1, 1e3])
def test_newton_needs_one_update_whatever_the_inertias(ratio):
    model = pair(ratio=ratio)
    step = model.start(0.0)
    for n in range(20):
        step = model.advance(step.state, Window(0.05 * n, 0.05 * (n + 1)), {})
        assert step.stats["iterations"] == 1
        assert step.stats["residual"] < 1e-10


PLAIN = Iterated(Relaxation(factor=1.0, scale=1.0))


@pytest.mark.parametrize("ratio", [0.1, 0.5, 0.8])
def test_the_fixed_point_contracts_by_the_ratio_of_inertias(ratio):
    solver = replace(PLAIN, stop=Stop(max_iterations=400))
    step = run(pair(ratio=ratio, solver=solver), 0.001, 10)[1]
    sweeps = step.stats["iterations"]
    expected = np.log(1e-10) / np.log(ratio)
    assert 0.2 * expected < sweeps < 1.5 * expected


def test_the_fixed_point_diverges_above_one_and_says_so():
    model = pair(ratio=1.2, solver=PLAIN, halvings=0)
    state = model.start(0.0).state
    found = Window(0.0, 0.05)
    done = model.advance(state, found, {})
    assert isinstance(done, Rejected)
    error = done.error
    assert isinstance(error, CouplingDiverged)
    assert error.place == "pair, window from t = 0 to 0.05 s"
    assert "no convergence at j.Fx" in error.finding
    assert "contraction 1.2" in error.finding
    assert "It grows" in error.remedy


@pytest.mark.parametrize("solver", [Iterated(Aitken()), Iterated(IQNILS()), Newton()])
def test_other_solvers_find_the_same(solver):
    one, two = pair(ratio=5.0, solver=solver), pair(ratio=5.0)
    assert run(one, 0.05, 20)[0] == pytest.approx(run(two, 0.05, 20)[0], abs=1e-9)


def test_one_leader_moves_two_followers():
    parts = led("b", 1.5, 12.0, x0=0.1), led("c", 0.5, 8.0, x0=0.1)
    model = coupled(xt(), pushed("a", 1.0, 40.0, x0=0.1), *parts)
    ties = (ref("b.end"), ref("a.end"), ref("c.end"))
    turned = coupled(
        xt(), pushed("a", 1.0, 40.0, x0=0.1), *parts, ties=[Tie("j", ties, ("x",))]
    )
    both = coupled(xt(), pushed("a", 1.0, 40.0, x0=0.1), led("b", 2.0, 20.0, x0=0.1))
    whole = run(both, 0.05, 40)[0]
    assert run(model, 0.05, 40)[0] == pytest.approx(whole, abs=1e-12)
    assert run(turned, 0.05, 40)[0] == pytest.approx(whole, abs=1e-12)


def test_probes_and_the_parts_own_slopes_agree():
    """A part in the middle follows and leads: the slope goes through it."""

    def model():
        ties = [
            Tie("j", (ref("a.end"), ref("b.left")), ("x",)),
            Tie("k", (ref("b.right"), ref("c.end")), ("x",)),
        ]
        a, c = pushed("a", 1.0, 40.0, x0=0.1), led("c", 2.0, 10.0, x0=0.1)
        return coupled(xt(), a, between("b", 1.0, 50.0, 1.0, x0=0.1), c, ties=ties)

    M = np.diag([2.0, 3.0])
    K = np.array([[40.0 + 50.0, -50.0], [-50.0, 50.0 + 10.0]])
    squares, modes = np.linalg.eig(np.linalg.solve(M, K))
    shares = np.linalg.solve(modes, [0.1, 0.1])

    def exact(t):
        return np.cos(np.outer(t, np.sqrt(squares))) @ (modes[0] * shares)

    assert order(model, exact) == pytest.approx(2.0, abs=0.1)
    assert run(model(), 0.05, 10)[1].stats["iterations"] == 1


def test_loads_from_outside_reach_a_glued_leader():
    model = coupled(
        xt(), pushed("a", 1.0), led("b", 2.0), exports={"out": ref("a.end")}
    )
    push = {"out": Signal.hold(np.array([6.0]))}
    state = model.press(model.start(0.0).state, 0.0, {"out": np.array([6.0])}).state
    done = model.advance(state, Window(0.0, 1.0), push)
    assert done.outputs["out"].x == pytest.approx([0.5 * 6.0 / 3.0])


def test_a_state_goes_through_bytes_without_losing_a_bit():
    for name in FORCE_SCHEMES:
        model = pair(name)
        _, step = run(model, 0.05, 7)
        again = model.load(model.dump(step.state))
        w = Window(0.35, 0.4)
        one, two = (model.advance(s, w, {}).state for s in (step.state, again))
        assert model.dump(one) == model.dump(two)


def test_the_order_of_parts_does_not_change_a_bit():
    (a, b, c), ties = CUTS["a leads b leads c"]
    models = coupled(xt(), a, b, c, ties=ties), coupled(xt(), c, a, b, ties=ties)
    one, two = (run(m, 0.01, 30)[1].state for m in models)
    for n in "abc":
        assert one.parts[n].tobytes() == two.parts[n].tobytes()


def refused(make, place="pair: X-T coupling"):
    with pytest.raises(SettingError) as caught:
        make()
    assert caught.value.place == place
    return caught.value


def test_a_circle_is_refused_by_name():
    parts = [between(n, 1.0, 10.0, 1.0) for n in "abc"]
    ties = [
        Tie(f"j{m}{n}", (ref(f"{m}.right"), ref(f"{n}.left")), ("x",))
        for m, n in ("ab", "bc", "ca")
    ]
    error = refused(lambda: coupled(xt(), *parts, ties=ties))
    assert "a follows c follows b follows a" in error.finding
    assert "Turn one of these joints round" in error.remedy


def test_a_joint_without_a_leader_is_refused():
    error = refused(lambda: coupled(xt(), led("a", 1.0), led("b", 1.0)))
    assert "all ends of joint j take motion" in error.finding
    assert "X-X" in error.remedy


def test_a_joint_without_a_follower_is_refused():
    error = refused(lambda: coupled(xt(), pushed("a", 1.0), pushed("b", 1.0)))
    assert "all ends of joint j take force" in error.finding
    assert "T-T" in error.remedy


def test_leaders_that_must_agree_are_refused():
    parts = pushed("a", 1.0), pushed("b", 1.0), led("c", 1.0)
    error = refused(lambda: coupled(xt(), *parts))
    assert "leaders that must agree" in error.finding
    assert "nested" in error.remedy


def test_followers_that_are_not_led_are_refused():
    a = row("a", [1.0, 1.0], [10.0], {}, [0.0, 0.0])
    a = replace(a, select={"end": [0, 1]}, ports={"end": Port("end", ("x", "y"))})
    port = Port("end", ("x", "y"), causality=X)
    b = replace(a, name="b", ports={"end": port})
    ends = (ref("a.end"), ref("b.end"))
    tie = Tie.of("j", ends, [a.ports["end"], port], ("x",))
    error = refused(lambda: coupled(xt(), a, b, ties=[tie]))
    assert "leaves 1 dofs of its followers undetermined" in error.finding
    assert "X-X" in error.remedy


def test_a_follower_of_two_joints_is_refused():
    ties = [
        Tie("j", (ref("a.end"), ref("c.end")), ("x",)),
        Tie("k", (ref("b.end"), ref("c.end")), ("x",)),
    ]
    parts = pushed("a", 1.0), pushed("b", 1.0), led("c", 1.0)
    error = refused(lambda: coupled(xt(), *parts, ties=ties))
    assert "c.end is told its motion by joints j and k" in error.finding
    assert "one joint" in error.remedy


def test_a_joint_that_gives_way_is_refused():
    tie = Tie("j", (ref("a.end"), ref("b.end")), ("x",))
    soft = [Bushing(tie, (10.0,), (0.0,))]
    parts = pushed("a", 1.0), led("b", 1.0)
    error = refused(lambda: coupled(xt(), *parts, ties=soft))
    assert "joint j gives way" in error.finding
    assert "a part of its own" in error.remedy


def test_a_one_step_follower_needs_a_one_step_leader():
    b = row("b", [1.0], [], {"end": (0, X)}, [0.0])
    error = refused(lambda: coupled(xt(), pushed("a", 1.0), b))
    assert "b.end takes one Newmark step" in error.finding
    assert "the one-step part leads" in error.remedy


def test_a_one_step_leader_leads_anybody_with_order_2():
    def make():
        a = row("a", [1.0], [], {"end": (0, T)}, [0.1], wall=40.0)
        a = replace(a, system=a.system._replace(C=0.0 * a.system.C))
        return coupled(xt(), a, led("b", 2.0, 20.0, x0=0.1))

    assert order(make, cosine) == pytest.approx(2.0, abs=0.1)


def test_a_part_that_cannot_repeat_is_refused():
    parts = pushed("a", 1.0), Once(led("b", 1.0))
    error = refused(lambda: coupled(xt(), *parts), "pair: scheme newmark/f")
    assert "b cannot repeat" in error.finding
    assert "linear/explicit" in error.remedy


@pytest.mark.parametrize("name", ["constant/f", "quadratic/explicit"])
def test_refused_schemes_say_why(name):
    error = refused(lambda: force_scheme(name), "scheme")
    assert f"{name} is refused" in error.finding
    assert "newmark/f" in error.remedy
