"""Flexibility of mechanisms from their tangents: what it is, and what it costs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from bondline.core import Signal, Window, uniform
from bondline.gluing import Newton, glue, joint
from bondline.leaves.mbd import (
    Body,
    Frame,
    Integration,
    Joint,
    Mechanism,
    Outlet,
    Sheet,
    multibody_leaf,
)
from bondline.leaves.mbd.tangent import differenced
from bondline.testing import check_leaf

from .test_leaf import flying, standing

BY_TOLERANCE = {"method": "dop853", "tolerance": 1e-12}


def precise(make):
    leaf = make()
    sheet = replace(leaf.sheet, integration=Integration(**BY_TOLERANCE))
    return type(leaf)(leaf.name, sheet)


def error(leaf, h):
    """Of G against differences, relative to the largest of each level."""
    window = Window(0.0, h)
    told = np.array([[1.0, 2, 3, 0.1, 0.2, 0.3], [2.0, 1, 0, 0, 0.1, 0]])
    inputs = {port: Signal(told) for port in leaf.ports}
    state = leaf.start(0.0).state
    G = leaf.linearise(state, window, inputs)
    args = (state, window, inputs)
    D = differenced(leaf, args, leaf.advance(*args), 2)
    assert G.solves == 1
    assert D.solves == 1 + 2 * 6 * len(leaf.ports)
    off = np.max([abs(G.blocks[k] - D.blocks[k]).max((1, 2, 3)) for k in G.blocks], 0)
    size = np.max([abs(block).max((1, 2, 3)) for block in D.blocks.values()], 0)
    return (off / size).max()


@pytest.mark.parametrize("make", [standing, flying])
def test_g_is_that_of_differences_to_the_second_order_of_the_window(make):
    leaf = precise(make)
    far, near = error(leaf, 1e-3), error(leaf, 2.5e-4)
    assert near < 1e-4
    assert near < far / 8  # 16 for the second order


@pytest.mark.parametrize("make", [standing, flying])
def test_leaves_that_know_their_flexibility_conform(make):
    check_leaf(precise(make), window=1e-3).raise_if_failed()


def test_steps_that_are_long_for_its_vibrations_are_differenced():
    """Then G is that of the steps."""
    leaf = standing()
    window, state = Window(0.0, 1e-3), leaf.start(0.0).state
    assert leaf.linearise(state, window, {}).solves == 1 + 6 * len(leaf.ports)
    fine = standing(step=2e-6)
    assert fine.linearise(state, window, {}).solves == 1


def rod(name, length, mass):
    across = mass * length**2 / 12
    ends = {"end": Frame((length, 0, 0))}
    return Body(name, mass, (1e-3, across, across), (length / 2, 0, 0), ends)


def test_a_double_pendulum_in_space_takes_a_fifth_of_the_solves():
    """Probed from outside a window takes 42: 5 moments and forces on either side."""
    how = Integration(method="rk4", step=5e-4)
    ball = Joint("ball", "spherical", "ground", "a", (1, 0, 0, 0), (0.5, 1, 0.3))
    free = Joint("fly", "free", Frame((1, 0, 0)), "b")
    upper = Mechanism("u", [rod("a", 1.0, 10.0)], [ball])
    lower = Mechanism("l", [rod("b", 2.0, 20.0)], [free])
    parts = [
        multibody_leaf("upper", Sheet(upper, {"A": Outlet("a.end")}, {}, how)),
        multibody_leaf("lower", Sheet(lower, {"A": Outlet("b")}, {}, how)),
    ]
    hinge = joint("revolute", "upper.A", "lower.A", axis=(0, 0, 1))
    every = Newton(refresh="window", update="none")
    made = replace(glue("two", parts, {"A": hinge}), solver=every)
    now, solves = replace(made, start_from="projected").start(0.0), 0
    for n in range(20):
        now = made.advance(now.state, uniform(0.0, 5e-3, n), {})
        solves += now.stats["solves"]
    assert solves <= 20 * 8.5
