"""Joints by the name of their kind."""

from __future__ import annotations

import numpy as np
import pytest

from bondline.core import FRAME_DOFS, Port, Surface
from bondline.errors import WiringError
from bondline.gluing.joints.bushing import Bushing
from bondline.gluing.joints.joint import Joint
from bondline.gluing.joints.kinds import JOINT_KINDS, make_joint
from bondline.gluing.joints.tie import Tie

from .joint_motions import BODY, DOT, ENDS, FRAME, NODE, POINT, curve

NEEDED = {"distance": {"length": 1.0}, "bushing": {"stiffness": 1.0}}
FRAMES = [k for k in JOINT_KINDS if k not in ("tie", "mesh-tie")]


@pytest.mark.parametrize("kind", FRAMES)
def test_every_kind_joins_two_frames(kind):
    joint = make_joint(kind, "j", ENDS, (FRAME, FRAME), **NEEDED.get(kind, {}))
    joint.suits("here", (FRAME, FRAME))
    assert (joint.name, joint.ends) == ("j", ENDS)
    motions = [curve(FRAME, 1).at(0.0), curve(FRAME, 2).at(0.0)]
    assert [len(level) for level in joint.gap(motions)] == [len(joint.components)] * 3


@pytest.mark.parametrize("kind", sorted(JOINT_KINDS))
def test_every_kind_says_what_it_means(kind):
    assert len(JOINT_KINDS[kind].meaning) > 10


def test_a_revolute_joint_in_the_plane_is_a_tie_of_the_points():
    assert make_joint("revolute", "j", ENDS, (DOT, DOT)) == Tie("j", ENDS, ("x", "y"))
    joint = make_joint("revolute", "j", ENDS, (BODY, DOT))
    joint.suits("here", (BODY, DOT))
    assert joint.components == ("Fx", "Fy")


@pytest.mark.parametrize(
    ("kind", "ports", "components"),
    [
        ("fixed", (NODE, NODE), "Fx Fy Fz Mx My Mz"),
        ("fixed", (BODY, BODY), "Fx Fy Mz"),
        ("spherical", (NODE, POINT), "Fx Fy Fz"),
        ("spherical", (DOT, BODY), "Fx Fy"),
        ("tie", (Port("p", ("x",), 3), Port("q", ("x",), 3)), "0.Fx 1.Fx 2.Fx"),
    ],
)
def test_linear_ports_are_tied_so_that_they_stay_linear(kind, ports, components):
    joint = make_joint(kind, "j", ENDS, ports)
    joint.suits("here", ports)
    assert isinstance(joint, Tie)
    assert joint.components == tuple(components.split())


def test_a_tie_of_some_dofs():
    joint = make_joint("tie", "j", ENDS, (NODE, NODE), dofs=("x", "rz"))
    assert joint.components == ("Fx", "Mz")


@pytest.mark.parametrize("kind", ["distance", "point-on-line"])
def test_joints_in_the_plane(kind):
    joint = make_joint(kind, "j", ENDS, (BODY, DOT), **NEEDED.get(kind, {}))
    joint.suits("here", (BODY, DOT))
    assert len(joint.components) == 1


def test_settings_that_are_none_are_left_out():
    joint = make_joint("tie", "j", ENDS, (DOT, DOT), dofs=None, axis=None)
    assert joint == Tie("j", ENDS, ("x", "y"))


@pytest.mark.parametrize(
    ("ports", "components"),
    [
        ((FRAME, NODE), "F1 F2 F3 M1 M2 M3"),
        ((FRAME, POINT), "F1 F2 F3"),
        ((POINT, FRAME), "Fx Fy Fz"),
        ((NODE, NODE), "Fx Fy Fz Mx My Mz"),
        ((DOT, DOT), "Fx Fy"),
    ],
)
def test_a_bushing_takes_one_number_or_one_a_component(ports, components):
    names = tuple(components.split())
    joint = make_joint("bushing", "j", ENDS, ports, stiffness=2.0)
    joint.suits("here", ports)
    assert isinstance(joint, Bushing)
    assert joint.components == names
    assert joint.stiffness == (2.0,) * len(names)
    assert joint.damping == (0.0,) * len(names)
    k = tuple(map(float, range(len(names))))
    assert make_joint("bushing", "j", ENDS, ports, stiffness=k).stiffness == k


def test_a_bushing_of_some_dofs():
    joint = make_joint("bushing", "j", ENDS, (NODE, NODE), stiffness=1, dofs=("z",))
    assert joint.components == ("Fz",)


def test_nodes_that_show_displacements_meet_frames_where_they_rest():
    """A port with a surface shows displacements from it; a frame shows where it is."""
    at = np.array([[1.0, 2.0, 3.0]])
    node = Port("n", FRAME_DOFS, surface=Surface(at))
    joint = make_joint("fixed", "j", ENDS, (FRAME, node))
    assert isinstance(joint, Joint)
    assert joint.rests == ((0.0, 0.0, 0.0), (1.0, 2.0, 3.0))
    frame, still = curve(FRAME, 1).at(0.0), curve(NODE, 2, size=0.0).at(0.0)
    assert joint.gap([frame, still])[0][:3].tolist() == (frame.x - at[0]).tolist()
    told = make_joint("fixed", "j", ENDS, (FRAME, node), rests=[(0, 0, 0)] * 2)
    assert told.rests == ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))


@pytest.mark.parametrize(
    ("kind", "ports", "given", "finding", "remedy"),
    [
        ("revolut", (DOT, DOT), {}, "'revolut', which does not", "'revolute'"),
        ("fixed", (FRAME, FRAME), {"axs": 1}, "fixed joint takes no axs", "frames"),
        ("distance", (DOT, DOT), {}, "without a length", "metres"),
        (
            "bushing",
            (FRAME, FRAME),
            {"stiffness": 1.0, "dofs": ("x",)},
            "takes no dofs, found x",
            "no stiffness",
        ),
    ],
)
def test_what_cannot_be_made(kind, ports, given, finding, remedy):
    with pytest.raises(WiringError) as caught:
        make_joint(kind, "j", ENDS, ports, **given)
    assert caught.value.place == "joint j"
    assert finding in caught.value.finding
    assert remedy in caught.value.remedy
