"""The forces in the joints at the start: those that make accelerations agree."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from bondline.core import Advance, Assembly, PortRef, Pressing, Signal, Vector
from bondline.gluing.gaps import gaps, motion_of
from bondline.gluing.loading import loads

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
    size, joints = assembly.offsets[-1], assembly.connections
    held = {n for n, places in assembly.places.items() if places}
    held |= {end.part for end in outside}
    able = {n: p for n in held if isinstance(p := assembly.parts[n], Pressing)}
    if len(able) < len(held):
        return starts, np.zeros(size)
    B = [c.jacobian([motion_of(starts, end) for end in c.ends]) for c in joints]
    known = {end: Signal.hold(f) for end, f in outside.items()}

    def press(F: Vector) -> dict[str, Advance[Any]]:
        found = loads(assembly, B, F[None, :], known)
        return {
            n: able[n].press(s.state, t0, {p: f.start for p, f in found[n].items()})
            if n in able
            else s
            for n, s in starts.items()
        }

    def apart(F: Vector) -> Vector | None:
        under = press(F)
        return gaps([[motion_of(under, e) for e in c.ends] for c in joints], joints)[2]

    zero = np.zeros(size)
    base = apart(zero)
    if base is None or not size:
        return press(zero), zero
    columns = [apart(unit) for unit in np.eye(size)]
    J = np.array([c - base for c in columns if c is not None]).T
    if not np.linalg.cond(J / max(float(np.abs(J).max()), 1e-300)) < _REGULAR:
        return press(zero), zero
    F = -np.linalg.solve(J, base).astype(np.float64)
    return press(F), F
