"""The adviser and the guard: numbers of two masses that anybody can work out."""

from __future__ import annotations

from dataclasses import replace
from math import cos, pi

import numpy as np
import pytest

from bondline.core import Window, ref
from bondline.errors import SettingError
from bondline.gluing import TT, Newton, OnePass, OnePassTT, scheme
from bondline.gluing.adviser import advise
from bondline.gluing.adviser.conditions import conditions
from bondline.gluing.adviser.inertia import see
from bondline.gluing.couplings.motion_schemes import force_scheme
from bondline.gluing.couplings.xt import XT
from bondline.gluing.pacing import Pace
from tests.cases.four_bar.glued import glue as four_bar
from tests.gluing.driven import coupled, led, pushed
from tests.gluing.parts import glue, mass, tie
from tests.gluing.wrapped import Once

FIRST = Window(0.0, 0.01)
LINE = "linear-discontinuous/e,v"


def pair(a=1.05, b=0.95, name="constant/e", **more):
    return glue(mass("a", a, v0=0.1), mass("b", b, v0=0.1), name=name, **more)


def followed(leader, follower, name="newmark/f", **more):
    parts = pushed("a", leader, x0=0.1), led("b", follower, x0=0.1)
    return coupled(XT(force_scheme(name)), *parts, **more)


def inertias(model):
    state = model.start(0.0).state
    (sides,) = see(model.assembly, state, FIRST).values()
    assert sides is not None
    return sides


def test_each_side_shows_its_mass_and_the_ratio_is_theirs():
    sides = inertias(pair())
    assert sides.masses(0)[0] == pytest.approx(1.05)
    assert sides.masses(1)[0] == pytest.approx(0.95)
    assert sides.ratio(0) == pytest.approx(0.95 / 1.05)
    assert sides.ratio(1) == pytest.approx(1.05 / 0.95)


def test_a_led_mass_shows_its_inertia_by_its_effort():
    sides = inertias(followed(2.0, 0.5))
    assert sides.masses(1)[0] == pytest.approx(0.5)
    assert sides.ratio(0) == pytest.approx(0.25)


def test_a_follower_without_inertia_is_no_burden():
    model = coupled(XT(force_scheme("newmark/f")), pushed("a", 2.0), led("b", 0.0, 5.0))
    assert inertias(model).ratio(0) == pytest.approx(0.0, abs=1e-12)


def test_a_part_that_cannot_be_pressed_is_pushed_over_a_window():
    still = {"a": Unpressed(mass("a", 3.0)), "b": mass("b")}
    silent = replace(pair(), parts=still)
    assert inertias(silent).masses(0)[0] == pytest.approx(3.0, rel=1e-6)


class Unpressed:
    """A part without any ability."""

    def __init__(self, inner):
        self.inner, self.name = inner, inner.name
        self.ports, self.parameters = inner.ports, inner.parameters
        self.capabilities = inner.capabilities

    def start(self, t0):
        return self.inner.start(t0)

    def advance(self, state, window, inputs):
        return self.inner.advance(state, window, inputs)


@pytest.mark.parametrize(
    ("leader", "follower", "diverges"),
    [(0.95, 1.05, True), (1.05, 0.95, False)],
)
def test_explicit_x_t_is_foretold(leader, follower, diverges):
    advice = advise(followed(leader, follower), FIRST)
    (words,) = advice.section("Inertia at the joints").words
    assert f"{follower / leader:.3g} times its inertia" in words
    assert ("explicit X-T diverges, held or extrapolated" in words) is diverges
    assert ("fixed-point iteration diverges" in words) is diverges
    assert words in advice.warnings  # both are above 1/3
    if diverges:
        assert f"With b as the leader the ratio would be {0.95 / 1.05:.3g}" in words


