"""Corrections from pairs (Δz, Δr) by least squares.

With a scale ω the fixed point iteration is z̃ = z − ω r. The pairs say how to do better
where they know something: with γ = argmin |r − ΔR γ|,

    step = −ΔZ γ − ω (r − ΔR γ).                                      (1)

That is Anderson's mixing, and the inverse least squares of interface quasi-Newton
methods, written for residuals: V = −ω ΔR, W = ΔZ + V, step = z̃ − z − W γ.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from bondline.core import InterfaceProblem, Matrix, Vector
from bondline.gluing.solvers.learned import Learned
from bondline.gluing.solvers.loop import Trail, norm


def remember(
    problem: InterfaceProblem, trail: Trail, known: Learned, most: int
) -> Learned:
    """With the pair of the last correction in front, and `most` pairs in all."""
    if trail.step is None or trail.change is None or not trail.teaches(problem):
        return known
    return replace(
        known,
        dz=np.concatenate([[trail.step], known.dz[: most - 1]]),
        dr=np.concatenate([[trail.change], known.dr[: most - 1]]),
        ages=np.concatenate([[0.0], known.ages[: most - 1]]),
    )


def secant_step(known: Learned, r: Vector, share: float, limit: float) -> Vector:
    """Eq. (1); of the part that no pair knows, only a `share` is taken.

    A pair is left out if newer ones make up its Δr but for a part of `limit`.
    """
    Q, R, used = _filtered(known.dr, limit)
    inside = Q @ r
    gamma = np.linalg.solve(R, inside) if used else inside
    outside = r - inside @ Q
    step: Vector = -(gamma @ known.dz[used]) - share * known.factor * outside
    return step


def _filtered(rows: Matrix, limit: float) -> tuple[Matrix, Matrix, list[int]]:
    """Orthonormal rows Q with rows[used] = Rᵀ Q, the first rows first."""
    most = min(rows.shape)
    Q, R = np.zeros((most, rows.shape[1])), np.zeros((most, most))
    used: list[int] = []
    for k, row in enumerate(rows):
        n = len(used)
        if n == most:
            break
        first = Q[:n] @ row
        left = row - first @ Q[:n]
        again = Q[:n] @ left  # once more: round-off of the first time
        left = left - again @ Q[:n]
        size = norm(left)
        if size > limit * norm(row):
            Q[n], R[:n, n], R[n, n] = left / size, first + again, size
            used.append(k)
    n = len(used)
    return Q[:n], R[:n, :n], used
