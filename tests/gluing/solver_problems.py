"""Interface problems in a few lines, for tests of solvers."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from bondline.core import Slope, Sweep


@dataclass(frozen=True)
class Posed:
    """r = A z + bend z³ − b, counting its sweeps."""

    A: np.ndarray
    b: np.ndarray
    bend: float = 0.0
    symmetric: bool = False
    h: float = 0.01
    noise: float = 1e-15
    floor: float = 1.0
    swept: list = field(default_factory=list)

    @property
    def size(self):
        return len(self.b)

    @property
    def affine(self):
        return not self.bend

    @property
    def labels(self):
        return tuple(f"j{k // 2}.F{'xy'[k % 2]}" for k in range(self.size))

    def residual(self, z):
        return self.A @ z + self.bend * z**3 - self.b

    def sweep(self, z):
        self.swept.append(z)
        return Sweep(self.residual(z), {}, 2)

    def slope(self, z, here):
        return Slope(self.A + np.diag(3.0 * self.bend * z**2), 2 * self.size)

    def forecast(self, z):
        return -self.b


def skew(n=6, spread=1.0, seed=3):
    """Not symmetric, near the identity; rows of sizes up to 10**spread apart."""
    rng = np.random.default_rng(seed)
    return np.diag(10.0 ** np.linspace(0.0, spread, n)) @ (
        np.eye(n) + 0.05 * rng.standard_normal((n, n))
    )


def even(n, seed=5):
    """Symmetric positive definite."""
    X = np.random.default_rng(seed).standard_normal((n, n))
    return X @ X.T / n + np.eye(n)
