"""Mechanisms are named, and what statics cannot do is refused with the reason."""

from __future__ import annotations

import numpy as np
import pytest

from bondline.core import Causality, Port, Rejected, ref
from bondline.errors import SettingError, SingularInterface
from bondline.gluing import Bushing
from bondline.gluing.joints.makers import revolute, spherical
from bondline.gluing.statics import Statics
from bondline.leaves import RigidBody, Structure
from bondline.numerics import LinearSystem
from tests.gluing.parts import mass
from tests.gluing.static_parts import (
    A,
    E,
    assembly,
    frame,
    rest,
    springs,
    start_of,
    tie,
)

ROOT = [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0)]
TIP = [(1.0, 0.0, 0.0), (2.0, 0.0, 0.0)]
RESTS = [(1.0, 0.0, 0.0), (1.0, 0.0, 0.0)]


def refused(glued, method="auto"):
    found = rest(glued, method)
    assert isinstance(found, Rejected)
    assert isinstance(found.error, SingularInterface)
    return found.error


def jointed(joint):
    root = frame("root", ROOT, {"end": 1}, range(6))
    return assembly([root, frame("arm", TIP, {"end": 0})], [joint])


@pytest.mark.parametrize("method", ["robin", "feti"])
def test_a_hinge_is_named(method):
    ends = (ref("root.end"), ref("arm.end"))
    error = refused(jointed(revolute("hinge", ends, (0.0, 0.0, 1.0))), method)
    assert error.place == "case, static equilibrium"
    assert error.finding.startswith("1 free motion meets no resistance: arm (")
    assert "arm.end rz 1" in error.finding
    assert "hold arm.end rz" in error.remedy


@pytest.mark.parametrize("stiffness", [1e2, 1e4, 1e8, 1e10])
def test_a_hinge_is_named_whatever_the_springs(stiffness):
    ends = (ref("root.end"), ref("arm.end"))
    glued = jointed(revolute("hinge", ends, (0.0, 1.0, 0.0)))
    found = rest(glued, "robin", stiffness)
    assert found.error.finding.endswith("arm (arm.end ry 1).")


@pytest.mark.parametrize("k", [1e-2, 1.0, 1e12])
@pytest.mark.parametrize("method", ["robin", "feti"])
def test_soft_is_not_free(method, k):
    # a beam of 1e9 N/m on springs of a hundredth: nothing may be taken for loose
    arm = frame("arm", TIP, {"end": 0}, load=np.eye(12)[6])
    root = frame("root", ROOT, {"end": 1}, range(6))
    inner = tie("j", "root.end", "arm.end")
    soft = Bushing(inner, (k,) * 6, (0.0,) * 6)
    found = rest(assembly([root, arm], [soft]), method)
    # 1 N along the axis, through the bushing: arm.end moves by 1/k + the root's part
    stretch = 1.0 / k + 1.0 / (E * A)
    assert abs(found.p[6] / stretch - 1.0) < 1e-6


def test_dofs_that_cannot_move_on_either_side_repeat_each_other():
    K = np.diag([1e5, 1e5])

    def wall(name):
        system = LinearSystem(np.eye(2), np.zeros((2, 2)), K)
        select = {"p": np.array([[1.0, 0.0], [0.0, 0.0]])}  # y is not in the model
        ports = {"p": Port("p", ("x", "y"))}
        load = np.array([3.0, 0.0])
        return Structure(name, system, select, ports, static_load=load)

    joint = tie("j", "one.p", "two.p", dofs="xy")
    found = rest(assembly([wall("one"), wall("two")], [joint]))
    assert found.method == "direct"
    assert found.forces.tolist() == [0.0, 0.0]
    assert "1 of 2 joint conditions repeat others, among j.Fy" in found.notes[0]


def test_a_ball_joint_leaves_three_turns():
    ends = (ref("root.end"), ref("arm.end"))
    error = refused(jointed(spherical("ball", ends)))
    assert error.finding.startswith("3 free motions meet no resistance")
    for dof in ("rx", "ry", "rz"):
        assert f"arm.end {dof} 1" in error.finding


@pytest.mark.parametrize("method", ["robin", "feti"])
def test_a_model_that_nothing_holds_has_six_free_motions(method):
    parts = [frame("one", ROOT, {"end": 1}), frame("two", TIP, {"end": 0})]
    error = refused(assembly(parts, [tie("j", "one.end", "two.end")]), method)
    assert error.finding.startswith("6 free motions meet no resistance: one with two")
    assert "and 2 more" in error.finding


