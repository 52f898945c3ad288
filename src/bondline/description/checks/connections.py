"""Do the lines of the diagram start and end somewhere, and is every part held?"""

from __future__ import annotations

from collections.abc import Iterator

from bondline.description.catalogue import Catalogue
from bondline.description.checks.signals import check_signals
from bondline.description.place import Problem
from bondline.description.spec import (
    ComponentSpec,
    ConnectionSpec,
    ConnectorSpec,
    SystemSpec,
)
from bondline.errors import did_you_mean


def check_connections(system: SystemSpec, catalogue: Catalogue) -> Iterator[Problem]:
    """Connections, exported ports and loose parts of one system."""
    for connection in system.connections:
        yield from _connection(connection, system)
    yield from check_signals(system, catalogue)
    yield from _exports(system)
    yield from _loose(system, catalogue)


def _connection(connection: ConnectionSpec, system: SystemSpec) -> Iterator[Problem]:
    for element, name in connection.ends:
        end = _connector(system, element, name)
        if not isinstance(end, ConnectorSpec):
            yield Problem("BND026", connection.where, *end)


def _connector(
    system: SystemSpec, element: str | None, name: str
) -> ConnectorSpec | tuple[str, str]:
    """The connector at one end, or what was found instead and what to do."""
    owner = system if element is None else system.element(element)
    if owner is None:
        return (
            f"it ends at {element!r}, which is not an element of {system.name}.",
            did_you_mean(element or "", [e.name for e in system.elements]),
        )
    connectors = {c.name: c for c in owner.connectors}
    if name in connectors:
        return connectors[name]
    return (
        f"{owner.name} has no connector {name!r}.",
        did_you_mean(name, connectors),
    )


def _exports(system: SystemSpec) -> Iterator[Problem]:
    exported = system.exports
    for connector in system.connectors:
        if connector.mechanical and connector.name not in exported:
            yield Problem(
                "BND027",
                connector.where,
                f"port {connector.name!r} of {system.name} leads to no element.",
                "Add an ssd:Connection from it to the port of an element.",
            )


def _loose(system: SystemSpec, catalogue: Catalogue) -> Iterator[Problem]:
    joints = system.gluing.joints if system.gluing else ()
    glued = {side.element for joint in joints for side in joint.sides}
    held = glued | {s.element for s in system.exports.values()}
    held |= {name for c in system.wires for name, _ in c.ends if name is not None}
    for element in system.elements:
        if element.name not in held and len(system.elements) > 1:
            yield Problem(
                "BND018",
                element.where,
                f"{element.name} is glued to nothing.",
                "Name it in a joint, or remove it.",
                "warning",
            )
        if isinstance(element, ComponentSpec) and element.name in glued:
            yield from _repeatable(element, catalogue)


def _repeatable(part: ComponentSpec, catalogue: Catalogue) -> Iterator[Problem]:
    passport = catalogue.passport(part)
    if passport is not None and not passport.capabilities.repeatable:
        yield Problem(
            "BND020",
            part.where,
            f"{part.name} ({passport.kind}) cannot repeat a window, so nothing is "
            "iterated here: every window is one pass.",
            "Use a kind that can save and restore its state where the gap must close.",
            "warning",
        )
