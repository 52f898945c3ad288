"""Generalized-α parts against parts that follow the force: T-T and large masses."""

from __future__ import annotations

import numpy as np
import pytest

from bondline.core import uniform
from bondline.gluing import glue, joint
from bondline.leaves import LargeMass, Oscillator
from bondline.leaves.fe.sections import Material
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
from bondline.leaves.nonlinear import (
    Beams2,
    Beams3,
    Hold,
    Linear,
    Masses,
    Nonlinear,
    NonlinearModel,
    Plastic,
    Push,
    Socket,
    fibres,
)
from bondline.leaves.nonlinear.elements.block import Elements

METAL = Plastic(Material("steel", 210e9, 0.3, 7850.0), Linear(420e6, 1.5e9))
TIE = {"tip": ("body.p", "beam.tip")}


def beam(*more: Elements, push=(), publish=None):
    """A cantilever along y, without damping, that bends along x."""
    points = np.zeros((7, 3))
    points[:, 1] = np.linspace(0.0, 0.4, 7)
    pairs = np.column_stack([np.arange(6), np.arange(1, 7)])
    beams = Beams2(pairs, fibres.flat_box(METAL, 0.045, 0.04, 0.003))
    held = (Hold((0,), (0, 1, 5)),)
    model = NonlinearModel("beam", points, (beams, *more), held, push)
    return Nonlinear(model, {"tip": Socket((6,), (0,))}, publish=publish or {})


def wave(t):
    return 5000.0 * np.sin(2.0 * np.pi * 20.0 * t)


def whole(h, until):
    """Beam and body in one model."""
    load = Masses(np.array([[6]]), 20.0, components=(0, 1))
    leaf = beam(load, push=(Push(6, 0, wave),), publish={"x": (6, 0)})
    state, found = leaf.start(0.0).state, []
    for n in range(round(until / h)):
        state = leaf.advance(state, uniform(0.0, h, n), {}).state
        found.append(leaf.observe(state)["x"].value)
    return np.array(found)


def travelled(part, h, until, scheme=None):
    """The body, 20 kg, glued to the beam."""
    body = Oscillator("body", 20.0, force=5000.0, frequency=20.0)
    made = glue("pair", [body, part], TIE, scheme)
    state, found = made.start(0.0).state, []
    for n in range(round(until / h)):
        state = made.advance(state, uniform(0.0, h, n), {}).state
        found.append(made.observe(state)["body.x"].value)
    return made, np.array(found)


def test_t_t_is_as_near_as_the_whole():
    """mixed/a,v,u felt αf h too early was 15 times as far off, and grew."""
    h, until = 5e-4, 0.05
    exact = whole(5e-5, until)[9::10]
    made, found = travelled(beam(), h, until)
    assert made.coupling.scheme.name == "mixed/a,v,u"
    own = np.abs(whole(h, until) - exact).max()
    assert np.abs(found - exact).max() < 1.5 * own


def test_t_t_and_iterated_large_masses_go_to_the_same_solution():
    """Both of order 2: their difference falls by four."""
    apart = []
    for h in (5e-4, 2.5e-4):
        _, one = travelled(beam(), h, 0.02)
        _, two = travelled(LargeMass(beam()), h, 0.02, "newton")
        apart.append(np.abs(one - two).max())
    assert apart[1] < apart[0] / 3.0
    assert apart[1] < 2e-5


def test_a_frame_leads_a_point():
    """A ball joint between a body that turns and a node: only the point is told."""
    points = np.zeros((5, 3))
    points[:, 0] = np.linspace(0.0, 0.4, 5)
    pairs = np.column_stack([np.arange(4), np.arange(1, 5)])
    up = np.array([0.0, 0.0, 1.0])
    beams = Beams3(pairs, fibres.box(METAL, 0.03, 0.03, 0.002), up)
    held = (Hold((0,), (0, 1, 2, 3, 4, 5)),)
    arm = Nonlinear(
        NonlinearModel("arm", points, (beams,), held),
        {"tip": Socket((4,), (0, 1, 2))},
    )
    top = {"top": Frame((0.0, 0.0, 0.2)), "own": Frame()}
    load = Body("load", 20.0, (0.3, 0.3, 0.3), markers=top)
    fly = Joint(
        "fly",
        "free",
        Frame((0.4, 0.0, -0.2)),
        "load.own",
        speed=(0,) * 3 + (0.0, 2.0, 0.0),
    )
    made = Mechanism("car", [load], [fly])
    sheet = Sheet(made, {"top": Outlet("load.top")}, {}, Integration("rk4", 1e-4))
    car = multibody_leaf("car", sheet)
    ball = {"ball": joint("spherical", "car.top", "arm.tip")}
    model = glue("both", [car, LargeMass(arm)], ball, "newton")
    step = model.start(0.0)
    for n in range(50):
        step = model.advance(step.state, uniform(0.0, 2e-4, n), {})
    tip = arm.model.dofs.spread(arm.fields(step.state.parts["arm"].inside).u)[4, :3]
    at = car.press(step.state.parts["car"], 0.01, {}).outputs["top"].x
    assert at == pytest.approx(points[4] + tip, abs=1e-6)
    assert np.abs(tip).max() > 1e-5
