"""Bodies' motions from the ground outwards, each in its own axes at its own origin.

The same kinematics as c/tree_kinematics.c, kim2000 (8)-(14), but in body axes: there
inertias are constants, and an angle that nothing depends on leaves no trace. Numbers
without a key are those of docs/theory/multibody.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from bondline.kernels.traced import Traced, Value
from bondline.leaves.mbd.special.joints import Moved, moved
from bondline.leaves.mbd.special.reading import Array, Branch, Marker, Plan
from bondline.leaves.mbd.special.vectors import (
    UNIT,
    ZERO,
    cross,
    full,
    skew,
    spread,
    swing,
)


@dataclass(frozen=True, eq=False)
class Column:
    """Velocity of the origin, and spin, for a unit speed of one coordinate."""

    v: Array
    w: Array

    def __add__(self, other: Column) -> Column:
        return Column(self.v + other.v, self.w + other.w)

    def __neg__(self) -> Column:
        return Column(-self.v, -self.w)

    def __mul__(self, by: Value) -> Column:
        return Column(self.v * by, self.w * by)


Columns: TypeAlias = Mapping[int, Column]  # by velocity


@dataclass(frozen=True, eq=False)
class Motion:
    """How a body moves, in its own axes, and where it is.

    `acc` is the acceleration of its origin less gravity, if all u̇ were zero.
    """

    w: Array
    alpha: Array
    acc: Array
    v: Array  # of its origin
    R: Array  # to its parent's axes
    p: Array  # from its parent's origin, in its parent's axes
    R_W: Array  # to world axes
    place: Array
    columns: tuple[Column, ...] = ()  # of its own coordinates, modes last
    modal: tuple[Column, ...] = ()  # of its parent's modes, in its parent's axes

    @property
    def swing(self) -> Array:
        """What takes a place on it to its acceleration."""
        return swing(self.w, self.alpha)

    def raised(self, c: Column) -> Column:
        """Its own motion where its parent moves so."""
        return Column(self.R.T @ (c.v + cross(c.w, self.p)), self.R.T @ c.w)


@dataclass(frozen=True, eq=False)
class Bent:
    """A marker in its body's axes: pose, speeds, (dT/dt) θ̇, and columns."""

    p: Array
    R: Array
    v: Array
    w: Array
    dw: Array
    columns: tuple[Column, ...]  # of its body's modes, at the body's origin


def _tilted(theta: Array, k: Value, m: Value) -> Array:
    """1 + k θ̃ + m θ̃ θ̃."""
    found: Array = UNIT + k * skew(theta) - m * full(0.5 * spread(theta, theta))
    return found


def bent(marker: Marker, a: Array, da: Array) -> Bent:
    """Where a marker is on its body: c/tree_spot.c."""
    p, v = marker.p, ZERO
    R, w, dw, T = marker.R, ZERO, ZERO, None
    if marker.shift is not None:
        p, v = p + a @ marker.shift, da @ marker.shift
    if marker.tilt is not None:
        theta, rate = a @ marker.tilt, da @ marker.tilt
        by = _turning(theta @ theta)
        R = _tilted(theta, by["a"], by["b"]) @ R  # exp, (6)
        T = _tilted(theta, by["b"], by["c"])  # (7)
        w, dw = T @ rate, _turning_bias(by, theta, rate)
    columns = []
    for k in range(len(a)) if marker.shift is not None or T is not None else ():
        spin = ZERO if T is None or marker.tilt is None else T @ marker.tilt[k]
        way = ZERO if marker.shift is None else marker.shift[k]
        columns.append(Column(way + cross(p, spin), spin))  # kim2000 (11)
    return Bent(p, R, v, w, dw, tuple(columns))


def _turning(x: Traced) -> dict[str, Any]:
    """The coefficients of c/turning.h."""
    call = x.tape.made("turning", x)
    return {k: x.tape.made("part", call, k) for k in ("a", "b", "c", "db", "dc")}


