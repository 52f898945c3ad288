"""Do the joints hold what is there, and does it fit?"""

from __future__ import annotations

from collections.abc import Iterator

from bondline.core import Causality, Port
from bondline.description.catalogue import Catalogue
from bondline.description.place import Problem
from bondline.description.spec import (
    ComponentSpec,
    Element,
    JointSpec,
    SideSpec,
    SystemSpec,
)
from bondline.errors import did_you_mean


def check_joints(system: SystemSpec, catalogue: Catalogue) -> Iterator[Problem]:
    """Every joint of one system."""
    for joint in system.gluing.joints if system.gluing else ():
        yield from _kind(joint, catalogue)
        yield from _sides(joint)
        for side in joint.sides:
            yield from _side(side, joint, system)
        yield from _fit(joint, system, catalogue)


def _kind(joint: JointSpec, catalogue: Catalogue) -> Iterator[Problem]:
    if joint.kind in catalogue.joints:
        return
    later = joint.kind in catalogue.later_joints
    yield Problem(
        "BND013",
        joint.where,
        f"joint {joint.name} is of the kind {joint.kind[:200]!r}, "
        + ("which comes in a later version." if later else "which does not exist."),
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


def _fit(
    joint: JointSpec, system: SystemSpec, catalogue: Catalogue
) -> Iterator[Problem]:
    known = [
        (side, port)
        for side in joint.sides
        if (port := port_of(system.element(side.element), side.connector, catalogue))
    ]
    for side, port in known:
        if port.causality is not Causality.FORCE_IN:
            yield Problem(
                "BND019",
                side.where,
                f"{side} takes motion and answers with force.",
                "T-T gluing needs ports that take force on every side.",
            )
    yield from _same_dofs(joint, known)
    if known and joint.dofs is not None and joint.dofs != known[0][1].dofs:
        yield Problem(
            "BND048",
            joint.where,
            f'joint {joint.name} asks for dofs="{" ".join(joint.dofs)}", and '
            f"{known[0][0]} has {_dofs(known[0][1])}.",
            "A joint ties all dofs of its ports in this version: leave dofs out.",
        )


def _same_dofs(
    joint: JointSpec, known: list[tuple[SideSpec, Port]]
) -> Iterator[Problem]:
    for side, port in known[1:]:
        first_side, first = known[0]
        if (port.dofs, port.nodes) != (first.dofs, first.nodes):
            yield Problem(
                "BND012",
                joint.where,
                f"interface dofs differ: {first_side} has {_dofs(first)}, {side} has "
                f"{_dofs(port)}.",
                "Join ports with the same dofs.",
            )


def _dofs(port: Port) -> str:
    nodes = f" at {port.nodes} nodes" if port.nodes > 1 else ""
    return f"{len(port.dofs)} ({' '.join(port.dofs)}){nodes}"


def port_of(
    element: Element | None, connector: str, catalogue: Catalogue
) -> Port | None:
    """The port behind a connector, looked up through nested systems."""
    while element is not None and not isinstance(element, ComponentSpec):
        inner = element.exports.get(connector)
        if inner is None:
            return None
        element, connector = element.element(inner.element), inner.connector
    passport = catalogue.kinds.get(element.kind or "") if element else None
    port = passport.ports.get(connector) if passport else None
    return port if isinstance(port, Port) else None
