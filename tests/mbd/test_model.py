"""What a mechanism refuses, and what it then says."""

import numpy as np
import pytest

from bondline.errors import LeafFailed, SettingError
from bondline.leaves.mbd.forces import STEADY, Bushing, JointLoad, JointSpring, Spring
from bondline.leaves.mbd.model import Body, Frame, Joint, Mechanism, Modes, Node
from bondline.leaves.mbd.pack import pack
from bondline.leaves.mbd.tree import Tree

ARM = Body(
    "arm", 1.0, (1.0, 1.0, 1.0), markers={"root": Frame(), "tip": Frame((1, 0, 0))}
)
SWING = Joint("swing", "revolute", "ground", "arm.root")


def one_mode(**changes):
    given = {
        "mass": 1.0,
        "c0": np.zeros(3),
        "J0": np.eye(3),
        "I0": np.zeros((1, 3)),
        "S1": np.zeros((1, 3, 3)),
        "S2": np.ones((1, 1, 3, 3)) / 3,
        "M": np.eye(1),
        "K": np.eye(1),
        "D": np.zeros((1, 1)),
    }
    return Modes(**{**given, **changes})


def arm(*joints, bodies=(ARM,), **more):
    return Mechanism("m", bodies, joints or (SWING,), **more)


REFUSED = {
    "unknown kind": (
        lambda: Joint("j", "revolut", "ground", "arm"),
        ("joint j", "no joint of kind 'revolut'", "Did you mean 'revolute'?"),
    ),
    "too many starts": (
        lambda: Joint("j", "planar", "ground", "arm", (1.0, 2.0)),
        ("joint j.start", "found 2 numbers", "takes 3: x, y, angle"),
    ),
    "unknown marker": (
        lambda: pack(arm(Joint("j", "revolute", "ground", "arm.rot"))),
        ("m, joint j", "arm has no marker 'rot'", "Did you mean 'root'?"),
    ),
    "unknown body": (
        lambda: pack(arm(Joint("j", "revolute", "arn.tip", "arm.root"))),
        ("m, joint j", "no body 'arn'", "Did you mean 'arm'?"),
    ),
    "carried twice": (
        lambda: pack(arm(SWING, Joint("again", "fixed", "ground", "arm.tip"))),
        ("m, joint again", "already carried by the joint swing", "among the loops"),
    ),
    "ground outboard": (
        lambda: pack(arm(Joint("j", "fixed", "arm.tip", "ground"))),
        ("m, joint j", "outboard body is the ground", "Exchange its two ends"),
    ),
    "not carried": (
        lambda: pack(arm(bodies=(ARM, Body("leg", 1.0)))),
        ("m, body leg", "no joint carries it", "a free joint from the ground to leg"),
    ),
    "circle": (
        lambda: pack(
            arm(
                Joint("j", "fixed", "leg", "arm"),
                Joint("k", "fixed", "arm", "leg"),
                bodies=(ARM, Body("leg", 1.0)),
            )
        ),
        ("m", "in a circle: arm on leg on arm", "close others by loops"),
    ),
    "two of a name": (
        lambda: arm(bodies=(ARM, ARM)),
        ("m", "two bodies are called 'arm'", "its own name"),
    ),
    "dot in a name": (
        lambda: Body("a.b", 1.0),
        ("name 'a.b'", "have no dot", "body.marker"),
    ),
    "negative mass": (
        lambda: Body("b", -1.0),
        ("b.mass", "it is -1.0", "not negative"),
    ),
    "impossible inertia": (
        lambda: Body("b", 1.0, (1.0, 1.0, 3.0)),
        ("b.inertia", "no body has the principal moments 1, 1, 3", "at most the sum"),
    ),
    "skew inertia": (
        lambda: Body("b", 1.0, [[1, 1, 0], [0, 1, 0], [0, 0, 1]]),
        ("b.inertia", "not symmetric", "twice, with the same sign"),
    ),
    "flat inertia": (
        lambda: Body("b", 1.0, (1.0, 1.0)),
        ("b.inertia", "shape (2,)", "three principal moments"),
    ),
    "marker and node": (
        lambda: Body(
            "b",
            markers={"x": Frame()},
            modes=one_mode(
                nodes={"x": Node(Frame(), np.ones((3, 1)), np.ones((3, 1)))}
            ),
        ),
        ("b.x", "a marker and a node", "Name them apart"),
    ),
    "shape of modes": (
        lambda: one_mode(I0=np.zeros((2, 3))),
        ("modes.I0", "shape (2, 3)", "give 1 × 3 numbers"),
    ),
    "not finite": (
        lambda: one_mode(K=np.full((1, 1), np.nan)),
        ("modes.K", "not finite", "finite numbers"),
    ),
    "skew modes": (
        lambda: one_mode(J0=np.arange(9.0).reshape(3, 3)),
        ("modes.J0", "not symmetric", "symmetric matrix"),
    ),
    "transposed S2": (
        lambda: one_mode(S2=np.arange(9.0).reshape(1, 1, 3, 3)),
        ("modes.S2", "not the transpose", "the first index belongs to the rows"),
    ),
    "load on no joint": (
        lambda: pack(arm(forces=[JointLoad("swinger", STEADY)])),
        ("m, JointLoad", "no joint 'swinger'", "Did you mean 'swing'?"),
    ),
    "load on no coordinate": (
        lambda: pack(arm(forces=[JointLoad("swing", STEADY, "z")])),
        ("m, JointLoad", "has no coordinate 'z'", "Known: angle"),
    ),
    "spring on a spin": (
        lambda: pack(
            arm(
                Joint("ball", "spherical", "ground", "arm"),
                forces=[JointSpring("ball", 1.0, coordinate="wx")],
            )
        ),
        ("m, JointSpring", "is a spin", "Use a bushing"),
    ),
    "spring to nowhere": (
        lambda: pack(arm(forces=[Spring("arm.tip", "ground.x")])),
        ("m, Spring", "ground has no marker 'x'", "Known: none"),
    ),
    "three stiffnesses": (
        lambda: pack(arm(forces=[Bushing("arm.tip", "ground", (1, 2, 3))])),
        ("m, Bushing", "found 3 numbers", "Give six"),
    ),
    "fast nothing": (
        lambda: pack(arm(), fast=["swing.angel"]),
        ("m.fast", "no speed 'swing.angel'", "Did you mean 'swing.angle'?"),
    ),
    "fast spin": (
        lambda: pack(arm(Joint("b", "spherical", "ground", "arm")), fast=["b.wx"]),
        ("m.fast", "'b.wx' is a spin", "or modal ones"),
    ),
    "unknown solver": (
        lambda: pack(arm(), solver="dens"),
        ("m.solver", "no 'dens'", "Did you mean 'dense'?"),
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_errors_teach(name):
    act, (place, finding, remedy) = REFUSED[name]
    with pytest.raises(SettingError) as found:
        act()
    assert found.value.place == place
    assert finding in found.value.finding
    assert remedy in found.value.remedy


def test_coordinates_are_named_body_by_body_parents_first():
    flexible = Body("tip", modes=one_mode())
    joints = (
        Joint("second", "spherical", "arm.tip", "tip"),
        Joint("first", "cylindrical", "ground", "arm.root"),
    )
    order = pack(Mechanism("m", [flexible, ARM], joints)).layout
    assert order.positions == (
        *("first.z", "first.angle"),
        *("second.qw", "second.qx", "second.qy", "second.qz", "tip.a1"),
    )
    assert order.speeds[2:] == ("second.wx", "second.wy", "second.wz", "tip.a1")
    assert order.start.tolist() == [0, 0, 1, 0, 0, 0, 0]


def test_a_coordinate_that_moves_no_mass_is_told():
    point = Body("arm", 1.0, markers={"root": Frame()})
    tree = Tree(pack(Mechanism("m", [point], [SWING])))
    with pytest.raises(LeafFailed, match="mass matrix is not positive definite"):
        tree.rates(0.0, np.zeros(1), np.zeros(1))


def test_numbers_that_are_not_finite_are_told():
    tree = Tree(pack(arm()))
    with pytest.raises(LeafFailed, match="beyond all numbers"):
        tree.rates(0.0, np.zeros(1), np.array([np.inf]))
