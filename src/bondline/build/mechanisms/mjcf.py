"""A part of MJCF as mechanisms: bodies, joints, inertials, and geoms for inertia.

A body's frame is MuJoCo's; a body with several joints gets bodies without mass between
them. What the notes list has no effect here; what changes the motion and is not
supported is refused by its name.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from bondline.build.mechanisms.foreign import (
    Imported,
    Notes,
    behind,
    child,
    number,
    opened,
    triple,
    unfit,
)
from bondline.build.mechanisms.mjcf_inertia import lump_of
from bondline.build.mechanisms.mjcf_words import Words, words_of
from bondline.description.untrusted import Node
from bondline.errors import did_you_mean
from bondline.leaves.mbd.forces import Force, JointSpring
from bondline.leaves.mbd.frame import Frame
from bondline.leaves.mbd.model import GROUND, Body, Joint, Mechanism

KINDS = {"hinge": "revolute", "slide": "prismatic", "ball": "spherical", "free": "free"}
REFUSED = ("tendon", "equality", "deformable", "include", "extension", "composite")
_IN_BODY = ("body", "joint", "freejoint", "inertial", "geom", "site", "camera", "light")
_NO_EFFECT = (
    *("asset", "visual", "statistic", "custom", "size", "keyframe", "sensor"),
    *("contact", "actuator"),
)
_UNKNOWN_FORCES = ("armature", "frictionloss")


@dataclass(eq=False)
class _Making:
    """What has been read of a file."""

    words: Words
    notes: Notes = field(default_factory=Notes)
    bodies: list[Body] = field(default_factory=list)
    joints: list[Joint] = field(default_factory=list)
    forces: list[Force] = field(default_factory=list)


def read_mjcf(source: Path | str | bytes, *, shown: str = "") -> Imported:
    """The mechanism of a file or its bytes."""
    root = opened(source, shown, "mujoco")
    making = _Making(words_of(root))
    for node in root.children:
        if node.name in REFUSED:
            raise unfit(node, "it is not supported.", "Take it out of the file.")
        if node.name in _NO_EFFECT:
            making.notes.add(f"<{node.name}> has no effect here")
    world = child(root, "worldbody")
    if world is None:
        raise unfit(root, "it has no <worldbody>.", "Add one.")
    for node in _inside(world, making):
        if node.name == "body":
            _body(node, GROUND, "", making)
    gravity = triple(child(root, "option"), "gravity", (0.0, 0.0, -9.81))
    name = root.get("model") or "mujoco"
    made = Mechanism(name, making.bodies, making.joints, making.forces, gravity)
    return Imported(made, making.notes.said)


def _inside(node: Node, making: _Making) -> Iterator[Node]:
    for one in node.children:
        if one.name not in _IN_BODY:
            raise unfit(one, "it is not supported.", f"Known: {', '.join(_IN_BODY)}.")
        if one.name in ("camera", "light"):
            making.notes.add(f"<{one.name}> has no effect here")
        yield one


def _body(node: Node, parent: str, style: str, making: _Making) -> None:
    """A body, the joints that carry it, and all bodies on it."""
    words = making.words
    style = node.get("childclass") or style
    name = node.get("name") or f"body{len(making.bodies)}"
    place = words.frame(node)
    inner = list(_inside(node, making))
    joints = [n for n in inner if n.name in ("joint", "freejoint")]
    markers = {
        n.get("name"): words.frame(n)
        for n in inner
        if n.name == "site" and n.get("name")
    }
    lump = lump_of(node, style, words)
    if any(n.name == "geom" for n in inner):
        making.notes.add("geoms do not touch each other")
    carried = [
        _carrying(n, style, making, f"{name}_joint{i}") for i, n in enumerate(joints)
    ]
    if parent != GROUND and any(one.kind == "free" for one in carried):
        raise unfit(node, "it is free, and not in the world.", "Move it there.")
    last = _chain(name, parent, place, carried, making)
    markers = {**markers, **last}
    body = lump.body(name, markers) if lump else Body(name, markers=markers)
    making.bodies.append(body)
    for n in inner:
        if n.name == "body":
            _body(n, name, style, making)


@dataclass(frozen=True, eq=False)
class _Carrying:
    """One joint of a body, in the body's frame."""

    name: str
    kind: str
    frame: Frame
    forces: tuple[Force, ...]


def _carrying(node: Node, style: str, making: _Making, usual: str) -> _Carrying:
    words = making.words
    told = words.attributes(node, style)
    name = told.get("name") or usual
    kind = "free" if node.name == "freejoint" else told.get("type", "hinge")
    if kind not in KINDS:
        raise unfit(node, f"its type is {kind!r}.", did_you_mean(kind, KINDS))
    for key in _UNKNOWN_FORCES:
        if number(told, key, 0.0):
            raise unfit(node, f"it has {key}.", f"{key} is not supported: take it out.")
    axis = triple(told, "axis", (0.0, 0.0, 1.0))
    at = triple(told, "pos")
    turns = kind in ("hinge", "slide")
    frame = (
        Frame.along(axis, at) if turns else Frame(at if kind == "ball" else (0, 0, 0))
    )
    if _limited(told):
        making.notes.add("limits of joints do not stop them")
    return _Carrying(name, KINDS[kind], frame, tuple(_springs(told, name, kind, words)))


def _limited(told: Node) -> bool:
    """As MuJoCo has it: a range is a limit unless the joint denies it."""
    asked = told.get("limited", "auto")
    return asked == "true" or (asked == "auto" and "range" in told.attributes)


def _springs(told: Node, name: str, kind: str, words: Words) -> Iterator[Force]:
    stiffness, damping = (number(told, key, 0.0) for key in ("stiffness", "damping"))
    if not (stiffness or damping):
        return
    if kind not in ("hinge", "slide"):
        raise unfit(told, "a spring or damper on it.", "Only hinges and slides may.")
    scale = words.angle if kind == "hinge" else 1.0
    rest = scale * (number(told, "springref", 0.0) - number(told, "ref", 0.0))
    yield JointSpring(name, stiffness, damping, rest)


def _chain(
    name: str, parent: str, place: Frame, carried: list[_Carrying], making: _Making
) -> dict[str, Frame]:
    """Joints one after the other, with bodies without mass between them.

    Gives the markers of the body itself; those of its parent are added there.
    """
    each = carried or [_Carrying(f"{name}_fixed", "fixed", Frame(), ())]
    inboard, where, own = parent, place, dict[str, Frame]()
    for i, one in enumerate(each):
        last = i == len(each) - 1
        start = (*place.at, *place.turn) if one.kind == "free" else ()
        hold = Frame() if start else behind(where, one.frame)
        outer = name if last else f"{name}_{i + 1}"
        _mark(making, inboard, one.name, hold)
        made = Joint(
            one.name,
            one.kind,
            hold if inboard == GROUND else f"{inboard}.{one.name}",
            f"{outer}.{one.name}",
            start,
        )
        making.joints.append(made)
        making.forces += one.forces
        own = {one.name: one.frame}
        if not last:
            making.bodies.append(Body(outer, markers=own))
        inboard, where = outer, Frame()
    return own


def _mark(making: _Making, body: str, name: str, frame: Frame) -> None:
    """Give a body one more marker."""
    for i, one in enumerate(making.bodies):
        if one.name == body:
            made = replace(one, markers={**one.markers, name: frame})
            making.bodies[i] = made
