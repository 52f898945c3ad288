"""The double pendulum all at once: Lagrange's equations in two angles, no gluing.

Writes reference.csv beside this file: wang2003, Example 2, every 0.01 s for 3 s, from
scipy's DOP853 at rtol 1e-12. It shares no line with the models it is compared with.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp

m1, m2 = 10.0, 20.0  # kg
L1, L2 = 1.0, 2.0  # m
HEADER = (
    "t,joint.A.Fx,joint.A.Fy,upper.angle,lower.angle,"
    "lower.com.x,lower.com.y,lower.com.vx,lower.com.vy"
)


def accelerations(t: float, q: Any, w: Any) -> Any:
    """Angles from the downward vertical; uniform rods, torque on the upper one."""
    c = 0.5 * m2 * L1 * L2 * np.cos(q[0] - q[1])
    s = 0.5 * m2 * L1 * L2 * np.sin(q[0] - q[1])
    M = np.array([[(m1 / 3 + m2) * L1**2, c], [c, m2 * L2**2 / 3]])
    torque = -200.0 * np.sin(2.0 * np.pi * t)
    return np.linalg.solve(M, [torque - s * w[1] ** 2, s * w[0] ** 2])


def signals(t: float, y: Any) -> list[float]:
    """One row of the table; F acts on the upper bar, so the lower one feels -F."""
    q, w = y[:2], y[2:]
    arm = np.array([L1, L2 / 2])
    s, c = arm * np.sin(q), arm * np.cos(q)
    a = accelerations(t, q, w)
    ax, ay = (c * a - s * w**2).sum(), (s * a + c * w**2).sum()
    Fx, Fy = -m2 * ax, -m2 * ay
    return [t, Fx, Fy, *q, s.sum(), -c.sum(), (c * w).sum(), (s * w).sum()]


def table() -> Any:
    """All rows."""
    t = np.round(np.arange(301) * 0.01, 2)
    found = solve_ivp(
        lambda t, y: [*y[2:], *accelerations(t, y[:2], y[2:])],
        (0.0, 3.0),
        np.zeros(4),
        method="DOP853",
        t_eval=t,
        rtol=1e-12,
        atol=1e-13,
        max_step=0.005,
    )
    return np.array([signals(t, y) for t, y in zip(found.t, found.y.T, strict=True)])


if __name__ == "__main__":
    rows = [",".join(f"{x:.13g}" for x in row + 0.0) for row in table()]
    path = Path(__file__).with_name("reference.csv")
    path.write_text("\n".join([HEADER, *rows, ""]), encoding="utf-8")
