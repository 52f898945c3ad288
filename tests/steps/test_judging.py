"""What suits a system: its vibrations, its split, and the verdict on a step."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from bondline.errors import SettingError
from bondline.numerics import (
    Multirate,
    Nordsieck,
    Split,
    judged,
    mass_coupling,
    split_by_spectrum,
    vibrations,
)
from bondline.numerics.memory import HEAD
from bondline.numerics.positions import moved, position_rates
from tests.steps.systems import gun, linear, one_and_one, top

REST = np.zeros(12)


def test_coupled_frequencies_of_the_gun():
    found = vibrations(gun(), 0.0, REST)
    assert_allclose(found.omega[:2], 0.0, atol=1e-3)
    assert_allclose(found.omega[2:], [50.41, 121.73, 261.25, 314.78], rtol=1e-4)


def test_coupling_of_the_gun_by_masses():
    assert_allclose(mass_coupling(gun(), 0.0, REST), [0.367, 0.925], atol=1e-3)


@pytest.mark.parametrize("mu", [0.0, 0.3, 0.9])
def test_coupling_of_one_and_one_is_mu_squared(mu):
    system = one_and_one(mu, 2.0)
    assert_allclose(mass_coupling(system, 0.0, np.zeros(4)), [mu**2], atol=1e-14)
    coupled = vibrations(system, 0.0, np.zeros(4)).highest
    assert_allclose(coupled, 2.0 / np.sqrt(1.0 - mu**2), rtol=1e-9)


def test_a_body_on_a_spring_swings_about_its_upright_axis():
    system = top((1.0, 2.0, 3.0), spring=8.0)
    found = vibrations(system, 0.0, np.array([1.0, 0, 0, 0, 0, 0, 0]))
    assert_allclose(found.omega, [0.0, 2.0, np.sqrt(8.0)], atol=1e-6)


def test_moving_positions_is_what_their_rates_say():
    system = top((1.0, 2.0, 3.0))
    q, u = np.array([0.8, 0.6, 0.0, 0.0]), np.array([0.3, -0.2, 0.5])
    slope = (moved(system, q, 1e-6 * u) - moved(system, q, -1e-6 * u)) / 2e-6
    assert_allclose(slope, position_rates(system, q, u), atol=1e-9)
    assert_allclose(
        position_rates(system, q, u), system.rates(0.0, np.array([*q, *u]))[:4]
    )


def test_the_spectrum_finds_the_modes_of_the_gun():
    """Joints have no part in flexible modes, however strongly masses couple them."""
    found = vibrations(gun(), 0.0, REST)
    assert split_by_spectrum(gun(), found) == Split((2, 3, 4, 5), (0, 1))
    assert split_by_spectrum(gun(), found, above=200.0) == Split((3, 5), (0, 1, 2, 4))
    assert split_by_spectrum(gun(), found, above=1e3).fast == ()


def test_spins_of_quaternions_are_never_fast():
    system = top((1.0, 2.0, 3.0), spring=8.0)
    found = vibrations(system, 0.0, np.array([1.0, 0, 0, 0, 0, 0, 0]))
    assert split_by_spectrum(system, found, above=1.0).fast == ()


def test_a_split_by_hand():
    assert Split.of([3, 1, 3], 4) == Split((1, 3), (0, 2))
    with pytest.raises(SettingError, match="Give numbers from 0 to 3"):
        Split.of([4], 4)


@pytest.mark.parametrize(
    ("method", "highest", "level"),
    [
        (Nordsieck(1e-4), 314.78, "fine"),
        (Nordsieck(1e-2), 29.0, "fine"),
        (Nordsieck(1e-2), 100.0, "warn"),
        (Nordsieck(1e-2), 120.0, "refuse"),
        (Nordsieck(1e-2, evaluate=False), 42.0, "warn"),
        (Nordsieck(1e-2, evaluate=False), 44.0, "refuse"),
        (Nordsieck(1e-2, corrections=2), 50.0, "warn"),
        (Nordsieck(1e-4, corrections=2), 50.0, "fine"),
        (Multirate(1e-4, 1, "paper"), 5000.0, "warn"),
        (Multirate(1e-4, 5, "paper"), 5000.0, "refuse"),
        (Multirate(1e-4, 5, "paper"), 314.78, "fine"),
        (Multirate(1e-4, 10, "paper"), 314.78, "warn"),
        (Multirate(1e-4, 36, "paper"), 314.78, "refuse"),
        (Multirate(1e-4, 10, "residual"), 314.78, "fine"),
        (Multirate(1e-4, 36, "residual"), 314.78, "warn"),
        (Multirate(1e-2, 2, "residual"), 150.0, "refuse"),
    ],
)
def test_verdicts(method, highest, level):
    found = judged(method, highest)
    assert found.level == level
    assert bool(found.words) == (level != "fine")


def test_a_refusal_says_what_was_found_and_what_to_try():
    verdict = judged(Multirate(1e-4, 36, "paper"), 314.78)
    with pytest.raises(SettingError) as caught:
        verdict.enforce()
    assert "times the slow step is 1.13" in caught.value.finding
    assert "a smaller ratio, or the residual form" in caught.value.remedy
    fine = judged(Multirate(1e-4, 2), 314.78)
    assert fine.enforce() is fine


def test_the_split_of_a_system_is_told():
    system = linear(np.eye(3), np.eye(3), 1)
    assert (system.fast, system.slow, system.turns) == ([1, 2], [0], [])
    assert top((1.0, 1.0, 1.0)).turns == [(0, 0)]


def test_what_is_said_of_drifting_vibrations_is_so():
    """In phase, of a period in each period, to the leading order of (3) there."""
    p, omega = 0.32, 1.0
    system, steps = one_and_one(0.0, omega), 400
    method = Nordsieck(p / omega)
    start = np.array([0.0, 1.0, 0.0, 0.0])
    done = method.advance(system, method.begin(system, 0.0, start), steps * p)
    y = done.memory[HEAD : HEAD + 4]
    fast = next(i for i in range(2) if abs(y[i]) > 1e-6)
    phase = np.arctan2(-y[2 + fast] / omega, y[fast])
    late = (steps * p - phase + np.pi) % (2 * np.pi) - np.pi
    said = float(judged(method, omega).words.split("by ")[1].split(" %")[0]) / 100
    assert abs(late) / (steps * p) == pytest.approx(said, rel=0.2)