def test_free_motions_of_two_parts_are_told_together():
    a, b = springs("a", [1e5]), springs("b", [2e5])
    error = refused(assembly([a, b], [tie("j", "a.r", "b.l", dofs="x")]))
    assert "a with b (" in error.finding
    assert "a.r x 1" in error.finding
    assert "b.l x 1" in error.finding


def test_what_no_port_sees_is_named_by_the_part():
    hidden = np.diag([1e5, 0.0])  # the second mass hangs on nothing
    system = LinearSystem(np.eye(2), np.zeros((2, 2)), hidden)
    odd = Structure("odd", system, {"p": [0]}, {"p": Port("p", ("x",))})
    held = springs("a", [1e5], ground=1e5)
    error = refused(assembly([held, odd], [tie("j", "a.r", "odd.p", dofs="x")]))
    assert error.place == "odd, static equilibrium"
    assert "cannot be seen at any port" in error.remedy


def test_a_floating_part_without_joints_is_named_by_itself():
    error = refused(assembly([springs("lone", [1e5])], []))
    assert error.place == "lone, static equilibrium"


def test_direct_says_what_else_there_is():
    a, b = springs("a", [1e5], ground=1e5), springs("b", [2e5])
    error = refused(assembly([a, b], [tie("j", "a.r", "b.l", dofs="x")]), "direct")
    assert error.place == "b, static equilibrium"
    assert "'direct' needs supported parts" in error.finding
    assert "'robin' or 'feti'" in error.remedy


def test_joints_that_contradict_each_other_are_refused():
    a = springs("a", [3e5], ground=1e5)
    b = springs("b", [2e5], [0.0, 10.0])
    ports = {p: Port(p, ("x", "y", "z")) for p in ("u", "v")}
    K = 1e5 * np.eye(6)
    system = LinearSystem(np.eye(6), np.zeros((6, 6)), K)
    select = {"u": [0, 1, 2], "v": [3, 4, 5]}
    one, two = (Structure(n, system, select, ports) for n in ("one", "two"))
    joints = [
        spherical("j", (ref("one.u"), ref("two.u"))),
        spherical("k", (ref("one.u"), ref("two.u")), [(0, 0, 0), (0.1, 0, 0)]),
    ]
    error = refused(
        assembly([one, two, a, b], [*joints, tie("t", "a.r", "b.l", dofs="x")])
    )
    assert "j.Fx, k.Fx repeat each other and contradict" in error.finding
    assert "Remove one of these joints" in error.remedy


def test_a_part_that_cannot_rest_is_refused():
    glued = assembly([springs("a", [1e5], ground=1.0), mass("m")], [])
    with pytest.raises(SettingError) as caught:
        rest(glued)
    assert caught.value.place == "case, static equilibrium"
    assert caught.value.finding == "no equilibrium is offered by m."
    assert "`Static`" in caught.value.remedy


def test_an_unknown_method_gets_the_nearest():
    with pytest.raises(SettingError) as caught:
        Statics("case", assembly([], []), {}, "robbin")
    assert caught.value.place == "case, static equilibrium"
    assert "'robbin'" in caught.value.finding
    assert "Did you mean 'robin'" in caught.value.remedy


class Resting(RigidBody):
    """A body that claims to rest."""

    def equilibrium(self, state, load_factor, inputs, springs):
        return self.start(0.0)


def test_frames_are_refused():
    body = Resting("body", 1.0, (1.0, 1.0, 1.0), markers={"a": (0.0, 0.0, 0.0)})
    held = frame("root", ROOT, {"end": 1}, range(6))
    joint = spherical("j", (ref("body.a"), ref("root.end")))
    with pytest.raises(SettingError) as caught:
        rest(assembly([body, held], [joint]))
    assert caught.value.finding.startswith("body.a is a frame")
    assert "x y z rx ry rz" in caught.value.remedy


def test_a_port_is_told_once():
    part = springs("b", [2e5], ground=1e5)
    led = Port("r", ("x",), causality=Causality.MOTION_IN)
    led_part = Structure("b", part.system, {"r": [1]}, {"r": led})
    held = springs("a", [1e5], ground=1e5)
    glued = assembly([held, led_part], [tie("j", "a.r", "b.r", dofs="x")])
    statics = Statics("case", glued, {"out": ref("b.r")})
    with pytest.raises(SettingError) as caught:
        statics.acting(1.0, {ref("b.r"): np.ones(1)}, {})
    assert caught.value.finding.startswith("b.r x takes motion")
    assert "not both" in caught.value.remedy
    assert not isinstance(
        statics.rest(start_of(statics), statics.acting(1.0, {}, {})), Rejected
    )
