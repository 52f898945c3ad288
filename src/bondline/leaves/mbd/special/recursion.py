"""u̇ by the articulated recursion, kim2000 (15)-(18), one body at a time.

Longer than an elimination of M where bodies are few, much shorter where they are many.
With A the acceleration that a body's parent gives it, y its own coordinates, and U the
wrench that each of those takes,

    H ÿ = r − Uᵀ A,  H = CᵀU + GᵀC + M,  I′ = I − U H⁻¹ Uᵀ,  p′ = p + U H⁻¹ r.  (1)
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from bondline.kernels.traced import Value
from bondline.leaves.mbd.special.bodies import Articulated, Inertia, Weight, Wrench
from bondline.leaves.mbd.special.equations import Traces
from bondline.leaves.mbd.special.motion import Column, Motion
from bondline.leaves.mbd.special.reading import Array, Branch
from bondline.leaves.mbd.special.solving import solved
from bondline.leaves.mbd.special.vectors import ZERO, total, vector


class Knee(NamedTuple):
    """ÿ = free − K A of a body's own coordinates."""

    free: Array
    K: Array  # n × 6


def recursion(at: Traces) -> tuple[Array, list[Value]]:
    """u̇, and the pivots, which must be positive."""
    own = [_articulated(weight) for weight in at.weights]
    knees: dict[int, Knee] = {}
    pivots: list[Value] = []
    for i, b in reversed(list(enumerate(at.plan.branches))):
        knees[i], left, found = _bent(b, at.motions[i], own[i], at.P)
        pivots += found
        if b.parent >= 0:
            own[b.parent] = own[b.parent].carrying(left, at.motions[i])
    return _outwards(at, knees), pivots


def _articulated(weight: Weight) -> Weight:
    assert isinstance(weight.inertia, Inertia)
    return replace(weight, inertia=Articulated.of(weight.inertia))


def _bent(
    b: Branch, at: Motion, heavy: Weight, P: Array
) -> tuple[Knee, Weight, list[Value]]:
    """A body's own coordinates taken out of what it hands down, (1)."""
    n, still = b.n_joint + b.n_modes, Wrench(ZERO, ZERO)
    if n == 0:
        return Knee(ZERO[:0], np.zeros((0, 6), dtype=object)), heavy, []
    G = [still] * b.n_joint + list(heavy.G)
    U = [heavy.inertia.times(c) + g for c, g in zip(at.columns, G, strict=True)]
    H = np.full((n, n), 0.0, dtype=object)
    H[b.n_joint :, b.n_joint :] = heavy.M
    for k, c in enumerate(at.columns):
        for j in range(n):
            H[k, j] = H[k, j] + U[j].on(c) + G[k].on(at.columns[j])
    r = P[b.u : b.u + n] - vector(*(heavy.F.on(c) for c in at.columns))
    r[b.n_joint :] = r[b.n_joint :] - heavy.bias
    rows = np.array([vector(*x.f, *x.n) for x in U], dtype=object)
    done = solved(H, np.concatenate([rows, r[:, None]], axis=1), range(n)[::-1])
    K, free = done.x[:, :6], done.x[:, 6]
    assert isinstance(heavy.inertia, Articulated)
    left = Articulated(heavy.inertia.A - rows.T @ K)
    more = rows.T @ free
    F = heavy.F + Wrench(more[:3], more[3:])
    return Knee(free, K), replace(heavy, inertia=left, F=F), done.pivots


def _outwards(at: Traces, knees: dict[int, Knee]) -> Array:
    du = vector(*[0.0] * at.plan.n_u)
    rates: list[Column] = []
    for i, b in enumerate(at.plan.branches):
        moves, up = at.motions[i], Column(ZERO, ZERO)
        if b.parent >= 0:
            first = at.plan.branches[b.parent].au
            modal = (c * du[first + k] for k, c in enumerate(moves.modal))
            up = moves.raised(total(modal, rates[b.parent]))
        n = len(moves.columns)
        own = knees[i].free - knees[i].K @ np.concatenate([up.v, up.w])
        du[b.u : b.u + n] = own
        rates.append(
            total((c * x for c, x in zip(moves.columns, own, strict=True)), up)
        )
    return du
