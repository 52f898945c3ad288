"""A glued model, as a notebook shows it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bondline.core import Connection, Model
from bondline.core.notebook import table


def shown(
    name: str, parts: Mapping[str, Model], connections: Sequence[Connection]
) -> str:
    """Its parts with their ports, and its joints with their ends."""
    members = [
        (part, ", ".join(model.ports) or "none") for part, model in parts.items()
    ]
    joints = [
        (c.name, " and ".join(map(str, c.ends)), " ".join(c.components))
        for c in connections
    ]
    return table(name, ("part", "ports"), members) + table(
        "joints", ("joint", "between", "forces"), joints
    )
