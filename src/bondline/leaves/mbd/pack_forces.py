"""Forces as rows of whole numbers, each with its reals (c/tree_forces.c).

A row: kind, first marker or position, second marker or speed, history, reals.
"""

from __future__ import annotations

from math import inf

from bondline.errors import SettingError
from bondline.leaves.mbd.codes import ForceKind
from bondline.leaves.mbd.forces import (
    Bushing,
    Contact,
    Force,
    JointLoad,
    JointSpring,
    JointStop,
    Push,
    Spring,
)
from bondline.leaves.mbd.layout import Layout
from bondline.leaves.mbd.model import Mechanism
from bondline.leaves.mbd.writing import Writing

Row = tuple[int, int, int, int, int]


def pack_force(
    mechanism: Mechanism,
    order: Layout,
    force: Force,
    markers: dict[str, int],
    text: Writing,
) -> Row:
    """The row of a force; `SettingError` names what it refers to in vain."""
    place = f"{mechanism.name}, {type(force).__name__}"
    if isinstance(force, JointLoad | JointSpring | JointStop):
        return _on_joint(place, order, force, text)
    ends = (force.at, "ground") if isinstance(force, Push) else _ends(force)
    for end in ends:
        mechanism.spot(place, end)
    a, b = (markers[end] for end in ends)
    match force:
        case Push():
            history = text.history(force.history)
            at = text.put(force.force, force.moment, [float(force.follow)])
            return (ForceKind.PUSH, a, b, history, at)
        case Spring():
            at = text.put([force.stiffness, force.damping, force.length])
            return (ForceKind.SPRING, a, b, -1, at)
        case Bushing():
            at = text.put(_six(place, force.stiffness), _six(place, force.damping))
            return (ForceKind.BUSHING, a, b, -1, at)
        case Contact():
            own = (force.radius, force.stiffness, force.power, force.damping)
            more = (force.friction, force.stiction, float(force.edge))
            return (ForceKind.CONTACT, a, b, -1, text.put(own, more))


def _ends(force: Spring | Bushing | Contact) -> tuple[str, str]:
    if isinstance(force, Contact):
        return force.point, force.plane
    return force.a, force.b


def _on_joint(
    place: str,
    order: Layout,
    force: JointLoad | JointSpring | JointStop,
    text: Writing,
) -> Row:
    q, u = order.coordinate(place, force.joint, force.coordinate)
    if isinstance(force, JointLoad):
        history = text.history(force.history)
        return (ForceKind.JOINT_LOAD, q, u, history, text.put([force.factor]))
    if q < 0:
        raise SettingError(
            place,
            f"{force.coordinate!r} of {force.joint!r} is a spin without a position.",
            "Use a bushing between the two markers of the joint.",
        )
    if isinstance(force, JointSpring):
        at = text.put([force.stiffness, force.damping, force.rest])
        return (ForceKind.JOINT_SPRING, q, u, -1, at)
    above = inf if force.above is None else force.above
    below = -inf if force.below is None else force.below
    own = (force.stiffness, force.power, force.damping, above, below)
    return (ForceKind.JOINT_STOP, q, u, -1, text.put(own))


def _six(place: str, values: object) -> list[float]:
    found = [float(v) for v in values]  # type: ignore[attr-defined]
    if len(found) != 6:
        raise SettingError(
            place,
            f"found {len(found)} numbers.",
            "Give six: three along the axes, three about them.",
        )
    return found
