"""The error recursion of a part that is told its motion: do errors die out?

One dof x of inertia 1 is told its motion over a window; a share μ of that inertia is
a mass y behind it, with the frequency ω while x is held. All is measured in windows.

    y'' = −θ² (y − x) − 2ζθ (y' − x'),   θ = ωh                                  (1)
    x''(s) = a₀ + (a₁ − a₀) p(s),   p(0) = 0,  p(1) = 1                          (2)
    (1 − μ) a₁ + μ y''₁ = 0                                                      (3)

Equation (1) takes n trapezoidal steps along the path (2), whose unknown a₁ follows from
equilibrium at the end of the window, (3).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.polynomial.polynomial import polyint, polyval

from bondline.numerics.recursion import Array


class _End(NamedTuple):
    """y − x, y' − x' and y'' at the end of a window, one column a case."""

    apart: Array
    rate: Array
    pull: Array


@dataclass(frozen=True, slots=True)
class LedMode:
    """The mass behind a dof that is led: its θ, μ and ζ, and n steps a window."""

    theta: float
    share: float
    steps: int
    zeta: float = 0.0

    def radius(self, ramp: Sequence[float]) -> float:
        """Largest factor by which an error grows from one window to the next.

        `ramp` are the coefficients of p. Common motion is left out: it is no error.

        >>> round(LedMode(2.0, 0.9, steps=3).radius((0.0, 1.0)), 2)
        2.38
        """
        start = np.eye(3)  # a₀, y − x, y' − x'
        free, unit = self._window(ramp, start, np.zeros(3)), self._unit(ramp)
        a = -self.share * free.pull / self.slope(ramp)
        T = np.stack([a, free.apart + unit.apart * a, free.rate + unit.rate * a])
        return float(np.abs(np.linalg.eigvals(T)).max())

    def slope(self, ramp: Sequence[float]) -> float:
        """What a unit of a₁ adds to (3): the inertia that the window sees."""
        return float(1.0 - self.share + self.share * self._unit(ramp).pull[0])

    def _unit(self, ramp: Sequence[float]) -> _End:
        return self._window(ramp, np.zeros((3, 1)), np.ones(1))

    def _window(self, ramp: Sequence[float], start: Array, a1: Array) -> _End:
        a0, y, v = start
        x, rate = _path(ramp, a0, a1 - a0)
        h, (k, c) = 1.0 / self.steps, (self.theta**2, 2.0 * self.zeta * self.theta)
        K = 1.0 + 0.25 * h * h * k + 0.5 * h * c  # K*, wang2003 (35)
        a = -k * y - c * v  # the window starts from its own balance
        for s in h * np.arange(1, self.steps + 1):
            y_p, v_p = y + h * v + 0.25 * h * h * a, v + 0.5 * h * a
            a = (-k * (y_p - x(s)) - c * (v_p - rate(s))) / K
            y, v = y_p + 0.25 * h * h * a, v_p + 0.5 * h * a
        return _End(y - x(1.0), v - rate(1.0), a)


def _path(
    ramp: Sequence[float], a0: Array, change: Array
) -> tuple[Callable[[float], Array], Callable[[float], Array]]:
    """x and x' of (2), from rest."""
    once, twice = polyint(np.asarray(ramp)), polyint(np.asarray(ramp), 2)

    def x(s: float) -> Array:
        return 0.5 * a0 * s * s + change * polyval(s, twice)

    def rate(s: float) -> Array:
        return a0 * s + change * polyval(s, once)

    return x, rate
