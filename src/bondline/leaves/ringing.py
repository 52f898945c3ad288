"""How a linear structure goes on ringing after a force of one window: H₀ … H_K₋₁."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from bondline.core import Impulse, Matrix
from bondline.leaves.stepping import Stepping
from bondline.numerics import Kinematics

_COLUMNS = 64  # unit forces that are followed at a time: large structures fill memory


def impulse(stepping: Stepping, count: int, powers: int) -> Impulse:
    """H over `count` windows: one column for every coefficient of every port force.

    One step a window sees the force at one instant: one column a dof serves all powers.
    """
    ports = [p for p in stepping.picks if p not in stepping.led]
    each = 1 if stepping.steps == 1 else powers
    blocks = {}
    for port, here in _columns(stepping, each):
        if port not in ports:
            continue
        seen = _rung(stepping, here, count, powers)
        width = stepping.picks[port].size
        for out in ports:
            rows = np.concatenate([s[out] for s in seen], axis=-1)
            grid = rows.reshape(*rows.shape[:3], each, width)
            wide = np.broadcast_to(grid, (*grid.shape[:3], powers, width))
            blocks[out, port] = stepping.shared(wide, port)
    columns = each * sum(stepping.picks[p].size for p in ports)
    return Impulse(blocks, count * columns)


def _columns(stepping: Stepping, each: int) -> Iterator[tuple[str, slice]]:
    """Which columns of the unit responses belong to a port."""
    at = 0
    for port, pick in stepping.picks.items():
        yield port, slice(at, at + each * pick.size)
        at += each * pick.size


def _rung(
    stepping: Stepping, here: slice, count: int, powers: int
) -> list[dict[str, Matrix]]:
    """Windows × levels × dofs × columns of every port, some columns at a time."""
    end, found = stepping.units(powers).end, []
    for first in range(here.start, here.stop, _COLUMNS):
        some = slice(first, min(first + _COLUMNS, here.stop))
        now = Kinematics(*(y[:, some] for y in end))
        seen = [_shown(stepping, now)]
        for _ in range(count - 1):
            now = stepping.coast(now)
            seen.append(_shown(stepping, now))
        found.append({p: np.stack([s[p] for s in seen]) for p in seen[0]})
    return found


def _shown(stepping: Stepping, now: Kinematics) -> dict[str, Matrix]:
    picks = {p: s for p, s in stepping.picks.items() if p not in stepping.led}
    return {p: np.stack([pick.show(y) for y in now]) for p, pick in picks.items()}
