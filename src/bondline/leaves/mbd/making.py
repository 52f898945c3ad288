"""The leaf that suits a sheet."""

from __future__ import annotations

from typing import TypeAlias

from bondline.core import Causality
from bondline.errors import SettingError
from bondline.leaves.mbd.floating import FloatingLeaf, floats
from bondline.leaves.mbd.integration import Integration
from bondline.leaves.mbd.leaf import MultibodyLeaf
from bondline.leaves.mbd.led import LedLeaf
from bondline.leaves.mbd.model import GROUND
from bondline.leaves.mbd.sheet import Sheet

AnyLeaf: TypeAlias = MultibodyLeaf | FloatingLeaf | LedLeaf


def multibody_leaf(name: str, sheet: Sheet) -> AnyLeaf:
    """The leaf of a mechanism; one that floats can be placed, or led by a port."""
    led = [n for n, o in sheet.ports.items() if o.takes is Causality.MOTION_IN]
    if led:
        check_led(sheet, led)
        return LedLeaf(MultibodyLeaf(name, sheet), led[0])
    kind = FloatingLeaf if floats(sheet.mechanism) else MultibodyLeaf
    return kind(name, sheet)


def check_led(sheet: Sheet, led: list[str]) -> None:
    """Refuse ports that cannot lead the mechanism."""
    made = sheet.mechanism
    place = f"{made.name}: port {led[0]}"
    at = sheet.ports[led[0]].at
    body, _, _ = at.partition(".")
    root = next((j for j in made.joints if floats(made) and j.inboard == GROUND), None)
    if len(led) > 1 or root is None or root.outboard != at:
        raise SettingError(
            place,
            "it takes motion, and does not carry the mechanism by itself."
            if len(led) == 1
            else f"{len(led)} ports take motion.",
            f"Let one do so, at the outboard end of a free joint from the {GROUND} to "
            f"{at}, the only joint to the ground; let the others take force.",
        )
    _check_steps(place, sheet.integration)
    carried = next(b for b in made.bodies if b.name == body)
    if made.loops or made.motions or at in _bending(carried.name, carried.modes):
        raise SettingError(
            place,
            "it leads a node that bends, or a mechanism with closed loops or motions.",
            "Lead a marker of a rigid body of a tree; fix the flexible body to it.",
        )


def _check_steps(place: str, how: Integration) -> None:
    """What is led takes steps of Runge and Kutta's, with one step size."""
    if how.kernel != "general":
        raise SettingError(
            place,
            f"it takes motion, and a {how.kernel} kernel is asked for.",
            "Leave the kernel out: what is led is integrated in Python.",
        )
    if how.method not in ("nordsieck", "rk4") or how.ratio > 1:
        raise SettingError(
            place,
            f"it takes motion, and {how.method} with the ratio {how.ratio} is asked "
            "for.",
            "Leave the method out, or say rk4, with one step size.",
        )


def _bending(body: str, modes: object) -> set[str]:
    nodes = getattr(modes, "nodes", {})
    return {f"{body}.{name}" for name in nodes}
