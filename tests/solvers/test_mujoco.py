"""MuJoCo as a leaf: MJCF and URDF; needs bondline[mujoco]."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from bondline.core import Advance, Pressing, Rejected, Signal, Window, uniform
from bondline.errors import SettingError
from bondline.gluing import glue
from bondline.gluing.glue import joint
from bondline.leaves import RigidBody
from bondline.testing import assert_conforms, check_leaf

pytest.importorskip("mujoco")

from bondline.leaves.mujoco import MujocoLeaf, mujoco_leaf

URDF = Path(__file__).parents[1] / "mbd" / "arm.urdf"
BAR = '<inertial pos="{x} 0 0" mass="2" diaginertia="0.02 0.3 0.3"/>'
UPPER = f"""<body name="upper" pos="0 0 1">
  <joint name="swing" type="hinge" axis="0 1 0"/>{BAR.format(x=0.5)}
  <site name="end" pos="1 0 0" euler="10 20 30"/>%s</body>"""
LOWER = f"""<body name="lower" pos="1 0 0"><joint type="ball"/>{BAR.format(x=0.4)}
  <site name="tip" pos="0.8 0 0"/></body>"""


def mjcf(lower="", step=0.0005):
    option = f'<option integrator="RK4" timestep="{step}"/>'
    return f"<mujoco>{option}<worldbody>{UPPER % lower}</worldbody></mujoco>"


def test_it_conforms():
    def make():
        return mujoco_leaf(
            "arm", mjcf(LOWER), {"tip": "tip", "elbow": "lower"}, points=("elbow",)
        )

    assert isinstance(make(), Pressing)
    assert_conforms(make(), make=make)


def test_contacts_roll_back_to_the_same_bits():
    """A ball bounces: the contact solver's warm start is part of the state."""
    ball = """<mujoco><worldbody><geom type="plane" size="1 1 1"/>
      <body name="ball" pos="0 0 0.101"><freejoint/><geom size="0.1"/></body>
      </worldbody></mujoco>"""
    leaf = mujoco_leaf("ball", ball, {"c": "ball"})
    report = check_leaf(leaf, windows=8)
    passed = {f.check for f in report.findings if f.verdict == "passed"}
    assert {"rollback", "repeatability", "determinism", "serialisation"} <= passed


def test_an_arm_in_urdf_is_a_leaf():
    leaf = mujoco_leaf("arm", URDF.read_text(), {"hand": "hand"}, points=("hand",))
    assert leaf.ports["hand"].dofs == ("x", "y", "z")
    assert_conforms(leaf)


def lower():
    """The lower bar as a body of ours."""
    return RigidBody(
        "lower",
        2.0,
        (0.02, 0.3, 0.3),
        position=(1.4, 0.0, 1.0),
        gravity=(0.0, 0.0, -9.81),
        points={"a": (-0.4, 0.0, 0.0), "tip": (0.4, 0.0, 0.0)},
    )


def swung(model):
    step = model.start(0.0)
    for n in range(30):
        step = model.advance(step.state, uniform(0.0, 0.01, n), {})
        assert isinstance(step, Advance)
    return step.outputs["tip"].x


def test_glued_to_our_body_it_swings_as_mujoco_does_alone():
    """Forces turn with a step's start, not inside it: an error of its length."""
    alone = swung(mujoco_leaf("arm", mjcf(LOWER), {"tip": "tip"}))
    assert alone[2] < 0.6
    off = []
    for h in (2e-3, 1e-3, 5e-4):
        upper = mujoco_leaf("upper", mjcf(step=h), {"end": "end"})
        elbow = joint("spherical", "upper.end", "lower.a")
        glued = glue(
            "arm", [upper, lower()], {"elbow": elbow}, exports={"tip": "lower.tip"}
        )
        off.append(np.abs(swung(glued) - alone).max())
    assert off[1] < 0.6 * off[0]
    assert off[2] < 0.6 * off[1]
    assert off[2] < 1e-4


def test_numbers_that_run_away_are_a_rejection():
    leaf = mujoco_leaf("arm", mjcf(), {"end": "end"})
    huge = {"end": Signal.hold(np.full(6, 1e300))}
    done = leaf.advance(leaf.start(0.0).state, Window(0.0, 0.01), huge)
    assert isinstance(done, Rejected)
    assert done.until == 0.005


def test_joints_are_published_by_name():
    leaf = mujoco_leaf("arm", mjcf(), {"end": "end"})
    done = leaf.advance(leaf.start(0.0).state, Window(0.0, 0.1), {})
    assert leaf.observe(done.state)["swing"].unit == "rad"
    assert leaf.observe(done.state)["swing"].value > 0.01


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"sockets": {"tip": "tpi"}}, "no site and no body 'tpi'"),
        ({"points": ("elbow",)}, "no port 'elbow'"),
        ({"key": "home"}, "no keyframe 'home'"),
    ],
)
def test_what_the_model_does_not_have_is_refused(change, words):
    import mujoco

    model = mujoco.MjModel.from_xml_string(mjcf(LOWER))
    given = {"sockets": {"tip": "tip"}, **change}
    with pytest.raises(SettingError, match=words):
        MujocoLeaf("arm", model, **given)


def test_what_mujoco_cannot_read_is_told_in_its_words():
    with pytest.raises(SettingError, match="Correct the MJCF"):
        mujoco_leaf("arm", "<mujoco><worldbody><bdy/></worldbody></mujoco>", {})
