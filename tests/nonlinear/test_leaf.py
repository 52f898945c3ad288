"""The leaf: state by value, corrector, rejection, energy, order, gluing."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from bondline.core import (
    Correcting,
    Linearising,
    Rejected,
    Serialising,
    Signal,
    Static,
    Window,
)
from bondline.errors import SettingError
from bondline.leaves.nonlinear import Newton, Nonlinear, Push, Socket
from bondline.numerics import Method
from bondline.testing import check_leaf
from tests.nonlinear.models import (
    DAMPED,
    STEEL,
    UNDAMPED,
    YIELDING,
    at,
    plane_cantilever,
    space_cantilever,
)

PUSH = {"tip": np.array([0.0, 9e3])}


def run(leaf: Nonlinear, force: np.ndarray, windows: int, h: float) -> list[np.ndarray]:
    """States under a force that is held from the start."""
    states = [leaf.press(leaf.start(0.0).state, 0.0, {"tip": force}).state]
    for k in range(windows):
        window = Window(k * h, (k + 1) * h)
        states.append(
            at(leaf.advance(states[-1], window, {"tip": Signal.hold(force)})).state
        )
    return states


@pytest.mark.parametrize("make", [plane_cantilever, space_cantilever])
@pytest.mark.parametrize("metal", [DAMPED, YIELDING], ids=["elastic", "plastic"])
@pytest.mark.parametrize("steps", [1, pytest.param(4, marks=pytest.mark.full)])
def test_the_leaf_does_what_it_declares(make: type, metal: object, steps: int) -> None:
    report = check_leaf(make(metal, count=2, steps=steps), 1e-4, strict=True)
    report.raise_if_failed()


def test_it_can_do_what_gluing_asks_for() -> None:
    leaf = plane_cantilever()
    for ability in (Correcting, Linearising, Serialising, Static):
        assert isinstance(leaf, ability)


def test_rolling_back_over_plastic_flow_gives_the_same_bits() -> None:
    leaf = plane_cantilever(YIELDING)
    states = run(leaf, PUSH["tip"], 30, 5e-4)
    assert leaf.fields(states[-1]).history.max() > 1e-4
    kept = states[20].tobytes()
    held, window = Signal.hold(PUSH["tip"]), Window(20 * 5e-4, 21 * 5e-4)
    wrong = at(
        leaf.advance(states[20], window, {"tip": Signal.hold(5.0 * PUSH["tip"])})
    )
    assert wrong.state.tobytes() != states[21].tobytes()
    again = at(leaf.advance(leaf.load(leaf.dump(states[20])), window, {"tip": held}))
    assert again.state.tobytes() == states[21].tobytes()
    assert states[20].tobytes() == kept


def history(
    leaf: Nonlinear, state: np.ndarray, loads: object, count: int
) -> list[float]:
    """Residuals after each of some corrections of one long step."""
    trial = leaf.predict(state, Window(0.0, 5e-3))
    assert not isinstance(trial, Rejected)
    found = []
    for _ in range(count):
        trial = leaf.correct(trial, loads)
        assert not isinstance(trial, Rejected)
        found.append(trial.residual)
    return found


@pytest.mark.parametrize("metal", [STEEL, YIELDING], ids=["elastic", "plastic"])
def test_newton_converges_quadratically(metal: object) -> None:
    """Each correction of full Newton doubles the digits, once it is near."""
    leaf = plane_cantilever(metal, newton=Newton(1e-12))
    loads = {"tip": np.array([0.0, 1e4])}
    off = history(leaf, leaf.start(0.0).state, loads, 12)
    near = [r for r in off if 1e-12 < r < 3e-2]
    assert off[-1] < 1e-11
    assert len(near) >= 2
    assert all(b < 100.0 * a**2 + 1e-12 for a, b in pairwise(near))


def test_modified_newton_finds_the_same_with_more_corrections() -> None:
    full = plane_cantilever(newton=Newton(1e-10))
    kept = plane_cantilever(newton=Newton(1e-10, 200, modified=True))
    state, window = full.start(0.0).state, Window(0.0, 1e-3)
    signal = {"tip": Signal.hold(np.array([0.0, 3e3]))}
    a, b = (at(leaf.advance(state, window, signal)) for leaf in (full, kept))
    assert a.stats["corrections"] < b.stats["corrections"]
    assert a.state == pytest.approx(b.state, rel=1e-6, abs=1e-6)


def test_what_newton_cannot_balance_is_rejected_with_a_shorter_end() -> None:
    leaf = plane_cantilever(YIELDING, newton=Newton(1e-10, 2))
    signal = {"tip": Signal.hold(np.array([0.0, 1e6]))}
    done = leaf.advance(leaf.start(0.0).state, Window(0.0, 0.01), signal)
    assert isinstance(done, Rejected)
    assert done.until == 0.005
    assert "no balance after 2 corrections" in done.reason


def test_corrections_by_hand_are_an_advance() -> None:
    leaf, window = plane_cantilever(YIELDING), Window(0.0, 1e-3)
    state = leaf.press(leaf.start(0.0).state, 0.0, PUSH).state
    kept, trial = state.tobytes(), leaf.predict(state, window)
    assert not isinstance(trial, Rejected)
    first = trial
    while trial.corrections == 0 or trial.residual > leaf.newton.tolerance:
        trial = leaf.correct(trial, PUSH)
        assert not isinstance(trial, Rejected)
    made = at(leaf.advance(state, window, {"tip": Signal.hold(PUSH["tip"])}))
    accepted = leaf.accept(trial)
    assert accepted.state.tobytes() == made.state.tobytes()
    assert trial.motions["tip"].x.tobytes() == made.outputs["tip"].x.tobytes()
    assert (state.tobytes(), first.corrections) == (kept, 0)


def test_a_port_that_is_not_named_keeps_its_load() -> None:
    leaf, window = plane_cantilever(), Window(0.0, 1e-3)
    both = {**PUSH, "middle": np.array([0.0, -2e3, 0.0])}
    trial = leaf.predict(leaf.start(0.0).state, window)
    assert not isinstance(trial, Rejected)
    one = leaf.correct(leaf.correct(trial, both), PUSH)
    two = leaf.correct(leaf.correct(trial, both), both)
    assert one.residual == two.residual


def test_ballast_is_mass_on_a_port_and_nothing_else() -> None:
    leaf = space_cantilever()
    heavy = leaf.ballasted({"tip": np.array([1e3, 1e3, 1e3, 5.0, 5.0, 5.0])})
    push = {"tip": np.array([0.0, 100.0, 0.0, 0.0, 0.0, 0.0])}
    state = leaf.start(0.0).state
    assert heavy.start(0.0).state.tobytes() == state.tobytes()
    assert (
        heavy.mass == leaf.mass == pytest.approx(7850.0 * (0.04 * 0.03 - 0.034 * 0.024))
    )
    light = leaf.press(state, 0.0, push).outputs["tip"].a[1]
    slow = heavy.press(state, 0.0, push).outputs["tip"].a[1]
    own = 100.0 / light
    assert slow == pytest.approx(100.0 / (own + 1e3), rel=1e-9)


def test_what_is_dissipated_is_plastic_work() -> None:
    """An elastoplastic run with the trapezoidal rule, which has no damping."""
    leaf = plane_cantilever(
        UNDAMPED,
        count=6,
        method=Method(),
        publish={"w": "plastic_work", "p": "plastic_strain"},
    )
    force, h, work, lost = np.array([0.0, 2e3]), 2e-5, 0.0, 0.0
    now = leaf.press(leaf.start(0.0).state, 0.0, {"tip": force})
    for k in range(1000):
        held = {"tip": Signal.hold(force)}
        after = at(leaf.advance(now.state, Window(k * h, (k + 1) * h), held))
        work += force @ (after.outputs["tip"].x - now.outputs["tip"].x)
        lost += after.energy.dissipated
        now = after
    seen = leaf.observe(now.state)
    assert seen["p"].value > 1e-4
    assert work == pytest.approx(now.energy.stored + lost, rel=1e-9)
    assert lost == pytest.approx(seen["w"].value, rel=0.01)


@pytest.mark.parametrize("make", [plane_cantilever, space_cantilever])
def test_generalized_alpha_is_of_second_order(make: type) -> None:
    """Large rotations under a smooth push: half the step, a quarter of the error."""
    base = make(newton=Newton(1e-11))
    smooth = lambda t: 4e3 * np.sin(np.pi * t / 0.02) ** 2  # noqa: E731
    also = (Push(4, 2, smooth),) if make is space_cantilever else ()
    model = replace(base.model, pushes=(Push(4, 1, smooth), *also))
    leaf, ends = replace(base, model=model), []
    for count in (50, 100, 400):
        state, h = leaf.start(0.0).state, 0.01 / count
        for k in range(count):
            state = at(leaf.advance(state, Window(k * h, (k + 1) * h), {})).state
        ends.append(leaf.fields(state).u)
    assert np.abs(ends[2]).max() > 0.05
    coarse, fine = (np.abs(e - ends[2]).max() for e in ends[:2])
    assert 1.8 < np.log2(coarse / fine) < 2.4


def test_several_steps_a_window_are_several_windows() -> None:
    many, one = plane_cantilever(YIELDING, steps=4), plane_cantilever(YIELDING)
    state = one.press(one.start(0.0).state, 0.0, PUSH).state
    signal = {"tip": Signal.hold(PUSH["tip"])}
    done = at(many.advance(state, Window(0.0, 4e-4), signal)).state
    for w in Window(0.0, 4e-4).split(4):
        state = at(one.advance(state, w, signal)).state
    assert done == pytest.approx(state, rel=1e-9, abs=1e-9)


def test_a_port_without_dofs_is_refused_in_words() -> None:
    leaf = plane_cantilever()
    wrong = Nonlinear(leaf.model, {"root": Socket((0,), (0, 1))})
    with pytest.raises(
        SettingError, match="nothing is attached to them, or all is held"
    ):
        _ = wrong.ports
    with pytest.raises(SettingError, match="one node with three rotations"):
        _ = Nonlinear(leaf.model, {"tip": Socket((4,), frame=True)}).ports


def test_reactions_hold_the_loads() -> None:
    leaf = plane_cantilever(
        publish={"Fy": ("reaction", 0, 1), "Mz": ("reaction", 0, 5)}
    )
    rest = at(
        leaf.equilibrium(
            leaf.start(0.0).state, 1.0, {"tip": np.array([0.0, 500.0])}, {}
        )
    )
    seen, x = leaf.observe(rest.state), rest.outputs["tip"].x
    assert seen["Fy"].value == pytest.approx(-500.0, rel=1e-8)
    assert seen["Mz"].value == pytest.approx(-500.0 * (1.0 + x[0]), rel=1e-8)


def test_nothing_rests_that_nothing_holds() -> None:
    free = replace(plane_cantilever().model, holds=())
    leaf = Nonlinear(free, {"tip": Socket((4,), (0, 1))})
    stuck = leaf.equilibrium(
        leaf.start(0.0).state, 1.0, {"tip": np.array([0.0, 1.0])}, {}
    )
    assert isinstance(stuck, Rejected)
