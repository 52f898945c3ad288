"""One-step methods over compiled systems: explicit, adaptive, implicit."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.integrate import solve_ivp

from bondline.errors import SettingError, UsageError
from bondline.numerics import (
    Dop853,
    DormandPrince,
    FixedStep,
    GeneralizedAlpha,
    Method,
    Nordsieck,
    PacedNordsieck,
    RungeKutta4,
    state_of,
    time_of,
)
from tests.steps.gunnery import STARTS
from tests.steps.running import end, exact, history, near, orders
from tests.steps.systems import decay, duffing, gun, linear, oscillator, top

SPUN = [1.0, 0.0, 0.0, 0.0, 0.5, 2.0, -0.3]


@pytest.mark.parametrize(
    ("method", "order"),
    [(RungeKutta4, 4), (DormandPrince, 5), (GeneralizedAlpha, 2)],
    ids=lambda x: getattr(x, "__name__", x),
)
@pytest.mark.parametrize(
    ("system", "y0"),
    [(duffing(), [1.0, 0.0]), (top((1.0, 2.0, 3.0), spring=0.7), SPUN)],
    ids=["duffing", "top"],
)
def test_orders(method, order, system, y0):
    assert_allclose(orders(method, system, y0, 3.0, (60, 120, 240)), order, atol=0.15)


@pytest.mark.parametrize(
    "method",
    [RungeKutta4(0.01), DormandPrince(0.01), GeneralizedAlpha(0.01)],
    ids=lambda m: type(m).__name__,
)
def test_a_run_cut_into_windows_is_the_same_run(method):
    system = top((1.0, 2.0, 3.0), spring=0.7)
    memory = method.begin(system, 0.0, np.array(SPUN))
    whole = method.advance(system, memory, 1.0)
    cut = method.advance(system, method.advance(system, memory, 0.37).memory, 1.0)
    assert_array_equal(cut.memory, whole.memory)
    assert_allclose((state_of(system, cut.memory)[:4] ** 2).sum(), 1.0, atol=1e-15)


def test_dormand_prince_is_that_of_fixed_steps_in_python():
    system = duffing()
    there = FixedStep(40)(
        lambda t, y: system.rates(t, np.array(y)).tolist(), 0.0, 2.0, [1.0, 0.0]
    )
    states, counts = history(DormandPrince(0.05), system, [1.0, 0.0], [2.0])
    assert_allclose(states[-1], there, rtol=1e-14)
    assert counts.full == 6 * 40


@pytest.mark.parametrize("tolerance", [1e-4, 1e-7, 1e-10])
def test_dop853_takes_the_steps_that_scipy_takes(tolerance):
    system, y0 = gun(), STARTS["undeformed"]
    span = (0.0, 0.3)
    there = solve_ivp(
        system.rates, span, y0, method="DOP853", rtol=tolerance, atol=tolerance
    )
    states, counts = history(Dop853(tolerance, tolerance), system, y0, [0.3])
    assert counts.full == there.nfev
    assert counts.steps == len(there.t) - 1
    assert_allclose(states[-1], there.y[:, -1], atol=1e-10)


def test_dop853_ends_windows_exactly_and_remembers_its_step():
    system, y0 = duffing(), [1.0, 0.0]
    method = Dop853(1e-9, 1e-11)
    memory = method.begin(system, 0.0, np.array(y0))
    one = method.advance(system, memory, 0.7)
    two = method.advance(system, one.memory, 1.0 / 0.9)
    assert time_of(two.memory) == 1.0 / 0.9
    assert_allclose(
        state_of(system, two.memory), exact(system, y0, 1.0 / 0.9), atol=1e-8
    )
    assert two.counts.rejected == 0


def test_no_step_is_short_enough_for_what_runs_away():
    with pytest.raises(ArithmeticError, match=r"at .* s .*(short|numbers)"):
        end(Dop853(1e-9, 1e-11), duffing_that_explodes(), [10.0, 0.0], 10.0)


def duffing_that_explodes():
    from tests.steps.systems import filled

    return filled("duffing", np.array([0.0, -1.0, 0.0, 0.0]))


def test_patience_is_finite():
    with pytest.raises(ArithmeticError, match="more steps than allowed"):
        end(Dop853(1e-9, 1e-11, patience=5), gun(), STARTS["undeformed"], 1.0)


@pytest.mark.parametrize(
    ("system", "y0", "t1"),
    [
        (duffing(), [1.0, 0.0], 20.0),
        (top((1.0, 2.0, 3.0), spring=0.7), SPUN, 10.0),
        (decay(), [1.0], 5.0),
    ],
    ids=["duffing", "top", "decay"],
)
def test_paced_errors_follow_the_tolerance(system, y0, t1):
    right, found = exact(system, y0, t1), []
    for tolerance in (1e-5, 1e-7, 1e-9):
        method = PacedNordsieck(tolerance, tolerance)
        found.append(np.abs(end(method, system, y0, t1) - right).max())
    assert_allclose(found, [1e-5, 1e-7, 1e-9], atol=0.0, rtol=2e3)
    assert found[0] > 10.0 * found[1] > 100.0 * found[2]


def test_paced_steps_grow_where_the_motion_calms_down():
    method = PacedNordsieck(1e-6, 1e-6)
    memory = method.begin(decay(), 0.0, np.ones(1))
    memory, steps = method.advance(decay(), memory, 1.0).memory, []
    for t in (2.0, 4.0, 8.0):
        memory = method.advance(decay(), memory, t).memory
        steps.append(memory[1])
    assert steps == sorted(steps)
    assert steps[-1] > 2.0 * steps[0]


def test_paced_windows_end_exactly_and_cost_little_more():
    system, y0 = duffing(), [1.0, 0.0]
    method = PacedNordsieck(1e-6, 1e-6)
    whole = history(method, system, y0, [5.0])[1]
    memory, cut = method.begin(system, 0.0, np.array(y0)), 0
    for t in np.linspace(0.0, 5.0, 26)[1:]:
        advance = method.advance(system, memory, t)
        memory, cut = advance.memory, cut + advance.counts.full
        assert time_of(memory) == t
    assert cut < 1.5 * whole.full


@pytest.mark.parametrize("method", [PacedNordsieck, Dop853])
def test_tolerances_that_nothing_meets_are_refused(method):
    with pytest.raises(SettingError, match="tolerances: relative is 0 and absolute"):
        method(0.0, 1e-9)


STIFF = linear(np.diag([1.0, 1.0]), np.array([[1e8 + 1.0, -1.0], [-1.0, 1.0]]), 1)


@pytest.mark.parametrize("rho", [0.0, 0.5, 1.0])
def test_generalized_alpha_goes_over_what_it_does_not_resolve(rho):
    """ωh = 100: explicit steps of that length explode."""
    y0, method = [1e-8, 1.0, 0.0, 0.0], GeneralizedAlpha(1e-2, rho)
    assert_allclose(end(method, STIFF, y0, 1.0)[1], np.cos(1.0), atol=1e-4)
    with pytest.raises(ArithmeticError):
        end(Nordsieck(1e-2), STIFF, y0, 10.0)


@pytest.mark.parametrize("rho", [0.0, 0.8])
def test_generalized_alpha_damps_as_its_radius_says(rho):
    """As the matrix of `Method` has it, mode by mode."""
    h, omega = 0.1, 5.0
    values = np.linalg.eigvals(Method.generalized_alpha(rho).amplification(omega * h))
    states, _ = history(
        GeneralizedAlpha(h, rho), oscillator(omega), [1.0, 0.0], h * np.arange(1, 61)
    )
    principal = near(values, np.exp(1j * omega * h))
    size = np.hypot(states[:, 0], states[:, 1] / omega)
    late = np.polyfit(np.arange(30, 61), np.log(size[30:]), 1)[0]
    assert_allclose(np.exp(late), abs(principal), atol=4e-3)


def test_generalized_alpha_keeps_its_derivative_while_it_serves():
    _, counts = history(GeneralizedAlpha(1e-2), STIFF, [1e-8, 1.0, 0.0, 0.0], [1.0])
    # start 1, derivative 1 + 2, and a step of two corrections takes 3 evaluations
    assert counts.full <= 1 + 2 * 3 + 100 * 3


def test_an_implicit_step_without_a_solution_is_told():
    with pytest.raises(ArithmeticError, match=r"no solution|beyond all numbers"):
        end(GeneralizedAlpha(1.0), duffing_that_explodes(), [10.0, 0.0], 50.0)


def test_positions_that_do_not_follow_velocities_are_refused():
    with pytest.raises(SettingError, match="Fill n_turns, turn_q and turn_u"):
        GeneralizedAlpha(0.1).begin(decay(), 0.0, np.ones(1))


@pytest.mark.parametrize("method", [RungeKutta4, DormandPrince, GeneralizedAlpha])
def test_impossible_steps_are_refused(method):
    with pytest.raises(SettingError, match=f"{method.__name__}: step"):
        method(0.0)


@pytest.mark.parametrize("method", [Dop853, PacedNordsieck])
def test_whole_numbers_are_numbers_too(method):
    """What C takes is said once, not guessed from what a user typed."""
    system, y0 = oscillator(1.0), np.array([1.0, 0.0])
    ends = []
    for longest in (1, 1.0, np.float32(1.0)):
        stepper = method(1e-9, 1e-9, longest=longest)
        ends.append(stepper.advance(system, stepper.begin(system, 0.0, y0), 2).memory)
    assert_array_equal(ends[0], ends[1])
    assert_array_equal(ends[0], ends[2])


@pytest.mark.parametrize(
    "stepper",
    [
        *(RungeKutta4(0.1), DormandPrince(0.1), Nordsieck(0.1), GeneralizedAlpha(0.1)),
        *(Dop853(1e-6, 1e-6), PacedNordsieck(1e-6, 1e-6)),
    ],
    ids=lambda s: type(s).__name__,
)
def test_a_memory_that_was_cut_is_refused(stepper):
    """C would write past its end."""
    system = oscillator(1.0)
    memory = stepper.begin(system, 0.0, np.array([1.0, 0.0]))
    for wrong in (memory[:-1], np.append(memory, 0.0)):
        with pytest.raises(UsageError, match=f"It should have {memory.size}"):
            stepper.advance(system, wrong, 0.5)
