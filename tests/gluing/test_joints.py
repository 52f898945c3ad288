"""Laws of joints: rates, virtual work, balance."""

from __future__ import annotations

from math import pi

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from bondline.core import FRAME_DOFS, Motion, Port
from bondline.errors import WiringError
from bondline.gluing.joints import makers
from bondline.gluing.joints.as_met import as_met
from bondline.gluing.joints.bushing import Bushing
from bondline.gluing.joints.tie import Tie
from bondline.numerics import rotations as rot

from .joint_motions import (
    BODY,
    DOT,
    ENDS,
    FRAME,
    NODE,
    POINT,
    curve,
    difference,
    ends,
    pushed,
)

SLANT = (1.0, -2.0, 0.5)
FRAMES = ((0.3, -0.2, 0.9), (-0.7, 0.4, 0.2))
RESTS = ((0.5, 1.0, -2.0), (0.0, 0.3, 0.1))

SPACE = {
    "fixed": makers.fixed("j", ENDS, FRAMES),
    "spherical": makers.spherical("j", ENDS, RESTS),
    "revolute": makers.revolute("j", ENDS, SLANT, frames=FRAMES),
    "revolute-axes": makers.revolute("j", ENDS, SLANT, (0.0, 1.0, 0.0)),
    "universal": makers.universal("j", ENDS, SLANT, frames=FRAMES),
    "cylindrical": makers.cylindrical("j", ENDS, SLANT, frames=FRAMES),
    "prismatic": makers.prismatic("j", ENDS, SLANT, FRAMES, RESTS),
    "planar": makers.planar("j", ENDS, SLANT, frames=FRAMES),
    "point-on-line": makers.point_on_line("j", ENDS, SLANT),
    "distance": makers.distance("j", ENDS, 1.3),
    "bushing": Bushing(makers.cushion("j", ENDS, True, FRAMES), (1.0,) * 6, (0.0,) * 6),
}
PLANE = {
    "distance": makers.distance("j", ENDS, 1.3, plane=True),
    "point-on-line": makers.point_on_line("j", ENDS, (3.0, 4.0, 0.0), plane=True),
}
TURNED = [(FRAME, FRAME), (FRAME, NODE), (NODE, FRAME), (NODE, NODE)]
CASES = [
    *((joint, ports) for joint in SPACE.values() for ports in TURNED),
    *((SPACE[k], (FRAME, POINT)) for k in ("spherical", "point-on-line", "distance")),
    *((SPACE[k], (POINT, NODE)) for k in ("spherical", "distance")),
    *((PLANE["distance"], ports) for ports in ((DOT, DOT), (BODY, DOT), (BODY, BODY))),
    *((PLANE["point-on-line"], ports) for ports in ((BODY, DOT), (BODY, BODY))),
    (makers.fixed("j", ends(3)), (FRAME, NODE, FRAME)),
    (makers.spherical("j", ends(4)), (FRAME, POINT, NODE, POINT)),
]


def name(value):
    if isinstance(value, tuple):
        return "-".join(p.name for p in value)
    return getattr(value, "kind", "bushing")


@pytest.mark.parametrize(("joint", "ports"), CASES, ids=name)
def test_the_rates_are_the_derivatives_of_the_gap(joint, ports):
    joint.suits("here", ports)
    curves = [curve(p, seed) for seed, p in enumerate(ports)]

    def gap(t, level):
        return joint.gap([c.at(t) for c in curves])[level]

    for t in (-0.2, 0.3):
        rate = difference(lambda s: gap(s, 0), t)
        rate2 = difference(lambda s: gap(s, 1), t)
        assert_allclose(gap(t, 1), rate, atol=3e-10)
        assert_allclose(gap(t, 2), rate2, atol=3e-9)


@pytest.mark.parametrize(("joint", "ports"), CASES, ids=name)
def test_b_is_the_derivative_of_the_gap_by_the_dofs(joint, ports):
    motions = [curve(p, seed).at(0.3) for seed, p in enumerate(ports)]
    B = joint.jacobian(motions)
    for i, port in enumerate(ports):
        assert B[i].shape == (len(joint.components), port.size)
        for j in range(port.size):

            def gap(s, i=i, j=j, port=port):
                moved = list(motions)
                moved[i] = pushed(motions[i], port, j, s)
                return joint.gap(moved)[0]

            assert_allclose(B[i][:, j], difference(gap, 0.0), atol=1e-10)


