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

    By virtual work e' = Σ Bᵢ vᵢ, so the sides add up to the work on the gap, `each`:
    the last side of a joint with a constant B does what the others leave. Where B
    turns inside the window, what its three values leave over is shared.
    """
    if not assembly.connections:
        return {}
    joints, at = assembly.connections, assembly.offsets
    known = _straight(assembly, coupling, forces, motions, h)
    totals = np.add.reduceat(each, at[:-1]).tolist()
    stats: dict[str, float] = {}
    for k, names in enumerate(_names(joints)):
        own, whole = known[k], totals[k]
        if joints[k].constant:
            own.append(whole - sum(own))
        else:
            here = slice(at[k], at[k + 1])
            acting = (forces[0][:, here], forces[1][:, here])
            paths = _turning(joints[k], motions, h)
            own = [float(coupling.work(acting, path).sum()) for path in paths]
            left = (whole - sum(own)) / len(own)
            own = [w + left for w in own]
        stats |= zip(names, own, strict=True)
    return stats


def _straight(
    assembly: Assembly,
    coupling: Coupling[Any],
    forces: tuple[Matrix, Matrix],
    motions: tuple[Motions, Motions],
    h: float,
) -> list[list[float]]:
    """By joint with a constant B, the work of each end but the last.

    All at once: forces are taken to the dofs of the ports, F·(B v) = (F B)·v.
    """
    found: list[list[float]] = [[] for _ in assembly.connections]
    both, at, acting, ends = np.concatenate(forces), assembly.offsets, [], []
    for k, c in enumerate(assembly.connections):
        if c.constant:
            B = c.jacobian([motions[1][end] for end in c.ends])
            for end, B_i in zip(c.ends[:-1], B[:-1], strict=True):
                acting.append(both[:, at[k] : at[k + 1]] @ B_i)
                ends.append((k, motions[0][end], motions[1][end]))
    if not ends:
        return found
    told, first = np.concatenate(acting, axis=1), len(forces[0])
    levels = _levels([m for _, *m in ends], h)
    works = coupling.work((told[:first], told[first:]), levels)
    begins = np.cumsum([0, *(own.shape[1] for own in acting[:-1])])
    totals = np.add.reduceat(works, begins).tolist()
    for (k, *_), own in zip(ends, totals, strict=True):
        found[k].append(own)
    return found


def _levels(ends: Sequence[Sequence[Motion]], h: float) -> Matrix:
    """0, h v₀, x₁ − x₀, h v₁, h² a₁ of all dofs of the ports."""
    moved = [displacement(*pair) for pair in ends]
    levels = np.zeros((5, sum(map(len, moved))))
    levels[1] = h * np.concatenate([before.v for before, _ in ends])
    levels[2] = np.concatenate(moved)
    levels[3] = h * np.concatenate([after.v for _, after in ends])
    bends = [after.a for _, after in ends if after.a is not None]
    if len(bends) == len(ends):
        levels[4] = h * h * np.concatenate(bends)
    else:  # as in ledger.gap_over
        levels[4] = 2.0 * levels[1] + 4.0 * levels[3] - 6.0 * levels[2]
    return levels


def _turning(c: Connection, motions: tuple[Motions, Motions], h: float) -> Matrix:
    """What each end does to the gap: 0, h e₀', e₁ − e₀, h e₁', h² e₁''."""
    before, after = ([m[end] for end in c.ends] for m in motions)
    last = c.jacobian(after)
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
