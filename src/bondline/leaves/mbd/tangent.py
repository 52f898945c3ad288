"""What forces on the ports of a mechanism do within a window: its flexibility G.

Small changes follow δ' = A δ + B f, δ = (θ, δu), where θ are changes of position in the
directions of the velocities: δq = N θ. A joint that turns by a quaternion with the spin
ω in outboard axes has θ' = δu − ω × θ, any other θ' = δu. With T the twists of ports
per unit velocity,

    B = M⁻¹ Tᵀ,   δx = T θ,   δv = ∂v/∂θ θ + T δu,
    δa = ∂a/∂θ θ + ∂a/∂u δu + T B f                                             (1)

A is the mean of its values at both ends of the window, B the line between them. For
f = sᵏ, with φ of the exponential function (Magnus, second order),

    δ(t₁) = h [ k! φₖ₊₁(hA) B₀ + (k+1)! φₖ₊₂(hA) (B₁ − B₀) ]                    (2)

So G costs one window and some 5 n evaluations at each end, however many forces act and
however many steps the window takes; it is off by the square of what A changes by.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import factorial
from typing import NamedTuple

import numpy as np
from scipy.linalg import expm

from bondline.core import (
    Advance,
    Flexibility,
    Matrix,
    Motion,
    Output,
    Port,
    Rejected,
    Signal,
    Subsystem,
    Vector,
    Window,
)
from bondline.leaves.mbd.driving import Spot
from bondline.leaves.mbd.tree import Loads, Tree
from bondline.numerics.rotations import conjugate, log, product

_NUDGE = 1e-5  # of a coordinate, or of 1
_FINE = 0.1  # rad a step


class Instant(NamedTuple):
    """A mechanism at one instant, under loads."""

    t: float
    q: Vector
    u: Vector
    loads: Loads


class Tangent(NamedTuple):
    """A, B and T of (1), and ∂(v, a)/∂δ of all ports, stacked."""

    A: Matrix
    B: Matrix
    T: Matrix
    V: Matrix
    R: Matrix


def tangents(
    tree: Tree, ends: tuple[Instant, Instant], spots: Mapping[str, Spot]
) -> tuple[Tangent, Tangent]:
    """Those at both ends."""
    markers = [spot.marker for spot in spots.values()]
    first, last = (tangent(tree, now, markers) for now in ends)
    return first, last


def resolved(both: tuple[Tangent, Tangent], step: float) -> bool:
    """Whether steps of that length follow all that moves, to about 1e-5."""
    quickest = max(np.abs(np.linalg.eigvals(each.A)).max() for each in both)
    return bool(quickest * step <= _FINE)


def flexibility(
    both: tuple[Tangent, Tangent], h: float, spots: Mapping[str, Spot], powers: int
) -> Flexibility:
    """G of ports by (1) and (2), for so many coefficients of the forces."""
    first, last = both
    n = len(last.B) // 2
    G = np.empty((3, len(last.T), powers, len(last.T)))
    for k, moved in enumerate(_driven(first, last, h, powers)):
        G[0, :, k] = last.T @ moved[:n]
        G[1, :, k] = last.V @ moved
        G[2, :, k] = last.R @ moved + last.T @ last.B[n:]
    rows = {
        port: [6 * i + r for r in spot.rows]
        for i, (port, spot) in enumerate(spots.items())
    }
    blocks = {
        (out, port): G[:, rows[out]][..., rows[port]] for out in rows for port in rows
    }
    return Flexibility(blocks, 1)


def differenced(
    leaf: Subsystem[Vector],
    args: tuple[Vector, Window, Mapping[str, Signal]],
    base: Advance[Vector],
    powers: int,
) -> Flexibility | Rejected:
    """G by moving each coefficient of each port's force in turn, as from outside."""
    (state, window, inputs), price = args, 1
    blocks: dict[tuple[str, str], Matrix] = {}
    for port, shown in leaf.ports.items():
        assert isinstance(shown, Port)
        f = np.zeros((powers, shown.size))
        given = inputs[port].coefficients if port in inputs else f
        f[: len(given)] = given
        df = _NUDGE * 1e3 * max(float(np.abs(f).max()), 1.0)
        for k, j in np.ndindex(f.shape):
            moved = f.copy()
            moved[k, j] += df
            done = leaf.advance(state, window, {**inputs, port: Signal(moved)})
            if isinstance(done, Rejected):
                return done
            price += 1
            for out, now in done.outputs.items():
                change = _change(base.outputs[out], now) / df
                size = (*change.shape, *f.shape)
                blocks.setdefault((out, port), np.empty(size))[:, :, k, j] = change
    return Flexibility(blocks, price)


def _change(before: Output, after: Output) -> Matrix:
    """x, v and a of a port, less those before: 3 × dofs."""
    assert isinstance(before, Motion)
    assert isinstance(after, Motion)
    x = after.x - before.x
    if before.turn is not None and after.turn is not None:
        turned = product(after.turn, conjugate(before.turn))
        x = np.concatenate([x, log(turned)])
    assert before.a is not None
    assert after.a is not None
    return np.array([x, after.v - before.v, after.a - before.a])


def _driven(first: Tangent, last: Tangent, h: float, powers: int) -> list[Matrix]:
    """δ(t₁) under sᵏ on each component of the ports, (2)."""
    A, W = 0.5 * h * (first.A + last.A), h * np.hstack([first.B, last.B - first.B])
    n, m, count = len(A), W.shape[1], powers + 1
    wide = np.zeros((n + count * m, n + count * m))
    wide[:n, :n], wide[:n, n : n + m] = A, W
    wide[n:-m, n + m :] = np.eye((count - 1) * m)
    phi = expm(wide)[:n, n:].reshape(n, count, 2, m // 2)  # φⱼ₊₁ W
    return [
        factorial(k) * (phi[:, k, 0] + (k + 1) * phi[:, k + 1, 1])
        for k in range(powers)
    ]


def tangent(tree: Tree, now: Instant, markers: list[int]) -> Tangent:
    """All of (1), by central differences in one sweep."""
    t, q, u, loads = now
    n = tree.n_u
    N, _, T, _ = tree.sweep(t, np.tile(q, (n, 1)), np.eye(n), markers, loads)
    T = T.reshape(n, -1).T
    steps = np.concatenate([np.full(n, _NUDGE), _NUDGE * np.maximum(1.0, np.abs(u))])
    change = np.zeros((2 * n, len(q) + n))
    change[:n, : len(q)] = steps[:n, None] * N
    change[n:, len(q) :] = np.diag(steps[n:])
    y = np.concatenate([q, u]) + np.concatenate([change, -change])
    _, du, twist, rate = tree.sweep(t, y[:, : len(q)], y[:, len(q) :], markers, loads)
    slopes = [_slope(x, steps) for x in (du, twist, rate)]
    B = np.linalg.solve(tree.mass(t, q, u, loads)[0], T.T)
    A = np.vstack([np.eye(n, 2 * n, n), slopes[0]])
    for start in tree.turns:
        x, y, z = u[start : start + 3]
        turned = np.array([[0, z, -y], [-z, 0, x], [y, -x, 0]])  # −ω ×
        A[start : start + 3, start : start + 3] = turned
    return Tangent(A, np.vstack([np.zeros_like(B), B]), T, slopes[1], slopes[2])


def _slope(found: Matrix, steps: Vector) -> Matrix:
    """Central differences of rows, as columns."""
    flat = found.reshape(len(found), -1)
    half = len(steps)
    return np.asarray(((flat[:half] - flat[half:]) / (2.0 * steps[:, None])).T)
