"""Joints that ask for what others ask for already."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise

from bondline.core import Port
from bondline.description.catalogue import Catalogue
from bondline.description.place import Problem
from bondline.description.ports import ports_of
from bondline.description.spec import JointSpec, SystemSpec

_POINTS = ("spherical", "revolute", "universal")  # points that coincide, at least
_TURNS = ("rx", "ry", "rz")


def check_repeats(system: SystemSpec, catalogue: Catalogue) -> Iterator[Problem]:
    """Joints between ports that other joints tie together, directly or in a circle.

    Found from the wiring alone; what geometry makes redundant is found by the solver.
    """
    tied: dict[str, list[tuple[str, str, str]]] = {}  # by dof: side, side, joint
    for joint in system.gluing.joints if system.gluing else ():
        shared = _shared(joint, [p for _, p in ports_of(joint, system, catalogue)])
        names = list(dict.fromkeys(str(side) for side in joint.sides))
        found: dict[str, list[str]] = {}
        for dof in shared:
            for one, other in pairwise(names):
                trail = _trail(tied.get(dof, []), one, other)
                if trail:
                    found[dof] = trail
                tied.setdefault(dof, []).append((one, other, joint.name))
        if found:
            yield _told(joint, found)


def _shared(joint: JointSpec, ports: list[Port]) -> tuple[str, ...]:
    """The dofs that are the same on all sides of a joint, whatever the geometry."""
    every = (
        tuple(d for d in ports[0].dofs if all(d in p.dofs for p in ports[1:]))
        if ports
        else ()
    )
    if joint.kind == "tie":
        return tuple(joint.settings.get("dofs", "").split()) or every
    if joint.kind in _POINTS:
        return tuple(d for d in every if d not in _TURNS)
    return every if joint.kind == "fixed" else ()


def _trail(lines: list[tuple[str, str, str]], start: str, end: str) -> list[str]:
    """Joints that lead from one side to another; none if nothing does."""
    reached: dict[str, list[str]] = {start: []}
    waiting = [start]
    while waiting:
        here = waiting.pop(0)
        for one, other, joint in lines:
            for near, far in ((one, other), (other, one)):
                if near == here and far not in reached:
                    reached[far] = [*reached[here], joint]
                    waiting.append(far)
    return reached.get(end, [])


def _told(joint: JointSpec, found: Mapping[str, list[str]]) -> Problem:
    others = list(dict.fromkeys(name for trail in found.values() for name in trail))
    word = "joint" if len(others) == 1 else "joints"
    return Problem(
        "BND054",
        joint.where,
        f"joint {joint.name} repeats {word} {' and '.join(others)}: its sides are tied "
        f"already in {' '.join(found)}.",
        "Remove it, or join all ports that meet there in one joint. As it is, the "
        "forces of such joints are shared out, and each is not known for itself.",
        "warning",
    )
