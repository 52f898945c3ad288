"""How much inertia followers may have in one pass, if they weigh what they are told.

A leader of unit mass, a lump of mass μ that follows it by Newmark's trapezoidal rule
with w₁ (q'' − r'') + w₂ (q' − r') + w₃ (q − r) = 0, windows of unit length. The leader
feels F = −μ r'' of the last window, held or continued along a line to G. So e = q − r

    e₁ = e + e' + (F/3 + G/6) − (r''₀ + r''₁)/4                                  (1)
    e'₁ = e' + (F + G)/2 − (r''₀ + r''₁)/2                                       (2)
    w₁ (G − r''₁) + w₂ e'₁ + w₃ e₁ = 0                                           (3)

has a linear map from window to window. With w₁ alone errors grow above μ = 1 (hold) and
1/3 (line). With (1, 2/T, 1/T²) hold is stable for μ < T/(T + h): the velocity and the
position of a force that was held too long are asked of the follower, too.
"""

from __future__ import annotations

from functools import lru_cache
from math import inf

import numpy as np

_GROWTH = 1e-6
EXACT = (0.0, 0.0, 1.0)
USUAL = (1.0 / 25.0, 2.0 / 5.0, 1.0)  # (1, 2/T, 1/T²), T five windows


def radius(mass: float, weights: tuple[float, float, float], line: bool) -> float:
    """By how much an error grows in a window; weights of x, v h, a h²."""
    x, v, a = weights
    e, rate, bend, before = np.eye(4)  # e, e', r'' and r'' one window earlier
    F = -mass * bend
    G = 2.0 * F + mass * before if line else F
    e_p = e + rate + F / 3.0 + G / 6.0 - bend / 4.0
    rate_p = rate + 0.5 * (F + G) - bend / 2.0
    new = (a * G + v * rate_p + x * e_p) / (a + v / 2.0 + x / 4.0)  # (3)
    step = np.stack([e_p - new / 4.0, rate_p - new / 2.0, new, bend])
    return float(np.abs(np.linalg.eigvals(step)).max())


@lru_cache(maxsize=64)
def limit(weights: tuple[float, float, float], line: bool) -> float:
    """The largest μ with which errors do not grow; 0 where they always do.

    >>> round(limit(EXACT, False), 3), round(limit(EXACT, True), 3)
    (1.0, 0.333)
    >>> round(limit(USUAL, False), 3), round(limit(USUAL, True), 3)
    (0.833, 0.294)
    """
    low, high = 0.0, 2.0
    while high - low > 1e-6:
        middle = 0.5 * (low + high)
        grows = radius(middle, weights, line) > 1.0 + _GROWTH
        low, high = (low, middle) if grows else (middle, high)
    return low


def limits(weights: tuple[float, float, float] = EXACT) -> tuple[float, ...]:
    """Of the line and of hold in one pass, and twice none: of iterations."""
    return limit(weights, True), limit(weights, False), inf, inf