@pytest.mark.parametrize(("joint", "ports"), CASES, ids=name)
def test_the_power_of_the_loads_is_the_force_on_the_gap(joint, ports):
    motions = [curve(p, seed).at(0.3) for seed, p in enumerate(ports)]
    F = np.random.default_rng(9).normal(size=len(joint.components))
    power = sum(
        (B.T @ F) @ m.v for B, m in zip(joint.jacobian(motions), motions, strict=True)
    )
    assert power == pytest.approx(F @ joint.gap(motions)[1], rel=1e-12)


@pytest.mark.parametrize(("joint", "ports"), CASES, ids=name)
def test_no_second_rate_where_a_part_gives_no_accelerations(joint, ports):
    curves = [curve(p, seed) for seed, p in enumerate(ports)]
    full = joint.gap([c.at(0.3) for c in curves])
    part = [c.at(0.3, acceleration=i > 0) for i, c in enumerate(curves)]
    e, e_rate, e_rate2 = joint.gap(part)
    assert e_rate2 is None
    assert_array_equal(e, full[0])
    assert_allclose(e_rate, full[1], rtol=1e-13, atol=1e-13)


number = st.floats(-2.0, 2.0)
triple = st.tuples(number, number, number).map(np.array)


def wrench(B, F, m, about):
    """Force, and moment about a common point, on one end."""
    load = B.T @ F
    moment = load[3:] if len(load) == 6 else np.zeros(3)
    return np.concatenate([load[:3], moment + np.cross(m.x[:3] - about, load[:3])])


def closed(joint, x, r, along, angle):
    """Motions of frames that leave no gap: as met, then moved where the joint lets."""
    A = Motion(x, np.zeros(6), None, rot.exp(r))
    axis = rot.matrix(A.turn) @ makers.triad("j", SLANT)[2]
    free = {"prismatic": (1, 0), "cylindrical": (1, 1), "point-on-line": (1, 1)}
    free |= {"revolute": (0, 1), "distance": (1.3, 1), "planar": (0, 1)}
    slide, turn = free.get(joint.kind, (0, 0))
    far = slide if joint.kind == "distance" else slide * along
    turned = rot.product(rot.exp(turn * angle * axis), A.turn)
    return [A, Motion(x - far * axis, np.zeros(6), None, turned)]


ALIKE = [
    makers.fixed("j", ENDS),
    makers.spherical("j", ENDS),
    makers.revolute("j", ENDS, SLANT),
    makers.universal("j", ENDS, SLANT),
    makers.cylindrical("j", ENDS, SLANT),
    makers.prismatic("j", ENDS, SLANT),
    makers.planar("j", ENDS, SLANT),
    makers.point_on_line("j", ENDS, SLANT),
    makers.distance("j", ENDS, 1.3),
]


@pytest.mark.parametrize("joint", ALIKE, ids=name)
@settings(max_examples=30, deadline=None)
@given(x=triple, r=triple, along=number, angle=number, seed=st.integers(0, 99))
def test_loads_balance_in_every_closed_configuration(joint, x, r, along, angle, seed):
    motions = closed(joint, x, r, along, angle)
    assert_allclose(joint.gap(motions)[0], 0.0, atol=1e-13)
    rng = np.random.default_rng(seed)
    F, about = rng.normal(size=len(joint.components)), rng.normal(size=3)
    each = zip(joint.jacobian(motions), motions, strict=True)
    assert_allclose(sum(wrench(B, F, m, about) for B, m in each), 0.0, atol=1e-12)