def _turning_bias(by: dict[str, Any], theta: Array, rate: Array) -> Array:
    first, dx = cross(theta, rate), 2.0 * (theta @ rate)
    second, third = cross(theta, first), cross(rate, first)
    found: Array = by["db"] * dx * first + by["dc"] * dx * second + by["c"] * third
    return found


def ground(plan: Plan, q: Array) -> Motion:
    """It rises instead of gravity; the world's origin flies along with a first body."""
    p = ZERO
    if plan.branches and plan.branches[0].kind == "free":
        on = plan.branches[0].inboard
        p = -on.p - on.R @ q[:3]
    return Motion(
        w=ZERO,
        alpha=ZERO,
        acc=-plan.gravity,
        v=ZERO,
        R=UNIT,
        p=p,
        R_W=UNIT,
        place=p,
    )


def motions(plan: Plan, q: Array, u: Array) -> list[Motion]:
    """Of all bodies, in their order."""
    found: list[Motion] = []
    still = ground(plan, q)
    for b in plan.branches:
        up = still if b.parent < 0 else found[b.parent]
        on = None if b.parent < 0 else plan.branches[b.parent]
        found.append(_carried(b, on, up, q, u))
    return found


def modal(b: Branch | None, q: Array, u: Array) -> tuple[Array, Array]:
    """A body's modal coordinates and their rates."""
    if b is None:
        return ZERO[:0], ZERO[:0]
    return q[b.aq : b.aq + b.n_modes], u[b.au : b.au + b.n_modes]


def _carried(b: Branch, on: Branch | None, up: Motion, q: Array, u: Array) -> Motion:
    speeds = u[b.u : b.u + b.n_joint]
    joint = moved(b.kind, q[b.q : b.aq], speeds)
    base, end = bent(b.inboard, *modal(on, q, u)), bent(b.outboard, *modal(b, q, u))
    # the inboard frame, in the parent's axes
    w_in = up.w + base.w
    alpha_in = up.alpha + base.dw + cross(up.w, base.w)
    slide, speed = base.R @ joint.slide, base.R @ joint.speed(speeds)
    acc = up.acc + up.swing @ base.p + 2.0 * cross(up.w, base.v)
    acc = acc + swing(w_in, alpha_in) @ slide + 2.0 * cross(w_in, speed)
    v_out = up.v + cross(up.w, base.p) + base.v + cross(w_in, slide) + speed
    # the body on the outboard frame, in its own axes
    R = base.R @ joint.D @ end.R.T
    w_told, spin = R.T @ w_in, end.R @ joint.spin(speeds)
    w = w_told + spin - end.w
    alpha = R.T @ alpha_in + cross(w_told, spin) + end.R @ joint.bias
    alpha = alpha - end.dw - cross(w, end.w)
    p = base.p + slide - R @ end.p
    return Motion(
        w=w,
        alpha=alpha,
        acc=R.T @ acc - swing(w, alpha) @ end.p - 2.0 * cross(w, end.v),
        v=R.T @ v_out - cross(w, end.p) - end.v,
        R=R,
        p=p,
        R_W=up.R_W @ R,
        place=up.place + up.R_W @ p,
        columns=_columns(b, end, joint),
        modal=base.columns,
    )


def _columns(b: Branch, end: Bent, joint: Moved) -> tuple[Column, ...]:
    """Of a body's own coordinates; its modes move it where its joint's node moves."""
    found = []
    for slide, spin in joint.columns:
        w = end.R @ spin
        found.append(Column(end.R @ (joint.D.T @ slide) + cross(end.p, w), w))
    still = [Column(ZERO, ZERO)] * b.n_modes
    return (*found, *([-c for c in end.columns] or still))


def inherited(b: Branch, on: Branch | None, at: Motion, up: Columns) -> Columns:
    """Columns of all coordinates that move a body, from those that move its parent."""
    told = dict(up)
    for k, column in enumerate(at.modal):
        assert on is not None
        told[on.au + k] = told[on.au + k] + column
    found = {k: at.raised(column) for k, column in told.items()}
    return {**found, **{b.u + k: c for k, c in enumerate(at.columns)}}
