"""The forces in the joints at the start: those that make accelerations agree."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from bondline.core import Advance, Assembly, PortRef, Pressing, Vector
from bondline.gluing.gaps import gaps, motion_of

_REGULAR = 1e12


def settle(
    assembly: Assembly,
    starts: Mapping[str, Advance[Any]],
    t0: float,
    outside: Mapping[PortRef, Vector],
) -> tuple[Mapping[str, Advance[Any]], Vector]:
    """The starts under joint forces F with e''(F) = 0, and F.

    At an instant accelerations are affine in the forces, so one solve is exact. Where
    a part cannot be pressed, gives no accelerations, or the joints repeat each other,
    the starts are left as they are, with no force.
    """
    free, size = dict(starts), assembly.offsets[-1]
    glued = {n for n, places in assembly.places.items() if places}
    glued |= {end.part for end in outside}
    if not all(isinstance(assembly.parts[n], Pressing) for n in glued):
        return free, np.zeros(size)

    def press(F: Vector) -> dict[str, Advance[Any]]:
        loads = _loads(assembly, starts, F, outside)
        pressed = {
            n: part.press(starts[n].state, t0, loads[n])
            for n, part in assembly.parts.items()
            if isinstance(part, Pressing) and n in glued
        }
        return {**free, **pressed}

    def apart(F: Vector) -> Vector | None:
        under, joints = press(F), assembly.connections
        return gaps([[motion_of(under, e) for e in c.ends] for c in joints], joints)[2]

    base = apart(np.zeros(size))
    if base is None or not size:
        return press(np.zeros(size)), np.zeros(size)
    columns = [apart(unit) for unit in np.eye(size)]
    J = np.array([c - base for c in columns if c is not None]).T
    if not np.linalg.cond(J / max(float(np.abs(J).max()), 1e-300)) < _REGULAR:
        return press(np.zeros(size)), np.zeros(size)
    F = -np.linalg.solve(J, base).astype(np.float64)
    return press(F), F


def _loads(
    assembly: Assembly,
    starts: Mapping[str, Advance[Any]],
    F: Vector,
    outside: Mapping[PortRef, Vector],
) -> dict[str, dict[str, Vector]]:
    """Forces on every port: Cᵢ F with Cᵢ = Bᵢᵀ, and those from outside."""
    loads: dict[str, dict[str, Vector]] = {n: {} for n in assembly.parts}
    for end, f in outside.items():
        loads[end.part][end.port] = f
    at = assembly.offsets
    for k, c in enumerate(assembly.connections):
        B = c.jacobian([motion_of(starts, end) for end in c.ends])
        for end, B_i in zip(c.ends, B, strict=True):
            f = F[at[k] : at[k + 1]] @ B_i
            known = loads[end.part].get(end.port)
            loads[end.part][end.port] = f if known is None else known + f
    return loads