@pytest.mark.parametrize(
    "kind",
    ["universal", "cylindrical", "planar", "point-on-line", "distance", "bushing"],
)
@settings(max_examples=30, deadline=None)
@given(x=triple, r=triple, y=triple, s=triple, seed=st.integers(0, 99))
def test_some_balance_even_with_an_open_gap(kind, x, r, y, s, seed):
    joint = SPACE[kind]
    if kind == "universal":  # its points must meet
        y = x
    motions = [
        Motion(x, np.zeros(6), None, rot.exp(r)),
        Motion(y, np.zeros(6), None, rot.exp(s)),
    ]
    F = np.random.default_rng(seed).normal(size=len(joint.components))
    each = zip(joint.jacobian(motions), motions, strict=True)
    total = sum(wrench(B, F, m, np.zeros(3)) for B, m in each)
    assert_allclose(total, 0.0, atol=1e-11)


@pytest.mark.parametrize("count", [2, 3, 5])
@settings(max_examples=20, deadline=None)
@given(x=triple, r=triple, seed=st.integers(0, 99))
def test_several_bodies_at_one_node_balance(count, x, r, seed):
    motions = [Motion(x, np.zeros(6), None, rot.exp(r))] * count
    for joint in (makers.fixed("j", ends(count)), makers.spherical("j", ends(count))):
        assert_allclose(joint.gap(motions)[0], 0.0, atol=1e-15)
        F = np.random.default_rng(seed).normal(size=len(joint.components))
        each = zip(joint.jacobian(motions), motions, strict=True)
        total = sum(wrench(B, F, m, np.ones(3)) for B, m in each)
        assert_allclose(total, 0.0, atol=1e-12)


def test_forces_act_on_the_first_end_along_their_names():
    """A small move or turn of the first end is the gap of the component so named."""
    at_rest = Motion(np.zeros(3), np.zeros(6), None, rot.exp(np.zeros(3)))
    directions = {f"F{d}": i for i, d in enumerate("xyz")}
    directions |= {f"M{d}": 3 + i for i, d in enumerate("xyz")}
    directions |= {"F1": 0, "F2": 1, "F3": 2, "M1": 3, "M2": 4, "M3": 5}
    kinds = ("fixed", "spherical", "revolute", "cylindrical", "prismatic", "planar")
    joints = [getattr(makers, kind)("j", ENDS) for kind in kinds]
    for joint in [*joints, makers.cushion("j", ENDS, True)]:
        first, second = joint.jacobian([at_rest, at_rest])
        expected = np.eye(6)[[directions[c] for c in joint.components]]
        assert_array_equal(first, expected)
        assert_array_equal(second, -expected)


def test_relative_turns_are_measured_through_half_a_turn():
    joint = makers.fixed("j", ENDS)
    for angle in (1e-9, 0.5, 3.0, pi - 1e-9):
        r = angle * np.array([0.0, 0.6, 0.8])
        A = Motion(np.zeros(3), np.zeros(6), None, rot.exp(r))
        B = Motion(np.zeros(3), np.zeros(6), None, rot.exp(np.zeros(3)))
        assert_allclose(joint.gap([A, B])[0][3:], r, rtol=1e-14, atol=1e-24)


def test_constant_is_only_what_never_changes():
    constant = {kind for kind, joint in SPACE.items() if joint.constant}
    assert constant == {"spherical"}
    assert Tie("j", ENDS, ("x",)).constant


def test_coinciding_points_have_no_direction_but_a_number():
    joint, zero = makers.distance("j", ENDS, 2.0), np.zeros(3)
    m = Motion(zero, zero, zero)
    assert [g.tolist() for g in joint.gap([m, m])] == [[-2.0], [0.0], [0.0]]
    assert not any(B.any() for B in joint.jacobian([m, m]))


@pytest.mark.parametrize("kind", sorted(SPACE))
def test_as_met_closes_turns_and_lengths(kind):
    """Whatever the frames were: at the start only points may be apart."""
    motions = [curve(FRAME, 1).at(0.0), curve(FRAME, 2).at(0.0)]
    joint = as_met(SPACE[kind], motions)
    e = dict(zip(joint.components, joint.gap(motions)[0], strict=True))
    if kind == "revolute-axes":  # axes that are told to differ, do
        assert abs(e["M1"]) > 0.1
    else:
        turned = [v for k, v in e.items() if k[0] == "M" or k == "Fd"]
        assert_allclose(turned, 0.0, atol=1e-14)
    again = as_met(joint, motions)
    assert_allclose(again.gap(motions)[0], joint.gap(motions)[0], atol=1e-15)


