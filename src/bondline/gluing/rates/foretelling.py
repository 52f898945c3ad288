"""What a slow part does by itself, from window to window, as a Nordsieck vector.

The acceleration g over a window is a polynomial of `order` coefficients: with x and v
at its start the rows of Nordsieck's vector, x, H v, H² g₀/2, H³ g₁/6, … Continued over
the next window, A C(α) of kim2000 (40), it is the prediction; what the slow part then
does is compared with it at the end of the window, and corrects it.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from bondline.core import Matrix, Signal, Vector

_K = np.array(  # x, H v, H² a at t₁ × H² g[k]
    [[1 / 2, 1 / 6, 1 / 12], [1.0, 1 / 2, 1 / 3], [1.0, 1.0, 1.0]]
)
LEVELS: Mapping[int, tuple[int, ...]] = {1: (1,), 2: (0, 1), 3: (0, 1, 2)}
"""By order: the levels of motion that are compared."""


def to_levels(order: int) -> Matrix:
    """What the coefficients of g do to the levels that are compared at t₁."""
    return _K[np.ix_(LEVELS[order], range(order))]


def continued(path: Matrix, share: float) -> Matrix:
    """The same polynomial over the next window, `share` times as long.

    >>> continued(np.array([[1.0], [2.0]]), 1.0)
    array([[3.],
           [2.]])
    """
    return Signal(path).part(1.0, 1.0 + share).coefficients


def corrected(path: Matrix, apart: Matrix) -> Matrix:
    """g, with which the levels would not have been `apart`: two_rates.md (2)."""
    wrong = np.linalg.solve(to_levels(len(path)), apart)
    return np.asarray(path - wrong, dtype=np.float64)


def of_load(f: Matrix, order: int) -> Matrix:
    """The g of `order` coefficients that moves as accelerations Σ f[k] sᵏ do."""
    k = np.arange(len(f))[:, None]
    x, v = (f / ((k + 1) * (k + 2))).sum(axis=0), (f / (k + 1)).sum(axis=0)
    levels = np.stack([x, v, f.sum(axis=0)])[list(LEVELS[order])]
    found = np.linalg.solve(to_levels(order), levels)
    return np.asarray(found, dtype=np.float64)


def closing(x: Vector, v: Vector, h: float) -> Matrix:
    """An acceleration along a line that takes back x and v over a window of h."""
    return np.stack([-6.0 * x / h - 4.0 * v, 12.0 * x / h + 6.0 * v]) / h
