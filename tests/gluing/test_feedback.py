"""How strongly followers answer their leaders, and what that allows."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
import pytest

from bondline.core import Rejected, Situation, Window, uniform
from bondline.errors import SettingError
from bondline.gluing import glue
from bondline.gluing.couplings.feedback import CHOICES, note
from bondline.gluing.couplings.one_pass_limits import limit, radius
from bondline.gluing.solvers.choose import choose_solver
from bondline.leaves import LargeMass, Oscillator, SpringChain
from bondline.leaves.large_mass import Masses, Weights, apparent_mass
from tests.gluing.wrapped import Once

ALONE = Weights(fixed=(1.0, 0.0, 0.0))


def lump(ratio, k=0.0, leader=1.0, rho=1.0, weights=ALONE):
    """A leader of 1 kg, and a part that has `ratio` kg at the joint.

    The other end of the part is held by nothing, or by its spring `k`.
    """
    spring = max(k, 1e-6)
    part = SpringChain("fe", 1.0, 2.0 * ratio, spring, 0.0, 0.0, rho=rho)
    led = LargeMass(part, ("left",), weights=weights)
    return [Oscillator("A", leader, 1.0, gravity=1.0), led]


JOINT = {"j": ("A.p", "fe.left")}


def growth(scheme, ratio, weights, h=1e-3, windows=60):
    """By which factor an error of the force multiplies in a window."""
    model = glue("pair", lump(ratio, weights=weights), JOINT, scheme)
    state, found = model.start(0.0).state, []
    for n in range(windows):
        if n == 1:  # a newton too much, once
            wrong = state.history._replace(asked=state.history.asked + 1.0)
            object.__setattr__(state, "history", wrong)
        state = model.advance(state, uniform(0.0, h, n), {}).state
        found.append(state.history.asked[0])
    jumps = np.abs(np.diff(found))
    return (jumps[-1] / jumps[-21]) ** (1 / 20)


@pytest.mark.parametrize(
    ("scheme", "ratio", "rate"),
    [
        ("hold", 1.01, 1.01),
        ("hold", 0.98, 0.98),
        ("linear", 0.34, 1.015),
        ("linear", 0.32, 0.97),
    ],
)
def test_one_pass_is_stable_up_to_the_added_mass_limit(scheme, ratio, rate):
    """1 for a force that is held, 1/3 along a line; the large mass plays no part."""
    assert growth(scheme, ratio, ALONE) == pytest.approx(rate, abs=5e-3)


@pytest.mark.parametrize("steps", [5.0, 20.0])
@pytest.mark.parametrize("scheme", ["hold", "linear"])
def test_weights_of_velocity_and_position_lower_the_limit(scheme, steps):
    """By as much as theory says: errors grow above the limit, and die out below."""
    weights = (1.0 / steps**2, 2.0 / steps, 1.0)
    line = scheme == "linear"
    most = limit(weights, line)
    if not line:
        assert most == pytest.approx(steps / (steps + 1.0), rel=1e-4)
    for share in (0.9, 1.1):
        expected = radius(share * most, weights, line)
        found = growth(scheme, share * most, Weights(steps))
        if share > 1.0:
            assert found == pytest.approx(expected, rel=1e-3)
            assert expected > 1.02
        else:
            assert found < 0.99


@pytest.mark.parametrize("h", [1e-4, 1e-3])
def test_a_force_that_is_held_feeds_in_energy(h):
    """Half a window late: the amplitude grows by k h/(4 m) a second."""
    k, m = 1e4, 1.0
    part = SpringChain("fe", 1.0, 2e-3, k, 0.0, 0.0)
    heavy = part.ballasted({"right": np.array([1e9])})  # a wall
    model = glue("pair", [Oscillator("A", m, gravity=1.0), LargeMass(heavy, ("left",))],
                 JOINT, "hold")  # fmt: skip
    step, peaks, period = model.start(0.0), [], 2.0 * np.pi / 100.0
    windows, last = round(6 * period / h), 0.0
    for n in range(windows):
        step = model.advance(step.state, uniform(0.0, h, n), {})
        x = model.observe(step.state)["A.x"].value + 1.0 / k
        if n * h // period != last:
            peaks.append(0.0)
            last = n * h // period
        if peaks:
            peaks[-1] = max(peaks[-1], abs(x))
    rate = np.log(peaks[-2] / peaks[0]) / ((len(peaks) - 2) * period)
    assert rate == pytest.approx(k * h / (4.0 * m), rel=0.1)


def found(model, h):
    state = model.start(0.0).state
    here = Situation(state.parts, state.motions, {})
    return model.coupling.feedback(model.assembly, here, Window(0.0, h), state.history)


@pytest.mark.parametrize("ratio", [0.1, 0.5, 2.0])
def test_the_ratio_of_lumped_masses_is_found_whatever_the_window(ratio):
    model = glue("pair", lump(ratio), JOINT)
    for h in (1e-4, 1e-2):
        assert found(model, h).ratio == pytest.approx(ratio, rel=1e-3)


def test_springs_are_told_from_inertia():
    """k h²/4 of what the leaders feel; one pass would feed energy into them."""
    k, h = 1e5, 1e-3  # to a wall: (ωh)² = 0.1 for a leader of 1 kg
    part = SpringChain("fe", 1.0, 0.1, k, 0.0, 0.0)
    wall = part.ballasted({"right": np.array([1e9])})
    parts = [Oscillator("A", 1.0, gravity=1.0), LargeMass(wall, ("left",))]
    model = glue("pair", parts, JOINT)
    seen = found(model, h)
    assert seen.springs == pytest.approx(k * h * h / 4.0, rel=0.02)
    assert seen.ratio == pytest.approx(0.05 + k * h * h / 4.0, rel=0.02)
    assert CHOICES[seen.choice] == "linear/explicit"
    assert CHOICES[found(model, 3e-3).choice] == "linear/f"  # 0.225 is too much
    assert CHOICES[found(model, 2e-2).choice] == "newmark/f"  # 10: not resolved


def swung(turn, h=1e-3, scheme="auto"):
    """A light leader on its own spring, ωh = `turn`, and fifty times its mass."""
    leader = Oscillator("A", 1.0, (turn / h) ** 2, gravity=1.0)
    return glue("pair", [leader, lump(50.0)[1]], JOINT, scheme)


@pytest.mark.parametrize(("turn", "unsure"), [(0.5, False), (1.3, True)])
def test_leaders_with_modes_of_their_own_hide_the_share_of_springs(turn, unsure):
    """They answer less to a longer window; what is iterated is newmark/f then."""
    seen = found(swung(turn), 1e-3)
    assert ("an unknown share by springs" in note(seen)) is unsure
    assert CHOICES[seen.choice] == ("newmark/f" if unsure else "linear/f")


@pytest.mark.parametrize(
    ("turn", "says"),
    [
        (1.3, "velocities at the joints are 0.098 of the largest speed apart"),
        (1.7, "an error of 1 N in a joint force grows to 15.5 N within 16 windows"),
        (6.0, "in a joint force grows to"),
    ],
)
def test_leaders_too_quick_for_the_window_are_refused_with_the_number(turn, says):
    """Every window converges, and yet an error grows, or the parts come apart."""
    model = swung(turn)
    with pytest.raises(SettingError) as no:
        model.guard(model.start(0.0).state, Window(0.0, 1e-3))
    assert "times the leaders' inertia" in no.value.finding
    assert says in no.value.finding
    assert "more mass" in no.value.remedy
    fine = swung(0.5)
    (remark,) = fine.guard(fine.start(0.0).state, Window(0.0, 1e-3))
    assert "linear/f was chosen" in remark


def test_where_they_are_told_errors_do_grow():
    """Over 120 windows; not where nothing is told."""
    grown = {}
    for turn in (1.3, 3.0):
        model = swung(turn, scheme="linear/f")
        step, way = model.start(0.0), []
        for n in range(120):
            step = model.advance(step.state, uniform(0.0, 1e-3, n), {})
            way.append(abs(model.observe(step.state)["A.x"].value))
        grown[turn] = max(way[-20:]) / max(way[:20])
    assert grown[1.3] < 1.5
    assert grown[3.0] > 50.0


def test_springs_forbid_hold_long_before_the_ratio_does():
    """A ratio of 0.5: stable without springs, not with them."""
    soft, hard = (glue("pair", lump(0.5, k), JOINT) for k in (1e-6, 1e4))
    assert CHOICES[found(soft, 1e-3).choice] == "hold/explicit"
    assert CHOICES[found(hard, 1e-3).choice] == "linear/f"
    asked = glue("pair", lump(0.5, 1e4), JOINT, "hold")
    (note,) = asked.guard(asked.start(0.0).state, Window(0.0, 1e-3))
    assert "hold/explicit: springs between the parts grow by about" in note
    assert "iterate: auto" in note


@pytest.mark.parametrize("rho", [1.0, 0.8])
def test_the_ratio_is_that_of_the_apparent_mass(rho):
    """Which grows with the window: from the node's share to more than the part's."""
    parts = lump(0.1, k=1e4, leader=2.0, rho=rho)
    model, led, seen = glue("pair", parts, JOINT), parts[1], []
    for h in (1e-4, 3e-3, 1e-2):
        window, start = Window(0.0, h), led.start(0.0).state
        pursuit = led.pursuit(window)
        trial = led.loaded.predict(start.inside, window)
        (mass,) = apparent_mass(pursuit, trial, start.f_e, pursuit.mass).ravel()
        seen.append(mass)
        assert found(model, h).ratio == pytest.approx(mass / 2.0, rel=0.1)
    way = led.leaf.balance
    at_once = 0.1 * (1.0 - way.alpha_m) / (1.0 - way.alpha_f)
    assert seen[0] == pytest.approx(at_once, rel=0.01)
    assert seen[0] < seen[1] < seen[2]


@pytest.mark.parametrize(
    ("ratio", "chosen"), [(0.2, 0), (0.31, 1), (0.8, 1), (0.95, 2), (50.0, 2)]
)
def test_auto_takes_the_cheapest_scheme_that_is_stable(ratio, chosen):
    model = glue("pair", lump(ratio), JOINT)
    step = model.start(0.0)
    (note,) = model.guard(step.state, Window(0.0, 1e-3))
    assert f"{ratio:.3g} times the leaders' inertia" in note
    assert f"{CHOICES[chosen]} was chosen" in note
    step = model.advance(step.state, Window(0.0, 1e-3), {})
    assert step.state.history.chosen == chosen
    assert (step.stats["sweeps"] > 1) == (chosen >= 2)
    again = model.load(model.dump(step.state))
    assert again.history.chosen == chosen


def test_models_that_share_a_coupling_choose_for_themselves():
    shared = glue("pair", lump(0.2), JOINT).coupling
    models = [replace(glue("pair", lump(r), JOINT), coupling=shared) for r in (0.2, 50)]
    starts = [model.start(0.0).state for model in models]
    window = Window(0.0, 1e-3)
    posed = [m.advance(s, window, {}) for m, s in zip(models, starts, strict=True)]
    assert [step.state.history.chosen for step in posed] == [0, 2]
    again = models[0].advance(starts[0], window, {})
    assert again.state.history.chosen == 0


def test_auto_goes_on_as_the_scheme_it_chose():
    """To the same bits."""
    for ratio, name in ((0.2, "linear"), (0.5, "hold")):
        ends = []
        for scheme in ("auto", name):
            model = glue("pair", lump(ratio, 1e3), JOINT, scheme)
            step = model.start(0.0)
            for n in range(20):
                step = model.advance(step.state, uniform(0.0, 1e-3, n), {})
            ends.append(step.state.parts["A"])
        assert (ends[0] == ends[1]).all()


@pytest.mark.parametrize(("scheme", "ratio"), [("hold", 1.2), ("linear", 0.4)])
def test_a_scheme_that_would_be_unstable_is_refused_with_the_number(scheme, ratio):
    model = glue("pair", lump(ratio), JOINT, scheme)
    state = model.start(0.0).state
    with pytest.raises(SettingError) as no:
        model.guard(state, Window(0.0, 1e-3))
    assert f"scheme {scheme}/explicit, windows of 0.001 s" in no.value.place
    assert f"{ratio:.3g} times the leaders' inertia" in no.value.finding
    assert "or auto" in no.value.remedy
    assert "shorten the step" in no.value.remedy
    fine = glue("pair", lump(0.9 * model.coupling.scheme.limit), JOINT, scheme)
    assert fine.guard(fine.start(0.0).state, Window(0.0, 1e-3)) == ()


def test_auto_is_refused_where_the_first_window_cannot_be_tried():
    leader, led = lump(0.1)
    with pytest.raises(SettingError) as no:
        glue("pair", [Once(leader), led], JOINT, "auto")
    assert "A cannot repeat one" in no.value.finding
    assert "linear/explicit" in no.value.remedy


def test_newton_converges_where_the_plain_iteration_diverges():
    """Twenty times the leader's inertia: F ← F* multiplies its error by −20."""
    newton = glue("pair", lump(20.0, 1e3), JOINT, "newton")
    step = newton.start(0.0)
    for n in range(20):
        step = newton.advance(step.state, uniform(0.0, 1e-3, n), {})
        assert step.stats["sweeps"] <= 4
    plain = choose_solver("relaxation", scale=1.0)
    picard = replace(newton, solver=plain, halvings=0)
    with np.errstate(all="ignore"):
        done = picard.advance(picard.start(0.0).state, Window(0.0, 1e-3), {})
    assert isinstance(done, Rejected)


