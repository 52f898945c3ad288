"""The work of each joint on each of its sides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np

from bondline.core import (
    Assembly,
    Connection,
    Coupling,
    Matrix,
    Motion,
    PortRef,
    Vector,
)
from bondline.gluing.foresee import displacement

Motions: TypeAlias = Mapping[PortRef, Motion]


def work(
    assembly: Assembly,
    coupling: Coupling[Any],
    forces: tuple[Matrix, Matrix],
    motions: tuple[Motions, Motions],
    each: Vector,
    h: float,
) -> dict[str, float]:
    """`joint.A.upper.work` in joules: ∫ F·Bᵢ vᵢ dt over a window, for every end i.

    By virtual work e' = Σ Bᵢ vᵢ, so the sides add up to the work on the gap, `each`.
    Where B turns inside the window, what its three values leave over is shared.
    """
    if not assembly.connections:
        return {}
    m, at = assembly.offsets[-1], assembly.offsets
    ends = max(len(c.ends) for c in assembly.connections)
    paths = np.zeros((ends, 5, m))
    for k, c in enumerate(assembly.connections):
        paths[: len(c.ends), :, at[k] : at[k + 1]] = _paths(c, motions, h)
    found = np.array([coupling.work(forces, path) for path in paths])
    names = _names(assembly.connections)
    stats: dict[str, float] = {}
    for k, c in enumerate(assembly.connections):
        own = found[: len(c.ends), at[k] : at[k + 1]].sum(axis=1)
        own += (float(each[at[k] : at[k + 1]].sum()) - own.sum()) / len(own)
        stats |= dict(zip(names[k], own.tolist(), strict=True))
    return stats


def _paths(c: Connection, motions: tuple[Motions, Motions], h: float) -> Matrix:
    """What each end does to the gap: 0, h e₀', e₁ − e₀, h e₁', h² e₁''."""
    before, after = ([m[end] for end in c.ends] for m in motions)
    last = c.jacobian(after)
    if c.constant:
        ends = zip(before, after, last, strict=True)
        return np.array([_straight(m0, m1, B, h) for m0, m1, B in ends])
    first, rows = c.jacobian(before), []
    for m0, m1, B0, B1 in zip(before, after, first, last, strict=True):
        v0, v1 = h * (B0 @ m0.v), h * (B1 @ m1.v)
        moved = 0.5 * ((B0 + B1) @ displacement(m0, m1))
        if m1.a is None:  # as in ledger.gap_over
            bend = 2.0 * v0 + 4.0 * v1 - 6.0 * moved
        else:
            bend = h * h * (B1 @ m1.a) + h * ((B1 - B0) @ m1.v)
        rows.append([np.zeros_like(v0), v0, moved, v1, bend])
    return np.array(rows)


def _straight(before: Motion, after: Motion, B: Matrix, h: float) -> Matrix:
    """The same for one end whose B never changes: one product."""
    levels = np.empty((5, len(after.v)))
    levels[0], levels[1], levels[3] = 0.0, h * before.v, h * after.v
    levels[2] = displacement(before, after)
    if after.a is None:
        levels[4] = 2.0 * levels[1] + 4.0 * levels[3] - 6.0 * levels[2]
    else:
        levels[4] = h * h * after.a
    path: Matrix = levels @ B.T
    return path


@lru_cache(maxsize=64)
def _labels(joints: tuple[tuple[str, tuple[PortRef, ...]], ...]) -> list[list[str]]:
    return [
        [f"joint.{name}.{side}.work" for side in _sides(ends)] for name, ends in joints
    ]


def _names(connections: Sequence[Connection]) -> list[list[str]]:
    return _labels(tuple((c.name, c.ends) for c in connections))


def _sides(ends: Sequence[PortRef]) -> list[str]:
    """The parts; with their ports where one part has several ends."""
    parts = [end.part for end in ends]
    once = len(set(parts)) == len(parts)
    return parts if once else [str(end) for end in ends]
