"""Springs with laws of their own, on nodes and on rigid arms."""

from __future__ import annotations

import numpy as np
import pytest

from bondline.core import Rejected, Window
from bondline.errors import SettingError
from bondline.leaves.nonlinear import (
    Arms,
    Beams3,
    Bushes,
    Hold,
    Masses,
    Moved,
    Nonlinear,
    NonlinearModel,
    Progressive,
    Push,
    SpringLaw,
    Stop,
    Tabled,
    Ties,
    fibres,
)
from bondline.leaves.nonlinear.turning import exp, matrices
from tests.nonlinear.models import STEEL, at, row, settled, straight

LAWS = [
    Progressive(100.0, 0.2, 3.0),
    Stop(0.05, 400.0, 0.1, 2.0),
    Stop(0.05, 400.0, sign=-1.0),
    Tabled((-1.0, 0.0, 0.3, 1.0), (-50.0, 0.0, 20.0, 90.0), 1.0),
]


@pytest.mark.parametrize("law", LAWS)
def test_a_law_has_the_slopes_and_the_energy_of_its_force(law: SpringLaw) -> None:
    d, rate, h = np.linspace(-0.9, 0.9, 37) + 0.001, np.linspace(-0.1, 0.1, 37), 1e-6
    found = law.pull(d, rate)
    more, less = law.pull(d + h, rate), law.pull(d - h, rate)
    faster, slower = law.pull(d, rate + h), law.pull(d, rate - h)
    still = law.pull(d, 0.0 * d).force
    assert (more.force - less.force) / (2 * h) == pytest.approx(
        found.stiffness, abs=1e-4
    )
    assert (faster.force - slower.force) / (2 * h) == pytest.approx(
        found.viscosity, abs=1e-6
    )
    assert (more.stored - less.stored) / (2 * h) == pytest.approx(still, abs=1e-4)


def test_a_stop_only_pushes() -> None:
    law = Stop(0.05, 400.0, c=50.0)
    assert law.pull(
        np.array([0.04, 0.06, 0.06]), np.array([0.0, 0.0, -10.0])
    ).force == (pytest.approx([0.0, 4.0, 0.0]))


def test_masses_on_springs_swing_as_they_must() -> None:
    """A linear bush: the period of m ẍ + k x = 0, by the trapezoidal rule's order."""
    k, m, h = 400.0, 4.0, 1e-3
    blocks = (
        Bushes(np.array([[0, 1]]), (0,), (Progressive(k),)),
        Masses(np.array([[1]]), m, components=(0,)),
    )
    step = Push(1, 0, lambda t: 8.0)
    model = NonlinearModel("m", np.zeros((2, 3)), blocks, (Hold((0,), (0,)),), (step,))
    leaf = Nonlinear(model, {})
    state = leaf.start(0.0).state
    for n in range(300):
        state = at(leaf.advance(state, Window(n * h, (n + 1) * h), {})).state
    exact = 8.0 / k * (1.0 - np.cos(10.0 * 0.3))
    assert leaf.fields(state).u[0] == pytest.approx(exact, rel=1e-4)


def on_arms() -> tuple[NonlinearModel, Arms]:
    """A beam whose tip carries an arm of 0.2 m with a tie at its end."""
    points = np.vstack([straight(1.0, 2), [(1.0, 0.2, 0.0), (1.5, 0.7, 0.3)]])
    tie = Ties(np.array([[3, 4]]), Progressive(5e4, 0.1, 20.0))
    arms = Arms(tie, {3: 2})
    section = fibres.rectangle(STEEL, 0.03, 0.02, 3)
    beams = Beams3(row(2), section, np.array([0.0, 1.0, 0.0]))
    held = (Hold((0,), (0, 1, 2, 3, 4, 5)), Hold((4,), (0, 1, 2)))
    return NonlinearModel("m", points, (beams, arms), held), arms


def test_arms_bring_forces_and_moments_to_their_nodes() -> None:
    model, arms = on_arms()
    rng = np.random.default_rng(0)
    d = 0.1 * rng.standard_normal((1, 2, 6))
    R = matrices(exp(0.5 * rng.standard_normal((1, 2, 3))))
    R[0, 1] = np.eye(3)

    def force(d: np.ndarray, spin: np.ndarray) -> object:
        turned = matrices(exp(spin)) @ R[0, 0]
        both = np.stack([turned, R[0, 1]])[None]
        return arms.respond(model.points, Moved(d, 0.0 * d, both), np.zeros(0))

    answer, h, K = force(d, np.zeros(3)), 1e-6, np.zeros((12, 6))
    for k in range(6):
        step = np.zeros((1, 2, 6))
        step[0, 0, k] = h * (k < 3)
        spin = h * np.eye(3)[k - 3] * (k > 2)
        ends = force(d + step, spin).force[0], force(d - step, -spin).force[0]
        K[:, k] = (ends[0] - ends[1]) / (2.0 * h)
    assert answer.tangent[0][:, :6] == pytest.approx(K, abs=1e-6 * np.abs(K).max())
    lever = R[0, 0] @ [0.0, 0.2, 0.0]
    pull = answer.force[0]
    assert pull[3:6] == pytest.approx(np.cross(lever, pull[:3]))


def test_a_beam_rests_on_its_arm() -> None:
    model, _ = on_arms()
    load = np.zeros(model.dofs.size)
    load[-5] = 800.0
    found = settled(model, load, 0.5)
    assert model.dofs.size == 12  # the end of the arm has none of its own
    assert found.residuals[-1] < 1e-10


def test_arms_carry_springs_only() -> None:
    heavy = Masses(np.array([[3]]), 1.0)
    with pytest.raises(SettingError, match="its elements have mass"):
        Arms(heavy, {3: 2}).mass(np.zeros((4, 3)))
    with pytest.raises(SettingError, match="none of them is an end"):
        Arms(heavy, {7: 2})


def test_a_load_that_nothing_carries_is_told_with_its_share() -> None:
    law = Tabled((-1.0, 0.0, 1.0), (-10.0, 0.0, 10.0))
    tie = Bushes(np.array([[0, 1]]), (0,), (law,))
    model = NonlinearModel("m", np.zeros((2, 3)), (tie,), (Hold((0,), (0,)),))
    leaf = Nonlinear(model, {})
    pushed = NonlinearModel(
        "m",
        np.zeros((2, 3)),
        (tie,),
        (Hold((0,), (0,)),),
        (Push(1, 0, lambda t: 20.0),),
    )
    stuck = Nonlinear(pushed, {}).equilibrium(leaf.start(0.0).state, 1.0, {}, {})
    assert isinstance(stuck, Rejected)
    assert stuck.reason.startswith("at 50 % of the load")
