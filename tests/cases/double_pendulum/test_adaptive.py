"""Adaptive windows where the torque of the double pendulum jumps."""

from dataclasses import replace

import numpy as np
import pytest

from bondline.core import uniform
from bondline.gluing import Pace, glue
from bondline.leaves import FreeBar, PinnedBar

JUMP, END, OUTPUT = 1.503, 2.0, 0.1


def pendulum(scheme="constant/e", pace=None):
    upper = PinnedBar("upper", mass=10.0, torque=-20.0, jump=-1000.0, jump_time=JUMP)
    lower = FreeBar("lower", mass=20.0, length=2.0)
    model = glue("dp", [upper, lower], {"A": ("upper.A", "lower.A")}, scheme=scheme)
    return replace(model, pace=pace)


def run(model, h):
    step, places, counts = model.start(0.0), [], []
    for n in range(round(END / h)):
        step = model.advance(step.state, uniform(0.0, h, n), {})
        counts.append((step.stats["solves"], step.stats["windows"]))
        if abs((n + 1) * h / OUTPUT - round((n + 1) * h / OUTPUT)) < 1e-9:
            seen = model.observe(step.state)
            places.append([seen["lower.com.x"].value, seen["lower.com.y"].value])
    return np.array(places), np.array(counts)


@pytest.fixture(scope="module")
def exact():
    places, _ = run(pendulum("quadratic-discontinuous/e,v,a"), 1e-3)
    return places


def test_a_jump_between_grid_points_costs_no_accuracy(exact):
    """Windows end at the jump, so refining converges as without it."""
    errors = [np.abs(run(pendulum(), h)[0] - exact).max() for h in (0.01, 0.005)]
    assert errors[1] < errors[0] / 10


def test_adaptive_windows_need_far_fewer_solves_at_the_same_error(exact):
    paced, counts = run(pendulum(pace=Pace(1e-4)), OUTPUT)
    even, spent = run(pendulum(), 0.0025)
    assert np.abs(paced - exact).max() < 3 * np.abs(even - exact).max()
    assert 2.5 * counts[:, 0].sum() < spent[:, 0].sum()
    after = round(JUMP / OUTPUT)
    assert counts[after:, 1].mean() > 4 * counts[:after, 1].mean()
