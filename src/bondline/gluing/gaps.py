"""What the ports show, and how far they are apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from bondline.core import Advance, Connection, Motion, PortRef, Vector

Levels: TypeAlias = tuple[Vector, Vector, Vector]


def motion_of(advances: Mapping[str, Advance[Any]], end: PortRef) -> Motion:
    """What a port shows."""
    motion = advances[end.part].outputs[end.port]
    assert isinstance(motion, Motion), f"{end} must answer with motion"
    return motion


def gaps(
    joints: Sequence[Sequence[Motion]], connections: Sequence[Connection]
) -> Levels:
    """e, e', e'' of all connections, stacked, from the motions of their ends."""
    each = [c.gap(motions) for c, motions in zip(connections, joints, strict=True)]
    if len(each) == 1:
        return each[0]
    if not each:
        return np.zeros(0), np.zeros(0), np.zeros(0)
    e, e_rate, e_rate2 = (np.concatenate(level) for level in zip(*each, strict=True))
    return e, e_rate, e_rate2
