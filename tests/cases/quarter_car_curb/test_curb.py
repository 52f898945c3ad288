"""The curb strike: every scheme that may, against all at once."""

from __future__ import annotations

import numpy as np
import pytest

from bondline.core import Window, uniform
from bondline.errors import SettingError
from tests.cases.quarter_car_curb.strike import (
    FORCES,
    model,
    off,
    reference,
    set_off,
    strike,
    tt,
)


def test_through_the_strike_it_is_all_at_once():
    """0.02 mm at 0.1 ms is promised; here steps are 2.5 times as long: 0.125 mm."""
    found = strike(model(), 2.5e-4, 0.052)
    assert found.signals["plastic_strain.max"][-1] > 0.02
    assert max(off(found).values()) < 1.25e-4
    assert set_off(found) < 1.25e-4
    assert found.defect < 0.01 * found.lost
    assert found.corrections < 3.5


def test_the_choice_is_told_with_its_number():
    made = model()
    state = made.start(0.0).state
    (note,) = made.guard(state, uniform(0.0, 1e-4, 0))
    assert "0.041 times the leaders' inertia" in note
    assert "linear/explicit was chosen" in note
    (note,) = made.guard(state, uniform(0.0, 1e-3, 0))
    assert "linear/f was chosen" in note


def test_what_the_criterion_does_not_allow_is_refused_with_its_number():
    made = model("linear")
    with pytest.raises(SettingError) as no:
        made.guard(made.start(0.0).state, uniform(0.0, 2e-3, 0))
    assert "0.48" in no.value.finding
    assert "above 0.294" in no.value.finding


@pytest.mark.parametrize(("h", "share"), [(1e-3, 0.12), (2.5e-4, 0.035)])
def test_a_held_force_that_rings_in_springs_is_refused(h, share):
    """At 1 ms the joint force would reach 250 kN instead of 19.

    At 0.25 ms the lag would make up 2 % of the energy that is lost.
    """
    made = model("hold")
    with pytest.raises(SettingError) as no:
        made.guard(made.start(0.0).state, uniform(0.0, h, 0))
    assert f"{share} of it by springs" in no.value.finding
    assert "above 0.0256, even with 8% of critical damping" in no.value.finding


@pytest.mark.full
def test_a_window_that_cannot_be_tried_is_judged_by_shorter_ones():
    """Over 4 ms the arm finds no balance; over 3.6 it does."""
    made = model("hold")
    with pytest.raises(SettingError) as no:
        made.guard(made.start(0.0).state, uniform(0.0, 4e-3, 0))
    assert "windows of 0.004 s" in no.value.place
    assert "1.23 times the leaders' inertia over 0.0036 s already" in no.value.finding


def test_the_choice_of_auto_says_that_nothing_could_be_tried():
    made = model()
    (note,) = made.guard(made.start(0.0).state, uniform(0.0, 4e-3, 0))
    assert "could not be tried (arm: after 30 corrections" in note
    assert "newmark/f was chosen" in note


def test_three_ports_on_one_chassis_are_no_quick_mode():
    """Their flexibility has rank 4 of 12; all else is the round-off of differences."""
    made = tt()
    state = made.start(0.0).state
    for h in (1e-4, 2.5e-4, 1e-3):
        notes = made.guard(state, uniform(0.0, h, 0))
        assert not [n for n in notes if "G(h)/G(h/2)" in n]


def test_t_t_and_iterated_large_masses_are_the_same():
    """8 ms from the start: the ball joint has shifted by 0.3 mm."""
    one, two = strike(tt(), 2.5e-4, 8e-3), strike(model("newton"), 2.5e-4, 8e-3)
    for name in ("ball.x", "ball.y", "ball.z"):
        apart = np.abs(one.signals[name] - two.signals[name]).max()
        assert apart < 2e-6


def test_settings_do_what_they_say():
    slow = model(speed="10km/h", curb__height="80mm")
    seen = slow.observe(slow.start(0.0).state)
    assert seen["chassis.vx"].value == pytest.approx(10.0 / 3.6)
    x = {
        h: model(curb__height=h).parts["car"].sheet.mechanism.ground["curb"]
        for h in ("80mm", "150mm")
    }
    assert x["150mm"].at[2] - x["80mm"].at[2] == pytest.approx(0.07)


@pytest.mark.full
def test_shells_weigh_and_start_as_beams_do():
    """360 shells; bars at their ends make up for what beams overlap."""
    beam, shell = (model(arm=kind) for kind in ("beam", "shell"))
    m = [made.parts["arm"].leaf.mass for made in (beam, shell)]
    assert m[1] == pytest.approx(m[0], rel=0.12)
    ends = [strike(made, 5e-4, 2e-3).signals for made in (beam, shell)]
    for name in FORCES[2:]:
        assert ends[1][name][-1] == pytest.approx(ends[0][name][-1], rel=0.05)


def test_windows_of_several_steps_keep_their_account_of_energy():
    """The car takes steps of 0.5 ms; losses in between are counted.

    Its loops are closed anew at the ends of windows only: not the same to the bit.
    """
    car = model().parts["car"]
    start = car.start(0.0).state
    whole = car.advance(start, Window(0.0, 1e-3), {})
    one = car.advance(start, Window(0.0, 5e-4), {})
    two = car.advance(one.state, Window(5e-4, 1e-3), {})
    lost = one.energy.dissipated + two.energy.dissipated
    assert whole.energy.dissipated == pytest.approx(lost, rel=1e-6)
    assert whole.energy.stored == pytest.approx(two.energy.stored, rel=1e-9)


@pytest.mark.full
@pytest.mark.parametrize(
    ("make", "h", "mm"),
    [
        (lambda: model("linear"), 1e-4, 0.02),
        (lambda: model("newton"), 1e-4, 0.02),
        (lambda: model("hold"), 1e-4, 1.0),  # of first order
        (tt, 1e-4, 0.02),
        (lambda: model(), 5e-4, 0.5),  # of second order: 25 times that of 0.1 ms
    ],
    ids=["linear", "newton", "hold", "T-T", "0.5 ms"],
)
def test_every_scheme_goes_through_the_strike(make, h, mm):
    found = strike(make(), h, 0.15)
    assert set_off(found) < 1e-3 * mm
    assert max(off(found).values()) < 1e-3 * mm
    assert found.defect < 0.01 * found.lost
    known = reference()["plastic_strain.max"]
    if "plastic_strain.max" in found.signals:
        flowed = found.signals["plastic_strain.max"]
        assert flowed[-1] == pytest.approx(known[len(flowed) - 1], rel=0.03)


@pytest.mark.full
def test_shells_bend_as_beams_do():
    """They agree to what beams are worth here: 2 mm of 24, half of the strain."""
    found = strike(model(arm="shell"), 2.5e-4, 0.1)
    known, s = reference(), found.signals
    mine = s["ball.x"] - s["chassis.x"]
    beams = (known["ball.x"] - known["chassis.x"])[: len(mine)]
    assert mine.min() == pytest.approx(beams.min(), abs=2e-3)
    assert 1.0 < s["plastic_strain.max"][-1] / known["plastic_strain.max"][-1] < 2.0
    assert found.defect < 0.01 * found.lost
