"""The ports behind the sides of joints, as far as passports tell."""

from __future__ import annotations

from bondline.core import Causality, Port
from bondline.description.catalogue import Catalogue
from bondline.description.spec import (
    ComponentSpec,
    Element,
    JointSpec,
    SideSpec,
    SystemSpec,
)


def port_of(
    element: Element | None, connector: str, catalogue: Catalogue
) -> Port | None:
    """The port behind a connector, looked up through nested systems."""
    while element is not None and not isinstance(element, ComponentSpec):
        inner = element.exports.get(connector)
        if inner is None:
            return None
        element, connector = element.element(inner.element), inner.connector
    passport = catalogue.passport(element)
    port = passport.ports.get(connector) if passport else None
    return port if isinstance(port, Port) else None


def ports_of(
    joint: JointSpec, system: SystemSpec, catalogue: Catalogue
) -> list[tuple[SideSpec, Port]]:
    """The sides of a joint whose ports are known."""
    return [
        (side, port)
        for side in joint.sides
        if (port := port_of(system.element(side.element), side.connector, catalogue))
    ]


def coupling_of(system: SystemSpec, catalogue: Catalogue) -> str | None:
    """The coupling that a system asks for, or that its ports ask for; None: unclear."""
    gluing = system.gluing
    if gluing is None or gluing.method != "auto":
        return gluing.method if gluing else None
    found = {
        asked_for([port for _, port in ports_of(joint, system, catalogue)])
        for joint in gluing.joints
    }
    return found.pop() if len(found) == 1 else None


def asked_for(ports: list[Port]) -> str | None:
    """The coupling that the ports of one joint ask for."""
    takes = {port.causality for port in ports}
    if len(takes) == 2:
        return "X-T"
    return (
        {Causality.FORCE_IN: "T-T", Causality.MOTION_IN: "X-X"}[takes.pop()]
        if takes
        else None
    )
