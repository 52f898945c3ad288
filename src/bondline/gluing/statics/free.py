"""Is anything free to move? Asked where the interface matrix is nearly singular."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from bondline.core import Matrix, Rejected, Vector
from bondline.gluing.statics.asking import Load, flexibility
from bondline.gluing.statics.interface import Interface, Point, Slope
from bondline.gluing.statics.modes import mechanism
from bondline.numerics.factor import Indices

_SUSPECT = 1e-5  # stiffness, as a share of the springs: looked at closely
_LEAST = 1e-13  # below that nothing is held
_DOUBT = 10.0  # times the difference of two looks
_STIFF = 1e-4  # of the springs' flexibility: what gives way less does not move
_RANK = 1e-11  # of the largest singular value: joints that repeat each other


def repeated(problem: Interface, here: Point, slope: Slope) -> int | Rejected:
    """How many joint conditions repeat others; a rejection where something is free.

    Free are motions of the glued dofs that open no joint and that nothing resists. All
    glued dofs get springs, about as stiff as the parts; a second look is with springs
    twice as stiff. What resists a motion is the same in both looks; what is round-off
    of the parts is not. Motions that a part resists far more than the springs are left
    out, for they are not free, and their round-off would hide soft ones.
    """
    seen, glued = problem.seen, np.flatnonzero(problem.seen.glued)
    k = _springs(problem, slope)
    D = np.sqrt(np.where(seen.driven, _inverse(np.abs(np.diag(slope.G))), 1.0 / k))
    B = (problem.B(problem.meeting(here)) * D)[:, glued]
    a, b = problem.law
    firm = (a == 0.0) & (b > 0.0)
    Z, rank = _compatible(B[firm])
    looks = []
    for share in (1.0, 2.0):
        found = _resistance(problem, here, share * k)
        if isinstance(found, Rejected):
            return found
        if share == 1.0:
            Z = Z @ _compatible((found.stiff * D)[:, glued] @ Z)[0]
        inner = (D[:, None] * found.K * D)[np.ix_(glued, glued)]
        soft = Z.T @ B[~firm].T * np.where(b > 0.0, _inverse(a), 0.0)[~firm]
        looks.append(Z.T @ inner @ Z + soft @ B[~firm] @ Z)
    free = _loose(looks[0], looks[1])
    if free.size:
        shapes = np.zeros((seen.size, free.shape[1]))
        shapes[glued] = D[glued, None] * (Z @ free)
        return mechanism(seen, shapes)
    fixed = (np.abs(np.diag(slope.G)) == 0.0) & ~seen.driven & (problem.hold.k == 0.0)
    if fixed.any():
        _, rank = _compatible(B[firm] * ~fixed[glued])
    return int(firm.sum()) - rank


def _springs(problem: Interface, slope: Slope) -> Vector:
    """As stiff as the parts are: found for those that float, else as G says."""
    own = _inverse(np.abs(np.diag(slope.G)))
    k = np.where(problem.hold.natural > 0.0, problem.hold.natural, own)
    mean = float(np.exp(np.log(k[k > 0.0]).mean())) if (k > 0.0).any() else 1.0
    return np.where(k > 0.0, k, mean)


def _inverse(x: Vector) -> Vector:
    return np.where(x > 0.0, 1.0 / np.where(x > 0.0, x, 1.0), 0.0)


def _compatible(B: Matrix) -> tuple[Matrix, int]:
    """Motions that open no joint, orthonormal; and the rank of the joints."""
    sizes = np.linalg.norm(B, axis=1)
    rows = B * np.where(sizes > 0.0, _inverse(sizes), 0.0)[:, None]
    _, s, Vt = np.linalg.svd(rows)
    rank = int((s > _RANK * s.max(initial=0.0)).sum())
    return Vt[rank:].T, rank


class _Resistance(NamedTuple):
    """K: the joint force that a unit motion of each glued dof needs.

    `stiff` x = 0 are conditions for motions that no part resists far more than springs.
    """

    K: Matrix
    stiff: Matrix


def _resistance(problem: Interface, here: Point, k: Vector) -> _Resistance | Rejected:
    """What resists, asked with springs k on all glued dofs that take force."""
    seen, (F, q) = problem.seen, problem.split(here.z)
    at, led = problem.meeting(here), seen.driven & seen.glued
    springs = np.where(seen.glued & ~seen.driven, k, 0.0)
    joint = np.where(seen.driven, 0.0, problem.B(q).T @ F + springs * at)
    u = problem.acting.u + joint
    u[led] = at[led]
    states = {n: a.state for n, a in here.advances.items()}
    load = Load(problem.acting.factor, u, problem.acting.k + springs)
    found = flexibility(seen, states, load)
    if isinstance(found, Rejected):
        return found
    made = _stiffness(found[0], np.flatnonzero(springs), np.flatnonzero(led), springs)
    return _Resistance(made.K - seen.turned(at, F), made.stiff)


def _stiffness(G: Matrix, f: Indices, d: Indices, springs: Vector) -> _Resistance:
    """From flexibility to stiffness: f are dofs with springs, d dofs that are told.

    S = (1 + κ)⁻¹, κ being the stiffness in terms of the springs. What is free has
    κ = 0 and motions f = S f + (what d does); so stiff directions have no motion.
    """
    root = np.sqrt(springs[f])
    S = root[:, None] * G[np.ix_(f, f)] * root
    values, V = np.linalg.eigh(0.5 * (S + S.T))
    H = root[:, None] * (V / np.maximum(values, _STIFF)) @ V.T * root  # G⁻¹
    across, back = G[np.ix_(f, d)], G[np.ix_(d, f)]
    K, stiff = np.zeros_like(G), np.zeros((int((values < _STIFF).sum()), len(G)))
    K[np.ix_(f, f)] = H - np.diag(springs[f])
    K[np.ix_(f, d)] = -H @ across
    K[np.ix_(d, f)] = back @ H
    K[np.ix_(d, d)] = G[np.ix_(d, d)] - back @ H @ across
    N, own = V[:, values < _STIFF].T * root, values[values < _STIFF, None]
    stiff[:, f], stiff[:, d] = (1.0 - own) * N, -N @ across
    return _Resistance(K, stiff)


def _loose(first: Matrix, second: Matrix) -> Matrix:
    """Directions without resistance, where both looks agree that there is none."""
    values, turn = np.linalg.eigh(0.5 * (first + first.T))
    V = turn[:, values < _SUSPECT]
    if not V.size:
        return V
    noise = float(np.linalg.norm(V.T @ (first - second) @ V, 2))
    held, modes = np.linalg.eigh(0.5 * V.T @ (first + first.T) @ V)
    loose: Matrix = V @ modes[:, held < max(_LEAST, _DOUBT * noise)]
    return loose
