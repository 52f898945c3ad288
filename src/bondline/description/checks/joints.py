"""Do the joints hold what is there?"""

from __future__ import annotations

from collections.abc import Iterator

from bondline.description.catalogue import Catalogue
from bondline.description.checks.fits import check_fit
from bondline.description.checks.repeats import check_repeats
from bondline.description.place import Problem
from bondline.description.spec import JointSpec, SideSpec, SystemSpec
from bondline.errors import did_you_mean


def check_joints(system: SystemSpec, catalogue: Catalogue) -> Iterator[Problem]:
    """Every joint of one system."""
    for joint in system.gluing.joints if system.gluing else ():
        yield from _kind(joint, catalogue)
        yield from _sides(joint)
        for side in joint.sides:
            yield from _side(side, joint, system)
        yield from check_fit(joint, system, catalogue)
    yield from check_repeats(system, catalogue)


def _kind(joint: JointSpec, catalogue: Catalogue) -> Iterator[Problem]:
    if joint.kind not in catalogue.joints:
        yield Problem(
            "BND013",
            joint.where,
            f"joint {joint.name} is of the kind {joint.kind[:200]!r}, which does not "
            "exist.",
            did_you_mean(joint.kind, catalogue.joints),
        )


def _sides(joint: JointSpec) -> Iterator[Problem]:
    if len(joint.sides) < 2:
        yield Problem(
            "BND016",
            joint.where,
            f"joint {joint.name} has {len(joint.sides)} side(s).",
            "Give it two or more <g:side element=... connector=.../>.",
        )
    seen: set[str] = set()
    for side in joint.sides:
        if str(side) in seen:
            yield Problem(
                "BND017",
                side.where,
                f"{side} is in joint {joint.name} twice.",
                "Name a port of another part.",
            )
        seen.add(str(side))


def _side(side: SideSpec, joint: JointSpec, system: SystemSpec) -> Iterator[Problem]:
    element = system.element(side.element)
    if element is None:
        yield Problem(
            "BND014",
            side.where,
            f"joint {joint.name} refers to {side.element[:200]!r}, which is not an "
            f"element of {system.name}.",
            did_you_mean(side.element, [e.name for e in system.elements]),
        )
        return
    ports = [c.name for c in element.connectors if c.mechanical]
    if side.connector not in ports:
        yield Problem(
            "BND015",
            side.where,
            f"joint {joint.name} refers to {side}, and {side.element} declares no "
            "such port.",
            did_you_mean(side.connector, ports)
            + ' Ports are connectors of kind="unspecified".',
        )
