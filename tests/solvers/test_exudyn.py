"""Exudyn as a leaf: flexible multibody systems; needs bondline[exudyn]."""

from __future__ import annotations

import numpy as np
import pytest

from bondline.core import Advance, Pressing, Rejected, Signal, Window, uniform
from bondline.errors import SettingError
from bondline.gluing import glue
from bondline.gluing.glue import joint
from bondline.testing import assert_conforms

pytest.importorskip("exudyn")

import exudyn as exu
from exudyn.utilities import (
    InertiaCuboid,
    MarkerBodyPosition,
    MarkerBodyRigid,
    SensorBody,
)

from bondline.leaves.exudyn import ExudynLeaf

STIFF = np.diag([1e6] * 3 + [4e3] * 3)


class Row:
    """Bars in a row: the first hinged to the ground, joined by springs or balls."""

    def __init__(self):
        self.mbs = exu.SystemContainer().AddSystem()

    def bar(self, k):
        inertia = InertiaCuboid(density=1000.0, sideLengths=[1.0, 0.1, 0.1])
        return self.mbs.CreateRigidBody(
            inertia=inertia,
            referencePosition=[k + 0.5, 0.0, 0.0],
            gravity=[0.0, 0.0, -9.81],
        )

    def hinged(self):
        bar, ground = self.bar(0), self.mbs.CreateGround()
        self.mbs.CreateRevoluteJoint(
            itemNumbers=[ground, bar], position=[0.0, 0.0, 0.0], axis=[0.0, 1.0, 0.0]
        )
        return bar

    def mark(self, name, bar, x, kind=MarkerBodyRigid):
        self.mbs.AddMarker(kind(name=name, bodyNumber=bar, localPosition=[x, 0, 0]))


def flexible():
    """Two bars with a soft weld between them: it bends."""
    row = Row()
    first, second = row.hinged(), row.bar(1)
    row.mbs.CreateRigidBodySpringDamper(
        itemNumbers=[first, second],
        localPosition0=[0.5, 0.0, 0.0],
        localPosition1=[-0.5, 0.0, 0.0],
        stiffness=STIFF,
        damping=1e-3 * STIFF,
    )
    row.mark("tip", second, 0.5)
    row.mark("middle", first, 0.2, MarkerBodyPosition)
    row.mbs.AddSensor(
        SensorBody(
            name="speed",
            bodyNumber=second,
            outputVariableType=exu.OutputVariableType.Velocity,
            storeInternal=False,
            writeToFile=False,
        )
    )
    return row


def leaf(row, sockets, name="arm", **how):
    return ExudynLeaf(name, row.mbs, sockets, **how)


def arm(**how):
    sockets = {"tip": "tip", "middle": "middle"}
    return leaf(flexible(), sockets, points=("middle",), **how)


def test_it_conforms():
    assert isinstance(arm(), Pressing)
    assert_conforms(arm(), make=arm)


def test_two_halves_glued_swing_as_exudyn_does_alone():
    """A ball joint between two bars: ours between two Exudyns, or Exudyn's own."""
    one, two, whole = Row(), Row(), Row()
    one.mark("end", one.hinged(), 0.5)
    lower = two.bar(1)
    two.mark("a", lower, -0.5, MarkerBodyPosition)
    two.mark("tip", lower, 0.5)
    first, second = whole.hinged(), whole.bar(1)
    whole.mbs.CreateSphericalJoint(
        itemNumbers=[first, second], position=[1.0, 0.0, 0.0]
    )
    whole.mark("tip", second, 0.5)
    upper = leaf(one, {"end": "end"}, "upper")
    free = leaf(two, {"a": "a", "tip": "tip"}, points=("a",))
    glued = glue(
        "arm",
        [upper, free],
        {"elbow": joint("spherical", "upper.end", "arm.a")},
        exports={"tip": "arm.tip"},
    )
    alone = leaf(whole, {"tip": "tip"})
    ends = []
    for model in (glued, alone):
        step = model.start(0.0)
        for n in range(60):
            step = model.advance(step.state, uniform(0.0, 5e-3, n), {})
            assert isinstance(step, Advance)
        ends.append(step.outputs["tip"].x)
    assert ends[1][2] < -0.4
    assert ends[0] == pytest.approx(ends[1], abs=1e-4)


def test_a_port_may_have_any_name():
    push = Signal.hold(np.array([0.0, 0.0, 50.0, 0.0, 0.0, 0.0]))
    ends = []
    for port in ("tip", "t0", "h", "window", "inputs"):
        made = leaf(flexible(), {port: "tip"})
        state, window = made.start(0.0).state, Window(0.0, 0.05)
        ends.append(made.advance(state, window, {port: push}).outputs[port].x)
    assert all(np.array_equal(x, ends[0]) for x in ends)


def test_sensors_are_published():
    made = arm(sensors={"speed": "m/s"})
    done = made.advance(made.start(0.0).state, Window(0.0, 0.1), {})
    seen = made.observe(done.state)
    assert set(seen) == {"speed.0", "speed.1", "speed.2"}
    assert seen["speed.2"].value < -0.5


def test_what_exudyn_cannot_solve_is_a_rejection(capfd):
    made = arm()
    huge = {"tip": Signal.hold(np.full(6, 1e200))}
    done = made.advance(made.start(0.0).state, Window(0.0, 0.01), huge)
    assert isinstance(done, Rejected)
    assert "Exudyn" in done.reason
    assert capfd.readouterr().out == ""


def test_a_marker_that_is_not_there_is_refused():
    with pytest.raises(SettingError, match="no marker 'tpi'"):
        leaf(flexible(), {"tip": "tpi"})


def test_a_step_is_a_time():
    with pytest.raises(SettingError, match="above 0"):
        arm(step=0.0)
