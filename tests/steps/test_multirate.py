"""Two rates in one system: order, damping, stability, splits, memory."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from bondline.errors import SettingError
from bondline.numerics import Multirate, Nordsieck
from bondline.numerics.memory import HEAD
from tests.steps.gunnery import STARTS
from tests.steps.running import end, exact, history, near, transition
from tests.steps.systems import duffing, gun, linear, one_and_one, shaken_top

FORMS = ("paper", "residual")


@pytest.mark.parametrize("form", FORMS)
def test_ratio_one_is_the_single_rate_bit_for_bit(form):
    y0, rows = STARTS["undeformed"], slice(HEAD, HEAD + 4 * 12)
    one, two = Nordsieck(1e-4), Multirate(1e-4, 1, form)
    single = one.advance(gun(), one.begin(gun(), 0.0, y0), 0.1).memory
    multi = two.advance(gun(), two.begin(gun(), 0.0, y0), 0.1).memory
    assert_array_equal(single[rows], multi[rows])


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("evaluate", [True, False])
def test_a_run_cut_into_windows_is_the_same_run(form, evaluate):
    method = Multirate(1e-4, 5, form, evaluate=evaluate)
    memory = method.begin(gun(), 0.0, STARTS["undeformed"])
    whole = method.advance(gun(), memory, 0.05).memory
    cut = memory
    for t in (5e-4, 1e-3, 2e-3, 0.04, 0.05):  # also within the start
        cut = method.advance(gun(), cut, t).memory
    assert_array_equal(cut, whole)


def errors(form, steps, ratio=5):
    system, y0 = gun(), STARTS["undeformed"]
    right = exact(system, y0, 0.2)
    found = [end(Multirate(h, ratio, form), system, y0, 0.2) - right for h in steps]
    return np.abs(np.array(found)[:, 2])  # av1


def test_the_papers_form_is_of_order_three():
    found = errors("paper", (1e-4, 5e-5, 2.5e-5))
    assert_allclose(np.log2(found[:-1] / found[1:]), 3.0, atol=0.2)


def test_residual_extrapolation_is_of_order_four_at_least_where_slow_forces_are_none():
    """K_ss = 0 and constant masses: only the fast step counts."""
    system, y0 = one_and_one(0.8, 20.0), [0.0, 1.0, 0.0, 0.0]
    right = exact(system, y0, 2.0)
    found = [
        np.abs(end(Multirate(h, 5, "residual"), system, y0, 2.0) - right).max()
        for h in (4e-3, 2e-3, 1e-3)
    ]
    assert (np.log2(np.divide(found[:-1], found[1:])) > 3.9).all()


def predicted(ratio):
    """k of σ = −k μ² ω_c (ω_c H)³."""
    a = np.arange(1, ratio) / ratio
    return (a * (a + 1.0) * (a + 2.0) / 6.0).sum() / (2.0 * ratio)


@pytest.mark.quick(3)
@pytest.mark.parametrize("mu", [0.3, 0.8])
@pytest.mark.parametrize(
    ("ratio", "k"), [(2, 0.0781), (5, 0.140), (10, 0.163), (50, 0.183)]
)
def test_the_papers_form_damps_as_predicted(ratio, k, mu):
    assert_allclose(predicted(ratio), k, atol=6e-4)
    omega = 1.0
    coupled = omega / np.sqrt(1.0 - mu**2)
    H = 0.03 / coupled
    step = transition(Multirate(H / ratio, ratio, "paper"), one_and_one(mu, omega), H)
    value = near(np.linalg.eigvals(step), np.exp(1j * coupled * H))
    found = -np.log(abs(value)) / H / (mu**2 * coupled * (coupled * H) ** 3)
    assert_allclose(found, predicted(ratio), rtol=0.03)


@pytest.mark.parametrize("ratio", [2, 10, 100])
def test_residual_extrapolation_does_not_see_the_ratio_where_slow_forces_are_none(
    ratio,
):
    mu, h = 0.8, 0.01
    coupled = 1.0 / np.sqrt(1.0 - mu**2)
    step = transition(Multirate(h, ratio, "residual"), one_and_one(mu, 1.0), h * ratio)
    single = transition(Nordsieck(h), one_and_one(mu, 1.0), h)
    wanted = near(np.linalg.eigvals(single), np.exp(1j * coupled * h)) ** ratio
    assert_allclose(near(np.linalg.eigvals(step), wanted), wanted, atol=1e-9)


@pytest.mark.parametrize(
    ("mu2", "low", "high"), [(0.2, 0.95, 1.35), (0.925, 0.95, 1.25)]
)
def test_the_papers_form_is_unstable_beyond_one(mu2, low, high):
    system = one_and_one(np.sqrt(mu2), np.sqrt(1.0 - mu2))  # ω_c = 1

    def radius(H):
        step = transition(Multirate(H / 10, 10, "paper"), system, H)
        return np.abs(np.linalg.eigvals(step)).max()

    assert radius(low) < 1.0 + 1e-6
    assert radius(high) > 1.0 + 1e-3


def test_fast_variables_may_be_any_of_many():
    """A chain of masses with a light stiff end, split anywhere, is the same chain."""
    M = np.diag([1.0, 1.0, 0.1]) + 0.02
    K = np.array([[2.0, -1.0, 0.0], [-1.0, 1.5, -0.5], [0.0, -0.5, 200.0]])
    y0 = [0.1, 0.0, 0.02, 0.0, 0.0, 0.0]
    right = exact(linear(M, K, 1), y0, 3.0)

    def error(method, n_slow=1):
        return np.abs(end(method, linear(M, K, n_slow), y0, 3.0) - right).max()

    single = error(Nordsieck(1e-3))
    for n_slow in (1, 2):
        assert error(Multirate(1e-3, 5, "residual"), n_slow) < 1.1 * single
        assert error(Multirate(1e-3, 5, "paper"), n_slow) < 5.0 * single


SHAKEN = [1.0, 0.0, 0.0, 0.0, 0.02, 0.5, 2.0, -0.3, 0.0]


@pytest.mark.parametrize(("form", "order"), [("paper", 3.0), ("residual", 4.0)])
def test_slow_quaternions_keep_the_order(form, order):
    system = shaken_top()
    right = exact(system, SHAKEN, 1.0)
    found = [
        np.abs(end(Multirate(h, 5, form), system, SHAKEN, 1.0) - right).max()
        for h in (1e-3, 5e-4, 2.5e-4)
    ]
    assert_allclose(np.log2(np.divide(found[:-1], found[1:])), order, atol=0.35)


@pytest.mark.parametrize("form", FORMS)
def test_slow_quaternions_keep_their_length(form):
    times = 1e-2 * np.arange(1, 100)
    states, _ = history(Multirate(1e-3, 10, form), shaken_top(), SHAKEN, times)
    assert_allclose((states[:, :4] ** 2).sum(axis=1), 1.0, atol=1e-15)


def test_threads_may_share_a_system():
    method, system = Multirate(1e-4, 5), gun()
    memory = method.begin(system, 0.0, STARTS["undeformed"])
    alone = method.advance(system, memory, 0.5).memory
    with ThreadPoolExecutor(4) as pool:
        tasks = [pool.submit(method.advance, system, memory, 0.5) for _ in range(8)]
    for task in tasks:
        assert_array_equal(task.result().memory, alone)


def test_a_system_that_is_not_split_is_refused():
    with pytest.raises(SettingError, match="of 1 velocities 0 are fast and 0 slow"):
        Multirate(1e-3, 2).begin(duffing(), 0.0, np.zeros(2))


@pytest.mark.parametrize("wrong", [{"ratio": 0}, {"corrections": 0}, {"step": -1.0}])
def test_impossible_settings_are_refused(wrong):
    with pytest.raises(SettingError, match="Multirate"):
        Multirate(**{"step": 1e-3, "ratio": 2, **wrong})
