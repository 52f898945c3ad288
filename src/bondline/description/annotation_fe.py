"""The annotation of a component that is made from a finite-element deck."""

from __future__ import annotations

from bondline.description.annotation import empty, of_type, others, second
from bondline.description.schema import GLUING
from bondline.description.shelf import Shelf
from bondline.description.spec import DeclaredSpec, FeSpec, PlugSpec, PublishSpec
from bondline.description.untrusted import Node

ANNOTATION = "io.github.bondline.fe"


def read_fe(component: Node, shelf: Shelf) -> FeSpec | None:
    """What the owner says about a deck, or None if there is nothing to say."""
    found = of_type(component, ANNOTATION)
    for extra in found[1:]:
        shelf.report(second(extra, "A component has one; put all of it there."))
    if not found:
        return None
    content = found[0].one(GLUING, "fe")
    if content is None:
        shelf.report(empty(found[0], "fe"))
        return FeSpec(found[0].where)
    return FeSpec(
        content.where,
        tuple(others(content, ()).items()),
        tuple(_plug(n) for n in content.all(GLUING, "port")),
        tuple(_published(n) for n in content.all(GLUING, "publish")),
        tuple(_declared(n) for n in content.all(GLUING, "parameter")),
    )


def _plug(node: Node) -> PlugSpec:
    name = node.get("name")
    return PlugSpec(
        name,
        node.get("set", name),
        node.get("takes", "force"),
        node.get("dofs"),
        node.where,
    )


def _published(node: Node) -> PublishSpec:
    return PublishSpec(
        node.get("name"), node.get("set"), node.get("component"), node.where
    )


def _declared(node: Node) -> DeclaredSpec:
    return DeclaredSpec(
        node.get("name"),
        node.get("unit", "1"),
        node.get("meaning"),
        node.get("positive").strip() in ("true", "1"),
        node.where,
    )