def test_many_parts_with_several_nodes_each():
    """Three chains between four masses: glued in one pass, as by Newton's method."""
    masses = [
        Oscillator(f"m{i}", 20.0, 1e4, 50.0, 500.0 * (i == 0), 5.0, 9.81)
        for i in range(4)
    ]
    chains = [
        LargeMass(
            SpringChain(f"fe{i}", 4.0, 1.0, 1e5, gravity=9.81), masses=Masses(1e3)
        )
        for i in range(3)
    ]
    joints = {}
    for i, ends in enumerate((("m0",), ("m1",), ("m2",), ("m3",))):
        at = [f"fe{i - 1}.right"] * (i > 0) + [f"fe{i}.left"] * (i < 3)
        for k, port in enumerate(at):
            joints[f"j{i}{k}"] = (f"{ends[0]}.p", port)
    ends = []
    for scheme in ("auto", "newton"):
        model = glue("row", [*masses, *chains], joints, scheme)
        step = model.start(0.0)
        if scheme == "auto":
            (note,) = model.guard(step.state, Window(0.0, 1e-3))
            assert "linear/explicit was chosen" in note
        for n in range(100):
            step = model.advance(step.state, uniform(0.0, 1e-3, n), {})
        ends.append([float(step.state.parts[f"m{i}"][0]) for i in range(4)])
    assert ends[0] == pytest.approx(ends[1], abs=1e-3 * np.abs(ends[1]).max())


@dataclass(frozen=True, eq=False)
class Watched(LargeMass):
    """Keeps what every advance of it has cost."""

    bills: list = field(default_factory=list)

    def advance(self, state, window, inputs):
        done = super().advance(state, window, inputs)
        self.bills.append(done.stats["corrections"])
        return done


@pytest.mark.parametrize("scheme", ["hold", "newmark/f"])
def test_corrections_of_all_sweeps_and_probes_are_counted(scheme):
    """What was paid, not what the last sweep cost."""
    led = Watched(SpringChain("fe", 1.0, 0.2, 1e4, 1.0, 0.0), ("left",))
    model = glue("pair", [Oscillator("A", 1.0, gravity=1.0), led], JOINT, scheme)
    step = model.start(0.0)
    for n in range(3):
        led.bills.clear()
        step = model.advance(step.state, uniform(0.0, 1e-3, n), {})
        assert step.stats["fe.corrections"] == sum(led.bills)
        assert (len(led.bills) > 1) == (scheme == "newmark/f")
