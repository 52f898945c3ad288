"""From long window to long window, as a matrix: slow mass 1, windows of length 1.

The fast part is a mass `light` at the joint with a mass `far` on a spring; short
windows are as short as one likes: they are integrated exactly.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import expm

from bondline.core import Signal
from bondline.gluing.rates import foretelling, moments

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(24)
_NODES, _WEIGHTS = 0.5 * (_NODES + 1.0), 0.5 * _WEIGHTS


@dataclass(frozen=True)
class Case:
    order: int
    light: float
    far: float
    coupled: float  # ω_c H
    slow: float = 0.0  # ω_s H
    residual: bool = True

    @property
    def k(self):
        """The spring with which ω_c is that of both masses in free space."""
        return self.coupled**2 / (1.0 / (1.0 + self.light) + 1.0 / self.far)

    def radius(self):
        """By how much an error grows in a window."""
        columns = [self._next(y) for y in np.eye(6 + self.order)]
        return np.abs(np.linalg.eigvals(np.array(columns).T)).max()

    def _next(self, y):
        """x, v; by how much the stand-in is ahead; the far mass; g."""
        x, v, ahead, rate, *far = y[:6]
        g = foretelling.continued(y[6:, None], 1.0)
        line = foretelling.closing(np.array([ahead]), np.array([rate]), 1.0)
        path = (Signal(g) + Signal(line)).coefficients.ravel()
        end, f = self._inside([x + ahead, v + rate, *far], path)
        told = moments.polynomial(f).ravel()
        there = self._slow(np.array([x, v]), told)
        free = told.sum() - self.slow**2 * there[0]
        stands = g.sum() + (told.sum() if self.residual else 0.0)
        levels = np.array([end[0] - there[0], end[1] - there[1], stands - free])
        apart = levels[list(foretelling.LEVELS[self.order]), None]
        new = foretelling.corrected(g, apart).ravel()
        return np.array([*there, *levels[:2], *end[2:], *new])

    def _inside(self, start, path):
        """Stand-in and fast part under a path; their end, and moments of the load."""
        size, n = 4 + len(path), len(path)
        A = np.zeros((size, size))
        A[0, 1] = A[2, 3] = 1.0
        A[3, [0, 2]] = np.array([1.0, -1.0]) * self.k / self.far
        m = 1.0 + self.light if self.residual else np.inf
        A[1, [0, 2]] = np.array([-1.0, 1.0]) * self.k / m
        A[1, 4:] = path / (m if self.residual else 1.0)
        A[range(5, size), range(4, size - 1)] = np.arange(1, n)
        y0 = np.array([*start, 1.0, *np.zeros(n - 1)])
        found = moments.nothing(1)
        for s, w in zip(_NODES, _WEIGHTS, strict=True):
            y = expm(A * s) @ y0
            load = -self.light * (A[1] @ y) - self.k * (y[0] - y[2])
            found = found + w * load * _legendre(s)
        return (expm(A) @ y0)[:4], found

    def _slow(self, y, told):
        """x, v of the slow mass under the load that it is told."""
        n = len(told)
        A = np.zeros((2 + n, 2 + n))
        A[0, 1], A[1, 0] = 1.0, -(self.slow**2)
        A[1, 2:] = told
        A[range(3, 2 + n), range(2, 1 + n)] = np.arange(1, n)
        end = expm(A) @ np.array([*y, 1.0, *np.zeros(n - 1)])
        return end[:2]


def _legendre(s):
    """P₀ … P₃ on [0, 1]."""
    P = np.polynomial.legendre.legvander(np.array([2.0 * s - 1.0]), 3)
    return P.T
