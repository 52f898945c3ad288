"""Every way an assembly can be wrong names the place, the finding and the remedy."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from bondline.core import Capabilities, Causality, Port, Rejected, SignalPort, Window
from bondline.errors import (
    CouplingDiverged,
    LeafFailed,
    NonFinite,
    NotAllowed,
    SettingError,
    SingularInterface,
    StartGap,
    WiringError,
)
from bondline.gluing import (
    REFUSED,
    SCHEMES,
    TT,
    IntegratedModel,
    Newton,
    Pace,
    Probe,
    scheme,
)
from bondline.gluing import glue as short
from bondline.leaves import PinnedBar, chain
from bondline.run import simulate
from tests.gluing.parts import Odd, glue, mass, tie

W = Window(0.0, 0.1)


def raised(error, make):
    with pytest.raises(error) as caught:
        make()
    return caught.value


def still(window, force):
    return [0.0, 0.0, 0.0]


@pytest.mark.parametrize(
    ("ties", "place", "finding", "remedy"),
    [
        ([tie("a.end", "b.ned")], "joint j", "b.ned, which does not", "'b.end'"),
        ([tie("a.end", "c.end")], "joint j", "c.end, which does not", "a.end, b.end"),
        ([tie("a.end")], "joint j", "its ends are a.end", "two or more"),
        ([tie("a.end", "a.end")], "joint j", "a.end, a.end", "different ports"),
        ([tie("a.end", "b.end")] * 2, "joint j", "name is taken", "another name"),
        (
            [tie("a.end", "b.end", dofs=("x", "y"))],
            "joint j",
            "ties 2 dofs of ports that have 1 (x)",
            "all 1 of them",
        ),
    ],
)
def test_wiring(ties, place, finding, remedy):
    error = raised(WiringError, lambda: glue(mass("a"), mass("b"), ties=ties))
    assert place in error.place
    assert finding in error.finding
    assert remedy in error.remedy


def test_exports_must_exist():
    a, b = mass("a"), mass("b")
    target = tie("a.x", "b.end").ends[0]
    error = raised(WiringError, lambda: glue(a, b, exports={"out": target}))
    assert "export out" in error.place


def test_dofs_must_agree():
    planar = Odd("b", still, Port("end", ("x", "y")))
    error = raised(WiringError, lambda: glue(mass("a"), planar))
    assert "a.end has 1 (x), b.end has 2 (x y)" in error.finding
    assert "same dofs" in error.remedy


def test_tt_needs_ports_that_take_force():
    driven = Odd("b", still, Port("end", ("x",), causality=Causality.MOTION_IN))
    error = raised(SettingError, lambda: glue(mass("a"), driven))
    assert "b.end takes motion" in error.finding
    assert "on every side" in error.remedy


def test_signals_are_not_joined():
    sensor = Odd("b", still, SignalPort("end", "rad", incoming=False))
    error = raised(WiringError, lambda: glue(mass("a"), sensor))
    assert "b.end is a signal" in error.finding


@pytest.mark.parametrize("name", REFUSED)
def test_unstable_pairs_are_refused_with_the_reason(name):
    error = raised(SettingError, lambda: scheme(name))
    assert REFUSED[name] in error.finding
    assert all(good in error.remedy for good in SCHEMES)


def test_unknown_schemes_get_the_nearest():
    error = raised(SettingError, lambda: scheme("constant"))
    assert "no scheme 'constant'" in error.finding
    assert "'constant/e'" in error.remedy


def test_unknown_policies_get_the_nearest():
    error = raised(SettingError, lambda: Newton(refresh="windows"))
    assert error.place == "refresh"
    assert "'window'" in error.remedy


@pytest.mark.parametrize(
    ("left", "right", "name", "finding"),
    [
        (mass("a"), chain("b"), "newmark/a,v,u", "a follows the force inside"),
        (mass("a"), chain("b"), "constant/e", "b takes one Newmark step"),
        (
            mass("a"),
            Odd("b", still, capabilities=Capabilities(acceleration=False)),
            "quadratic-discontinuous/e,v,a",
            "b does not give any",
        ),
    ],
)
def test_the_scheme_must_suit_the_parts(left, right, name, finding):
    ends = [f"{p.name}.{next(iter(p.ports))}" for p in (left, right)]
    error = raised(
        SettingError, lambda: glue(left, right, ties=[tie(*ends)], name=name)
    )
    assert f"scheme {name}" in error.place
    assert finding in error.finding
    assert error.remedy.startswith("Use ")


@pytest.mark.parametrize(
    ("a", "finding"),
    [
        (
            mass("a", x0=0.25),
            "positions of a.end and b.end differ at the start: x by 0.25 m",
        ),
        (
            mass("a", v0=-2.0),
            "velocities of a.end and b.end differ at the start: x by -2 m/s",
        ),
    ],
)
def test_a_gap_at_the_start_is_named(a, finding):
    error = raised(StartGap, lambda: glue(a, mass("b")).start(0.0))
    assert error.place == "pair: joint j"
    assert finding in error.finding
    assert "Start the parts where they meet" in error.remedy


def test_a_gap_between_three_names_its_direction():
    error = raised(
        StartGap, lambda: glue(mass("a"), mass("b", x0=1.0), mass("c")).start(0.0)
    )
    assert "x by 1 m" in error.finding


def test_a_joint_between_immovable_parts_is_singular():
    model = glue(Odd("a", still), Odd("b", still), halvings=0)
    error = raised(SingularInterface, lambda: simulate(model, 0.1, 0.1))
    assert error.place == "pair, window from t = 0 to 0.1 s"
    assert "j.Fx" in error.finding
    assert "Remove a joint" in error.remedy


def test_a_probe_that_blows_up_is_traced_to_its_force():
    def fragile(window, force):
        return [np.inf if force[0] else 0.0, 0.0, 0.0]

    model = glue(mass("a"), Odd("b", fragile), halvings=0)
    error = raised(NonFinite, lambda: simulate(model, 0.1, 0.1))
    assert error.place == "pair, window from t = 0 to 0.1 s"
    assert "j.Fx" in error.finding
    assert "--step" in error.remedy


def test_numbers_that_overflow_are_the_parts_failure_not_ours():
    bar = PinnedBar("upper", torque=1e300)
    model = IntegratedModel(
        "p", {"upper": bar}, [], TT(scheme("constant/e")), Newton(), halvings=0
    )
    error = raised(LeafFailed, lambda: simulate(model, 0.1, 0.1))
    assert "p.upper" in error.place
    assert "gave up" in error.finding
    assert "--step" in error.remedy


def test_a_number_that_is_not_finite_is_traced_to_its_part():
    model = glue(mass("a"), Odd("b", lambda w, f: [np.nan, 0.0, 0.0]), halvings=0)
    error = raised(NonFinite, lambda: simulate(model, 0.1, 0.1))
    assert error.place == "b, window to t = 0.1 s"
    assert "port end" in error.finding
    assert "--step" in error.remedy


def strict(answer):
    """A part whose owner grants windows of 0.1 s."""

    def advance(window, force):
        if window.h < 0.09:
            raise NotAllowed("b (partner x:1)", "windows of 0.05 s are no.", "Ask.")
        return answer(force) if callable(answer) else answer

    return advance


def wild(force):
    return [1.0 + np.sin(1e9 * force[0]), 0.0, 0.0]


@pytest.mark.parametrize(
    ("answer", "kind", "place"),
    [
        ([np.nan, 0.0, 0.0], NonFinite, "b, window to t = 0.1 s"),
        (Rejected("b", "it broke"), LeafFailed, "b, window from t = 0 to 0.1 s"),
        (
            Rejected("b", "no", None, NonFinite("b (partner x:1)", "inf.", "Ask.")),
            NonFinite,
            "b (partner x:1), window from t = 0 to 0.1 s",
        ),
        (wild, CouplingDiverged, "pair, window from t = 0 to 0.1 s"),
    ],
)
@pytest.mark.parametrize("pace", [None, Pace(1e-3)])
def test_the_first_trouble_is_told_where_shorter_windows_are_refused(
    answer, kind, place, pace
):
    model = glue(mass("a"), Odd("b", strict(answer)), pace=pace)
    no = model.advance(model.start(0).state, W, {})
    assert isinstance(no.error, kind)
    assert place in no.error.place
    assert "refused by b (partner x:1): windows of 0.05 s are no." in no.error.remedy
    assert isinstance(no.error.__cause__, NotAllowed)


def test_a_part_may_reject_a_window():
    no = Rejected("b", "contact chattered", 0.05)
    model = glue(mass("a"), Odd("b", lambda w, f: no))
    done = model.advance(model.start(0).state, W, {})
    assert replace(done, solves=0) == Rejected("pair.b", "contact chattered", 0.05)
    assert done.solves >= 2  # of both parts, in vain


def test_a_part_that_cannot_repeat_a_window_is_refused():
    once = Odd("b", still, capabilities=Capabilities(repeatable=False))
    error = raised(SettingError, lambda: glue(mass("a"), once))
    assert "b cannot repeat one" in error.finding
    assert "Checkpointed" in error.remedy


def jumpy(window, force):
    """A response that no slope describes."""
    return [np.sign(force[0] - 0.3) + 0.1 * force[0], 0.0, 0.0]


def test_divergence_names_joint_time_history_and_remedy():
    seven = Newton(max_iterations=7)
    model = glue(mass("a", k=50.0), Odd("b", jumpy), solver=seven, halvings=0)
    error = raised(CouplingDiverged, lambda: simulate(model, 0.1, 0.1))
    assert error.place == "pair, window from t = 0 to 0.1 s"
    assert "no convergence at j.Fx" in error.finding
    assert "after 7 iterations, tolerance 1.0e-10" in error.finding
    assert "--" in error.remedy
    assert len(error.history) == 8


def test_a_tolerance_below_the_noise_of_a_part_says_so():
    def noisy(window, force):
        return [0.01 * (force[0] - 1.0) + 1e-7 * np.sin(1e9 * force[0]), 0.0, 0.0]

    model = glue(mass("a", k=50.0), Odd("b", noisy), solver=Newton(tolerance=1e-12))
    error = raised(CouplingDiverged, lambda: simulate(model, 0.1, 0.1))
    assert "pair, window from" in error.place
    assert "tolerance 1.0e-12" in error.finding
    assert "--tol" in error.remedy


@pytest.mark.parametrize("epsilon", [0.0, -1.0, 1e-300, 1e300, np.nan])
def test_probes_of_impossible_size_are_refused(epsilon):
    error = raised(SettingError, lambda: Probe(epsilon))
    assert error.place == "epsilon"
    assert "0.01" in error.remedy


@pytest.mark.parametrize(
    ("parts", "joints", "place", "finding"),
    [
        ("aab", {"j": ("a.end", "b.end")}, "part a", "2 parts have this name"),
        ("abc", {"j": ("a.end", "b.end")}, "part c", "no joint holds it"),
        ("ab", {}, "part a", "no joint holds it"),
        ("ab", {"j": ("a.ned", "b.end")}, "joint j", "a.ned, which is no port"),
    ],
)
def test_the_short_way_names_what_does_not_fit(parts, joints, place, finding):
    error = raised(WiringError, lambda: short("m", [mass(n) for n in parts], joints))
    assert error.place == f"m: {place}"
    assert finding in error.finding
    assert error.remedy
