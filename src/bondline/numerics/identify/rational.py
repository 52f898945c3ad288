"""Modes from G at many window lengths: a frequency sweep on the real axis.

One trapezoidal window of length h from rest moves a port by

    G(h) = Lᵀ (λ M + 2/h C + K)⁻¹ L,   λ = 4/h²                                 (1)

Without damping that is Σ φ²/(λ + ω²): a rational function of λ with its poles at −ω².
Rational interpolation continues it to where the poles are (AAA, nakatsukasa2018).
"""

from __future__ import annotations

from math import pi

import numpy as np
from numpy.typing import NDArray

from bondline.numerics.identify.poles import Found

Floats = NDArray[np.float64]


def from_windows(lengths: Floats, G: Floats, order: int) -> Found:
    """Undamped modes from G(h), one number for every window length, (1)."""
    z = 4.0 / lengths**2
    poles = aaa(z / z.max(), G / np.abs(G).max(), order) * z.max()
    real = poles[np.abs(poles.imag) < 1e-2 * np.abs(poles)].real
    omega = np.sort(np.sqrt(-real[real < 0.0]))
    return Found(omega / (2.0 * pi), np.zeros_like(omega))


def aaa(
    z: Floats, f: Floats, order: int, tolerance: float = 1e-13
) -> NDArray[np.complex128]:
    """Poles of the rational function that AAA finds through f(z)."""
    chosen: list[int] = []
    weights, left, fit = (
        np.ones(1),
        np.ones(len(z), dtype=bool),
        np.full(len(z), f.mean()),
    )
    for _ in range(min(order + 1, len(z) // 2)):
        chosen.append(int(np.argmax(np.where(left, np.abs(f - fit), -1.0))))
        left[chosen[-1]] = False
        cauchy = 1.0 / (z[left, None] - z[chosen])
        loewner = (f[left, None] - f[chosen]) * cauchy
        weights = np.linalg.svd(loewner)[2][-1]
        fit = f.copy()
        fit[left] = (cauchy @ (weights * f[chosen])) / (cauchy @ weights)
        if np.abs(f - fit).max() <= tolerance * np.abs(f).max():
            break
    return _poles(z[chosen], weights)


def _poles(z: Floats, weights: Floats) -> NDArray[np.complex128]:
    """Zeros of Σ w/(λ − z): an arrow-shaped eigenproblem, two of them infinite."""
    from scipy.linalg import eigvals

    m = len(z)
    E, B = np.zeros((m + 1, m + 1)), np.eye(m + 1)
    E[0, 1:], E[1:, 0], B[0, 0] = weights, 1.0, 0.0
    E[range(1, m + 1), range(1, m + 1)] = z
    with np.errstate(all="ignore"):
        found = np.asarray(eigvals(E, B), dtype=np.complex128)
    return found[np.isfinite(found)]