@pytest.mark.parametrize("follower", [0.95, 1.05])
def test_what_is_foretold_happens(follower):
    leader = 2.0 - follower
    parts = Once(pushed("a", leader, 40.0, x0=0.1)), led("b", follower, 20.0, x0=0.1)
    coupling = XT(force_scheme("hold/explicit"))
    model = coupled(coupling, *parts, solver=OnePass())
    found = advise(model, FIRST)
    assert found.recommended is not None
    step, grown = model.start(0.0), 0.0
    for n in range(400):
        step = model.advance(step.state, Window(0.01 * n, 0.01 * (n + 1)), {})
        grown = max(grown, float(np.abs(step.state.forces).max()))
    foretold = "every one-pass scheme diverges" in found.recommended.why
    assert foretold is (follower > leader)
    assert (grown > 1e6) is foretold


def test_a_window_that_resolves_a_spring_shows_4_cos_squared():
    omega_h = 2.0
    omega = omega_h / 0.01
    model = glue(mass("a", 1.0, k=omega**2), mass("b", 1.0))
    rows = advise(model, FIRST).section("Stability").rows
    values = {of: value for of, what, value in rows if what == "G(h)/G(h/2)"}
    assert values["part a"] == pytest.approx(4 * cos(omega_h / 4) ** 2, rel=1e-5)
    assert values["part b"] == pytest.approx(4.0, rel=1e-6)


def test_radii_of_two_free_masses_are_those_of_the_table():
    rows = advise(pair(), FIRST).section("Stability").rows
    radii = {of: value for of, what, value in rows if what == "spectral radius"}
    assert radii["scheme constant/e"] == pytest.approx(1.0)
    assert radii[f"scheme {LINE}"] == pytest.approx(0.0, abs=1e-3)


def test_conditions_that_repeat_others_are_named():
    parts = mass("a"), mass("b")
    twice = [tie("a.end", "b.end", name="j"), tie("a.end", "b.end", name="k")]
    section = advise(glue(*parts, ties=twice), FIRST).section("Redundancy")
    assert section.care
    assert "1 of 2 conditions repeat others: k.Fx" in section.words[0]


def test_scaling_takes_units_out_of_the_condition():
    raw, scaled = conditions(np.diag([1.0, 1e6]))
    assert raw == pytest.approx(1e6)
    assert scaled == pytest.approx(1.0)


def test_parts_that_nothing_holds_are_named():
    from bondline.leaves import chain

    parts = chain("one", wall=100.0), chain("two")
    joint = tie("one.right", "two.left")
    model = glue(*parts, ties=[joint], name="newmark/a,v,u")
    (words,) = advise(model, FIRST).section("Floating parts").words
    assert "Nothing holds two" in words


def test_the_window_follows_from_the_error_and_the_order():
    """Two masses that swing: the defect of constant/e goes with h³."""
    model = glue(mass("a", 1.0, k=100.0, x0=0.1), mass("b", 1.0, x0=0.1))
    loose, tight = (advise(model, FIRST, tolerance=tol) for tol in (1e-4, 1e-7))
    for advice in (loose, tight):
        assert advice.recommended is not None
    assert tight.recommended.window < loose.recommended.window
    travel = 0.1 * (1.0 - cos(np.sqrt(50.0) * 0.3))  # in 30 windows
    assert tight.recommended.error_then == pytest.approx(1e-7 * travel, rel=0.15)


def test_cost_is_solves_times_windows():
    advice = advise(pair(), FIRST, until=1.0)
    r = advice.recommended
    assert r is not None
    assert r.cost_now == pytest.approx(100 * r.solves_now, rel=0.1)


def test_advice_is_plain_data():
    plain = advise(pair(), FIRST).plain()
    assert plain["model"] == "pair"
    assert [s["title"] for s in plain["sections"]][:2] == [
        "Coupling",
        "Inertia at the joints",
    ]


def test_a_solver_that_fails_is_told_and_the_rest_goes_on():
    model = pair(solver=Newton(max_iterations=1, refresh="never", update="none"))
    section = advise(model, FIRST).section("Solvers")
    assert len(section.rows) > 3
    assert "Fewest leaf solves" in section.words[0]


def stiff(omega_h, name=LINE, h=0.01, **more):
    spring = mass("a", 1.0, k=(omega_h / h) ** 2, x0=0.1)
    return glue(spring, mass("b", 1.0, x0=0.1), name=name, **more)


