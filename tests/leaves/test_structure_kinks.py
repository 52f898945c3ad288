"""A structure whose own load jumps sees one side of the jump in every window."""

from itertools import pairwise
from math import inf, nextafter

import numpy as np
import pytest

from bondline.core import Port, Window
from bondline.leaves import Structure
from bondline.leaves.kinks import one_sided
from bondline.numerics import LinearSystem

JUMP, FORCE, MASS, STIFFNESS = 0.5371, 200.0, 3.0, 400.0
WRITTEN = {
    ">=": lambda t: np.array([FORCE * (t >= JUMP)]),
    ">": lambda t: np.array([FORCE * (t > JUMP)]),
}


def spring(load, steps=1, kinks=(JUMP,)):
    system = LinearSystem(*(np.array([[x]]) for x in (MASS, 0.0, STIFFNESS)))
    port = {"e": Port("e", ("x",))}
    given = {"external": load, "steps": steps, "kinks": kinks}
    return Structure("s", system, {"e": [0]}, port, **given)


def exact(t):
    omega = np.sqrt(STIFFNESS / MASS)
    return FORCE / STIFFNESS * (1.0 - np.cos(omega * (t - JUMP))) if t > JUMP else 0.0


@pytest.mark.parametrize("load", WRITTEN.values(), ids=WRITTEN.keys())
@pytest.mark.parametrize("steps", [1, 4])
@pytest.mark.parametrize("off", [-1e-13, 0.0, 1e-13])
def test_a_window_that_ends_at_the_jump_has_not_seen_it(load, steps, off):
    part = spring(load, steps)
    done = part.advance(part.start(0.5).state, Window(0.5, JUMP + off), {})
    assert not done.state.any()
    assert done.energy.supplied == 0.0


@pytest.mark.parametrize("load", WRITTEN.values(), ids=WRITTEN.keys())
@pytest.mark.parametrize("off", [-1e-13, 0.0, 1e-13])
def test_a_window_that_starts_at_the_jump_sees_it_all(load, off):
    part, window = spring(load, 4), Window(JUMP + off, 0.55)
    done = part.advance(np.zeros(3), window, {})
    always = spring(lambda t: np.array([FORCE]), 4, ())
    wanted = always.advance(np.zeros(3), window, {})
    assert np.array_equal(done.state, wanted.state)
    assert done.energy.supplied == wanted.energy.supplied > 0.0


@pytest.mark.parametrize("load", WRITTEN.values(), ids=WRITTEN.keys())
@pytest.mark.parametrize("steps", [1, 4])
def test_second_order_through_a_jump(load, steps):
    part, errors = spring(load, steps), []
    for n in (20, 40, 80):
        state = part.start(0.5).state
        state = part.advance(state, Window(0.5, JUMP), {}).state
        state = part.press(state, nextafter(JUMP, inf), {}).state
        grid = np.linspace(JUMP, 1.0, n + 1)
        for t0, t1 in pairwise(grid.tolist()):
            state = part.advance(state, Window(t0, t1), {}).state
        errors.append(abs(state[0] - exact(1.0)))
    assert errors[0] > 3.8 * errors[1] > 3.8**2 * errors[2]


def test_superposition_sees_the_same_side():
    part, window = spring(WRITTEN[">="]), Window(0.5, JUMP)
    start = part.start(0.5).state
    done = part.realise(part.respond(start, window, {}), {})
    assert np.array_equal(done.state, part.advance(start, window, {}).state)


def test_times_away_from_jumps_are_left_alone():
    ask = one_sided(Window(0.0, 1.0), (0.5, 2.0, -1.0))
    assert [ask(t) for t in (0.0, 0.5, 1.0)] == [0.0, 0.5, 1.0]


def test_times_at_both_ends_are_moved_to_the_open_side():
    ask = one_sided(Window(0.0, 1.0), (0.0, 1.0))
    assert ask(0.0) == nextafter(0.0, inf)
    assert ask(0.5) == 0.5
    assert ask(1.0) == nextafter(1.0, -inf)
