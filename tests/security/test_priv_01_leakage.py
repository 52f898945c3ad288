"""PRIV-01, SEC-22: what identification finds, and that a band-limited service stops it.

The figures are those of the guide on privacy. The hidden model is that of `beams`:
8 of its modes lie below 1100 Hz, 2 of them in the band of 60 Hz.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from bondline.build.under_policy import served_model
from bondline.errors import SettingError
from bondline.leaves import PinnedBar
from bondline.numerics.identify import (
    agreeing,
    arx,
    consecutive,
    era,
    from_windows,
    matched,
)
from bondline.remote.privacy.policy import Policy, Terms
from bondline.run import Keep, simulate

from .beams import (
    BAND,
    SCALES,
    H,
    assembly,
    driven,
    flexibility,
    hidden,
    impulse,
    ordinary,
    rounded,
    served,
    truth,
)

IMPULSE_ORDERS, RUN_ORDERS = (10, 16, 20), (8, 16, 24, 40)
WINDOW_ORDERS = (8, 12, 16, 20)
SEEDS = range(20)


def by_impulse(leaf, steps, digits):
    H_k = rounded(impulse(leaf, steps), digits)
    return [era(H_k, H, order).calm() for order in IMPULSE_ORDERS]


def by_run(leaf, steps, digits, seed, level="x"):
    u = ordinary(steps, seed)
    y = driven(leaf, u)[level]
    u, y = rounded(u, digits), rounded(y, digits)
    return [arx(u, y, H, order).calm() for order in RUN_ORDERS]


def by_windows(leaf, count, digits, seed=None):
    h = np.geomspace(1e-4, 5e-2, count)
    if seed is not None:
        h = h * np.random.default_rng(seed).uniform(0.9, 1.1, count)
    G = rounded(flexibility(leaf, h), digits)
    return [from_windows(h, G, order) for order in WINDOW_ORDERS]


def best(each, known, within=0.01, how=consecutive):
    return max(how(one.frequencies, known, within) for one in each)


@cache
def eight():
    return truth()[:8]


@pytest.mark.parametrize(
    ("steps", "digits", "least"),
    [(50, None, 6), (50, 6, 6), (100, None, 7), (100, 3, 6), (200, 4, 8), (200, 3, 7)],
)
def test_an_impulse_response_gives_the_modes_away(steps, digits, least):
    """Rounding does not help."""
    each = by_impulse(hidden(), steps, digits)
    assert best(each, eight(), 0.002, matched) >= least


def test_twenty_steps_of_it_do_not():
    assert best(by_impulse(hidden(), 20, None), eight(), 0.002, matched) == 0


@pytest.mark.parametrize(
    ("count", "digits", "least"),
    [(40, None, 5), (80, None, 6), (80, 10, 5), (40, 6, 3)],
)
def test_many_window_lengths_give_the_modes_away(count, digits, least):
    assert best(by_windows(hidden(), count, digits), eight()) >= least


@pytest.mark.parametrize(
    ("level", "digits", "least"),
    [("x", None, 10), ("x", 6, 8), ("v", 4, 8), ("v", 3, 7), ("a", 3, 8)],
)
def test_an_ordinary_run_gives_the_modes_away(level, digits, least):
    """More so in velocities and accelerations, which are rougher than positions."""
    each = by_run(hidden(), 2000, digits, 0, level)
    assert best(each, truth()[:12]) >= least


@pytest.mark.parametrize("scale", SCALES)
def test_the_same_attacks_do_not_find_what_is_not_there(scale):
    """The control: frequencies that nothing has are not found."""
    wrong = scale * truth()[:12]
    assert best(by_impulse(hidden(), 200, None), wrong, 0.002, matched) == 0
    assert best(by_run(hidden(), 2000, None, 0), wrong) == 0
    assert best(by_windows(hidden(), 80, None), wrong) == 0


@cache
def banded_leaf(band):
    return served(band)


def agreed(each):
    """What an attacker may believe: poles that three orders have in common.

    Orders beyond that of a model bring poles of their own, which hit this or that
    frequency by chance: see the last test of these.
    """
    return agreeing(each, 0.002, 3)


@pytest.mark.parametrize(("band", "modes"), [(60.0, 2), (150.0, 3), (400.0, 5)])
def test_a_band_limited_service_gives_its_own_modes_and_no_more(band, modes):
    leaf = banded_leaf(band)
    each = by_impulse(leaf, 200, None), by_run(leaf, 2000, None, 0)
    found = [agreed(one) for one in (*each, by_windows(leaf, 80, None))]
    assert max(matched(one, truth()[:modes], 0.01) for one in found) == modes
    assert [matched(one, truth()[modes:12], 0.01) for one in found] == [0, 0, 0]


def attacks(leaf, seed):
    """Three attacks with noise, forces and window lengths drawn from a seed."""
    noise = 1.0 + 1e-9 * np.random.default_rng(seed).normal(size=(200, 1, 1))
    H_k = impulse(leaf, 200) * noise
    return (
        [era(H_k, H, order).calm() for order in IMPULSE_ORDERS],
        by_run(leaf, 600, None, seed),
        by_windows(leaf, 60, 12, seed),
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_no_mode_above_the_band_is_found_in_seeded_trials(seed):
    """What several orders of an attack agree on: those inside, and none above."""
    for each in attacks(banded_leaf(BAND), seed):
        assert matched(agreed(each), truth()[:2], 0.01) == 2
        assert matched(agreed(each), truth()[2:20], 0.01) == 0


@pytest.mark.parametrize("seed", range(3))
def test_of_the_whole_model_the_same_attacks_find_modes_above(seed):
    """The positive control."""
    for each in attacks(hidden(), seed):
        assert matched(agreed(each), truth()[2:20], 0.01) >= 1


def test_single_poles_hit_modes_above_no_more_often_than_by_chance():
    """An attacker who believes every pole finds as much of a model that is none."""
    every = [e for seed in SEEDS for e in attacks(banded_leaf(BAND), seed)]
    poles = [one.frequencies for e in every for one in e]

    def hits(scale):
        return sum(matched(one, scale * truth()[2:20], 0.01) for one in poles)

    assert hits(1.0) <= max(hits(scale) for scale in SCALES)


@pytest.mark.quick(5)
@pytest.mark.parametrize("seed", SEEDS)
def test_in_the_band_the_assembly_answers_as_before(seed):
    """Glued to another part, loads up to the band; the response inside the band."""
    full, reduced = (_tip(leaf, seed) for leaf in (hidden(), banded_leaf(BAND)))
    inside = np.fft.rfftfreq(len(full), H) <= BAND
    taper = np.hanning(len(full))
    a, b = (np.fft.rfft(taper * y)[inside] for y in (full, reduced))
    assert np.linalg.norm(b - a) < 1e-3 * np.linalg.norm(a)
    assert not np.array_equal(full, reduced)


def _tip(leaf, seed):
    kept = Keep()
    simulate(assembly(leaf, seed), until=300 * H, step=H, record=kept)
    return kept.results().signals["other.tip"]


def test_a_policy_with_a_band_serves_the_reduced_model():
    leaf = hidden()
    policy = Policy({"hidden": Terms("hidden", band=BAND)})
    made = served_model(leaf, policy)
    assert made.ports == leaf.ports
    assert made.system.M.shape[0] == 3
    assert served_model(leaf, Policy()) is leaf


def test_a_model_that_cannot_be_reduced_is_refused_not_served_whole():
    policy = Policy({"bar": Terms("bar", band=BAND)})
    with pytest.raises(SettingError, match="only linear structures can"):
        served_model(PinnedBar("bar"), policy)
