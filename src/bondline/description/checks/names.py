"""Is every name there, free of dots, and taken once?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bondline.description.place import Problem
from bondline.description.spec import (
    ConnectorSpec,
    Element,
    JointSpec,
    SystemSpec,
    ValueSpec,
)


def check_names(system: SystemSpec) -> Iterator[Problem]:
    """Elements, connectors, joints and values of one system."""
    yield from _unique("element", system.elements)
    yield from _unique("connector", system.connectors)
    for element in system.elements:
        yield from _unique("connector", element.connectors)
    joints = system.gluing.joints if system.gluing else ()
    yield from _unique("joint", joints)
    yield from _undotted((*system.elements, *joints))
    for owner in (system, *system.elements):
        for binding in owner.bindings:
            yield from _unique("value of the set", binding.values)


def _unique(
    what: str, things: Sequence[Element | ConnectorSpec | JointSpec | ValueSpec]
) -> Iterator[Problem]:
    first: dict[str, Element | ConnectorSpec | JointSpec | ValueSpec] = {}
    for thing in things:
        before = first.setdefault(thing.name, thing)
        if before is not thing:
            yield Problem(
                "BND021",
                thing.where,
                f"a second {what} is named {thing.name!r}; the first is at line "
                f"{before.where.line}.",
                "Give it another name, or remove it.",
            )


def _undotted(things: Sequence[Element | JointSpec]) -> Iterator[Problem]:
    for thing in things:
        if "." in thing.name:
            yield Problem(
                "BND049",
                thing.where,
                f"the name {thing.name!r} has a dot in it.",
                "Dots separate levels, as in upper.mass: use another character.",
            )
