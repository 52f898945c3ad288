"""URDF and MJCF: what they mean here, and what MuJoCo says to the same files."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

from bondline.build.mechanisms.mjcf import read_mjcf
from bondline.build.mechanisms.urdf import read_urdf
from bondline.errors import DescriptionError, SettingError
from bondline.leaves.mbd.pack import pack
from bondline.leaves.mbd.tree import Tree

HERE = Path(__file__).parent
ARM, MJCF = HERE / "arm.urdf", HERE / "arm.mjcf"
mujoco_is_here = pytest.mark.skipif(
    find_spec("mujoco") is None, reason="needs the extra mujoco"
)


def test_an_arm_in_urdf_has_its_links_and_joints():
    arm = read_urdf(ARM)
    assert arm.mechanism.bodies[0].name == "base"
    assert len(arm.mechanism.bodies) == 7
    tree = Tree(pack(arm.mechanism))
    assert tree.n_u == 6
    assert arm.notes == (
        "limits of joints do not stop them (2 times)",
        "<visual> is not read (1 times)",
        "<collision> is not read (1 times)",
    )


def test_a_robot_may_fly():
    flying = read_urdf(ARM, base="free")
    assert Tree(pack(flying.mechanism)).n_u == 12


def placed(tree, marker):
    order = tree.packed.layout
    number = tree.packed.markers[marker]
    return tree.outputs(order.start, order.speed, [number])[0][0]


def test_frames_of_urdf_are_where_their_origins_say():
    tree = Tree(pack(read_urdf(ARM).mechanism))
    assert_allclose(placed(tree, "shoulder")[:3], [0, 0, 0.1])
    yaw = np.cos(0.1), np.sin(0.1)
    assert_allclose(placed(tree, "shoulder")[3:], [yaw[0], 0, 0, yaw[1]])


@mujoco_is_here
@pytest.mark.parametrize("seed", range(5))
def test_an_arm_accelerates_as_in_mujoco(seed):
    import mujoco

    theirs = mujoco.MjModel.from_xml_string(ARM.read_text())
    data = mujoco.MjData(theirs)
    tree = Tree(pack(read_urdf(ARM).mechanism))
    rng = np.random.default_rng(seed)
    q, u = rng.normal(size=(2, 6))
    data.qpos[:], data.qvel[:] = q, u
    mujoco.mj_forward(theirs, data)
    got = tree.rates(0.0, q, u)[1]
    assert_allclose(got, data.qacc_smooth, rtol=1e-10, atol=1e-10)


@mujoco_is_here
@pytest.mark.parametrize("seed", range(5))
def test_bodies_of_mjcf_accelerate_as_in_mujoco(seed):
    import mujoco

    theirs = mujoco.MjModel.from_xml_string(MJCF.read_text())
    data = mujoco.MjData(theirs)
    tree = Tree(pack(read_mjcf(MJCF).mechanism))
    rng = np.random.default_rng(seed)
    q, u = rng.normal(size=tree.n_q), rng.normal(size=tree.n_u)
    for first in (4, 11):  # quaternions: of the ball, of the stone
        q[first : first + 4] /= np.linalg.norm(q[first : first + 4])
    data.qpos[:], data.qvel[:] = q, u
    mujoco.mj_forward(theirs, data)
    got = tree.rates(0.0, q, u)[1]
    assert_allclose(got, data.qacc_smooth, rtol=1e-9, atol=1e-9)
    tip = tree.outputs(q, u, [tree.packed.markers["boom.tip"]])[0][0, :3]
    assert_allclose(tip, data.site("tip").xpos, atol=1e-12)


def test_mjcf_says_what_it_leaves_out():
    assert read_mjcf(MJCF).notes == (
        "<light> has no effect here (1 times)",
        "geoms do not touch each other (4 times)",
    )


@pytest.mark.parametrize(
    ("joint", "said"),
    [
        ('<joint range="-90 90"/>', True),
        ('<joint limited="true" range="0 1"/>', True),
        ('<joint limited="false" range="0 1"/>', False),
        ("<joint/>", False),
    ],
)
def test_mjcf_says_that_limits_do_not_stop(joint, said):
    notes = read_mjcf(bare(BALL + joint)).notes
    assert any("limits of joints do not stop them" in n for n in notes) is said


def bare(inside, outside=""):
    text = f"<mujoco>{outside}<worldbody><body>{inside}</body></worldbody></mujoco>"
    return text.encode()


BALL = '<geom size="0.1"/>'


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (bare(BALL, "<tendon/>"), "tendon"),
        (bare(BALL, "<equality/>"), "equality"),
        (bare(BALL + '<joint armature="1"/>'), "armature"),
        (bare(BALL + '<joint frictionloss="1"/>'), "frictionloss"),
        (bare(BALL + '<joint type="hing"/>'), "hinge"),
        (bare('<geom type="mesh"/>'), "inertial"),
        (bare(BALL + "<composite/>"), "composite"),
        (bare(BALL + '<joint class="none"/>'), "no class"),
        (bare(BALL, '<compiler settotalmass="1"/>'), "settotalmass"),
        (bare(BALL + '<joint type="ball" damping="1"/>'), "hinges and slides"),
        (bare(BALL + f"<body>{BALL}<freejoint/></body>"), "not in the world"),
        (bare('<geom size="a"/>'), "finite"),
        (b"<mujoco/>", "worldbody"),
        (b"<robot/>", "mujoco"),
    ],
)
def test_what_mjcf_may_not_say_is_refused_by_name(text, says):
    with pytest.raises(SettingError, match=says) as caught:
        read_mjcf(text, shown="a.xml")
    assert caught.value.place.startswith("a.xml:1:")


LOST = '<parent link="c"/><child link="b"/>'
ENDS = '<parent link="a"/><child link="b"/>'


def robot(joint, links='<link name="a"/><link name="b"/>'):
    return f"<robot>{links}{joint}</robot>".encode()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (robot(f'<joint name="j" type="revolut">{ENDS}</joint>'), "revolute"),
        (robot(f'<joint name="j" type="fixed">{ENDS}<mimic/></joint>'), "mimic"),
        (robot('<joint name="j" type="fixed"><parent link="a"/></joint>'), "child"),
        (robot("", '<link name="a"/><link name="b"/>'), "2 links"),
        (robot("", '<link name="a"><inertial/></link>'), "mass"),
        (robot(f'<joint name="j" type="fixed">{LOST}</joint>'), "no link 'c'"),
    ],
)
def test_what_urdf_may_not_say_is_refused(text, says):
    with pytest.raises(SettingError, match=says):
        read_urdf(text, shown="r.urdf")


def test_hostile_xml_is_refused_at_the_door():
    bomb = b'<!DOCTYPE r [<!ENTITY a "aaaa">]><robot/>'
    with pytest.raises(DescriptionError, match="BND002"):
        read_urdf(bomb, shown="r.urdf")
