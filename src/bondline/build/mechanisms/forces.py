"""Forces of a mechanism file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import cos, pi, sin

from bondline.build.leaf_files.values import Values, true
from bondline.description.schema import LEAF
from bondline.description.untrusted import Node
from bondline.errors import SettingError
from bondline.leaves.expression import Expression
from bondline.leaves.histories import STEADY, Harmonic, Table
from bondline.leaves.mbd.forces import (
    Bushing,
    Contact,
    Force,
    History,
    JointLoad,
    JointMotion,
    JointSpring,
    JointStop,
    Polynomial,
    Push,
    Spring,
)


def read_history(node: Node, v: Values) -> History:
    """Constant, a sine, a polynomial or formula in t, or lines between points."""
    points = list(node.all(LEAF, "point"))
    ways = [
        k for k in ("frequency", "polynomial", "expression") if k in node.attributes
    ]
    if len(ways) + bool(points) > 1:
        raise SettingError(
            node.name,
            "it depends on time in more than one way.",
            "Give a frequency, a polynomial, an expression, or points.",
        )
    if points:
        times = tuple(v.number(p, "t") for p in points)
        return Table(times, tuple(v.number(p, "value") for p in points))
    if ways == ["expression"]:
        kinks = v.numbers(node, "kinks", (), ())
        return Expression(*v.formula(node.get("expression")), kinks)
    if ways == ["polynomial"]:
        return Polynomial(v.numbers(node, "polynomial"))
    if ways == ["frequency"]:
        w, phase = 2 * pi * v.number(node, "frequency"), v.number(node, "phase", 0.0)
        return Harmonic(a=(sin(phase),), b=(cos(phase),), omega=w)
    return STEADY


def _load(n: Node, v: Values) -> Force:
    coordinate, value = n.get("coordinate"), v.number(n, "value")
    return JointLoad(n.get("joint"), read_history(n, v), coordinate, value)


def read_motion(n: Node, v: Values) -> JointMotion:
    """A coordinate that is told: a polynomial in t, and a sine on top of it."""
    histories: list[History] = [Polynomial(v.numbers(n, "polynomial", (), (0.0,)))]
    if "frequency" in n.attributes:
        size, phase = v.number(n, "amplitude", 1.0), v.number(n, "phase", 0.0)
        a, b = (size * sin(phase),), (size * cos(phase),)
        omega = 2 * pi * v.number(n, "frequency")
        histories.append(Harmonic(a=a, b=b, omega=omega))
    return JointMotion(n.get("joint"), tuple(histories), n.get("coordinate"))


def _push(n: Node, v: Values) -> Force:
    force, moment = v.triple(n, "force"), v.triple(n, "moment")
    return Push(n.get("at"), force, moment, read_history(n, v), true(n, "follow"))


def _joint_spring(n: Node, v: Values) -> Force:
    k, d, rest = (v.number(n, key, 0.0) for key in ("stiffness", "damping", "rest"))
    return JointSpring(n.get("joint"), k, d, rest, n.get("coordinate"))


def _joint_stop(n: Node, v: Values) -> Force:
    above, below = (
        v.number(n, key) if key in n.attributes else None for key in ("above", "below")
    )
    if above is None and below is None:
        raise SettingError(
            "joint-stop", "it stops nothing.", "Give above, below or both."
        )
    power, damping = v.number(n, "power", 1.0), v.number(n, "damping", 0.0)
    stiffness, joint = v.number(n, "stiffness"), n.get("joint")
    return JointStop(
        joint, stiffness, above, below, power, damping, n.get("coordinate")
    )


def _spring(n: Node, v: Values) -> Force:
    k, d, length = (v.number(n, key, 0.0) for key in ("stiffness", "damping", "length"))
    return Spring(n.get("a"), n.get("b"), k, d, length)


def _bushing(n: Node, v: Values) -> Force:
    damping = v.numbers(n, "damping", (6,), (0.0,) * 6)
    return Bushing(n.get("a"), n.get("b"), v.numbers(n, "stiffness", (6,)), damping)


def _contact(n: Node, v: Values) -> Force:
    usual = {"power": 1.5, "damping": 0.0, "friction": 0.0, "stiction": 1e-2}
    return Contact(
        n.get("point"),
        n.get("plane"),
        v.number(n, "radius"),
        v.number(n, "stiffness"),
        **{key: v.number(n, key, value) for key, value in usual.items()},
        edge=true(n, "edge"),
    )


FORCES: Mapping[str, Callable[[Node, Values], Force]] = {
    "joint-load": _load,
    "joint-spring": _joint_spring,
    "joint-stop": _joint_stop,
    "push": _push,
    "spring": _spring,
    "bushing": _bushing,
    "contact": _contact,
}
