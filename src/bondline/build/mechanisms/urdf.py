"""Robots in URDF as mechanisms: links, inertials and joints.

A link's frame is its body's; every joint has a marker of its name on both bodies. What
is only looked at or touched (visual, collision, meshes) is passed over; limits,
friction and transmissions are, too, and the notes say so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from bondline.build.leaf_files.values import rolled
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
from bondline.description.untrusted import Node
from bondline.errors import did_you_mean
from bondline.leaves.mbd.forces import Force, JointSpring
from bondline.leaves.mbd.frame import Frame
from bondline.leaves.mbd.model import GROUND, Body, Joint, Mechanism
from bondline.leaves.mbd.solids import Lump

KINDS = {
    "revolute": "revolute",
    "continuous": "revolute",
    "prismatic": "prismatic",
    "fixed": "fixed",
    "floating": "free",
    "planar": "planar",
}
BASE = "base_to_ground"


def read_urdf(
    source: Path | str | bytes,
    *,
    base: str = "fixed",
    gravity: Sequence[float] = (0.0, 0.0, -9.81),
    shown: str = "",
) -> Imported:
    """The mechanism of a file or its bytes; its root link stands on the ground.

    With `base="free"` it flies.
    """
    root = opened(source, shown, "robot")
    links = {n.get("name"): n for n in root.children if n.name == "link"}
    notes = Notes()
    joints = [_joint(n, links, notes) for n in root.children if n.name == "joint"]
    nodes = [n for n in root.children if n.name == "joint"]
    carried = {str(j.outboard).partition(".")[0] for j in joints}
    roots = [name for name in links if name not in carried]
    if len(roots) != 1:
        raise unfit(root, f"{len(roots)} links have no parent.", "One is the root.")
    stand = Joint(BASE, "free" if base == "free" else "fixed", GROUND, roots[0])
    _pass_over(root, notes)
    mechanism = Mechanism(
        root.get("name") or "robot",
        [_body(link, nodes) for link in links.values()],
        [stand, *joints],
        [force for n in nodes for force in _dynamics(n, notes)],
        gravity,
    )
    return Imported(mechanism, notes.said)


def _origin(node: Node | None) -> Frame:
    origin = child(node, "origin") if node else None
    return Frame(triple(origin, "xyz"), rolled(*triple(origin, "rpy")))


def _axis(joint: Node) -> Frame:
    """The joint's frame in its child: z is the axis."""
    return Frame.along(triple(child(joint, "axis"), "xyz", (1.0, 0.0, 0.0)))


def _body(link: Node, joints: Sequence[Node]) -> Body:
    name = link.get("name")
    markers = {}
    for joint in joints:
        if _end(joint, "parent") == name:
            markers[joint.get("name")] = behind(_origin(joint), _axis(joint))
        elif _end(joint, "child") == name:
            markers[joint.get("name")] = _axis(joint)
    inertial = child(link, "inertial")
    if inertial is None:
        return Body(name, markers=markers)
    return _lump(inertial).moved(_origin(inertial)).body(name, markers)


def _lump(inertial: Node) -> Lump:
    mass = number(_needed(inertial, "mass"), "value")
    given = _needed(inertial, "inertia")
    xx, xy, xz, yy, yz, zz = (
        number(given, key) for key in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
    )
    J = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    return Lump(mass, np.zeros(3), J)


def _needed(node: Node, name: str) -> Node:
    found = child(node, name)
    if found is None:
        raise unfit(node, f"it has no <{name}>.", f"Add <{name} .../>.")
    return found


def _end(joint: Node, which: str) -> str:
    return _needed(joint, which).get("link")


def _joint(node: Node, links: Mapping[str, Node], notes: Notes) -> Joint:
    kind, name = node.get("type"), node.get("name")
    if kind not in KINDS:
        raise unfit(node, f"its type is {kind!r}.", did_you_mean(kind, KINDS))
    for end in ("parent", "child"):
        link = _end(node, end)
        if link not in links:
            raise unfit(node, f"there is no link {link!r}.", did_you_mean(link, links))
    if child(node, "mimic") is not None:
        raise unfit(node, "it mimics another.", "Mimic joints are not supported.")
    if child(node, "limit") is not None and kind in ("revolute", "prismatic"):
        notes.add("limits of joints do not stop them")
    parent, outboard = (f"{_end(node, e)}.{name}" for e in ("parent", "child"))
    return Joint(name, KINDS[kind], parent, outboard)


def _dynamics(node: Node, notes: Notes) -> Iterator[Force]:
    given = child(node, "dynamics")
    if number(given, "friction", 0.0):
        notes.add("dry friction of joints is left out")
    damping = number(given, "damping", 0.0)
    if damping:
        yield JointSpring(node.get("name"), damping=damping)


def _pass_over(root: Node, notes: Notes) -> None:
    for node in root.walk():
        if node.name in ("visual", "collision"):
            notes.add(f"<{node.name}> is not read")
    for node in root.children:
        if node.name not in ("link", "joint"):
            notes.add(f"<{node.name}> is not read")
