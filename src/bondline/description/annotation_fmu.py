"""The annotation of a component that is an FMU."""

from __future__ import annotations

from bondline.description.annotation import empty, of_type, second
from bondline.description.bindings import read_number
from bondline.description.schema import GLUING
from bondline.description.shelf import Shelf
from bondline.description.spec import FmuSpec, InterfaceSpec
from bondline.description.untrusted import Node

ANNOTATION = "io.github.bondline.fmu"
PATIENCE = 60.0  # seconds


def read_fmu_annotation(component: Node, shelf: Shelf) -> FmuSpec | None:
    """What is said about an FMU, or None if there is nothing to say."""
    found = of_type(component, ANNOTATION)
    for extra in found[1:]:
        shelf.report(second(extra, "A component has one; put all of it there."))
    if not found:
        return None
    content = found[0].one(GLUING, "fmu")
    if content is None:
        shelf.report(empty(found[0], "fmu"))
        return FmuSpec(found[0].where)
    return FmuSpec(
        content.where,
        max(1, int(read_number(content.get("steps")) or 1)),
        read_number(content.get("patience")) or PATIENCE,
        tuple(_interface(n) for n in content.all(GLUING, "interface")),
    )


def _interface(node: Node) -> InterfaceSpec:
    words = {
        key: tuple(node.get(key).split())
        for key in ("dofs", "force", "position", "velocity", "acceleration", "turn")
    }
    return InterfaceSpec(name=node.get("name"), where=node.where, **words)
