"""The spatial pendulum all at once: two angles, Kane's equations, no gluing.

Writes reference.csv beside this file: every 0.01 s for 2 s, from scipy's DOP853 at
rtol 1e-12. It shares no line with the models it is compared with.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp

m1, I1 = 3.0, np.diag([0.01, 0.25, 0.25])  # kg, kg m^2 in body axes
m2, I2 = 1.5, np.diag([0.125, 0.005, 0.125])
ELBOW, MIDDLE = np.array([1.0, 0.0, 0.0]), np.array([0.5, 0.0, 0.0])
ARM = np.array([0.0, 0.5, 0.0])  # from the elbow to the centre of the lower rod
G = np.array([0.0, 0.0, -9.81])
HEIGHT = 2.0  # of the pivot
X, Y = np.eye(3)[:2]
HEADER = (
    "t,upper.com.x,upper.com.z,lower.com.x,lower.com.y,lower.com.z,"
    "upper.spin.y,lower.spin.x,lower.spin.y,lower.spin.z"
)


def turns(q: Any) -> tuple[Any, Any]:
    """Rotations of both rods: q[0] about y, then q[1] about the upper rod."""
    (c, s), (d, e) = ((np.cos(a), np.sin(a)) for a in q)
    R1 = np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]])
    return R1, R1 @ np.array([[1.0, 0.0, 0.0], [0.0, d, -e], [0.0, e, d]])


def accelerations(q: Any, u: Any) -> Any:
    """q'' from the speeds u: each rod's forces and moments along its partial speeds."""
    R1, R2 = turns(q)
    axis, elbow, middle, arm = R1 @ X, R1 @ ELBOW, R1 @ MIDDLE, R2 @ ARM
    w1, w2 = Y * u[0], Y * u[0] + axis * u[1]
    bent = np.cross(w1, axis * u[1])  # spin rate of the lower rod where q'' = 0
    zero = np.zeros(3)
    rods = (
        (m1, R1 @ I1 @ R1.T, w1, zero, np.cross(w1, np.cross(w1, middle)),
         (np.cross(Y, middle), zero), (Y, zero)),
        (m2, R2 @ I2 @ R2.T, w2, bent,
         np.cross(w1, np.cross(w1, elbow)) + np.cross(bent, arm)
         + np.cross(w2, np.cross(w2, arm)),
         (np.cross(Y, elbow + arm), np.cross(axis, arm)), (Y, axis)),
    )  # fmt: skip
    M, f = np.zeros((2, 2)), np.zeros(2)
    for m, inertia, w, alpha, a, speeds, spins in rods:
        V, W = np.array(speeds), np.array(spins)
        M += m * V @ V.T + W @ inertia @ W.T
        f += V @ (m * (G - a)) - W @ (inertia @ alpha + np.cross(w, inertia @ w))
    return np.linalg.solve(M, f)


def signals(t: float, y: Any) -> list[float]:
    """One row of the table."""
    q, u = y[:2], y[2:]
    R1, R2 = turns(q)
    upper, lower = R1 @ MIDDLE, R1 @ ELBOW + R2 @ ARM
    spin = Y * u[0] + R1 @ X * u[1]
    upper[2] += HEIGHT
    lower[2] += HEIGHT
    return [t, upper[0], upper[2], *lower, u[0], *spin]


def table() -> Any:
    """All rows."""
    t = np.round(np.arange(201) * 0.01, 2)
    found = solve_ivp(
        lambda t, y: [*y[2:], *accelerations(y[:2], y[2:])],
        (0.0, 2.0),
        np.zeros(4),
        method="DOP853",
        t_eval=t,
        rtol=1e-12,
        atol=1e-13,
    )
    return np.array([signals(t, y) for t, y in zip(found.t, found.y.T, strict=True)])


if __name__ == "__main__":
    rows = [",".join(f"{x:.13g}" for x in row + 0.0) for row in table()]
    path = Path(__file__).with_name("reference.csv")
    path.write_text("\n".join([HEADER, *rows, ""]), encoding="utf-8")
