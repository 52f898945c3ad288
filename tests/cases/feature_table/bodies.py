"""Rigid bodies in space: a, b and c hang from the ground, the joint between a and b.

Every joint is typed again for the reference, from the laws of `all_at_once`.
"""

from __future__ import annotations

from functools import partial

import numpy as np
from scipy.spatial.transform import Rotation

from bondline.leaves import FreeBar, PinnedBar, RigidBody, ground
from bondline.numerics import FixedStep
from tests.cases.double_pendulum.all_at_once import Pendulum
from tests.cases.feature_table.all_at_once import (
    Bodies,
    Cushion,
    Length,
    Meet,
    Solid,
    Square,
    Within,
)
from tests.cases.feature_table.problems import NAMES, Link, Problem

H = 0.01
ENDS = (("r", "l"), ("r", "l"), ("r", "a"))
GRAVITY = (0.0, 0.0, -9.81)
LEFT, RIGHT = (-0.2, 0.1, 0.0), (0.3, 0.0, 0.1)  # of the centre, in every body
X, Y, Z = np.eye(3).tolist()
ALIKE = (Square(X, Y), Square(Y, Z), Square(Z, X))
ALONG = (Square(X, Z), Square(Y, Z))
ACROSS = (Within(X, RIGHT, LEFT), Within(Y, RIGHT, LEFT))
MEET = Meet(RIGHT, LEFT)
BUSHING = {
    "stiffness": (800.0, 600.0, 900.0, 30.0, 30.0, 30.0),
    "damping": (2.0, 3.0, 1.0, 0.0, 0.0, 0.0),
}

# the joint's settings, how far b is from where the points meet, and the laws
JOINTS = {
    "tie": ({"dofs": ("x", "y", "z")}, (0, 0, 0), (MEET,)),
    "fixed": ({}, (0, 0, 0), (MEET, *ALIKE)),
    "spherical": ({}, (0, 0, 0), (MEET,)),
    "revolute": ({}, (0, 0, 0), (MEET, *ALONG)),
    "universal": ({"axis": X, "axis2": Y}, (0, 0, 0), (MEET, Square(X, Y))),
    "cylindrical": ({}, (0, 0, 0.1), (*ACROSS, *ALONG)),
    "prismatic": ({}, (0, 0, 0.1), (*ACROSS, *ALIKE)),
    "planar": ({}, (0.1, 0.2, 0), (Within(Z, RIGHT, LEFT), *ALONG)),
    "point-on-line": ({}, (0, 0, 0.1), ACROSS),
    "distance": ({"length": 0.5}, (0.3, 0, 0.4), (Length(0.5, RIGHT, LEFT),)),
    "bushing": (
        BUSHING,
        (0.01, 0, 0.02),
        (Cushion(BUSHING["stiffness"][:3], BUSHING["damping"][:3], 30.0, RIGHT, LEFT),),
    ),
}


def spatial(joint):
    """Three bodies with the joint between a and b, balls at the others."""
    settings, off, laws = JOINTS[joint]
    solids = placed(off)
    all_laws = [(0, 1, law) for law in laws]
    all_laws += [(1, 2, MEET), (2, -1, Meet(RIGHT, tuple(solids[2].x + RIGHT)))]
    model = Bodies(solids, tuple(all_laws), GRAVITY)
    point = joint == "tie"
    links = (Link(joint, settings), Link("tie"), Link("spherical"))
    hook = tuple(float(x) for x in solids[2].x + RIGHT)

    def parts(coupling):
        start = model.start()
        bodies = [
            body(n, s, row, point and n in "ab")
            for n, s, row in zip(NAMES, solids, start, strict=False)
        ]
        return *bodies, ground("d", x=hook[0], y=hook[1], z=hook[2])

    def reference(h, windows):
        states = model.solve(h * np.arange(1, windows + 1))
        assert model.apart(states) < 1e-9
        return np.array([values(y) for y in states])

    story = "bodies, points" if point else "bodies, frames"
    return Problem(joint, story, H, links, parts, shown, reference, 5, ends=ENDS)


def placed(off):
    """Where the bodies are, and the twists they would like to start with."""
    rng = np.random.default_rng(7)
    at, found = np.zeros(3), []
    for k in range(3):
        v, spin = rng.uniform(-0.5, 0.5, 3), rng.uniform(-2.0, 2.0, 3)
        found.append(Solid(1.0 + 0.5 * k, (0.03, 0.04, 0.05 + 0.01 * k), at, v, spin))
        at = at + np.subtract(RIGHT, LEFT) - (off if k == 0 else 0.0)
    return tuple(found)


def body(name, solid, start, points):
    """Frames where the joint is, points where balls are."""
    left, right = {"l": LEFT}, {"r": RIGHT}
    frames = {"a": right, "b": left, "c": {}}[name]
    dots = {"a": {}, "b": right, "c": {**left, **right}}[name]
    if points:
        frames, dots = {}, {**frames, **dots}
    return RigidBody(
        name, solid.mass, solid.inertia, start[:3], start[3:7], start[7:10],
        start[10:13], GRAVITY, frames, dots, integrate=FixedStep(1),
    )  # fmt: skip


def shown(states):
    """Centres and turns."""
    return values([states[n] for n in "abc"])


def values(rows):
    each = [(y[:3], matrix(y[3:7])) for y in rows]
    return np.concatenate([np.concatenate([x, R]) for x, R in each])


def matrix(q):
    return Rotation.from_quat(np.roll(q, -1)).as_matrix().ravel()


def bars():
    """The double pendulum of planar bars."""
    whole = Pendulum(10.0, 20.0, 1.0, 2.0, (0.4, -0.9), 9.81, 0.0)

    def parts(coupling):
        upper = PinnedBar("a", whole.m1, whole.l1, whole.start[0], whole.g)
        lower = FreeBar("b", whole.m2, whole.l2, whole.start[1], whole.g)
        return upper, lower

    def reference(h, windows):
        known = whole.solve(h * np.arange(windows + 1))
        names = ("upper.angle", "lower.com.x", "lower.com.y", "lower.angle")
        return np.stack([known[n][1:] for n in names], axis=1)

    def shown(states):
        return np.concatenate([states["a"][:1], states["b"][:3]])

    links, ends = (Link("tie"),), (("A", "A"),)
    return Problem("tie", "planar bars", H, links, parts, shown, reference, ends=ends)


SPATIAL = (bars, *(partial(spatial, joint) for joint in JOINTS))
