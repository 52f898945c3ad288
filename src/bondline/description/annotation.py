"""The gluing annotation of a system."""

from __future__ import annotations

from bondline.description.bindings import read_number
from bondline.description.place import Problem
from bondline.description.schema import GLUING, SSC, SSD
from bondline.description.shelf import Shelf
from bondline.description.spec import GluingSpec, JointSpec, SideSpec
from bondline.description.untrusted import Node

ANNOTATION = "io.github.bondline.gluing"


def read_gluing(system: Node, shelf: Shelf) -> GluingSpec | None:
    """How the parts are glued, or None if the system does not say."""
    group = system.one(SSD, "Annotations")
    found = [
        a
        for a in (group.all(SSC, "Annotation") if group else ())
        if a.get("type") == ANNOTATION
    ]
    for extra in found[1:]:
        shelf.report(_second(extra))
    if not found:
        return None
    content = found[0].one(GLUING, "gluing")
    if content is None:
        shelf.report(_empty(found[0]))
        return GluingSpec(found[0].where)
    return _gluing(content)


def _second(node: Node) -> Problem:
    return Problem(
        "BND036",
        node.where,
        f"a second annotation of type {ANNOTATION}.",
        "A system has one gluing; put all joints into it.",
    )


def _empty(node: Node) -> Problem:
    held = ", ".join(c.name for c in node.children) or "nothing"
    return Problem(
        "BND036",
        node.where,
        f"the annotation holds {held} instead of g:gluing.",
        f'Put <g:gluing xmlns:g="{GLUING}"> into it.',
    )


def _gluing(node: Node) -> GluingSpec:
    return GluingSpec(
        where=node.where,
        joints=tuple(_joint(j) for j in node.all(GLUING, "joint")),
        method=node.get("method", "T-T"),
        scheme=node.attributes.get("scheme"),
        tolerance=_real(node, "tolerance"),
        force_tolerance=_real(node, "forceTolerance"),
        max_iterations=_whole(node, "maxIterations"),
        refresh=node.attributes.get("refresh"),
        update=node.attributes.get("update"),
        epsilon=_real(node, "epsilon"),
        step=_real(node, "step"),
        windows=_windows(node),
    )


def _real(node: Node, key: str) -> float | None:
    """A number as XML Schema writes it; infinities stay, for the check to judge."""
    text = node.attributes.get(key)
    if text is None:
        return None
    special = {"INF": float("inf"), "-INF": float("-inf"), "NaN": float("nan")}
    return special.get(text.strip(), read_number(text))


def _whole(node: Node, key: str) -> int | None:
    try:
        return int(node.attributes[key])
    except (KeyError, ValueError):
        return None


def _joint(node: Node) -> JointSpec:
    dofs = node.attributes.get("dofs")
    return JointSpec(
        name=node.get("name"),
        kind=node.get("kind"),
        sides=tuple(
            SideSpec(s.get("element"), s.get("connector"), s.where)
            for s in node.all(GLUING, "side")
        ),
        dofs=tuple(dofs.split()) if dofs is not None else None,
        where=node.where,
    )


def _windows(node: Node) -> int:
    number = _whole(node, "windows")
    return 1 if number is None else number
