"""Closing gaps at the start: all movable parts together, by the smallest change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bondline.core import (
    Advance,
    Assembly,
    Connection,
    Matrix,
    Motion,
    Placing,
    Port,
    PortRef,
    Vector,
)
from bondline.errors import StartGap
from bondline.gluing.gaps import gaps, motion_of
from bondline.numerics.rotations import exp, product

_CLOSE = 1e-9  # relative to the size of the positions and velocities at the joint
_STEP = 1e-6  # m and rad, for differences
_MOST = 40

Starts = Mapping[str, Advance[Any]]


def is_closed(joints: Sequence[Connection], starts: Starts, level: int = 1) -> bool:
    """Whether positions agree, and velocities with `level` 1."""
    each = [_open(c, starts)[: level + 1] for c in joints]
    return all(gap is None for both in each for gap in both)


def require_closed(
    name: str, joints: Sequence[Connection], starts: Starts, hint: str
) -> None:
    """Raise `StartGap` for the first joint that is open."""
    for c in joints:
        for gap, (what, unit) in zip(_open(c, starts), _LEVELS, strict=True):
            if gap is None:
                continue
            worst = int(np.argmax(np.abs(gap)))
            raise StartGap(
                f"{name}: joint {c.name}",
                f"the {what} of {' and '.join(map(str, c.ends))} differ at the start: "
                f"{_direction(c.components[worst])} by {gap[worst]:.6g} {unit}.",
                f"Start the parts where they meet; {hint}",
            )


_LEVELS = (("positions", "m"), ("velocities", "m/s"))


def _open(c: Connection, starts: Starts) -> tuple[Vector | None, Vector | None]:
    """The gaps of a joint in position and velocity; None where there is none."""
    motions = [motion_of(starts, end) for end in c.ends]
    e, e_rate, _ = c.gap(motions)
    found = []
    for gap, values in ((e, [m.x for m in motions]), (e_rate, [m.v for m in motions])):
        size = max(1.0, *(float(np.abs(v).max(initial=0.0)) for v in values))
        found.append(gap if np.abs(gap).max(initial=0.0) > _CLOSE * size else None)
    return found[0], found[1]


def _direction(component: str) -> str:
    """`x` for `Fx` and for `part.Fx`."""
    return component.rpartition(".")[2][1:]


def moved(now: Motion, change: Vector) -> Motion:
    """The same motion elsewhere: translation, then rotation vector for a frame."""
    if now.turn is None:
        return Motion(now.x + change, now.v)
    turn = product(exp(change[3:]), now.turn)
    return Motion(now.x + change[:3], now.v, None, turn)


def least(J: Matrix, right: Vector, rank: float) -> Vector:
    """The smallest x with J x = right, or as near as can be."""
    x = np.linalg.lstsq(J, right, rcond=rank)[0]
    return np.asarray(x, dtype=np.float64)


def close_all(
    assembly: Assembly, joints: Sequence[Connection], starts: dict[str, Advance[Any]]
) -> dict[str, Advance[Any]]:
    """All joints closed by the smallest change of all movable parts, or `starts`.

    Each part is moved by one of its ports, a frame if it has one: metres, radians and
    their rates count alike. By Gauss and Newton.
    """
    parts = _Movable.of(assembly, joints)
    now = starts
    for _ in range(_MOST):
        if not parts.handles or is_closed(joints, now, 0):
            break
        e = parts.gap(now, 0)
        now = parts.shifted(now, least(parts.slope(now), -e, 1e-9))
    if not is_closed(joints, now, 0):
        return starts
    return _with_rates(parts, joints, now)


def _with_rates(
    parts: _Movable, joints: Sequence[Connection], starts: dict[str, Advance[Any]]
) -> dict[str, Advance[Any]]:
    """Velocities by the smallest change: the gap is affine in them."""
    if not parts.handles or is_closed(joints, starts):
        return starts
    rest = parts.gap(starts, 1)
    units = np.eye(parts.size)
    J = np.array([parts.gap(parts.sped(starts, unit), 1) - rest for unit in units]).T
    now = parts.sped(starts, least(J, -rest, 1e-12))
    return now if is_closed(joints, now) else starts


@dataclass(frozen=True)
class _Movable:
    """The parts that can be placed, each with the port it is moved by."""

    assembly: Assembly
    joints: Sequence[Connection]
    handles: Mapping[PortRef, int]  # how many numbers move it

    @classmethod
    def of(cls, assembly: Assembly, joints: Sequence[Connection]) -> _Movable:
        handles: dict[PortRef, int] = {}
        for n in dict.fromkeys(e.part for c in assembly.connections for e in c.ends):
            part = assembly.parts[n]
            ports = [part.ports[p] for p, _, _ in assembly.places[n]]
            glued = [p for p in ports if isinstance(p, Port)]
            if isinstance(part, Placing) and glued:
                port = next((p for p in glued if p.frame), glued[0])
                handles[PortRef(n, port.name)] = port.size
        return cls(assembly, joints, handles)

    @property
    def size(self) -> int:
        return sum(self.handles.values())

    def gap(self, starts: Starts, level: int) -> Vector:
        each = [[motion_of(starts, e) for e in c.ends] for c in self.joints]
        found = gaps(each, self.joints)[level]
        assert found is not None
        return found

    def slope(self, starts: Starts) -> Matrix:
        """∂e/∂(moves), by central differences."""
        steps = _STEP * np.eye(self.size)
        each = [
            self.gap(self.shifted(starts, d), 0) - self.gap(self.shifted(starts, -d), 0)
            for d in steps
        ]
        J: Matrix = np.array(each).T / (2.0 * _STEP)
        return J

    def shifted(self, starts: Starts, change: Vector) -> dict[str, Advance[Any]]:
        """Every part moved."""
        return self._placed(starts, change, moved)

    def sped(self, starts: Starts, change: Vector) -> dict[str, Advance[Any]]:
        """Every part with another velocity."""
        return self._placed(starts, change, _sped)

    def _placed(
        self, starts: Starts, change: Vector, how: Any
    ) -> dict[str, Advance[Any]]:
        found, at = dict(starts), 0
        for r, size in self.handles.items():
            own, at = change[at : at + size], at + size
            part: Any = self.assembly.parts[r.part]
            there = how(motion_of(starts, r), own)
            found[r.part] = part.place(starts[r.part].state, r.port, there)
        return found


def _sped(now: Motion, change: Vector) -> Motion:
    return Motion(now.x, now.v + change, None, now.turn)
