"""What the ports show, and how far they are apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from bondline.core import (
    Advance,
    Answered,
    Assembly,
    Connection,
    Effort,
    Gap,
    Motion,
    Motions,
    Output,
    PortRef,
    There,
    Vector,
)


def motion_of(advances: Mapping[str, Advance[Any]], end: PortRef) -> Motion:
    """What a port shows, or was told."""
    return _motion(advances[end.part].outputs, end)


def _motion(outputs: Mapping[str, Output], end: PortRef) -> Motion:
    shown = outputs[end.port]
    motion = shown.at if isinstance(shown, Effort) else shown
    assert isinstance(motion, Motion), f"{end} must answer with motion"
    return motion


def largest(vectors: Sequence[Vector]) -> float:
    """Of all entries, in size; 0 where there are none."""
    if not vectors:
        return 0.0
    every = vectors[0] if len(vectors) == 1 else np.concatenate(vectors)
    return float(np.abs(every).max(initial=0.0))


def shown_at(
    assembly: Assembly, advances: Mapping[str, Advance[Any]]
) -> Mapping[PortRef, Motion]:
    """What the ports show at which parts are glued; in one array where they do so."""
    if isinstance(advances, Answered):
        return advances.shown
    return at_ends(assembly, {n: a.outputs for n, a in advances.items()})


def at_ends(
    assembly: Assembly, outputs: Mapping[str, Mapping[str, Output]]
) -> Mapping[PortRef, Motion]:
    """Motions of all glued ends, from the outputs of the parts."""
    stack = assembly.stack
    whole = None if stack is None else stack.gathered(outputs)
    if whole is not None:
        return whole
    return {end: _motion(outputs[end.part], end) for end in assembly.ends}


def utmost(motions: Mapping[PortRef, Motion], level: int) -> float:
    """The largest position (level 0) or velocity (1) of all, in size."""
    if isinstance(motions, Motions):
        return largest([motions.levels[level]])
    return largest([m.v if level else m.x for m in motions.values()])


def look(assembly: Assembly, motions: Mapping[PortRef, Motion]) -> There:
    """e, e', e'' of all connections, stacked; `motions` has all of their ends."""
    if assembly.stack is not None:
        return assembly.stack.there(motions)
    joints = assembly.connections
    return There(gaps([[motions[end] for end in c.ends] for c in joints], joints))


def gaps(joints: Sequence[Sequence[Motion]], connections: Sequence[Connection]) -> Gap:
    """e, e', e'' of all connections, stacked, from the motions of their ends."""
    each = [c.gap(motions) for c, motions in zip(connections, joints, strict=True)]
    if len(each) == 1:
        return each[0]
    if not each:
        return np.zeros(0), np.zeros(0), None
    e = np.concatenate([gap[0] for gap in each])
    e_rate = np.concatenate([gap[1] for gap in each])
    e_rate2 = [gap[2] for gap in each if gap[2] is not None]
    return e, e_rate, np.concatenate(e_rate2) if len(e_rate2) == len(each) else None
