"""Signals that parts give: what a window leaves for the next one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bondline.core import Advance, PortRef


def signals_of(advances: Mapping[str, Advance[Any]]) -> Mapping[PortRef, float]:
    """All signals that came out of parts."""
    return {
        PortRef(n, port): value
        for n, done in advances.items()
        for port, value in done.outputs.items()
        if isinstance(value, float)
    }
