"""Where a load jumps, joint forces and accelerations start anew."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf, nextafter, ulp
from typing import Any

import numpy as np

from bondline.core import (
    Advance,
    Assembly,
    Breaking,
    Causality,
    Port,
    PortRef,
    Pressing,
    Signal,
    Vector,
    Window,
)
from bondline.gluing.gaps import gaps, largest
from bondline.gluing.published import all_show
from bondline.gluing.state import GluedState

_SLIVER = 1e-9  # of a window: nearer to its start than that is at its start
_AGREED = 1e-6  # of the accelerations at the joints, or of 1 m/s²


def restart_at(parts: Sequence[Breaking], window: Window) -> float | None:
    """The instant right after a kink at which `window` starts, if it does."""
    t0 = window.t0
    near = max(_SLIVER * window.h, 4.0 * ulp(t0))
    around = Window(t0 - near, t0 + near)
    kinks = [t for p in parts for t in p.breaks(around)]
    return nextafter(max([t0, *kinks]), inf) if kinks else None


def press_all(
    assembly: Assembly, state: GluedState, t: float
) -> Mapping[str, Advance[Any]] | None:
    """Every part at an instant under no forces; nothing where one cannot say."""
    parts = assembly.parts
    able = {n: p for n, p in parts.items() if isinstance(p, Pressing)}
    free = {n: p.press(state.parts[n], t, {}) for n, p in able.items()}
    return free if all_show(parts, free) else None


def unmoved(state: GluedState, free: Mapping[str, Advance[Any]]) -> bool:
    """Whether a part is itself glued of some that cannot be pressed."""
    return any(
        isinstance(before, GluedState) and free[n].state is before
        for n, before in state.parts.items()
    )


def agree(assembly: Assembly, state: GluedState) -> bool:
    """Whether accelerations are known, and rigid joints are at one about them."""
    joints = assembly.connections
    if not joints:
        return True
    ends = [[state.motions[r] for r in c.ends] for c in joints]
    apart = gaps(ends, joints)[2]
    if apart is None:
        return False
    if assembly.compliant is not None:
        apart = apart.copy()
        apart[assembly.compliant[0]] = 0.0
    size = largest([m.a for each in ends for m in each if m.a is not None])
    return largest([apart]) <= _AGREED * max(1.0, size)


def at_start(
    assembly: Assembly, outside: Mapping[PortRef, Signal], h: float
) -> dict[PortRef, Vector]:
    """What signals say at the start of a window: forces, or accelerations."""
    found: dict[PortRef, Vector] = {}
    for ref, signal in outside.items():
        port = assembly.parts[ref.part].ports[ref.port]
        if not isinstance(port, Port):
            continue
        if port.causality is Causality.FORCE_IN:
            found[ref] = signal.start
        elif signal.origin is None:
            c = signal.coefficients
            found[ref] = 2.0 * c[2] / h**2 if len(c) > 2 else np.zeros_like(c[0])
    return found
