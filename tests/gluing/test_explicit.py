"""One pass a window, and the choice of a coupling."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from bondline.core import Capabilities, Rejected, Situation, Window, ref
from bondline.errors import NonFinite, SettingError, SingularInterface
from bondline.gluing import TT, Newton, Tie, scheme
from bondline.gluing.couplings.choose import choose_coupling
from bondline.gluing.couplings.motion_schemes import force_scheme
from bondline.gluing.couplings.one_pass import ONE_PASS, OnePassTT
from bondline.gluing.couplings.xt import XT
from bondline.gluing.couplings.xx import XX
from bondline.gluing.solvers.one_pass import OnePass
from tests.gluing.driven import (
    T,
    X,
    coupled,
    cut_in_two,
    led,
    order,
    pushed,
    row,
    run,
)
from tests.gluing.wrapped import Once

OMEGA = np.sqrt(60.0 / 3.0)


def leader_and_follower(name, ratio, kick=0.0, once=True):
    """1 kg leads `ratio` kg; the spring is too soft to matter but for `kick`."""
    parts = pushed("a", 1.0, 1.0, x0=kick), led("b", ratio, x0=kick)
    wrapped = [Once(p) if once else p for p in parts]
    return coupled(XT(force_scheme(name)), *wrapped, solver=OnePass())


def forces(model, h=0.01, windows=200):
    step, found = model.start(0.0), []
    for n in range(windows):
        step = model.advance(step.state, Window(h * n, h * (n + 1)), {})
        found.append(model.reactions(step.state)["joint.j"].coefficients.sum())
    return np.array(found)


def growth(name, ratio):
    """How an error in the force multiplies over a window."""
    model = leader_and_follower(name, ratio, kick=0.1)
    start = model.start(0.0)
    off = start.state.history._replace(asked=start.state.history.asked + 1.0)
    step, found = replace(start.state, history=off), []
    for n in range(60):
        step = model.advance(step, Window(0.01 * n, 0.01 * (n + 1)), {}).state
        found.append(step.history.asked[0])
    jumps = np.abs(np.diff(found))
    return (jumps[-1] / jumps[-31]) ** (1 / 30)


@pytest.mark.parametrize(
    ("name", "ratio", "rate"),
    [
        ("hold/explicit", 1.05, 1.05),
        ("hold/explicit", 0.95, 0.95),
        ("linear/explicit", 0.34, 1.015),
        ("linear/explicit", 0.32, 0.97),
    ],
)
def test_errors_grow_and_decay_as_theory_says(name, ratio, rate):
    """Hold: −μ. Line: λ² + 2μλ − μ = 0; both pass −1 at their limit."""
    if name == "linear/explicit":
        assert rate == pytest.approx(ratio + np.sqrt(ratio**2 + ratio), abs=5e-3)
    assert growth(name, ratio) == pytest.approx(rate, abs=5e-3)


@pytest.mark.parametrize("name", ["hold/explicit", "linear/explicit"])
def test_an_unstable_ratio_is_warned_of(name):
    limit = force_scheme(name).limit

    def warnings(ratio):
        model = leader_and_follower(name, ratio)
        state = model.start(0.0).state
        here = Situation(state.parts, state.motions, {})
        problem = model.coupling.problem(
            model.assembly, here, Window(0.0, 0.01), state.history
        )
        found = model.solver.solve(problem, np.zeros(1), model.solver.start())
        return found.warnings

    assert warnings(0.98 * limit) == ()
    (said,) = warnings(1.02 * limit)
    assert f"{1.02 * limit:.3g} times" in said
    assert "unstable" in said
    assert "newmark/f" in said


@pytest.mark.parametrize("once", [True, False])
def test_divergence_ends_in_a_number_that_is_not_finite(once):
    """Where parts can repeat a window, iterating is what to try."""
    model = leader_and_follower("linear/explicit", 1e3, kick=0.1, once=once)
    step, n = model.start(0.0), 0
    with np.errstate(all="ignore"):
        while not isinstance(step, Rejected) and n < 500:
            step = model.advance(step.state, Window(0.01 * n, 0.01 * (n + 1)), {})
            n += 1
    assert isinstance(step, Rejected)
    assert isinstance(step.error, NonFinite)
    assert "not finite" in step.error.finding
    assert "Shorten the window" in step.error.remedy
    assert ("--scheme newton" in step.error.remedy) is not once


@pytest.mark.parametrize(
    ("name", "expected"), [("hold/explicit", 1.0), ("linear/explicit", 2.0)]
)
def test_one_pass_of_x_t_has_its_order(name, expected):
    def make():
        parts = pushed("a", 10.0, 40.0, x0=0.1), led("b", 1.0, 20.0, x0=0.1)
        return coupled(XT(force_scheme(name)), *map(Once, parts), solver=OnePass())

    def exact(t):
        return 0.1 * np.cos(np.sqrt(60.0 / 11.0) * t)

    assert order(make, exact) == pytest.approx(expected, abs=0.1)


def test_windows_of_any_length_continue_the_line():
    """Twice the window, twice the change: a line stays a line."""
    rule = force_scheme("linear/explicit")
    now, before = np.array([3.0]), np.array([2.0])
    assert rule.ahead(now, before, 2.0) == pytest.approx([5.0])


def one_pass(name, k=(40.0, 20.0), solver=None):
    parts = pushed("a", 1.0, k[0], x0=0.1), pushed("b", 2.0, k[1], x0=0.1)
    return coupled(
        OnePassTT(TT(scheme(name))), *map(Once, parts), solver=solver or OnePass()
    )


@pytest.mark.parametrize("name", [n for n in ONE_PASS if n != "newmark/a,v,u"])
def test_one_pass_of_t_t_has_order_3(name):
    def exact(t):
        return 0.1 * np.cos(OMEGA * t)

    found = order(lambda: one_pass(name), exact, windows=(100, 200))
    assert found == pytest.approx(3.0, abs=0.1)


@pytest.mark.parametrize("name", ONE_PASS)
def test_one_pass_of_t_t_holds_rigid_masses_exactly(name):
    """Nothing changes in time, so the forecast is exact: gaps stay round-off."""
    if name == "newmark/a,v,u":
        a = row("a", [1.0], [], {"end": (0, T)}, [0.1])
        b = row("b", [3.0], [], {"end": (0, T)}, [0.1])
    else:
        a, b = pushed("a", 1.0, x0=0.1, v0=0.3), pushed("b", 3.0, x0=0.1, v0=0.3)
    model = coupled(OnePassTT(TT(scheme(name))), Once(a), Once(b), solver=OnePass())
    _, step = run(model, 0.05, 100)
    assert step.stats["gap"] < 1e-12


def test_a_one_step_row_in_one_pass_follows_the_whole():
    parts, ties = cut_in_two(T, T)
    model = coupled(
        OnePassTT(TT(scheme("newmark/a,v,u"))), *map(Once, parts), ties=ties,
        solver=OnePass(),
    )  # fmt: skip
    iterated = coupled(TT(scheme("newmark/a,v,u")), *parts, ties=ties)
    one, two = run(model, 1e-3, 300)[0], run(iterated, 1e-3, 300)[0]
    assert one == pytest.approx(two, abs=2e-4)


def test_the_slope_is_probed_once_from_fresh_starts():
    model = one_pass("linear-discontinuous/e,v")
    step, builds = model.start(0.0), []
    for n in range(5):
        step = model.advance(step.state, Window(0.01 * n, 0.01 * (n + 1)), {})
        builds.append(step.stats["builds"])
        assert step.stats["iterations"] == 0
    assert sum(builds) == 1


def test_another_window_is_probed_anew():
    model = one_pass("linear-discontinuous/e,v", solver=OnePass())
    step = model.advance(model.start(0.0).state, Window(0.0, 0.01), {})
    step = model.advance(step.state, Window(0.01, 0.03), {})
    assert step.stats["builds"] == 1
    every = one_pass("linear-discontinuous/e,v", solver=OnePass(refresh="window"))
    step = every.advance(every.start(0.0).state, Window(0.0, 0.01), {})
    assert every.advance(step.state, Window(0.01, 0.02), {}).stats["builds"] == 1


@pytest.mark.parametrize("name", ["linear/explicit", "linear-discontinuous/e,v"])
def test_a_state_goes_through_bytes_without_losing_a_bit(name):
    make = {"linear/explicit": lambda: leader_and_follower(name, 0.2, 0.1)}
    model = make.get(name, lambda: one_pass(name))()
    _, step = run(model, 0.05, 7)
    data = model.dump(step.state)
    w = Window(0.35, 0.4)
    one, two = (model.advance(model.load(data), w, {}).state for _ in range(2))
    assert model.dump(one) == model.dump(two)
    assert model.dump(model.load(data)) == data


def refused(make, kind=SettingError):
    with pytest.raises(kind) as caught:
        make()
    return caught.value


def test_a_saw_tooth_is_refused_in_one_pass():
    error = refused(lambda: one_pass("constant/e"))
    assert error.place == "pair: scheme constant/e"
    assert "saw-tooth" in error.finding
    assert "linear-discontinuous/e,v" in error.remedy


def test_a_part_without_accelerations_is_refused_in_one_pass():
    quiet = Capabilities(linear=True, acceleration=False)
    parts = pushed("a", 1.0), pushed("b", 1.0, capabilities=quiet)
    coupling = OnePassTT(TT(scheme("linear-discontinuous/e,v")))
    error = refused(lambda: coupled(coupling, *parts))
    assert error.place == "pair: T-T coupling in one pass"
    assert "b gives no accelerations" in error.finding
    assert "repeat a window" in error.remedy


def test_an_iterated_scheme_is_refused_in_one_pass():
    parts = pushed("a", 1.0, x0=0.1), led("b", 1.0, x0=0.1)
    model = coupled(XT(force_scheme("newmark/f")), *parts, solver=OnePass())
    state = model.start(0.0).state
    error = refused(lambda: model.advance(state, Window(0.0, 0.1), {}))
    assert error.place == "X-T coupling, scheme newmark/f"
    assert "must be iterated" in error.finding
    assert "linear/explicit" in error.remedy


def test_an_unknown_refresh_is_refused():
    error = refused(lambda: OnePass(refresh="never"))
    assert error.place == "refresh"
    assert "never" in error.finding
    assert "start, window" in error.remedy


def test_forces_that_move_nothing_are_named():
    stuck = [replace(p, B=0.0 * p.B, D=0.0 * p.D) for p in FORCES.values()]
    coupling = OnePassTT(TT(scheme("linear-discontinuous/e,v")))
    model = coupled(coupling, *stuck, solver=OnePass(), halvings=0)
    state = model.start(0.0).state
    apart = replace(state.motions[ref("a.end")], x=np.ones(1))
    state = replace(state, motions={**state.motions, ref("a.end"): apart})
    done = model.advance(state, Window(0.0, 0.1), {})
    assert isinstance(done, Rejected)
    assert isinstance(done.error, SingularInterface)
    assert "j.Fx" in done.error.finding


FORCES = {"a": pushed("a", 1.0), "b": pushed("b", 1.0)}
MOTIONS = {"a": led("a", 1.0), "b": led("b", 1.0)}
BOTH = {"a": pushed("a", 1.0), "b": led("b", 1.0)}
TIE = [Tie("j", (ref("a.end"), ref("b.end")), ("x",))]


@pytest.mark.parametrize(
    ("parts", "kind", "name", "said"),
    [
        (FORCES, TT, "constant/e", "every port takes force"),
        (MOTIONS, XX, "newmark/f", "every port takes motion"),
        (BOTH, XT, "newmark/f", "b.end take motion"),
    ],
)
def test_ports_decide_the_coupling(parts, kind, name, said):
    coupling, solver, why = choose_coupling(parts, TIE)
    assert isinstance(coupling, kind)
    assert coupling.scheme.name == name
    assert solver == "newton"
    assert said in why
    assert coupled(coupling, *parts.values(), ties=TIE, solver=Newton())


@pytest.mark.parametrize(
    ("parts", "kind", "name"),
    [
        (FORCES, OnePassTT, "quadratic-discontinuous/e,v,a"),
        (BOTH, XT, "linear/explicit"),
    ],
)
def test_parts_that_cannot_repeat_are_coupled_in_one_pass(parts, kind, name):
    once = {**parts, "b": Once(parts["b"])}
    coupling, solver, why = choose_coupling(once, TIE)
    assert isinstance(coupling, kind)
    assert solver == "one-pass"
    assert f"b cannot repeat a window, so {name} goes in one pass" in why
    assert coupled(coupling, *once.values(), ties=TIE, solver=OnePass())


def test_one_step_parts_get_their_own_scheme_in_one_pass():
    (a, b), ties = cut_in_two(T, T)
    chosen = choose_coupling({"a": Once(a), "b": b}, ties)
    assert chosen.coupling.inner.scheme.name == "newmark/a,v,u"


def test_motion_on_all_sides_cannot_go_in_one_pass():
    error = refused(lambda: choose_coupling({**MOTIONS, "b": Once(MOTIONS["b"])}, TIE))
    assert error.place == "coupling"
    assert "b cannot repeat" in error.finding
    assert "Checkpointed" in error.remedy


def test_a_coupling_that_the_ports_do_not_allow_is_refused():
    error = refused(lambda: choose_coupling(FORCES, TIE, "X-X"))
    assert error.place == "coupling"
    assert "X-X is not possible: every port takes force" in error.finding
    assert error.remedy == "Use T-T, or auto."


def test_an_unknown_coupling_is_answered_with_the_nearest():
    error = refused(lambda: choose_coupling(FORCES, TIE, "T-X"))
    assert "no coupling 'T-X'" in error.finding
    assert "Known" in error.remedy


def test_joints_of_two_kinds_are_sent_to_a_nested_model():
    parts = {**FORCES, "c": led("c", 1.0), "d": led("d", 1.0)}
    ties = [*TIE, Tie("k", (ref("c.end"), ref("d.end")), ("x",))]
    error = refused(lambda: choose_coupling(parts, ties))
    assert error.place == "coupling"
    assert "joint j needs T-T coupling, joint k X-X" in error.finding
    assert "nested" in error.remedy


def test_a_wanted_scheme_is_taken():
    chosen = choose_coupling(MOTIONS, TIE, "X-X", scheme="cubic/f")
    assert chosen.coupling.scheme.name == "cubic/f"


def test_one_motion_driven_port_is_enough_for_x_t():
    sides = {n: (T, X)[n == "b"] for n in "ab"}
    parts = {n: row(n, [1.0], [], {"end": (0, s)}, [0.0]) for n, s in sides.items()}
    assert isinstance(choose_coupling(parts, TIE).coupling, XT)
