"""Joints as their ends meet at the start."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np

from bondline.core import Connection, Motion
from bondline.gluing.joints.bushing import Bushing
from bondline.gluing.joints.conditions import Apart, Condition
from bondline.gluing.joints.joint import Joint, Triple
from bondline.gluing.joints.spots import in_plane, in_space
from bondline.numerics import rotations as rot

C = TypeVar("C", bound=Connection)


def as_met(joint: C, motions: Sequence[Motion]) -> C:
    """The joint that fits the turns and the distance of its ends in `motions`.

    The joint frames of all ends are laid on that of the first, so that axes given for
    the first end hold for the others; a distance becomes what it is. Points that do
    not meet stay apart. Other connections come back as they are.
    """
    if isinstance(joint, Bushing):
        return replace(joint, inner=as_met(joint.inner, motions))
    if not isinstance(joint, Joint):
        return joint
    length = _length(joint, motions)
    held = tuple(_apart(c, length) for c in joint.conditions)
    return replace(joint, conditions=held, frames=_laid(joint, motions))


def _apart(condition: Condition, length: float) -> Condition:
    return Apart(length) if isinstance(condition, Apart) else condition


def _length(joint: Joint, motions: Sequence[Motion]) -> float:
    read = in_plane if joint.plane else in_space
    first, last = (read(motions[i], False).x for i in (0, -1))
    if joint.rests:
        first, last = first + joint.rests[0], last + joint.rests[-1]
    return float(np.linalg.norm(first - last))


def _laid(joint: Joint, motions: Sequence[Motion]) -> tuple[Triple, ...]:
    """Frames of the joint, all turned as that of the first end is."""
    if not all(joint.turns):
        return joint.frames
    read, own = in_plane if joint.plane else in_space, joint.frames
    first = np.array(own[0] if own else (0.0, 0.0, 0.0))
    turns = [read(m, True).turn for m in motions]
    common = rot.product(turns[0], rot.exp(first))
    back = (rot.log(rot.product(rot.conjugate(q), common)) for q in turns[1:])
    return tuple((float(x), float(y), float(z)) for x, y, z in (first, *back))
