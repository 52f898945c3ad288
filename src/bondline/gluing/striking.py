"""Impulses in the joints: velocities that agree, by the smallest change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from bondline.core import (
    Advance,
    Assembly,
    Impulsive,
    PortRef,
    Signal,
    Vector,
)
from bondline.errors import StartGap
from bondline.gluing.admittance import Pushes, admittance
from bondline.gluing.closing import Starts, is_closed
from bondline.gluing.gaps import gaps, motion_of
from bondline.gluing.leverage import levers
from bondline.gluing.loading import loads
from bondline.gluing.state import GluedState

_RANK = 1e-12  # smaller singular values belong to joints that repeat each other


def strike(name: str, assembly: Assembly, starts: Starts, t: float) -> Starts:
    """Starts struck by joint impulses P with e'(v + M⁻¹ Bᵀ P) = 0.

    Of all velocities without a gap these are the nearest to the given ones, measured by
    kinetic energy. Positions stay. `StartGap` where a part takes no impulse.
    """
    rigid = [c for c in assembly.connections if c.law is None]
    if is_closed(rigid, starts):
        return starts
    able = _able(name, assembly)
    ends = [end for c in assembly.connections for end in c.ends]
    arms = levers(assembly, {e: motion_of(starts, e) for e in ends}, 0.0, instant=True)

    def push(n: str, impulses: Mapping[str, Vector]) -> Advance[Any]:
        state = starts[n].state
        return able[n].kick(state, t, impulses) if impulses else starts[n]

    J = admittance(assembly, arms, Pushes(assembly, push, lambda motion: motion.v))
    open_rate, rows = _rates(assembly, starts), _rigid_rows(assembly)
    P = np.zeros(assembly.offsets[-1])
    P[rows] = np.linalg.lstsq(J[np.ix_(rows, rows)], -open_rate[rows], rcond=_RANK)[0]
    found = loads(assembly, arms, P[None, :], {})
    return {
        n: able[n].kick(s.state, t, _values(found[n])) if found[n] else s
        for n, s in starts.items()
    }


def kicked(
    name: str,
    assembly: Assembly,
    state: GluedState,
    t: float,
    outside: Mapping[PortRef, Vector],
) -> tuple[Starts, GluedState]:
    """An integrated model under impulses from outside; inner joints stay closed."""
    able = _able(name, assembly, every=True)
    own: dict[str, dict[str, Vector]] = {n: {} for n in assembly.parts}
    for end, impulse in outside.items():
        own[end.part][end.port] = impulse
    free = {n: part.kick(state.parts[n], t, own[n]) for n, part in able.items()}
    starts = strike(name, assembly, free, t)
    motions = {r: motion_of(starts, r) for r in state.motions}
    parts = {n: a.state for n, a in starts.items()}
    return starts, replace(state, parts=parts, motions=motions)


def _able(
    name: str, assembly: Assembly, every: bool = False
) -> dict[str, Impulsive[Any]]:
    held = [n for n, places in assembly.places.items() if places or every]
    able: dict[str, Impulsive[Any]] = {
        n: p for n in held if isinstance(p := assembly.parts[n], Impulsive)
    }
    unable = [n for n in held if n not in able]
    if unable:
        raise StartGap(
            f"{name}: start",
            f"velocities differ at joints, and {', '.join(unable)} takes no impulse.",
            "Start the parts with velocities that agree; 'projected' needs parts with "
            "`kick` (the ability `Impulsive`).",
        )
    return able


def _rigid_rows(assembly: Assembly) -> np.ndarray[Any, np.dtype[np.intp]]:
    """Joint forces that are to be found: dampers and springs strike nothing."""
    every = np.arange(assembly.offsets[-1])
    compliant = assembly.compliant
    return every if compliant is None else np.setdiff1d(every, compliant[0])


def _rates(assembly: Assembly, starts: Starts) -> Vector:
    joints = assembly.connections
    return gaps([[motion_of(starts, e) for e in c.ends] for c in joints], joints)[1]


def _values(signals: Mapping[str, Signal]) -> dict[str, Vector]:
    return {port: signal.start for port, signal in signals.items()}