def test_as_met_leaves_ties_as_they_are():
    tie, m = Tie("j", ENDS, ("x",)), Motion(np.ones(1), np.ones(1))
    assert as_met(tie, [m, m]) is tie


def test_as_met_in_the_plane_and_from_rests():
    a, b = (Motion(np.array(x), np.zeros(2)) for x in ([0.0, 3.0], [4.0, 0.0]))
    rod = as_met(makers.distance("j", ENDS, 1.0, plane=True), [a, b])
    assert rod.gap([a, b])[0] == pytest.approx(0.0, abs=1e-15)
    zero = Motion(np.zeros(3), np.zeros(3))
    rod = makers.distance("j", ENDS, 1.0, rests=((3.0, 0.0, 0.0), (0.0, 4.0, 0.0)))
    assert as_met(rod, [zero, zero]).conditions[0].length == 5.0


def test_admissible_motions_leave_no_gap():
    z = np.random.default_rng(3).normal(size=18)
    for joint in (makers.fixed("j", ENDS, FRAMES, RESTS), makers.fixed("j", ends(4))):
        e, e_rate, e_rate2 = joint.gap(joint.admissible(z))
        assert_allclose(e, 0.0, atol=1e-14)
        assert_allclose([e_rate, e_rate2], 0.0, atol=1e-13)
    joint = makers.spherical("j", ENDS, RESTS)
    assert_allclose(joint.gap(joint.admissible(z[:9])), 0.0, atol=1e-15)


@pytest.mark.parametrize("kind", ["revolute", "distance", "bushing"])
def test_one_motion_does_not_tell_those_of_free_ends(kind):
    with pytest.raises(WiringError) as caught:
        SPACE[kind].admissible(np.zeros(18))
    assert caught.value.place == "joint j"
    assert "against each other" in caught.value.finding
    assert "T-T" in caught.value.remedy


@pytest.mark.parametrize(
    ("joint", "ports", "finding", "remedy"),
    [
        (SPACE["revolute"], (FRAME, POINT), "b.q with 3 (x y z)", "allow spherical"),
        (SPACE["point-on-line"], (POINT, FRAME), "a.p with 3", "at the first end"),
        (SPACE["fixed"], (DOT, BODY), "a.p with 2 (x y) and b.q with 3", "allow tie"),
        (SPACE["spherical"], (DOT, FRAME), "cannot hold", 'tie with dofs="x y"'),
        (SPACE["fixed"], (Port("s", FRAME_DOFS, 4), FRAME), "at 4 nodes", "mesh tie"),
        (PLANE["distance"], (FRAME, FRAME), "distance joint in the plane", "x y rz"),
        (PLANE["point-on-line"], (DOT, DOT), "a.p with 2 (x y)", "distance."),
        (SPACE["bushing"], (POINT, POINT), "bushing joint", "spherical, distance."),
        (makers.revolute("j", ends(3)), (FRAME,) * 3, "has two ends", "pair by pair"),
        (
            Bushing(makers.spherical("j", ends(3)), (1.0,) * 6, (0.0,) * 6),
            (FRAME,) * 3,
            "part0.p, part1.p, part2.p",
            "each pair",
        ),
    ],
)
def test_ports_that_a_joint_refuses(joint, ports, finding, remedy):
    with pytest.raises(WiringError) as caught:
        joint.suits("model: joint j", ports)
    assert caught.value.place == "model: joint j"
    assert finding in caught.value.finding
    assert remedy in caught.value.remedy


def test_a_bushing_is_a_joint_with_a_law():
    k, c = (1.0, 0.0, 3.0), (0.1, 0.0, 0.3)
    bushing = Bushing(makers.spherical("j", ENDS), k, c)
    assert [x.tolist() for x in bushing.law] == [[*k], [*c]]
    assert (bushing.name, bushing.ends, bushing.constant) == ("j", ENDS, True)
    assert bushing.components == ("Fx", "Fy", "Fz")
    assert makers.spherical("j", ENDS).law is None
    assert Tie("j", ENDS, ("x",)).law is None
