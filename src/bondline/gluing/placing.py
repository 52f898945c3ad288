"""Where an assembly starts: parts that can be moved are put where their joints say."""

from __future__ import annotations

from typing import Any

import numpy as np

from bondline.core import (
    Advance,
    Assembly,
    Connection,
    Placing,
    PortRef,
)
from bondline.errors import StartGap
from bondline.gluing.gaps import motion_of

_CLOSE = 1e-9  # relative to the size of the positions and velocities at the joint


def place_parts(
    name: str, assembly: Assembly, starts: dict[str, Advance[Any]]
) -> dict[str, Advance[Any]]:
    """Starts with every joint closed, or `StartGap` with the gap named.

    Parts that cannot be moved stay; movable ones follow, joint by joint. A part that
    already fits is left as it is.
    """
    parts = assembly.parts
    settled = {n for n, part in parts.items() if not isinstance(part, Placing)}
    settled = settled or set(list(parts)[:1])
    waiting = list(assembly.connections)
    while waiting:
        c = next(
            (c for c in waiting if any(e.part in settled for e in c.ends)), waiting[0]
        )
        waiting.remove(c)
        anchor = next((e for e in c.ends if e.part in settled), c.ends[0])
        for end in c.ends:
            if end.part not in settled:
                starts[end.part] = _follow(parts[end.part], starts, end, anchor)
            settled.add(end.part)
    for c in assembly.connections:
        _require_closed(name, c, starts)
    return starts


def _follow(
    part: Any, starts: dict[str, Advance[Any]], end: PortRef, anchor: PortRef
) -> Advance[Any]:
    here, there = motion_of(starts, end), motion_of(starts, anchor)
    if np.array_equal(here.x, there.x) and np.array_equal(here.v, there.v):
        return starts[end.part]
    moved: Advance[Any] = part.place(starts[end.part].state, end.port, there)
    return moved


def _require_closed(name: str, c: Connection, starts: dict[str, Advance[Any]]) -> None:
    motions = [motion_of(starts, end) for end in c.ends]
    e, e_rate, _ = c.gap(motions)
    for what, unit, gap, values in (
        ("positions", "m", e, [m.x for m in motions]),
        ("velocities", "m/s", e_rate, [m.v for m in motions]),
    ):
        size = max(1.0, *(float(np.abs(v).max()) for v in values))
        if np.abs(gap).max() > _CLOSE * size:
            worst = int(np.argmax(np.abs(gap)))
            raise StartGap(
                f"{name}: joint {c.name}",
                f"the {what} of {' and '.join(map(str, c.ends))} differ at the start: "
                f"{_direction(c.components[worst])} by {gap[worst]:.6g} {unit}.",
                "Start the parts where they meet; none of them can be moved there.",
            )


def _direction(component: str) -> str:
    """`x` for `Fx` and for `part.Fx`."""
    return component.rpartition(".")[2][1:]
