"""The forces in the joints at the start: those that make accelerations agree."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bondline.core import Advance, Assembly, Matrix, PortRef, Pressing, Signal, Vector
from bondline.gluing.gaps import gaps, motion_of
from bondline.gluing.leverage import Levers, levers
from bondline.gluing.loading import loads

_RANK = 1e-12  # smaller singular values belong to joints that repeat each other

Starts: TypeAlias = Mapping[str, Advance[Any]]


def settle(
    assembly: Assembly, starts: Starts, t0: float, outside: Mapping[PortRef, Vector]
) -> tuple[Starts, Vector]:
    """The starts under joint forces F with e''(F) = 0, and F.

    At an instant accelerations are affine in the forces, so one solve is exact; joints
    that repeat each other share the least forces. Where a part cannot be pressed or
    gives no accelerations, the starts are left as they are, with no force.
    """
    held = {n for n, places in assembly.places.items() if places}
    held |= {end.part for end in outside}
    able = {n: p for n in held if isinstance(p := assembly.parts[n], Pressing)}
    F = np.zeros(assembly.offsets[-1])
    if len(able) < len(held):
        return starts, F
    ends = [end for c in assembly.connections for end in c.ends]
    arms = levers(assembly, {e: motion_of(starts, e) for e in ends}, 0.0, instant=True)
    known = {end: Signal.hold(f) for end, f in outside.items()}

    def press(F: Vector) -> dict[str, Advance[Any]]:
        found = loads(assembly, arms, F[None, :], known)
        return {
            n: able[n].press(s.state, t0, {p: f.start for p, f in found[n].items()})
            if n in able
            else s
            for n, s in starts.items()
        }

    rigid = _follow_laws(assembly, starts, F)
    under = press(F)
    apart = _apart(assembly, under)
    if apart is None or not rigid.any():
        return under, F
    J = _slope(assembly, arms, lambda n, f: able[n].press(starts[n].state, t0, f))
    own, wanted = J[np.ix_(rigid, rigid)], -apart[rigid]
    found = np.linalg.lstsq(own, wanted, rcond=_RANK)[0]
    if np.abs(own @ found - wanted).max() > 1e-6 * np.abs(wanted).max(initial=0.0):
        return under, F  # no force makes them agree
    F[rigid] = found
    return press(F), F


def _follow_laws(assembly: Assembly, starts: Starts, F: Vector) -> NDArray[np.bool_]:
    """Set the forces of compliant joints; which of the others are to be found."""
    rigid = np.ones(len(F), dtype=np.bool_)
    if assembly.compliant is not None:
        where, k, c = assembly.compliant
        joints = assembly.connections
        e, v, _ = gaps([[motion_of(starts, x) for x in c.ends] for c in joints], joints)
        F[where] = -k * e[where] - c * v[where]
        rigid[where] = False
    return rigid


def _apart(assembly: Assembly, starts: Starts) -> Vector | None:
    joints = assembly.connections
    return gaps([[motion_of(starts, e) for e in c.ends] for c in joints], joints)[2]


def _slope(
    assembly: Assembly,
    arms: Levers,
    press: Callable[[str, Mapping[str, Vector]], Advance[Any]],
) -> Matrix:
    """∂e''/∂F, part by part: what a unit force on each dof does to accelerations."""
    at = assembly.offsets
    J = np.zeros((at[-1], at[-1]))
    for part, places in assembly.places.items():
        if not places:
            continue
        ports = tuple(dict.fromkeys(p for p, _, _ in places))
        free = press(part, {})
        for port in ports:
            size = assembly.parts[part].ports[port].size
            moved = [press(part, {port: unit}) for unit in np.eye(size)]
            for out, row, end_out in places:
                rest = _acceleration(free, out)
                g = np.array([_acceleration(a, out) - rest for a in moved]).T
                rows = arms[row][end_out].B @ g
                for other, column, end_in in places:
                    if other == port:
                        J[at[row] : at[row + 1], at[column] : at[column + 1]] += (
                            rows @ arms[column][end_in].B.T
                        )
    return J


def _acceleration(advance: Advance[Any], port: str) -> Vector:
    motion = advance.outputs[port]
    a = getattr(motion, "a", None)
    return np.zeros(0) if a is None else a
