"""Ends of a joint read into space: one pose and twist, whatever kind the port is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bondline.core import Matrix, Motion, Vector
from bondline.numerics import rotations as rot

_UPRIGHT = np.array([1.0, 0.0, 0.0, 0.0])
_STILL = np.zeros(3)


@dataclass(slots=True)
class Spot:
    """A point with axes, in world axes: place, velocity, acceleration; turn and spin.

    `a` and `spin_rate` are None where the part gives no accelerations. `J` takes the
    rates of the port's own rotations to the spin; None where they are the spin.
    """

    x: Vector
    v: Vector
    a: Vector | None
    turn: Vector  # quaternion of the joint frame
    spin: Vector
    spin_rate: Vector | None
    J: Matrix | None = None
    axes: Matrix | None = None

    @property
    def R(self) -> Matrix:
        """Columns are the axes of the joint frame; made when first asked for."""
        if self.axes is None:
            self.axes = rot.matrix(self.turn)
        return self.axes


def in_space(m: Motion, oriented: bool) -> Spot:
    """A frame, a 6-dof node with additive rotations, or a point.

    Where the joint does not ask how the end is turned, that is not worked out.
    """
    a = None if m.a is None else m.a[:3]
    if not oriented:
        return Spot(m.x[:3], m.v[:3], a, _UPRIGHT, _STILL, _STILL)
    if m.turn is not None:
        return Spot(m.x, m.v[:3], a, m.turn, m.v[3:], None if m.a is None else m.a[3:])
    r, r_rate = m.x[3:], m.v[3:]
    J = rot.left_jacobian(r)
    if m.a is None:
        return Spot(m.x[:3], m.v[:3], a, rot.exp(r), J @ r_rate, None, J)
    spin, spin_rate = rot.spins(r, r_rate, m.a[3:])
    return Spot(m.x[:3], m.v[:3], a, rot.exp(r), spin, spin_rate, J)


def in_plane(m: Motion, oriented: bool) -> Spot:
    """A point (x, y), or a body (x, y, rz): the plane z = 0 of space."""
    a = None if m.a is None else _flat(m.a)
    spot = Spot(_flat(m.x), _flat(m.v), a, _UPRIGHT, _STILL, _STILL)
    if oriented:
        spot.turn = rot.exp(_about_z(m.x))
        spot.spin = _about_z(m.v)
        spot.spin_rate = None if m.a is None else _about_z(m.a)
    return spot


def onto_space(rows: Matrix, m: Motion, spot: Spot) -> Matrix:
    """Rows by twist as rows by the port's own dofs."""
    if m.turn is None and len(m.x) == 3:
        return rows[:, :3]
    if spot.J is None:
        return rows
    found = rows.copy()
    found[:, 3:] = rows[:, 3:] @ spot.J
    return found


def onto_plane(rows: Matrix, m: Motion) -> Matrix:
    """The same for ports in the plane."""
    return rows[:, (0, 1)] if len(m.x) == 2 else rows[:, (0, 1, 5)]


def _flat(x: Vector) -> Vector:
    return np.array([x[0], x[1], 0.0])


def _about_z(x: Vector) -> Vector:
    return np.array([0.0, 0.0, x[2]])
