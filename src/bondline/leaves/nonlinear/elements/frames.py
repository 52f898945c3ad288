"""Frames that move with facets, and what is left when their motion is taken out.

Element-independent corotation (Rankin and Nour-Omid; Felippa and Haugen 2005): a frame
E follows the corners; what they do in it is small. With x̄ the corners in the frame,
ω = Gᵀ δd its spin, J⁻¹ of local rotations,

    δd̄_a = δx_a − mean + x̄_a × ω,   ψ_a = θ_a − ω,   δϑ_a = J⁻¹ ψ_a.         (1)

The variation of G is left out of the tangent: it meets the moment of the local forces
about the centre, which is of second order in the deformation.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from bondline.leaves.nonlinear.elements.block import Array
from bondline.leaves.nonlinear.turning import (
    inverse_jacobians,
    inverse_term,
    logarithms,
    skew,
)


class Frame(NamedTuple):
    """Where elements are in their frames."""

    E: Array  # axes as columns, e × 3 × 3
    d: Array  # local displacements and rotations, e × n × 6
    G: Array  # Gᵀ, e × 3 × 6n
    H: Array  # ∂d/∂(world motion in local axes), e × 6n × 6n
    P: Array  # the same before J⁻¹


def _ends(n: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """Corners of the two spans: diagonals of quads, edges of triangles."""
    return ((2, 0), (3, 1)) if n == 4 else ((1, 0), (2, 0))


def _axes(X: Array, d: Array) -> tuple[Array, Array]:
    """Axes at rest as columns, and their change; nothing is lost where that is small.

    The first is along an edge of a triangle, between the diagonals of a quad.
    """
    (a, da), (b, db) = (
        _unit(X[:, head] - X[:, tail], d[:, head] - d[:, tail])
        for head, tail in _ends(X.shape[1])
    )
    along = (a - b, da - db) if X.shape[1] == 4 else (a, da)
    e1, de1 = _unit(*along)
    e3, de3 = _unit(np.cross(a, b), np.cross(da, b) + np.cross(a + da, db))
    e2, de2 = np.cross(e3, e1), np.cross(de3, e1) + np.cross(e3 + de3, de1)
    return np.stack([e1, e2, e3], axis=2), np.stack([de1, de2, de3], axis=2)


def _unit(p: Array, change: Array) -> tuple[Array, Array]:
    """Unit vectors, and how they change when `p` changes."""
    old, new = (np.linalg.norm(x, axis=1)[:, None] for x in (p, p + change))
    grown = ((2.0 * p + change) * change).sum(axis=1)[:, None] / (old + new)
    unit = p / old
    return unit, (change - unit * grown) / new


def follow(X: Array, d: Array, R: Array) -> Frame:
    """Frames of elements whose corners X (e × n × 3) moved by d and turned by R."""
    e, n = X.shape[:2]
    E0, change = _axes(X, d)
    E = E0 + change
    X, d = (y - y.mean(axis=1, keepdims=True) for y in (X, d))
    shifts, now = d @ E + X @ change, (X + d) @ E
    turns = logarithms(E.swapaxes(1, 2)[:, None] @ R @ E0[:, None])
    local = np.concatenate([shifts, turns], axis=2)
    G = _spin(now)
    P = np.zeros((e, n, 6, n, 6))
    for a in range(n):
        P[:, a, :, a] = np.eye(6)
    P[:, :, :3, :, :3] -= np.eye(3)[None, None, :, None, :] / n
    lever = np.concatenate([skew(now), np.broadcast_to(-np.eye(3), (e, n, 3, 3))], 2)
    P = P.reshape(e, 6 * n, 6 * n) + lever.reshape(e, 6 * n, 3) @ G
    H = P.reshape(e, n, 6, 6 * n).copy()
    H[:, :, 3:] = inverse_jacobians(turns) @ H[:, :, 3:]
    return Frame(E, local, G, H.reshape(P.shape), P)


def _spin(x: Array) -> Array:
    """Gᵀ in local axes, from the corners in the frame."""
    e, n = x.shape[:2]
    rates, units = [], []
    for head, tail in _ends(n):
        p = x[:, head] - x[:, tail]
        size = np.linalg.norm(p, axis=1)[:, None]
        unit = p / size
        wide = np.zeros((e, 3, n, 6))
        D = (np.eye(3) - unit[:, :, None] * unit[:, None, :]) / size[:, :, None]
        wide[:, :, head, :3], wide[:, :, tail, :3] = D, -D
        rates.append(wide.reshape(e, 3, 6 * n))
        units.append(unit)
    (a, b), (da, db) = units, rates
    c, dc = (a - b, da - db) if n == 4 else (a, da)
    length = c[:, 0, None]
    w2, w3 = -dc[:, 2] / length, dc[:, 1] / length
    across, rate = (a, da) if n == 4 else (b, db)
    w1 = (w2 * across[:, 0, None] + rate[:, 2]) / across[:, 1, None]
    return np.stack([w1, w2, w3], axis=1)


def world_force(frame: Frame, f: Array) -> Array:
    """Local forces (e × 6n) as forces on the nodes in world axes."""
    nodal = (frame.H.swapaxes(1, 2) @ f[:, :, None]).reshape(len(f), -1, 3)
    return np.asarray(np.einsum("eij,enj->eni", frame.E, nodal).reshape(f.shape))


def world_tangent(frame: Frame, f: Array, K: Array) -> Array:
    """Slope of `world_force`, from local forces and their slope."""
    e, m = f.shape
    H, P, G = frame.H, frame.P, frame.G
    made = H.swapaxes(1, 2) @ K @ H
    wide = f.reshape(e, -1, 6)
    turns, moments = frame.d[:, :, 3:], wide[:, :, 3:]
    spins = P.reshape(e, -1, 6, m)[:, :, 3:]
    bend = moment_slope(turns, moments) @ inverse_jacobians(turns)
    made = made + np.einsum("eaki,eakl,ealj->eij", spins, bend, spins, optimize=True)
    nodal = (H.swapaxes(1, 2) @ f[:, :, None]).reshape(e, -1, 3)
    made = made - skew(nodal).reshape(e, m, 3) @ G
    shifts = P.reshape(e, -1, 6, m)[:, :, :3]
    arms = np.einsum("eaij,eajm->eim", skew(wide[:, :, :3]), shifts, optimize=True)
    made = made + G.swapaxes(1, 2) @ arms
    return turned(frame.E, made)


def moment_slope(turns: Array, m: Array) -> Array:
    """∂(J⁻ᵀ(ϑ) m)/∂ϑ at constant m."""
    D, D1 = (each[..., None, None] for each in inverse_term(turns))
    V, M = skew(turns), skew(m)
    Vm = (V @ m[..., None])[..., 0]
    twice = (V @ Vm[..., None])[..., 0]
    made = D1 * twice[..., :, None] * turns[..., None, :]
    return np.asarray(made - 0.5 * M - D * (skew(Vm) + V @ M))


def turned(E: Array, K: Array) -> Array:
    """Matrices over local triples of dofs in world axes."""
    e, m = K.shape[:2]
    rows = E[:, None] @ K.reshape(e, m // 3, 3, m)
    columns = rows.reshape(e, m, m // 3, 3) @ E.swapaxes(1, 2)[:, None]
    return np.asarray(columns.reshape(e, m, m))