def test_the_guard_refuses_a_window_that_does_not_resolve_a_mode():
    model = stiff(1.2 * pi)
    with pytest.raises(SettingError) as caught:
        model.guard(model.start(0.0).state, FIRST)
    assert caught.value.place == f"pair: scheme {LINE}, windows of 0.01 s"
    assert "part a (j.Fx) has a mode too quick" in caught.value.finding
    ratio = 4 * cos(1.2 * pi / 4) ** 2
    assert f"G(h)/G(h/2) = {ratio:.2f}" in caught.value.finding
    assert "--step 0.005 or less" in caught.value.remedy
    assert "constant/e" in caught.value.remedy


def test_the_guard_warns_where_a_mode_is_hardly_resolved():
    model = stiff(0.8 * pi)
    (note,) = model.guard(model.start(0.0).state, FIRST)
    assert "part a (j.Fx) is hardly resolved by windows of 0.01 s" in note
    assert "wants at least 3" in note


@pytest.mark.parametrize(("omega_h", "name"), [(1.0, LINE), (3 * pi, "constant/e")])
def test_the_guard_is_silent_where_nothing_is_wrong(omega_h, name):
    model = stiff(omega_h, name)
    assert model.guard(model.start(0.0).state, FIRST) == ()


def test_the_guard_leaves_parts_alone_that_would_be_spent():
    model = stiff(1.2 * pi)
    once = replace(
        model,
        parts={n: Once(p) for n, p in model.parts.items()},
        coupling=OnePassTT(TT(scheme(LINE))),
        solver=OnePass(),
    )
    assert once.guard(once.start(0.0).state, FIRST) == ()


def test_adaptive_windows_are_not_refused():
    model = stiff(1.2 * pi, pace=Pace())
    (note,) = model.guard(model.start(0.0).state, FIRST)
    assert "the error control must shorten the windows" in note


def test_the_guard_asks_nested_models_and_their_shorter_windows():
    inner = stiff(1.2 * pi, exports={"out": ref("b.end")})
    outer = glue(replace(inner, name="inner"), mass("c", x0=0.1), name="constant/e")
    with pytest.raises(SettingError, match="inner: scheme"):
        outer.guard(outer.start(0.0).state, FIRST)
    quick = replace(inner, name="inner", windows=4)
    outer = glue(quick, mass("c", x0=0.1), name="constant/e")
    assert outer.guard(outer.start(0.0).state, FIRST) == ()


def test_the_four_bar_is_refused_at_1_ms_and_served_at_a_tenth():
    model = four_bar(LINE)
    state = model.start(0.0).state
    with pytest.raises(SettingError) as caught:
        model.guard(state, Window(0.0, 1e-3))
    assert "C.Fx" in caught.value.finding
    assert "--step 0.000125 or less" in caught.value.remedy
    assert model.guard(state, Window(0.0, 1e-4)) == ()


def test_joints_of_three_ends_and_moments_are_told():
    three = tie("a.end", "b.end", "c.end")
    section = advise(glue(mass("a"), mass("b"), mass("c", 3.0), ties=[three]), FIRST)
    inertia = section.section("Inertia at the joints")
    assert inertia.words == ("Joint j joins 3 ends.",)
    assert {(row[2], row[4]) for row in inertia.rows} == {(n, "kg") for n in "abc"}


def test_an_assembly_is_asked_by_the_names_of_its_exports():
    """Two of them may lead to ports that are called alike inside."""
    inner = pair(exports={"left": ref("a.end"), "right": ref("b.end")})
    outer = glue(
        replace(inner, name="inner"),
        mass("c", 4.0, v0=0.1),
        ties=[tie("inner.right", "c.end")],
        name="constant/e",
    )
    assert outer.parts["inner"].ports["right"].name == "right"
    rows = advise(outer, FIRST).section("Inertia at the joints").rows
    assert {row[2]: round(float(row[3]), 6) for row in rows} == {"inner": 2.0, "c": 4.0}
