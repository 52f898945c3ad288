"""Mechanisms whose root is told its motion."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from bondline.core import Causality, Effort, Pose, Signal, Window, uniform
from bondline.errors import SettingError
from bondline.gluing import glue, joint
from bondline.leaves import RigidBody
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
from bondline.leaves.mbd.modal import Beam, Shapes, beam_modes
from bondline.testing import check_leaf

WHIP = Body(
    "whip",
    modes=beam_modes(
        Beam(1.0, 2.0, EIy=2e2, EIz=1e2, radii=(0.05, 0.05)),
        [Shapes("bend-z", 1), Shapes("bend-y", 1)],
        nodes={"tip": 1.0},
    ),
)
HUB = Body(
    "hub",
    3.0,
    (0.1, 0.2, 0.3),
    (0.05, 0, 0),
    {"at": Frame((0.1, 0, 0)), "out": Frame()},
)
STEPS = Integration(step=2e-4)
BALL = Joint("ball", "spherical", "hub.out", "whip")


def made(takes=Causality.MOTION_IN, how=STEPS, **changes):
    fly = Joint("fly", "free", "ground", "hub.at", (1, 2, 3, 0.5, 0.5, 0.5, 0.5))
    tree = Mechanism("led", [HUB, WHIP], [fly, BALL], **changes)
    ports = {"root": Outlet("hub.at", takes), "tip": Outlet("whip.tip")}
    return multibody_leaf("led", Sheet(tree, ports, integration=how))


@pytest.mark.parametrize("window", [1e-3, 4e-3])
def test_it_conforms(window):
    check_leaf(made(), window=window, make=made).raise_if_failed()


def test_the_wrench_it_takes_is_the_one_that_moves_it_like_this():
    led, free = made(), made(Causality.FORCE_IN)
    state = led.start(0.0).state
    a, push = np.arange(6.0) - 2.5, np.array([1.0, -2, 3, 0.1, 0.2, 0.3])
    told = led.press(state, 0.0, {"root": a, "tip": push}).outputs["root"]
    assert isinstance(told, Effort)
    moved = free.press(state, 0.0, {"root": told.f, "tip": push}).outputs
    assert_allclose(moved["root"].a, a, atol=1e-10)


def test_it_follows_its_path():
    led = made()
    now = led.start(0.0)
    pose = now.outputs["root"].at
    c = np.zeros((4, 6))
    c[1:] = np.random.default_rng(2).normal(size=(3, 6)) * 1e-3
    done = led.advance(now.state, Window(0.0, 0.01), {"root": Signal(c, pose_of(pose))})
    at = done.outputs["root"].at
    assert_allclose(at.x, pose.x + c.sum(axis=0)[:3])
    assert_allclose(led.observe(done.state)["fly.x"].value, at.x[0])
    assert_allclose(np.linalg.norm(at.turn), 1.0)


def pose_of(motion):
    return Pose(motion.x, motion.turn)


def test_glued_to_what_leads_it_it_is_the_whole_mechanism():
    """A block that takes force leads the hub by X-T; the tree has both in one."""
    how, at = Integration(step=2e-4), (1.0, 2.0, 3.0)
    inertia = (40.0, 50.0, 60.0)
    block = RigidBody(
        "block", 100.0, inertia, at, spin=(0.2, 0.4, -0.3), gravity=(0, 0, -9.81),
        markers={"a": (0.0, 0.0, 0.0)},
    )  # fmt: skip
    start, speed = (*at, 1.0, 0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 0.2, 0.4, -0.3)
    fly = Joint("fly", "free", "ground", "hub.at", start, speed)
    ports = {"root": Outlet("hub.at", Causality.MOTION_IN)}
    part = Mechanism("led", [HUB, WHIP], [fly, BALL])
    led = multibody_leaf("led", Sheet(part, ports, integration=how))
    stone = Body("stone", 100.0, inertia)
    base = Joint("base", "free", "ground", "stone", start, speed)
    grip = Joint("grip", "fixed", "stone", "hub.at")
    tree = Mechanism("whole", [stone, HUB, WHIP], [base, grip, BALL])
    whole = multibody_leaf(
        "whole", Sheet(tree, {"a": Outlet("stone")}, integration=how)
    )
    glued = glue("glued", [block, led], {"J": joint("fixed", "block.a", "led.root")})
    now, one = glued.start(0.0), whole.start(0.0)
    for n in range(40):
        now = glued.advance(now.state, uniform(0.0, 1e-3, n), {})
        one = whole.advance(one.state, uniform(0.0, 1e-3, n), {})
    seen, x = glued.observe(now.state), one.outputs["a"].x
    got = [seen[f"block.com.{d}"].value for d in "xyz"]
    assert_allclose(got, x, atol=2e-6)


@pytest.mark.parametrize(
    ("joints", "ports", "says"),
    [
        (
            [Joint("fly", "free", "ground", "hub"), BALL],
            {"root": Outlet("hub.at", Causality.MOTION_IN)},
            "carry",
        ),
        (
            [Joint("fly", "free", "ground", "hub.at"), BALL],
            {n: Outlet("hub.at", Causality.MOTION_IN) for n in "ab"},
            "2 ports",
        ),
        (
            [
                Joint("fly", "free", "ground", "whip.tip"),
                Joint("ball", "spherical", "whip", "hub"),
            ],
            {"a": Outlet("whip.tip", Causality.MOTION_IN)},
            "bends",
        ),
    ],
)
def test_what_cannot_lead_is_refused(joints, ports, says):
    tree = Mechanism("led", [HUB, WHIP], joints)
    with pytest.raises(SettingError, match=says):
        multibody_leaf("led", Sheet(tree, ports))


@pytest.mark.parametrize(
    "how", [Integration("dop853"), Integration(ratio=5), Integration("radau")]
)
def test_steps_that_a_led_mechanism_does_not_take_are_refused(how):
    with pytest.raises(SettingError) as no:
        made(how=how)
    assert "port root" in no.value.place
    assert how.method in no.value.finding
    assert "rk4" in no.value.remedy
