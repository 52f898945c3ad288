"""What a body's motion takes: wrench, modal forces, inertia.

In body axes about the body's origin, as in c/tree_flexible.c: kim2000 (5)-(7) and
kim2000 (16). Numbers without a key are those of docs/theory/multibody.md.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from bondline.kernels.traced import Value
from bondline.leaves.mbd.special.motion import Column, Motion, modal
from bondline.leaves.mbd.special.reading import Array, Branch, Flexible
from bondline.leaves.mbd.special.vectors import (
    ZERO,
    cross,
    full,
    gyration,
    mirrored,
    products,
    skew,
    spread,
    summed,
    turned,
    vector,
)


@dataclass(frozen=True, eq=False)
class Wrench:
    """Force, and moment about the origin."""

    f: Array
    n: Array

    def __add__(self, other: Wrench) -> Wrench:
        return Wrench(self.f + other.f, self.n + other.n)

    def __sub__(self, other: Wrench) -> Wrench:
        return Wrench(self.f - other.f, self.n - other.n)

    def on(self, column: Column) -> Value:
        """Its power with a column."""
        return column.v @ self.f + column.w @ self.n  # type: ignore[no-any-return]

    def down(self, at: Motion) -> Wrench:
        """The same about the parent's origin, in its axes."""
        f = at.R @ self.f
        return Wrench(f, at.R @ self.n + cross(at.p, f))


@dataclass(frozen=True, eq=False)
class Inertia:
    """Mass, first moment and inertia about the origin."""

    m: Value
    h: Array
    J: Array

    def __add__(self, other: Inertia) -> Inertia:
        return Inertia(self.m + other.m, self.h + other.h, self.J + other.J)

    def times(self, c: Column) -> Wrench:
        """The wrench that an acceleration takes, (16)."""
        n = full(self.J) @ c.w + cross(self.h, c.v)
        return Wrench(self.m * c.v + cross(c.w, self.h), n)

    def down(self, at: Motion) -> Inertia:
        """The same about the parent's origin, in its axes, (20)."""
        h = at.R @ self.h
        J = turned(at.R, self.J) + spread(at.p, 0.5 * self.m * at.p + h)
        return Inertia(self.m, self.m * at.p + h, J)


@dataclass(frozen=True, eq=False)
class Articulated:
    """The inertia of a body whose joints give way: any symmetric matrix."""

    A: Array  # 6 × 6

    @staticmethod
    def of(rigid: Inertia) -> Articulated:
        """The same of a body without such joints."""
        units = [vector(*(1.0 if i == k else 0.0 for i in range(6))) for k in range(6)]
        columns = [rigid.times(Column(unit[:3], unit[3:])) for unit in units]
        rows = [vector(*c.f, *c.n) for c in columns]
        return Articulated(np.array(rows, dtype=object))

    def __add__(self, other: Articulated) -> Articulated:
        return Articulated(self.A + other.A)

    def times(self, c: Column) -> Wrench:
        """The wrench that an acceleration takes."""
        both = self.A @ np.concatenate([c.v, c.w])
        return Wrench(both[:3], both[3:])

    def down(self, at: Motion) -> Articulated:
        """The same about the parent's origin, in its axes."""
        R, lift = at.R, skew(at.p) @ at.R
        X = np.block([[R, np.full((3, 3), 0.0, dtype=object)], [lift, R]])
        return Articulated(mirrored(X @ mirrored(self.A) @ X.T))


@dataclass(frozen=True, eq=False)
class Weight:
    """What a body takes, with all that hangs on it once that has been handed down."""

    inertia: Inertia | Articulated
    F: Wrench
    G: tuple[Wrench, ...]  # for a unit acceleration of each mode
    M: Array  # of its modes
    bias: Array  # what its modes take without ä

    def carrying(self, other: Weight, at: Motion) -> Weight:
        """With a body that hangs on it, (20)."""
        inertia, F = other.inertia.down(at), other.F.down(at)
        whole = self.inertia + inertia  # type: ignore[operator]  # of one kind
        made = replace(self, inertia=whole, F=self.F + F)
        if not at.modal:
            return made
        U = [inertia.times(column) for column in at.modal]
        rows = [[x.on(c) for x in U] for c in at.modal]
        return replace(
            made,
            G=tuple(g + x for g, x in zip(self.G, U, strict=True)),
            M=self.M + np.array(rows, dtype=object),
            bias=self.bias + vector(*(F.on(c) for c in at.modal)),
        )


def weight(b: Branch, at: Motion, q: Array, u: Array) -> Weight:
    """Of a rigid or a flexible body by itself."""
    if b.modes is None:
        return _rigid(b, at)
    return _flexible(b, b.modes, at, *modal(b, q, u))


def _rigid(b: Branch, at: Motion) -> Weight:
    f = b.mass * at.acc + at.swing @ b.c0
    n = full(b.J0) @ at.alpha + gyration(b.J0, at.w) + cross(b.c0, at.acc)
    inertia = Inertia(b.mass, b.c0, b.J0)
    return Weight(inertia, Wrench(f, n), (), np.zeros((0, 0), dtype=object), ZERO[:0])


def _flexible(b: Branch, modes: Flexible, at: Motion, a: Array, da: Array) -> Weight:
    I_now, D = modes.I0, summed(a, modes.dd, modes.d)  # (12)
    dJ, E = summed(a, modes.P2, modes.P1), summed(da, modes.dd, 0.0 * modes.d)  # (13)
    force, moment = ZERO, ZERO
    if modes.g2 is not None and modes.d2 is not None:
        I_now, D = summed(a, modes.g2, I_now), summed(a, modes.d2, D)
        force = summed(da, summed(da, modes.g2, 0.0 * modes.I0), ZERO)
        moment = summed(da, summed(da, modes.d2, 0.0 * modes.I0), ZERO)
    half = products(at.w) * vector(0.5, 0.5, 0.5, 1.0, 1.0, 1.0)
    bias = I_now @ at.acc + D @ at.alpha - dJ @ half + 2.0 * (E @ at.w)  # (19)
    bias = bias + a @ modes.K + da @ modes.D
    c = summed(0.5 * a, modes.I0 + I_now, b.c0)
    J = summed(0.5 * a, modes.P1 + dJ, b.J0)
    dc, J_rate, spin = (summed(da, x, 0.0 * x[0]) for x in (I_now, dJ, D))
    f = b.mass * at.acc + force + at.swing @ c + 2.0 * cross(at.w, dc)  # (17)
    n = full(J) @ at.alpha + moment + cross(c, at.acc) + full(J_rate) @ at.w
    n = n + gyration(J, at.w) + cross(at.w, spin)  # (18)
    G = tuple(Wrench(x, y) for x, y in zip(I_now, D, strict=True))
    return Weight(Inertia(b.mass, c, J), Wrench(f, n), G, modes.M, bias)
