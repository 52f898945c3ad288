"""The double pendulum as one model: two angles, Lagrange's equations, DOP853.

Written without a line of Bondline, so that agreement means something.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.integrate import solve_ivp


@dataclass(frozen=True)
class Pendulum:
    """Uniform bars; angles from the downward vertical; torque·sin(2πt) on the first."""

    m1: float = 10.0
    m2: float = 20.0
    l1: float = 1.0
    l2: float = 2.0
    start: tuple[float, float] = (0.0, 0.0)
    g: float = 0.0
    torque: float = -200.0

    def accelerations(self, t, a, b, p, q):
        m1, m2, l1, l2, g = self.m1, self.m2, self.l1, self.l2, self.g
        c, s = np.cos(a - b), np.sin(a - b)
        M11, M12, M22 = (m1 / 3 + m2) * l1**2, m2 * l1 * l2 / 2 * c, m2 * l2**2 / 3
        k = m2 * l1 * l2 / 2 * s
        r1 = self.torque * np.sin(2 * np.pi * t) - k * q**2
        r1 = r1 - (m1 / 2 + m2) * g * l1 * np.sin(a)
        r2 = k * p**2 - m2 * g * l2 / 2 * np.sin(b)
        det = M11 * M22 - M12**2
        return (M22 * r1 - M12 * r2) / det, (M11 * r2 - M12 * r1) / det

    def solve(self, times):
        """Everything at `times`, by the names that Bondline exports."""

        def rate(t, y):
            return [y[2], y[3], *self.accelerations(t, *y)]

        span = (0.0, float(times[-1]))
        done = solve_ivp(
            rate, span, [*self.start, 0, 0], "DOP853", times, rtol=1e-12, atol=1e-13
        )
        return self.signals(times, *done.y)

    def signals(self, t, a, b, p, q):
        l1, h = self.l1, self.l2 / 2
        da, db = self.accelerations(t, a, b, p, q)
        ax = l1 * (da * np.cos(a) - p**2 * np.sin(a))
        ax = ax + h * (db * np.cos(b) - q**2 * np.sin(b))
        ay = l1 * (da * np.sin(a) + p**2 * np.cos(a))
        ay = ay + h * (db * np.sin(b) + q**2 * np.cos(b))
        return {
            "joint.A.Fx": -self.m2 * ax,  # on the first bar
            "joint.A.Fy": -self.m2 * (ay + self.g),
            "upper.angle": a,
            "lower.angle": b,
            "lower.com.x": l1 * np.sin(a) + h * np.sin(b),
            "lower.com.y": -l1 * np.cos(a) - h * np.cos(b),
            "lower.com.vx": l1 * p * np.cos(a) + h * q * np.cos(b),
            "lower.com.vy": l1 * p * np.sin(a) + h * q * np.sin(b),
        }
