"""Nonlinear models that cannot be are refused in words, before anything is computed."""

from __future__ import annotations

import numpy as np
import pytest

from bondline.core import Signal, Window
from bondline.errors import LeafFailed, SettingError
from bondline.leaves.fe.sections import Material
from bondline.leaves.nonlinear import (
    Beams2,
    Bench,
    Bushes,
    Hold,
    Linear,
    Masses,
    Newton,
    Nonlinear,
    NonlinearModel,
    Plastic,
    Progressive,
    Push,
    Shells,
    Socket,
    Swift,
    Table,
    Tabled,
    Ties,
)
from bondline.leaves.nonlinear.elements import fibres
from bondline.leaves.nonlinear.unloaded import Unloaded
from tests.nonlinear.models import YIELDING, at, plane_cantilever

POINTS = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0]])
ROWS = np.array([[0, 1], [1, 2]])
STEEL = Material("steel", 210e9, 0.3, 7850.0)
BOX = (0.04, 0.04, 0.003)


def beams(metal=STEEL, rows=ROWS, sizes=BOX, web=8):
    return Beams2(rows, fibres.flat_box(metal, *sizes, web=web))


def leaf(*blocks, points=POINTS, holds=(), pushes=(), port=None):
    model = NonlinearModel("m", points, blocks or (beams(),), holds, pushes)
    made = Nonlinear(model, {"p": port or Socket((2,), (0, 1))})
    return made.advance(made.start(0.0).state, Window(0.0, 1e-3), {})


def spring(law):
    return Ties(np.array([[0, 1]]), law, components=(0, 1))


def bush(*laws):
    return Bushes(np.array([[0, 1]]), (0, 1), laws)


def shell(**how):
    return Shells(np.array([[0, 1, 2]]), STEEL, **how)


REFUSED = [
    ("E is 0", lambda: leaf(beams(Material("s", 0.0)))),
    ("E is -1", lambda: leaf(beams(Material("s", -1.0)))),
    ("E is nan", lambda: leaf(beams(Material("s", np.nan)))),
    ("nu is 0.7", lambda: leaf(beams(Material("s", 1e9, 0.7)))),
    ("nu is -2", lambda: leaf(beams(Material("s", 1e9, -2.0)))),
    ("rho is -1", lambda: leaf(beams(Material("s", 1e9, 0.3, -1.0)))),
    ("beta is -1", lambda: leaf(beams(Material("s", 1e9, 0.3, 1.0, 0.0, -1.0)))),
    ("kinematic is -1", lambda: leaf(beams(Plastic(STEEL, Linear(1e8), -1.0)))),
    ("no node -1 of 3", lambda: leaf(beams(rows=np.array([[0, -1]])))),
    ("no node 9 of 3", lambda: leaf(beams(rows=np.array([[0, 9]])))),
    ("0 has no length", lambda: leaf(beams(rows=np.array([[0, 0], [0, 1]])))),
    ("float64", lambda: leaf(beams(rows=np.array([[0.0, 1.0]])))),
    (r"\(1, 3\)", lambda: leaf(beams(rows=np.array([[0, 1, 2]])))),
    ("wall is 0", lambda: beams(sizes=(0.04, 0.04, 0.0))),
    ("nothing open", lambda: beams(sizes=(0.04, 0.04, 0.03))),
    ("nothing open", lambda: fibres.box(STEEL, 0.04, 0.02, 0.01)),
    ("depth is -0.04", lambda: beams(sizes=(-0.04, 0.04, 0.003))),
    ("depth is nan", lambda: beams(sizes=(np.nan, 0.04, 0.003))),
    ("cut into 0", lambda: beams(web=0)),
    ("cut into 0", lambda: fibres.layers(STEEL, 0.1, 0.1, 0)),
    ("width is -1", lambda: fibres.rectangle(STEEL, -1.0, 1.0)),
    ("radius is 0", lambda: fibres.tube(STEEL, 0.0, 1.0)),
    (r"\[-1\] of 3", lambda: leaf(holds=(Hold((-1,), (0,)),))),
    (r"\[7\] of 3", lambda: leaf(holds=(Hold((7,), (0,)),))),
    ("no component 9", lambda: leaf(holds=(Hold((0,), (9,)),))),
    (r"\[9\] of 3", lambda: leaf(pushes=(Push(9, 0, lambda t: 1.0),))),
    (r"\[-1\] of 3", lambda: leaf(pushes=(Push(-1, 0, lambda t: 1.0),))),
    ("no component 7", lambda: leaf(pushes=(Push(1, 7, lambda t: 1.0),))),
    (r"\[9\] of 3", lambda: leaf(port=Socket((9,), (0,)))),
    (r"\[-1\] of 3", lambda: leaf(port=Socket((-1,), (0,)))),
    ("no component 8", lambda: leaf(port=Socket((2,), (8,)))),
    ("no nodes", lambda: leaf(port=Socket((), (0,)))),
    ("twice", lambda: leaf(port=Socket((2, 2), (0,)))),
    ("not all finite", lambda: leaf(points=POINTS * np.nan)),
    (r"\(3, 2\)", lambda: leaf(points=POINTS[:, :2])),
    ("mass_each is -3", lambda: leaf(beams(), Masses(np.array([[1]]), -3.0))),
    (r"\(1,\)", lambda: leaf(beams(), Masses(np.array([1]), 3.0))),
    ("k=nan", lambda: leaf(beams(), bush(Progressive(np.nan), Progressive(1.0)))),
    ("d0=0", lambda: leaf(beams(), bush(Progressive(1.0, 0.0), Progressive(1.0)))),
    ("k=-1", lambda: leaf(beams(), bush(Progressive(-1.0), Progressive(1.0)))),
    ("c=-5", lambda: leaf(beams(), bush(Progressive(1.0, c=-5.0), Progressive(1.0)))),
    ("1 laws for 2", lambda: leaf(beams(), bush(Progressive(1.0)))),
    (r"stretches are \[0.0\]", lambda: leaf(beams(), spring(Tabled((0.0,), (1.0,))))),
    ("stretches are", lambda: leaf(beams(), spring(Tabled((1.0, 0.0), (0.0, 1.0))))),
    (r"strains are \[\]", lambda: Table((), ())),
    ("at p = 0.1 it yields at 200", lambda: Table((0.0, 0.1), (250.0, 200.0))),
    ("n -0.1", lambda: Swift(500.0, 0.01, -0.1)),
    ("e0 0,", lambda: Swift(500.0, 0.0, 0.1)),
    ("0 steps a window", lambda: plane_cantilever(steps=0)),
    ("tolerance: it is 0", lambda: Newton(0.0)),
    ("patience: it is 0", lambda: Newton(patience=0)),
    ("thickness is -0.1", lambda: leaf(shell(thickness=-0.1))),
    ("layers is 0", lambda: leaf(shell(thickness=0.1, layers=0))),
]


