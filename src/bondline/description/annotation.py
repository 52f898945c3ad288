"""The gluing annotation of a system."""

from __future__ import annotations

from bondline.description.bindings import read_number
from bondline.description.place import Problem
from bondline.description.schema import GLUING, SSC, SSD
from bondline.description.shelf import Shelf
from bondline.description.spec import GluingSpec, JointSpec, RatesSpec, SideSpec
from bondline.description.untrusted import Node

ANNOTATION = "io.github.bondline.gluing"


def read_gluing(system: Node, shelf: Shelf) -> GluingSpec | None:
    """How the parts are glued, or None if the system does not say."""
    found = of_type(system, ANNOTATION)
    for extra in found[1:]:
        shelf.report(second(extra, "A system has one gluing; put all joints into it."))
    if not found:
        return None
    content = found[0].one(GLUING, "gluing")
    if content is None:
        shelf.report(empty(found[0], "gluing"))
        return GluingSpec(found[0].where)
    return _gluing(content)


def of_type(element: Node, kind: str) -> list[Node]:
    """The annotations of that type."""
    group = element.one(SSD, "Annotations")
    every = group.all(SSC, "Annotation") if group else ()
    return [a for a in every if a.get("type") == kind]


def second(node: Node, remedy: str) -> Problem:
    """The problem of an annotation that is there twice."""
    finding = f"a second annotation of type {node.get('type')}."
    return Problem("BND036", node.where, finding, remedy)


def empty(node: Node, wanted: str) -> Problem:
    """The problem of an annotation that does not hold what it should."""
    held = ", ".join(c.name for c in node.children) or "nothing"
    return Problem(
        "BND036",
        node.where,
        f"the annotation holds {held} instead of g:{wanted}.",
        f'Put <g:{wanted} xmlns:g="{GLUING}"> into it.',
    )


def _gluing(node: Node) -> GluingSpec:
    return GluingSpec(
        where=node.where,
        joints=tuple(_joint(j) for j in node.all(GLUING, "joint")),
        method=node.get("method", "auto"),
        scheme=node.attributes.get("scheme"),
        solver=node.attributes.get("solver"),
        solving=others(node, _OWN),
        epsilon=_real(node, "epsilon"),
        step=_real(node, "step"),
        windows=_count(node, "windows"),
        threads=_count(node, "threads"),
        adaptive=_real(node, "adaptive"),
        estimate=node.attributes.get("estimate"),
        start=node.attributes.get("start"),
        block=_count(node, "block"),
        waveform=node.attributes.get("waveform", "").strip() in ("true", "1"),
        rates=_rates(node.one(GLUING, "rates")),
        signals=node.attributes.get("signals"),
    )


def _rates(node: Node | None) -> RatesSpec | None:
    if node is None:
        return None
    return RatesSpec(
        fast=node.get("fast"),
        where=node.where,
        ratio=_count(node, "ratio", 10),
        order=_count(node, "order", 3),
        form=node.get("form", "residual"),
        iterate=node.get("iterate", "false").strip() in ("true", "1"),
    )


_OWN = (
    *("method", "scheme", "solver", "epsilon", "step", "windows", "threads"),
    *("adaptive", "estimate", "start", "block", "waveform", "signals"),
)


def others(node: Node, known: tuple[str, ...]) -> dict[str, str]:
    """All attributes but those, without the ones of other namespaces."""
    return {
        key: text
        for key, text in node.attributes.items()
        if key not in known and " " not in key
    }


def _real(node: Node, key: str) -> float | None:
    """A number as XML Schema writes it; infinities stay, for the check to judge."""
    text = node.attributes.get(key)
    if text is None:
        return None
    special = {"INF": float("inf"), "-INF": float("-inf"), "NaN": float("nan")}
    return special.get(text.strip(), read_number(text))


def _count(node: Node, key: str, usual: int = 1) -> int:
    try:
        return int(node.attributes[key])
    except (KeyError, ValueError):
        return usual


def _joint(node: Node) -> JointSpec:
    return JointSpec(
        name=node.get("name"),
        kind=node.get("kind"),
        sides=tuple(
            SideSpec(s.get("element"), s.get("connector"), s.where)
            for s in node.all(GLUING, "side")
        ),
        where=node.where,
        settings=others(node, ("name", "kind")),
    )
