"""A planar loop between two owners, cut at the joint that it has."""

import numpy as np
import pytest

from bondline.core import uniform
from bondline.gluing import glue, joint
from bondline.leaves.mbd import (
    Body,
    Frame,
    Joint,
    Mechanism,
    Outlet,
    Seen,
    Sheet,
    multibody_leaf,
)

Y = Frame.along((0, 1, 0))
AXIS = {kind: {"axis": (0, 0, 1)} for kind in ("revolute", "cylindrical")}


def bar(name, length):
    inertia = (1e-3, length**2 / 12, length**2 / 12)
    ends = {"root": Y, "tip": Frame.along((0, 1, 0), (length, 0, 0))}
    return Body(name, 1.0, inertia, (length / 2, 0, 0), ends)


def hinge(name, inboard, outboard, angle=0.0, speed=0.0):
    return Joint(name, "revolute", inboard, outboard, (angle,), (speed,))


def crank(angle=0.7, speed=2.0):
    """A crank and the coupler on it, which stays level."""
    return [bar("crank", 1.0), bar("coupler", 2.0)], [
        hinge("a", Y, "crank.root", angle, speed),
        hinge("b", "crank.tip", "coupler.root", -angle, -speed),
    ]


def rocker(angle=0.7, speed=2.0):
    at = Frame.along((0, 1, 0), (2, 0, 0))
    return [bar("rocker", 1.0)], [hinge("d", at, "rocker.root", angle, speed)]


def angle_of(leaf, state):
    return leaf.observe(state)["angle"].value


@pytest.mark.parametrize("kind", ["revolute", "spherical", "cylindrical"])
def test_a_hinge_that_the_plane_makes_redundant_glues_a_four_bar(kind):
    """Forces out of the plane cannot be told; the motion is that of the whole."""
    one = {"angle": Seen("a.angle")}
    (bodies, joints), (others, more) = crank(), rocker()
    loop = Joint("c", "revolute", "coupler.tip", "rocker.tip")
    made = Mechanism("whole", [*bodies, *others], [*joints, *more], loops=[loop])
    whole = multibody_leaf("whole", Sheet(made, {}, one))
    A = multibody_leaf(
        "A",
        Sheet(Mechanism("A", bodies, joints), {"tip": Outlet("coupler.tip")}, one),
    )
    B = multibody_leaf(
        "B", Sheet(Mechanism("B", others, more), {"tip": Outlet("rocker.tip")})
    )
    hinged = joint(kind, "A.tip", "B.tip", **AXIS.get(kind, {}))
    model = glue("four", [A, B], {"C": hinged})
    now, then = model.start(0.0), whole.start(0.0)
    notes = []
    for n in range(50):
        window = uniform(0.0, 2e-3, n)
        now = model.advance(now.state, window, {})
        then = whole.advance(then.state, window, {})
        notes += now.notes
    assert angle_of(A, now.state.parts["A"]) == pytest.approx(
        angle_of(whole, then.state), abs=1e-7
    )
    assert abs(angle_of(whole, then.state) - 0.7) > 0.1
    assert any("repeat others" in note for note in notes)
    assert np.isfinite(now.state.forces).all()
