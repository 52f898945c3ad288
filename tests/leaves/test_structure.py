"""Linear structures: Newmark, unit responses, energy."""

from __future__ import annotations

import numpy as np
import pytest

from bondline.core import Signal, Window, uniform
from bondline.errors import SettingError
from bondline.gluing.couplings.probing import Probe, flexibility
from bondline.leaves import Structure, chain
from bondline.numerics import Kinematics, LinearSystem, Newmark

ONE = {"masses": 1, "mass": 2.0, "wall": 200.0}


def test_newmark_is_of_order_two():
    def error(n):
        system = LinearSystem(np.eye(1), np.zeros((1, 1)), 9.0 * np.eye(1))
        now = Kinematics(*np.array([[1.0], [0.0], [-9.0]]))
        for _ in range(n):
            now = Newmark(system, 1.0 / n).step(now, np.zeros(1))
        return abs(now.u[0] - np.cos(3.0))

    assert np.log2(error(50) / error(100)) == pytest.approx(2.0, abs=0.05)


@pytest.mark.parametrize("steps", [1, 4])
@pytest.mark.parametrize("powers", [1, 3])
def test_linearise_agrees_with_differences(steps, powers):
    part = chain("c", masses=4, stiffness=500.0, damping=3.0, wall=80.0, steps=steps)
    rng = np.random.default_rng(1)
    ports = ("left", "right")
    inputs = {p: Signal(rng.normal(size=(powers, 1))) for p in ports}
    args = (rng.normal(size=12), Window(0.3, 0.35), inputs)
    exact = part.linearise(*args)
    probed = flexibility(part, args, part.advance(*args), (ports, powers), Probe())
    for pair, block in probed.blocks.items():
        assert exact.blocks[pair] == pytest.approx(block, rel=1e-6, abs=1e-9)


def test_flexibility_is_symmetric():
    part = chain("c", masses=5, stiffness=300.0, damping=2.0)
    blocks = part.linearise(part.start(0.0).state, Window(0.0, 0.01), {}).blocks
    across, back = blocks["left", "right"], blocks["right", "left"]
    assert across == pytest.approx(back, rel=1e-12)


def test_loads_in_time_and_energy():
    part = chain("c", **ONE, force=20.0, frequency=0.5)
    before = step = part.start(0.0)
    work = 0.0
    for n in range(500):
        step = part.advance(step.state, uniform(0.0, 0.01, n), {})
        work += step.energy.supplied - step.energy.dissipated
    assert step.energy.stored - before.energy.stored == pytest.approx(work, rel=1e-9)


def test_a_start_away_from_rest_has_consistent_accelerations():
    system = LinearSystem(2.0 * np.eye(1), np.eye(1), 8.0 * np.eye(1))
    at = Kinematics(np.array([0.5]), np.array([1.0]), np.zeros(1))
    start = Structure("s", system, {}, {}, start_at=at).start(0.0)
    assert start.state == pytest.approx([0.5, 1.0, -2.5])


def test_a_matrix_that_cannot_be_factored_is_named():
    system = LinearSystem(-np.eye(1), np.zeros((1, 1)), np.zeros((1, 1)))
    with pytest.raises(np.linalg.LinAlgError, match="not positive definite"):
        Newmark(system, 0.1).solve(np.ones(1))


@pytest.mark.parametrize("wrong", [{"masses": 2.6}, {"masses": 0.3}, {"steps": 0.4}])
def test_a_chain_has_whole_masses_and_steps(wrong):
    with pytest.raises(SettingError) as caught:
        chain("c", **wrong)
    assert caught.value.place == f"c.{next(iter(wrong))}"
    assert "not a whole number" in caught.value.finding
    assert caught.value.remedy.startswith("Give ")


def test_a_chain_says_what_it_is():
    part = chain("c", masses=3, origin=2.0)
    state = part.start(0.0).state
    assert list(part.observe(state)) == ["left.x", "right.x"]
    assert part.shapes(state)[""][:, 0].tolist() == [2.0, 3.0, 4.0]
    assert part.parameters["masses"].value == 3
    assert part.capabilities.one_step
    assert not chain("c", steps=5).capabilities.one_step
    assert np.array_equal(part.load(part.dump(state)), state)
