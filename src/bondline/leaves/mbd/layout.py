"""The order of bodies and coordinates: body by body, parents first.

A body's positions are those of its joint, then its modal coordinates; its velocities
the joint's speeds, then the modal rates.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from bondline.core import Vector
from bondline.errors import SettingError, did_you_mean
from bondline.leaves.mbd.model import GROUND, Body, Joint, Mechanism


@dataclass(frozen=True, eq=False)
class Branch:
    """A body with the joint that carries it, and where its coordinates begin."""

    body: Body
    joint: Joint
    parent: int  # its place in the order, −1 for the ground
    q: int
    u: int


@dataclass(frozen=True, eq=False)
class Layout:
    """All coordinates of a mechanism, by number and by name."""

    branches: tuple[Branch, ...]
    positions: tuple[str, ...]  # "joint.angle", "body.a1", ...
    speeds: tuple[str, ...]
    start: Vector
    speed: Vector

    def branch(self, body: str) -> int:
        """The place of a body in the order, −1 for the ground."""
        names = [b.body.name for b in self.branches]
        return -1 if body == GROUND else names.index(body)

    def coordinate(self, place: str, joint: str, label: str = "") -> tuple[int, int]:
        """Where a joint's coordinate is in positions (−1 if a spin) and speeds."""
        found = {b.joint.name: b for b in self.branches}
        if joint not in found:
            raise SettingError(
                place, f"there is no joint {joint!r}.", did_you_mean(joint, found)
            )
        branch, kind = found[joint], found[joint].joint.of
        label = label or next(iter(kind.speeds), "")
        if label not in kind.speeds:
            raise SettingError(
                place,
                f"the {kind.name} joint {joint!r} has no coordinate {label!r}.",
                did_you_mean(label, kind.speeds),
            )
        q = branch.q + kind.positions.index(label) if label in kind.positions else -1
        return q, branch.u + kind.speeds.index(label)

    @property
    def modal(self) -> tuple[str, ...]:
        """The names of all modal coordinates."""
        return tuple(name for b in self.branches for name in _modal(b.body))


def layout(mechanism: Mechanism) -> Layout:
    """The order of everything; `SettingError` if the joints make no tree."""
    branches = tuple(_branches(mechanism))
    q = [n for b in branches for n in _names(b, b.joint.of.positions)]
    u = [n for b in branches for n in _names(b, b.joint.of.speeds)]
    start = [x for b in branches for x in (*b.joint.start, *_start(b.body))]
    speed = [x for b in branches for x in (*b.joint.speed, *_speed(b.body))]
    return Layout(
        branches, tuple(q), tuple(u), np.array(start, float), np.array(speed, float)
    )


def _branches(mechanism: Mechanism) -> Iterator[Branch]:
    """Bodies in the order given, but none before its parent."""
    joints = _carriers(mechanism)
    inboard = {
        name: mechanism.spot(f"{mechanism.name}, joint {joint.name}", joint.inboard)[0]
        for name, joint in joints.items()
    }
    known, q, u = {GROUND: -1}, 0, 0
    waiting = list(mechanism.bodies)
    while waiting:
        body = next((b for b in waiting if inboard[b.name] in known), None)
        if body is None:
            raise _no_tree(mechanism, waiting, inboard)
        waiting.remove(body)
        joint = joints[body.name]
        yield Branch(body, joint, known[inboard[body.name]], q, u)
        known[body.name] = len(known) - 1
        q += len(joint.of.positions) + body.count
        u += len(joint.of.speeds) + body.count


def _carriers(mechanism: Mechanism) -> dict[str, Joint]:
    """The one joint in which each body is outboard."""
    carriers: dict[str, Joint] = {}
    for joint in mechanism.joints:
        place = f"{mechanism.name}, joint {joint.name}"
        body, _ = mechanism.spot(place, joint.outboard)
        if body == GROUND:
            raise SettingError(
                place, "its outboard body is the ground.", "Exchange its two ends."
            )
        if body in carriers:
            raise SettingError(
                place,
                f"{body} is already carried by the joint {carriers[body].name}.",
                "Exchange its ends, or give it among the loops, which close chains.",
            )
        carriers[body] = joint
    for each in mechanism.bodies:
        if each.name not in carriers:
            raise SettingError(
                f"{mechanism.name}, body {each.name}",
                "no joint carries it.",
                f"Add a free joint from the {GROUND} to {each.name} if it flies.",
            )
    return carriers


def _no_tree(
    mechanism: Mechanism, waiting: Sequence[Body], inboard: dict[str, str]
) -> SettingError:
    names = [waiting[0].name]
    while inboard[names[-1]] not in names:
        names.append(inboard[names[-1]])
    circle = [*names[names.index(inboard[names[-1]]) :], inboard[names[-1]]]
    return SettingError(
        mechanism.name,
        f"these bodies carry each other in a circle: {' on '.join(circle)}.",
        "Let one chain of joints lead to the ground; close others by loops.",
    )


def _modal(body: Body) -> list[str]:
    return [f"{body.name}.a{k + 1}" for k in range(body.count)]


def _names(branch: Branch, labels: Sequence[str]) -> list[str]:
    return [*(f"{branch.joint.name}.{x}" for x in labels), *_modal(branch.body)]


def _start(body: Body) -> Sequence[float]:
    return body.modes.start or () if body.modes else ()


def _speed(body: Body) -> Sequence[float]:
    return body.modes.speed or () if body.modes else ()
