"""Several Newmark steps a window: forces that jump where a window starts."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np
import pytest

from bondline.core import Signal, Window, uniform
from bondline.errors import SettingError
from bondline.gluing import SCHEMES
from bondline.gluing import glue as join
from bondline.leaves import chain
from bondline.numerics import Kinematics, LinearSystem, Newmark
from bondline.numerics.recursion import GluedMass, spectral_radius
from tests.gluing.parts import glue, mass, tie

STEPS = [2, 4, 10]
CONSTANT = SCHEMES["constant/e"]
A = {"masses": 3, "mass": 1.0, "stiffness": 300.0, "wall": 40.0}
B = {"masses": 2, "mass": 2.0, "stiffness": 500.0, "force": 5.0}


def pair(steps, more=None):
    a = chain("a", **A, steps=steps)
    b = chain("b", **B, steps=steps if more is None else more)
    return glue(a, b, ties=[tie("a.right", "b.left")])


def ends(model, h, windows):
    """Positions of both far ends after every window, and the energy stored."""
    step, found = model.start(0.0), []
    for n in range(windows):
        step = model.advance(step.state, uniform(0.0, h, n), {})
        seen = model.observe(step.state)
        x = [seen[name].value for name in ("a.left.x", "b.right.x")]
        found.append([*x, step.energy.stored])
    return np.array(found)


@lru_cache
def all_at_once(h, windows, fine=64):
    """The same two chains as one matrix, stepped so finely that it counts as exact."""
    M, C, K = np.zeros((3, 4, 4))
    for own, at in ((A, slice(0, 3)), (B, slice(2, 4))):
        for total, part in zip((M, C, K), chain("c", **own).system, strict=True):
            total[at, at] += part
    method = Newmark(LinearSystem(M, C, K), h / fine)
    now, found = Kinematics(*np.zeros((3, 4))), []
    for n in range(1, windows * fine + 1):
        f = np.zeros(4)
        f[-1] = 5.0 * np.sin(2.0 * np.pi * n * h / fine)
        now = method.step(now, f)
        if n % fine == 0:
            found.append(now.u[[0, 3]])
    return np.array(found)


@pytest.mark.quick(2)
@pytest.mark.parametrize("steps", STEPS)
@pytest.mark.parametrize("h", [0.01, 0.1])
def test_three_hundred_windows_stay_bounded(steps, h):
    found = ends(pair(steps), h, 300)
    assert np.abs(found[:, :2]).max() < 0.2
    assert found[:, 2].max() < 0.6


@pytest.mark.parametrize("steps", STEPS)
def test_positions_follow_the_all_at_once_model_with_order_two(steps):
    errors = []
    for windows in (100, 200):
        h = 1.0 / windows
        far = ends(pair(steps), h, windows)[:, :2] - all_at_once(h, windows)
        errors.append(np.abs(far).max())
    assert np.log2(errors[0] / errors[1]) == pytest.approx(2.0, abs=0.2)
    assert errors[1] < 1e-3


def test_parts_with_different_numbers_of_steps_stay_bounded():
    found = ends(pair(2, 10), 0.05, 300)
    assert np.abs(found[:, :2]).max() < 0.2


@pytest.mark.parametrize("steps", STEPS)
def test_errors_of_a_joint_grow_with_the_old_acceleration_and_not_with_a_new_one(steps):
    """The recursion that `Structure` follows, and the one it followed once."""
    omegas = np.linspace(0.1, 20.0, 40)

    def largest(fresh):
        sides = [GluedMass(m, w, 0.0, steps, fresh) for w in omegas for m in (1.0, 9.0)]
        rigid = GluedMass(1.0, 0.0, 0.0, steps, fresh)
        return max(spectral_radius(CONSTANT, side, rigid, 1.0) for side in sides)

    assert largest(fresh=False) > 1.1
    assert largest(fresh=True) < 1.0 + 1e-5


@pytest.mark.parametrize("led", [(), ("left",), ("left", "right")])
def test_the_acceleration_before_the_window_does_not_count(led):
    part = chain("c", led, **B, wall=30.0, damping=2.0, steps=3)
    state, w = np.random.default_rng(1).normal(size=6), Window(0.2, 0.3)
    other = np.concatenate([state[:4], state[4:] + 100.0])
    rng = np.random.default_rng(2)
    inputs = {p: Signal(rng.normal(size=(4, 1))) for p in ("left", "right")}
    one, two = (part.advance(y, w, inputs).state for y in (state, other))
    assert one.tolist() == two.tolist()


@pytest.mark.parametrize("steps", STEPS)
def test_energy_adds_up_where_the_force_jumps(steps):
    """Stored energy grows by the port's work: a constant force times the way."""
    part = chain("c", **{**B, "force": 0.0}, wall=30.0, steps=steps)
    now = part.start(0.0)
    for n, force in enumerate((3.0, -5.0, 0.0, 8.0)):
        hold = {"right": Signal.hold(np.array([force]))}
        after = part.advance(now.state, uniform(0.0, 0.1, n), hold)
        way = after.outputs["right"].x[0] - now.outputs["right"].x[0]
        gained = after.energy.stored - now.energy.stored
        assert gained == pytest.approx(force * way, abs=1e-13)
        now = after


def test_shorter_inner_windows_of_one_step_parts_are_still_refused():
    """Nobody tells their parts that a window of the outside starts."""
    parts = [chain("a", **A), chain("b", **B)]
    joints, shown = {"j": ("a.right", "b.left")}, {"out": "b.right"}
    inner = replace(join("ab", parts, joints, exports=shown), windows=2)
    assert inner.capabilities.mixed
    with pytest.raises(SettingError, match="holds parts that take one Newmark step"):
        glue(inner, mass("c"), ties=[tie("ab.out", "c.end")])


@pytest.mark.parametrize("windows", [1, 2])
def test_composites_of_parts_with_several_steps_are_not_mixed(windows):
    parts = [chain("a", **A, steps=2), chain("b", **B, steps=4)]
    joints, shown = {"j": ("a.right", "b.left")}, {"out": "b.right"}
    inner = replace(join("ab", parts, joints, exports=shown), windows=windows)
    assert not inner.capabilities.mixed
    model = glue(inner, mass("c"), ties=[tie("ab.out", "c.end")])
    step = model.start(0.0)
    for n in range(100):
        step = model.advance(step.state, uniform(0.0, 0.02, n), {})
        assert abs(model.observe(step.state)["c.x"].value) < 0.5
