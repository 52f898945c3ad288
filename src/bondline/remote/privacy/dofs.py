"""Forces of a log beside the motions of the same dofs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
_LEVELS = 3  # x, v, a
_FRAME = 6  # dofs of a frame, whose position has three numbers and a turn besides
_STARTS = {19: {1: 3, 2: 9}, 13: {1: 3}}  # of v and a of a frame, by its numbers


def at_dofs(
    rows: Sequence[Mapping[str, Any]], pushed: Sequence[Mapping[str, Floats]], most: int
) -> tuple[Floats, dict[int, Floats]]:
    """The most pushed dofs: steps × dofs of forces, and the same of each level.

    Levels are positions (0), velocities (1) and accelerations (2); those that not all
    of the dofs show are left out. Ports that take motion have no such pairs.
    """
    places = _places(rows[0]["out"], pushed)
    u = np.array(
        [
            [float(push[port][j]) if port in push else 0.0 for port, j, _ in places]
            for push in pushed
        ]
    ).reshape(len(pushed), len(places))
    loud = sorted(np.argsort(-(u**2).sum(axis=0), kind="stable")[:most].tolist())
    loud = [k for k in loud if np.abs(u[:, k]).max() > 0.0]
    levels = {}
    for level in range(_LEVELS):
        where = [(places[k][0], places[k][2].get(level)) for k in loud]
        if where and all(at is not None for _, at in where):
            shown = [[float(row["out"][p][at]) for p, at in where] for row in rows]
            levels[level] = np.array(shown)
    return u[:, loud], levels


def _places(
    shown: Mapping[str, Any], pushed: Sequence[Mapping[str, Floats]]
) -> list[tuple[str, int, dict[int, int]]]:
    """Port and dof, and where among the numbers of the port its levels are."""
    sizes = {port: len(f) for push in pushed for port, f in push.items()}
    found = []
    for port, n in sizes.items():
        starts = _starts(n, len(shown.get(port, ())))
        found += [(port, j, {k: at + j for k, at in starts.items()}) for j in range(n)]
    return found


def _starts(dofs: int, numbers: int) -> dict[int, int]:
    if dofs == _FRAME and numbers in _STARTS:
        return _STARTS[numbers]
    if numbers in (2 * dofs, 3 * dofs):
        return {level: level * dofs for level in range(numbers // dofs)}
    return {}
