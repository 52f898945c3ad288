"""The equations of motion of a plan, traced: M and P, kim2000 (17), kim2000 (18).

Numbers without a key are those of docs/theory/multibody.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from bondline.kernels.traced import Tape
from bondline.leaves.mbd.special.bodies import Weight, weight
from bondline.leaves.mbd.special.forces import Instant, Loads, apply
from bondline.leaves.mbd.special.joints import quaternion_rate
from bondline.leaves.mbd.special.motion import Columns, Motion, inherited, motions
from bondline.leaves.mbd.special.reading import Array, Branch, Plan
from bondline.leaves.mbd.special.vectors import vector


@dataclass(frozen=True, eq=False)
class Traces:
    """A plan's bodies at a state, under all loads, before any is handed down."""

    plan: Plan
    motions: list[Motion]
    weights: list[Weight]
    P: Array  # loads on coordinates
    dq: Array


class Equations(NamedTuple):
    """M u̇ = P."""

    M: Array
    P: Array


def traces(plan: Plan, tape: Tape, ports: Sequence[int]) -> Traces:
    """A pass outwards."""
    q = vector(*(tape.given(f"q[{k}]") for k in range(plan.n_q)))
    u = vector(*(tape.given(f"u[{k}]") for k in range(plan.n_u)))
    found = motions(plan, q, u)
    now = Instant(plan, tape, tape.given("t"), q, u, found)
    own = [weight(b, at, q, u) for b, at in zip(plan.branches, found, strict=True)]
    loads = Loads(vector(*[0.0] * plan.n_u), own)
    apply(now, loads, ports)
    return Traces(plan, found, own, loads.P, _position_rates(plan, q, u))


def equations(at: Traces) -> Equations:
    """A pass from the tips inwards, with the columns of all that moves a body."""
    plan, own = at.plan, list(at.weights)
    columns: list[Columns] = []
    for b, moves in zip(plan.branches, at.motions, strict=True):
        on = plan.branches[b.parent] if b.parent >= 0 else None
        columns.append(inherited(b, on, moves, columns[b.parent] if on else {}))
    M, P = np.full((plan.n_u, plan.n_u), 0.0, dtype=object), at.P.copy()
    for i, b in reversed(list(enumerate(plan.branches))):
        _add_rows(b, columns[i], own[i], M, P)
        if b.parent >= 0:
            own[b.parent] = own[b.parent].carrying(own[i], at.motions[i])
    return Equations(M, P)


def _add_rows(b: Branch, columns: Columns, heavy: Weight, M: Array, P: Array) -> None:
    """Rows and columns of a body's own coordinates, (21)-(23)."""
    modes = range(b.au, b.au + b.n_modes)
    for j in (*range(b.u, b.au), *modes):
        U = heavy.inertia.times(columns[j])
        U = U + heavy.G[j - b.au] if j in modes else U
        for i in (i for i in columns if i <= j):
            M[i, j] = U.on(columns[i])
            if i in modes:
                own = heavy.M[i - b.au, j - b.au]
                M[i, j] = M[i, j] + own + heavy.G[i - b.au].on(columns[j])
            M[j, i] = M[i, j]
        P[j] = P[j] - heavy.F.on(columns[j])
        P[j] = P[j] - heavy.bias[j - b.au] if j in modes else P[j]


def _position_rates(plan: Plan, q: Array, u: Array) -> Array:
    """q̇: the velocities, but of quaternions."""
    rates = vector(*[0.0] * plan.n_q)
    for b in plan.branches:
        plain = {"spherical": 0, "free": 3}.get(b.kind, b.n_joint)
        rates[b.q : b.q + plain] = u[b.u : b.u + plain]
        if plain < b.n_joint:
            e, spin = q[b.q + plain : b.aq], u[b.u + plain : b.au]
            rates[b.q + plain : b.aq] = quaternion_rate(e, spin)
        rates[b.aq : b.aq + b.n_modes] = u[b.au : b.au + b.n_modes]
    return rates
