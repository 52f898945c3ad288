"""The outline of a model as a report draws it: built, or as its file has it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bondline.core import Model, Port, SignalPort
    from bondline.description import ComponentSpec, SystemSpec
    from bondline.report.tree import TreeNode


def tree(model: Model) -> TreeNode:
    """The outline as a report draws it."""
    from bondline.build.outline import brief, kind, parts
    from bondline.report.tree import Joint, TreeNode

    return TreeNode(
        model.name,
        kind(model),
        {name: _dofs(port) for name, port in model.ports.items()},
        [
            Joint(c.name, tuple(map(str, c.ends)), tuple(brief(c.components)))
            for c in getattr(model, "connections", ())
        ],
        [tree(part) for part in parts(model).values()],
    )


def described(part: SystemSpec | ComponentSpec) -> TreeNode:
    """The same of what a file says, where parts stay with their owners.

    Nobody is asked: ports and joints are there, but not what they carry.
    """
    from bondline.report.tree import Joint, TreeNode

    inside = getattr(part, "elements", ())
    gluing = getattr(part, "gluing", None)
    return TreeNode(
        part.name,
        _kind(part),
        {c.name: () for c in part.connectors if c.mechanical},
        [
            Joint(j.name, tuple(map(str, j.sides)), (j.kind,))
            for j in (gluing.joints if gluing else ())
        ],
        [described(element) for element in inside],
    )


def _kind(part: SystemSpec | ComponentSpec) -> str:
    from bondline.description import SystemSpec
    from bondline.description.spec import REMOTE

    if isinstance(part, SystemSpec):
        return part.gluing.method if part.gluing else ""
    return "stays with its owner" if part.kind == REMOTE else part.kind or part.source


def _dofs(port: Port | SignalPort) -> tuple[str, ...]:
    from bondline.core import Port

    return port.dofs if isinstance(port, Port) else (f"[{port.unit}]",)
