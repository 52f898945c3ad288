"""Loads on joints and wrenches at markers, as in c/tree_forces.c.

Laws with cases of their own, springs, bushings, contacts, stops and tables, are
calls of the general kernel's functions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bondline.kernels.traced import Tape, Traced, Value
from bondline.leaves.mbd.codes import ForceKind, HistoryKind
from bondline.leaves.mbd.special.bodies import Weight, Wrench
from bondline.leaves.mbd.special.motion import Column, Motion, bent, ground, modal
from bondline.leaves.mbd.special.reading import Array, Plan, Row
from bondline.leaves.mbd.special.vectors import cross, function, vector


@dataclass(frozen=True, eq=False)
class Instant:
    """A mechanism at a state: what forces look at."""

    plan: Plan
    tape: Tape
    t: Traced
    q: Array
    u: Array
    motions: Sequence[Motion]


@dataclass(frozen=True, eq=False)
class Spot:
    """A marker in world axes: pose, velocity and spin; and its columns."""

    body: int
    R: Array
    p: Array
    v: Array
    w: Array
    on: Motion
    columns: Sequence[Column]


def spot(now: Instant, number: int) -> Spot:
    """Where a marker is and how it moves."""
    marker = now.plan.markers[number]
    if marker.body < 0:
        on, branch = ground(now.plan, now.q), None
    else:
        on, branch = now.motions[marker.body], now.plan.branches[marker.body]
    at = bent(marker, *modal(branch, now.q, now.u))
    v = on.v + cross(on.w, at.p) + at.v
    R, p, w = on.R_W @ at.R, on.place + on.R_W @ at.p, on.R_W @ (on.w + at.w)
    return Spot(marker.body, R, p, on.R_W @ v, w, on, at.columns)


@dataclass(frozen=True, eq=False)
class Loads:
    """What has been applied so far: on coordinates, and to bodies."""

    P: Array
    weights: list[Weight]

    def push(self, at: Spot, f: Array, n: Array) -> None:
        """A force and a moment at a marker, in world axes."""
        if at.body < 0:
            return
        f, n = at.on.R_W.T @ f, at.on.R_W.T @ n
        place = at.on.R_W.T @ (at.p - at.on.place)
        wrench, old = Wrench(f, n + cross(place, f)), self.weights[at.body]
        new = replace(old, F=old.F - wrench)
        if at.columns:
            given = vector(*(wrench.on(c) for c in at.columns))
            new = replace(new, bias=old.bias - given)
        self.weights[at.body] = new


def apply(now: Instant, loads: Loads, ports: Sequence[int]) -> None:
    """All forces of the plan, and the wrenches at ports."""
    for force in now.plan.forces:
        _apply(now, loads, force)
    for k, port in enumerate(ports):
        given = vector(*(now.tape.given(f"port[{6 * k + i}]") for i in range(6)))
        loads.push(spot(now, port), given[:3], given[3:])


def _apply(now: Instant, loads: Loads, force: Row) -> None:
    r = now.plan.reals[force.at :]
    P, q, u = loads.P, now.q, now.u
    if force.kind == ForceKind.JOINT_LOAD:
        P[force.b] = P[force.b] + float(r[0]) * history(now, force.history)
    elif force.kind == ForceKind.JOINT_SPRING:
        way, k, d = q[force.a] - float(r[2]), float(r[0]), float(r[1])
        P[force.b] = P[force.b] - (k * way + d * u[force.b])
    elif force.kind == ForceKind.JOINT_STOP:
        push = now.tape.made("stop", force.at, q[force.a], u[force.b])
        P[force.b] = P[force.b] + push
    elif force.kind == ForceKind.PUSH:
        _push(now, loads, force)
    else:
        _between(now, loads, force)


def _push(now: Instant, loads: Loads, force: Row) -> None:
    r = now.plan.reals[force.at : force.at + 7].tolist()
    at, size = spot(now, force.a), history(now, force.history)
    f, n = size * vector(*r[:3]), size * vector(*r[3:6])
    if r[6] == 0.0:
        loads.push(at, f, n)
    else:
        loads.push(at, at.R @ f, at.R @ n)


def _between(now: Instant, loads: Loads, force: Row) -> None:
    """By a law of c/tree_laws.c: twists and wrenches are about the world's origin."""
    a, b = spot(now, force.a), spot(now, force.b)
    told: list[Value] = []
    for end in (a, b):
        told += [*end.R.ravel(), *end.p, *(end.v + cross(end.p, end.w)), *end.w]
    call = now.tape.made("law", ForceKind(force.kind), force.at, *told)
    on_b = vector(*(now.tape.made("part", call, i) for i in range(6)))
    f, n = on_b[:3], on_b[3:]
    loads.push(b, f, n - cross(b.p, f))
    loads.push(a, -f, cross(a.p, f) - n)


def history(now: Instant, number: int) -> Value:
    """A number that depends on time."""
    kind, n, at = now.plan.histories[number]
    r = now.plan.reals[at:].tolist()
    if kind == HistoryKind.CONSTANT:
        return float(r[0])
    if kind == HistoryKind.POLYNOMIAL:
        return _polynomial(now.t - r[0], r[1 : 1 + n])
    if kind == HistoryKind.HARMONIC:
        return _harmonic(now, n, r)
    return now.tape.made("history", number, now.t)


def _polynomial(s: Value, coefficients: Sequence[float]) -> Value:
    found: Value = 0.0
    for c in reversed(coefficients):
        found = found * s + c
    return found


def _harmonic(now: Instant, n: int, r: Sequence[float]) -> Value:
    """Nothing but its mean before it begins."""
    mean, omega, s = r[0], r[1], now.t - r[2]
    found: Value = mean
    for k, (a, b) in enumerate(zip(r[3 : 3 + n], r[3 + n : 3 + 2 * n], strict=True)):
        angle = (k + 1) * omega * s
        found = found + a * function("cos", angle) + b * function("sin", angle)
    if found == mean:  # a constant other than its mean is a step at its beginning
        return mean
    return now.tape.made("before", s, mean, found)
