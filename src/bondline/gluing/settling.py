"""The forces in the joints at the start: those that make accelerations agree."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bondline.core import (
    Advance,
    Assembly,
    Connection,
    Matrix,
    Motion,
    PortRef,
    Pressing,
    Signal,
    Vector,
)
from bondline.errors import SettingError
from bondline.gluing.admittance import Pushes, admittance
from bondline.gluing.definite import definite
from bondline.gluing.gaps import gaps, motion_of
from bondline.gluing.leverage import levers
from bondline.gluing.loading import loads
from bondline.gluing.mobility import mobilities

_RANK = 1e-12  # smaller singular values belong to joints that repeat each other
_CLOSED = 1e-6  # of the gap without forces: left by forces that do close it
_ROUND_OFF = 1e-9  # of the accelerations at the joints, or of 1 m/s²

Starts: TypeAlias = Mapping[str, Advance[Any]]


def settle(
    assembly: Assembly, starts: Starts, t0: float, outside: Mapping[PortRef, Vector]
) -> tuple[Starts, Vector]:
    """The starts under joint forces F with e''(F) = 0, and F.

    At an instant accelerations are affine in the forces, so one solve is exact; joints
    that repeat each other share the least forces. Where a part cannot be pressed or
    gives no accelerations, the starts are left as they are, with no force. Where no
    force makes them agree there is none, either, and a note of a part says so: two
    parts may be led apart, or a mechanism may stand in a singular position.
    """
    held = {n for n, places in assembly.places.items() if places}
    held |= {end.part for end in outside}
    able = {n: p for n in held if isinstance(p := assembly.parts[n], Pressing)}
    F = np.zeros(assembly.offsets[-1])
    if len(able) < len(held):
        return starts, F
    ends = [end for c in assembly.connections for end in c.ends]
    arms = levers(assembly, {e: motion_of(starts, e) for e in ends}, 0.0, instant=True)
    given = {end: Signal.hold(f) for end, f in outside.items()}

    def press(F: Vector) -> dict[str, Advance[Any]]:
        found = loads(assembly, arms, F[None, :], given)
        done = dict(starts)
        for n, part in able.items():
            own = {p: f.start for p, f in found[n].items()}
            under = part.press(starts[n].state, t0, own)
            # what a port shows stays where the part does not know better
            shown = {**starts[n].outputs, **under.outputs}
            done[n] = replace(under, outputs=shown)
        return done

    rigid = _follow_laws(assembly, starts, F)
    under = press(F)
    apart = _apart(assembly, under)
    if apart is None or not rigid.any():
        return under, F

    def push(n: str, forces: Mapping[str, Vector]) -> Advance[Any]:
        return able[n].press(starts[n].state, t0, forces)

    known = mobilities(assembly, {n: s.state for n, s in starts.items()}, t0)
    pushes = Pushes(assembly, push, _acceleration)
    J = admittance(assembly, arms, pushes, known)[np.ix_(rigid, rigid)]
    _require_finite(assembly, rigid, np.c_[J, apart[rigid]])
    found = _closing(J, apart[rigid])
    left = np.zeros_like(F)
    left[rigid] = J @ found + apart[rigid]
    if np.abs(left).max() > _CLOSED * np.abs(apart[rigid]).max():
        return _noted(assembly, under, left), F
    F[rigid] = found
    return press(F), F


def _require_finite(
    assembly: Assembly, rigid: NDArray[np.bool_], known: Matrix
) -> None:
    """Refuse accelerations that overflow: of a part that weighs next to nothing."""
    wrong = np.flatnonzero(~np.isfinite(known).all(axis=1))
    if wrong.size:
        row = int(np.flatnonzero(rigid)[wrong[0]])
        joint, component = _component(assembly, row)
        raise SettingError(
            f"joint {joint.name}, start",
            f"what a unit of force does to accelerations of {joint.ends[0]} or "
            f"{joint.ends[1]} along {component} is not a finite number.",
            "Look at the masses of these parts, and of those glued to them: thickness, "
            "density, units.",
        )


def _component(assembly: Assembly, row: int) -> tuple[Connection, str]:
    """The joint that a row belongs to, and what it is called there."""
    k = int(np.searchsorted(assembly.offsets, row, side="right")) - 1
    joint = assembly.connections[k]
    return joint, joint.components[row - assembly.offsets[k]]


def _closing(J: Matrix, apart: Vector) -> Vector:
    """The least forces with J F = −apart, as nearly as there are any."""
    factors = definite(J)
    if factors is not None:
        return -factors.times(apart)
    least = np.linalg.lstsq(J, -apart, rcond=_RANK)[0]
    return np.asarray(least, dtype=np.float64)


def _noted(assembly: Assembly, starts: Starts, left: Vector) -> Starts:
    """The starts, with a note on the joint that stays open most, if it is real."""
    ends = [end for c in assembly.connections for end in c.ends]
    size = max(np.abs(_acceleration(motion_of(starts, end))).max() for end in ends)
    worst = int(np.argmax(np.abs(left)))
    if abs(left[worst]) <= _ROUND_OFF * max(1.0, size):
        return starts
    joint, component = _component(assembly, worst)
    note = (
        f"joint {joint.name}: no joint forces make accelerations agree at the start; "
        f"those of {' and '.join(map(str, joint.ends))} stay apart by "
        f"{abs(left[worst]):.3g} (SI units) along {component}. Rigid joints start "
        "without force, the first window finds it: look at what leads the parts, and "
        "at joints that repeat each other."
    )
    first = joint.ends[0].part
    told = starts[first]
    return {**starts, first: replace(told, notes=(*told.notes, note))}


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


def _acceleration(motion: Motion) -> Vector:
    assert motion.a is not None, "the gap of accelerations is known"
    return motion.a
