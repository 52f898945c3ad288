"""Adams-Bashforth-Moulton in Nordsieck's form: order, stability, start, memory."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from bondline.errors import SettingError
from bondline.numerics import Nordsieck, state_of, time_of
from bondline.numerics.memory import HEAD, PHASE
from tests.steps.running import (
    end,
    exact,
    history,
    near,
    orders,
    rescaled,
    step_error,
    transition,
)
from tests.steps.systems import decay, duffing, oscillator, top

T = np.array(
    [[1, 0, 0, 0], [0, 1, 0, 0], [0, 3 / 4, -1, 1 / 4], [0, 1 / 6, -1 / 3, 1 / 6]]
)
PASCAL = np.array([[1, 1, 1, 1], [0, 1, 2, 3], [0, 0, 1, 3], [0, 0, 0, 1]])
WEIGHTS = np.array([3 / 8, 1, 3 / 4, 1 / 6])
SPUN = [1.0, 0.0, 0.0, 0.0, 0.5, 2.0, -0.3]

MODES = {
    "PEC": {"evaluate": False},
    "PECE": {},
    "P(EC)²": {"corrections": 2, "evaluate": False},
    "P(EC)²E": {"corrections": 2},
    "P(EC)¹⁰": {"corrections": 10, "evaluate": False},
}
# where y' = −y and y'' = −y stop decaying, and growth over (ωh)⁶ for short steps
TABLE = {
    "PEC": (0.300, 0.43, -0.542),
    "PECE": (1.93, 1.18, -0.1725),
    "P(EC)²": (1.28, 0.0, 0.161),
    "P(EC)²E": (1.27, 0.0, 0.0736),
    "P(EC)¹⁰": (2.25, 0.0, 0.0208),
}


def adams(b14):
    """The predictor of kim2000 (24)."""
    return np.array(
        [[1, 23 / 12, -16 / 12, b14], [0, 3, -3, 1], [0, 1, 0, 0], [0, 0, 1, 0]]
    )


def test_only_five_twelfths_make_the_predictor_a_taylor_step():
    assert_allclose(T @ adams(5 / 12) @ np.linalg.inv(T), PASCAL, atol=1e-14)
    assert_allclose((T @ adams(5 / 6) @ np.linalg.inv(T))[0], [1, 17 / 12, -2 / 3, 6])
    assert_allclose(T @ [3 / 8, 1, 0, 0], WEIGHTS)


def taken(corrections, literal, steps, h=0.1):
    """y' = −y with the residual as printed in kim2000 (33), or as it should be."""
    a = np.array([1.0, -h, h**2 / 2, -(h**3) / 6])
    for _ in range(steps):
        a = PASCAL @ a
        predicted = a[1]
        for _ in range(corrections):
            a = a + WEIGHTS * (-h * a[0] - (predicted if literal else a[1]))
    return a


@pytest.mark.parametrize("corrections", [1, 2])
def test_the_kernel_is_the_formula(corrections):
    method = Nordsieck(0.1, corrections, evaluate=False)
    memory = method.begin(decay(), 0.0, np.ones(1))
    memory[PHASE] = 2.0
    memory[HEAD : HEAD + 4] = 1.0, -0.1, 0.005, -0.001 / 6
    memory = method.advance(decay(), memory, 2.0).memory
    assert_allclose(memory[HEAD : HEAD + 4], taken(corrections, False, 20), rtol=1e-13)


def test_the_printed_residual_blows_up_from_the_second_correction_on():
    assert_allclose(taken(1, True, 200), taken(1, False, 200))
    assert abs(taken(2, False, 200)[0] - np.exp(-20.0)) < 1e-9
    assert abs(taken(2, True, 200)[0]) > 1e20


@pytest.mark.quick(5)
@pytest.mark.parametrize("mode", list(MODES)[:4])
@pytest.mark.parametrize(
    ("system", "y0", "steps"),
    [
        (decay(), [1.0], (80, 160, 320)),
        (oscillator(1.0), [1.0, 0.0], (160, 320, 640)),
        (duffing(), [1.0, 0.0], (400, 800, 1600)),
        (top((1.0, 2.0, 3.0)), SPUN, (400, 800, 1600)),
        (top((1.0, 2.0, 3.0), spring=0.7), SPUN, (400, 800, 1600)),
    ],
    ids=["decay", "oscillator", "duffing", "euler top", "sprung top"],
)
def test_order_four(mode, system, y0, steps):
    found = orders(lambda h: Nordsieck(h, **MODES[mode]), system, y0, 5.0, steps)
    assert_allclose(found, 4.0, atol=0.25)
    assert_allclose(found[-1], 4.0, atol=0.13)


def test_quaternions_keep_their_length_at_every_step():
    method, system = Nordsieck(0.05), top((1.0, 2.0, 3.0), spring=0.7)
    states, _ = history(method, system, SPUN, 0.05 * np.arange(1, 200))
    assert_allclose((states[:, :4] ** 2).sum(axis=1), 1.0, atol=1e-15)


def test_a_start_with_zeros_costs_two_orders_for_ever():
    system, errors = duffing(), []
    right = exact(system, [1.0, 0.0], 5.0)
    for steps in (100, 200, 400):
        method = Nordsieck(5.0 / steps)
        memory = method.begin(system, 0.0, np.array([1.0, 0.0]))
        slope = system.rates(0.0, np.array([1.0, 0.0]))
        memory[HEAD + 2 : HEAD + 4] = method.step * slope
        memory[PHASE] = 2.0
        last = method.advance(system, memory, 5.0).memory
        errors.append(np.abs(state_of(system, last) - right).max())
    found = np.log2(np.array(errors[:-1]) / errors[1:])
    assert_allclose(found, 2.0, atol=0.1)