@pytest.mark.parametrize(("says", "make"), REFUSED)
def test_what_cannot_be_is_refused_in_words(says, make):
    with pytest.raises(SettingError, match=says) as told:
        make()
    assert told.value.remedy


def test_a_permanent_set_that_is_not_found_is_refused():
    """Never a number that has not converged."""
    leaf = plane_cantilever(YIELDING)
    state = leaf.start(0.0).state
    for n in range(6):
        push = {"tip": Signal.hold(np.array([0.0, -2e5]))}
        state = at(leaf.advance(state, Window(n * 2e-4, (n + 1) * 2e-4), push)).state
    now = leaf.fields(state)
    assert abs(Unloaded(leaf.model, Bench()).shift(now, 4, 1, 0)) > 1e-5
    with pytest.raises(LeafFailed) as no:
        Unloaded(leaf.model, Bench(), tries=1).shift(now, 4, 1, 0)
    assert "found no rest" in no.value.finding
    assert "bench" in no.value.remedy


def test_a_permanent_set_follows_from_the_state_alone():
    """To the bits: a run that is taken up again has seen no other state."""
    leaf = plane_cantilever(YIELDING)
    state = leaf.start(0.0).state
    seen, fresh = [], []
    used = Unloaded(leaf.model, Bench())
    for n, push in enumerate([-2e5] * 4 + [0.0] * 4):
        told = {"tip": Signal.hold(np.array([0.0, push]))}
        state = at(leaf.advance(state, Window(n * 2e-4, (n + 1) * 2e-4), told)).state
        now = leaf.fields(state)
        seen.append(used.shift(now, 4, 1, 0))
        fresh.append(Unloaded(leaf.model, Bench()).shift(now, 4, 1, 0))
    assert seen == fresh
    assert used.shift(now, 4, 1, 2) == Unloaded(leaf.model, Bench()).shift(now, 4, 1, 2)
