"""The outline of a built model as a report draws it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bondline.core import Model, Port, SignalPort
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


def _dofs(port: Port | SignalPort) -> tuple[str, ...]:
    from bondline.core import Port

    return port.dofs if isinstance(port, Port) else (f"[{port.unit}]",)
