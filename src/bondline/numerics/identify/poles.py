"""Poles of a step as frequencies.

The trapezoidal rule carries a mode s of the model to z with

    z = (1 + s h/2) / (1 − s h/2),   s = (2/h) (z − 1) / (z + 1)               (1)

so that whoever knows the rule has s exactly, also above half the sampling frequency.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import pi

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Found:
    """Frequencies in Hz, in order, and their damping ratios."""

    frequencies: Floats
    damping: Floats

    def calm(self, damping: float = 0.1) -> Found:
        """Those that a structure could have: the rest is made by noise."""
        keep = (np.abs(self.damping) < damping) & (self.frequencies > 0.0)
        return Found(self.frequencies[keep], self.damping[keep])


def from_step(z: NDArray[np.complex128], h: float) -> Found:
    """Frequencies of the poles of a trapezoidal step, Eq. (1); one of each pair."""
    upper = z[(z.imag > 0.0) & (np.abs(z + 1.0) > 1e-9)]
    return from_rates((2.0 / h) * (upper - 1.0) / (upper + 1.0))


def from_rates(s: NDArray[np.complex128]) -> Found:
    """Frequencies of poles in s, in rad/s."""
    size = np.abs(s)
    order = np.argsort(size)
    size, s = size[order], s[order]
    return Found(size / (2.0 * pi), -s.real / np.maximum(size, np.finfo(float).tiny))
