"""How a mechanism stands at its start, and how its flexible bodies hang there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import cos, sin

import numpy as np

from bondline.core import Matrix
from bondline.leaves.mbd.frame import Frame
from bondline.leaves.mbd.layout import layout
from bondline.leaves.mbd.model import GROUND, Body, Joint, Mechanism
from bondline.leaves.mbd.modes import Node
from bondline.leaves.spatial import Turn, product, rotation


def turns(mechanism: Mechanism) -> dict[str, Matrix]:
    """R_WB of every body at the start, with nothing deformed."""
    found = {GROUND: np.eye(3)}
    for branch in layout(mechanism).branches:
        joint = branch.joint
        place = f"joint {joint.name}"
        owner, inboard = mechanism.spot(place, joint.inboard)
        _, outboard = mechanism.spot(place, joint.outboard)
        R_WI = found[owner] @ _frame(inboard).R
        R_WO = R_WI @ np.array(rotation(*turn_of(joint))).reshape(3, 3)
        found[branch.body.name] = R_WO @ _frame(outboard).R.T
    return found


def _frame(spot: Frame | Node) -> Frame:
    return spot.frame if isinstance(spot, Node) else spot


def turn_of(joint: Joint) -> Turn:
    """How its outboard frame is turned in its inboard frame at the start."""
    q = dict(zip(joint.of.positions, joint.start, strict=True))
    if "qw" in q:
        return q["qw"], q["qx"], q["qy"], q["qz"]
    if joint.kind == "universal":
        (cx, sx), (cy, sy) = ((cos(q[a] / 2), sin(q[a] / 2)) for a in "xy")
        return product((cx, sx, 0.0, 0.0), (cy, 0.0, sy, 0.0))
    half = q.get("angle", 0.0) / 2
    return cos(half), 0.0, 0.0, sin(half)


def sagged(mechanism: Mechanism, shares: Mapping[str, float]) -> Mechanism:
    """Flexible bodies that start deformed by a share of their own weight at rest.

    With its frame held, a body rests at K a = ∫ φ dm · g; what it carries is left out.
    """
    if not any(shares.values()):
        return mechanism
    where, g = turns(mechanism), np.array(mechanism.gravity)
    bodies = [
        _hanging(body, shares.get(body.name, 0.0) * where[body.name].T @ g)
        for body in mechanism.bodies
    ]
    return replace(mechanism, bodies=bodies)


def _hanging(body: Body, g: Matrix) -> Body:
    modes = body.modes
    if modes is None or not g.any():
        return body
    rest = np.linalg.solve(modes.K, modes.I0 @ g)
    start = tuple((np.array(modes.start) + rest).tolist())
    return replace(body, modes=replace(modes, start=start))
