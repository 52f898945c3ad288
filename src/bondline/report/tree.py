"""The model as a tree of parts, to be read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from bondline.report.markup import Safe, element, join, text


@dataclass(frozen=True)
class Joint:
    """A connection between ports: its name, its ends (`upper.A`), what it ties."""

    name: str
    ends: tuple[str, ...]
    dofs: tuple[str, ...]


@dataclass(frozen=True)
class TreeNode:
    """A part: what it is, its ports (name to dofs), its joints and its own parts."""

    name: str
    kind: str
    ports: Mapping[str, Sequence[str]] = field(default_factory=dict)
    joints: Sequence[Joint] = ()
    children: Sequence[TreeNode] = ()


def tree(node: TreeNode) -> Safe:
    """The nested list of a model."""
    return element("ul", _node(node), cls="tree")


def _node(node: TreeNode) -> Safe:
    name = element("strong", text(node.name))
    kind = element("span", text(node.kind), cls="kind")
    ports = [_pair("port", p, " ".join(dofs)) for p, dofs in node.ports.items()]
    inner = [_joint(joint) for joint in node.joints]
    inner += [_node(child) for child in node.children]
    below = element("ul", *inner) if inner else Safe("")
    return element("li", name, Safe(" "), kind, join(ports), below)


def _pair(cls: str, name: str, dofs: str) -> Safe:
    words = element("b", text(name)) + (f" {text(dofs)}" if dofs else "")
    return Safe(" " + element("span", Safe(f"{cls} {words}"), cls=cls))


def _joint(joint: Joint) -> Safe:
    ends = text(" — ".join(joint.ends))
    mark = _pair("joint", joint.name, " ".join(joint.dofs))
    return element("li", mark, Safe(" "), element("span", ends, cls="ends"), cls="tie")