@pytest.mark.parametrize("mode", MODES)
def test_growth_of_undamped_vibrations(mode):
    angle = 0.1
    M = transition(Nordsieck(angle, **MODES[mode]), oscillator(1.0), angle)
    grown = abs(near(np.linalg.eigvals(M), np.exp(1j * angle))) - 1.0
    assert_allclose(grown / angle**6, TABLE[mode][2], rtol=0.06)


def radius(mode, system, h):
    return np.abs(
        np.linalg.eigvals(transition(Nordsieck(h, **MODES[mode]), system, h))
    ).max()


@pytest.mark.parametrize("mode", MODES)
def test_limits_of_stability(mode):
    real, imaginary, _ = TABLE[mode]
    assert radius(mode, decay(), 0.99 * real) < 1.0
    assert radius(mode, decay(), 1.02 * real) > 1.0
    if imaginary:
        assert radius(mode, oscillator(1.0), 0.98 * imaginary) < 1.0
        assert radius(mode, oscillator(1.0), 1.02 * imaginary) > 1.0
    else:
        assert radius(mode, oscillator(1.0), 0.3) > 1.0 + 1e-6


def changed(alphas):
    """The map of a history of y' = 0 by steps, each preceded by a change."""
    method, system = Nordsieck(1.0), decay(0.0)
    columns = []
    for unit in np.eye(4):
        memory = method.begin(system, 0.0, np.ones(1))
        memory[PHASE] = 2.0
        memory[HEAD : HEAD + 4] = unit
        for alpha in alphas:
            memory = rescaled(system, memory, alpha)
            step = time_of(memory) + memory[1]
            memory = method.advance(system, memory, step).memory
        columns.append(memory[HEAD : HEAD + 4])
    return np.array(columns).T


def parasitic(*alphas):
    """The largest factor beside that of the solution itself, which is 1."""
    values = np.linalg.eigvals(changed(alphas))
    return np.abs(np.delete(values, np.argmin(np.abs(values - 1.0)))).max()


@pytest.mark.parametrize("alpha", [0.3, 0.7, 1.2, 2.0, 10.0])
def test_growing_at_every_step_multiplies_parasites(alpha):
    assert_allclose(parasitic(alpha), abs(alpha**2 * (alpha - 1.0) / 2.0), rtol=1e-9)


def test_limits_of_changing_the_step():
    assert parasitic(1.695) < 1.0 < parasitic(1.697)
    assert parasitic(5.8, 1 / 5.8) < 1.0 < parasitic(5.86, 1 / 5.86)
    for alpha in (2.0, 10.0, 100.0):  # one equal step after each change
        assert parasitic(alpha, 1.0) < 1.0
    assert_allclose(parasitic(10.0, 1.0, 1.0, 1.0), 0.0, atol=1e-4)  # nilpotent


@pytest.mark.parametrize("factor", [1.0, 0.5])
def test_the_estimated_error_is_that_of_the_step(factor):
    """Also what one correction leaves unsolved: without it the sign is wrong here."""
    system, h = oscillator(1.0), 0.02 * factor
    method = Nordsieck(h)
    memory = method.begin(system, 0.0, np.array([1.0, 0.0]))
    before = method.advance(system, memory, 50 * h).memory
    after = method.advance(system, before, 51 * h).memory
    turn = np.array([[np.cos(h), np.sin(h)], [-np.sin(h), np.cos(h)]])
    true = state_of(system, after) - turn @ state_of(system, before)
    assert_allclose(step_error(system, after), true, rtol=5 * h)


def test_a_run_cut_into_windows_is_the_same_run():
    method, system = Nordsieck(0.01), top((1.0, 2.0, 3.0), spring=0.7)
    memory = method.begin(system, 0.0, np.array(SPUN))
    whole = method.advance(system, memory, 2.0)
    cut = memory
    for t in (0.01, 0.02, 0.05, 0.5, 0.5, 1.27, 2.0):  # also within the start
        cut = method.advance(system, cut.copy(), t).memory
    assert_array_equal(cut, whole.memory)
    assert time_of(cut) == 2.0


def test_advancing_remembers_nothing():
    method, system = Nordsieck(0.01), duffing()
    memory = method.begin(system, 0.0, np.array([1.0, 0.0]))
    first = method.advance(system, memory, 1.0)
    again = method.advance(system, memory, 1.0)
    assert_array_equal(first.memory, again.memory)
    assert first.counts == again.counts


def test_pece_costs_two_evaluations_a_step_and_nine_to_start():
    _, counts = history(Nordsieck(0.01), duffing(), [1.0, 0.0], [1.0])
    assert (counts.steps, counts.full, counts.rejected) == (100, 2 * 98 + 9, 0)


def test_a_window_that_is_no_whole_number_of_steps_is_refused():
    method = Nordsieck(0.3)
    with pytest.raises(SettingError, match=r"it is 3\.33333 steps of 0\.3 s long"):
        end(method, duffing(), [1.0, 0.0], 1.0)


@pytest.mark.parametrize("wrong", [{"step": 0.0}, {"step": 1.0, "corrections": 0}])
def test_impossible_settings_are_refused(wrong):
    with pytest.raises(SettingError, match="Nordsieck"):
        Nordsieck(**wrong)


def test_what_grows_beyond_all_numbers_is_told():
    with pytest.raises(ArithmeticError, match="grows beyond all numbers"):
        end(Nordsieck(1.0), decay(50.0), [1.0], 300.0)
