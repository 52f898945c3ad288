"""M u̇ = P by elimination that is written out: what is zero costs nothing.

Pivots are taken from the tips inwards, which fills no zero of a tree; modes of unit
mass need no division.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from bondline.kernels.traced import Value
from bondline.leaves.mbd.special.reading import Array


class NotDefinite(Exception):
    """A mass matrix is not positive definite, whatever the state."""


class Solved(NamedTuple):
    """Solutions in columns, and the pivots, which must be positive."""

    x: Array
    pivots: list[Value]


class Split(NamedTuple):
    """u̇, and B = m_e⁻¹ m_sf of kim2000 (36)."""

    du: Array
    B: Array
    pivots: list[Value]


def solved(M: Array, Y: Array, order: Sequence[int]) -> Solved:
    """M⁻¹ Y with the pivots in this order."""
    A, X = M.copy(), Y.copy()
    pivots = _eliminated(A, X, order, order)
    return Solved(_back(A, X, order, ()), pivots)


def _eliminated(
    A: Array, X: Array, order: Sequence[int], rest: Sequence[int]
) -> list[Value]:
    """Take rows of `order` out of all that come after them in `rest`, in place.

    Factors are left in the upper half, A[j, i] for a pivot j.
    """
    pivots: list[Value] = []
    for j in order:
        if isinstance(A[j, j], float) and A[j, j] <= 0.0:
            raise NotDefinite
        pivots.append(A[j, j])
        one, left = 1.0 / A[j, j], rest[list(rest).index(j) + 1 :]
        row = {i: A[j, i] for i in left if not _zero(A[j, i])}
        factors = {i: x * one for i, x in row.items()}
        for n, (i, factor) in enumerate(factors.items()):
            X[i] = X[i] - factor * X[j]
            for k in list(row)[n:]:
                A[i, k] = A[k, i] = A[i, k] - factor * row[k]
        for i, factor in factors.items():
            A[j, i] = factor
        X[j] = X[j] * one
    return pivots


def _back(A: Array, X: Array, order: Sequence[int], known: Sequence[int]) -> Array:
    """Rows of `order` from those after them, and from those that are known."""
    for n in reversed(range(len(order))):
        for i in [*order[n + 1 :], *known]:
            X[order[n]] = X[order[n]] - A[order[n], i] * X[i]
    return X


def _zero(x: Value) -> bool:
    return isinstance(x, float) and x == 0.0


def split(M: Array, P: Array, fast: Sequence[int], slow: Sequence[int]) -> Split:
    """With the fast coordinates first, so that m_e is left of the slow ones."""
    first, then = list(reversed(fast)), list(reversed(slow))
    A, X = M.copy(), P[:, None].copy()
    pivots = _eliminated(A, X, first, [*first, *then])
    right = np.concatenate([X, M[:, list(fast)]], axis=1)
    done = solved(A, right, then)
    X[then] = done.x[then, :1]
    du = _back(A, X, first, then)[:, 0]
    return Split(du, done.x[list(slow), 1:], [*pivots, *done.pivots])
