"""Polynomials over a window: work along a gap, and two windows made one."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def work_weights(powers: int) -> NDArray[np.float64]:
    """Weights w with ∫ F e' dt = Σₖ c[k] · Σᵢ w[k, i] d[i].

    F = Σₖ c[k] sᵏ over the window, d = (e₀, h e₀', e₁, h e₁', h² e₁''), and e is the
    quartic through those five: e'' at the start is left out because it jumps with the
    force. For a constant force only e₁ − e₀ counts, exactly:

    >>> work_weights(1).round(12) + 0.0
    array([[-1.,  0.,  1.,  0.,  0.]])
    """
    j = np.arange(5)
    at_end = np.ones(5)
    conditions = np.array(
        [j == 0, j == 1, at_end, j * at_end, j * (j - 1)], dtype=np.float64
    )
    monomials = np.linalg.inv(conditions)  # column i: the quartic with dᵢ = 1
    k = np.arange(powers)[:, None]
    integrals = j / np.maximum(j + k, 1)  # ∫₀¹ sᵏ (sʲ)' ds
    weights: NDArray[np.float64] = integrals @ monomials
    return weights


def joined(
    first: NDArray[np.float64], second: NDArray[np.float64], share: float
) -> NDArray[np.float64]:
    """The polynomial of the same degree nearest to two pieces one after the other.

    Rows are coefficients of sᵏ on each piece's own [0, 1]; the first piece has the
    given share of the length. For constants it is the weighted mean:

    >>> joined(np.array([[1.0]]), np.array([[4.0]]), 1 / 3).round(12)
    array([[3.]])
    """
    x, w = np.polynomial.legendre.leggauss(4)
    x, w = 0.5 * (x + 1.0), 0.5 * w
    k = np.arange(len(first))
    powers = x[:, None] ** k
    s = np.concatenate([share * x, share + (1.0 - share) * x])[:, None] ** k
    weights = np.concatenate([share * w, (1.0 - share) * w])[:, None]
    values = np.concatenate([powers @ first, powers @ second])
    return np.linalg.solve(s.T @ (weights * s), s.T @ (weights * values))
