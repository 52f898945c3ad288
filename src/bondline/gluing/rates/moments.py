"""What a load did over a long window, told as one polynomial of degree 3.

The nearest one: it has the impulse of the load and the first three moments, so that a
free body ends where the load itself would have brought it, exactly.
"""

from __future__ import annotations

import numpy as np

from bondline.core import Matrix, Signal

_MOMENTS = 4
_LEGENDRE = np.array(  # sᵏ × Pⱼ on [0, 1]
    [[1, -1, 1, -1], [0, 2, -6, 12], [0, 0, 6, -30], [0, 0, 0, 20]], dtype=np.float64
)
_NODES, _WEIGHTS = (
    0.5 * (x + shift)
    for x, shift in zip(np.polynomial.legendre.leggauss(4), (1.0, 0.0), strict=True)
)


def nothing(dofs: int) -> Matrix:
    """No moments yet."""
    return np.zeros((_MOMENTS, dofs))


def over(load: Signal, s0: float, s1: float) -> Matrix:
    """∫ Pⱼ f ds of a load that acts from s₀ to s₁; exact up to cubics."""
    values = np.stack([load.at(x) for x in _NODES])
    s = s0 + (s1 - s0) * _NODES
    P = (s[:, None] ** np.arange(_MOMENTS)) @ _LEGENDRE
    found: Matrix = (s1 - s0) * (_WEIGHTS[:, None] * P).T @ values
    return found


def polynomial(found: Matrix) -> Matrix:
    """Coefficients of sᵏ of the polynomial with those moments.

    >>> line = Signal(np.array([[1.0], [2.0]]))
    >>> both = over(line.part(0, 0.3), 0, 0.3) + over(line.part(0.3, 1), 0.3, 1)
    >>> polynomial(both).round(9).ravel() + 0.0
    array([1., 2., 0., 0.])
    """
    sizes = 2.0 * np.arange(_MOMENTS) + 1.0
    rows: Matrix = _LEGENDRE @ (sizes[:, None] * found)
    return rows
