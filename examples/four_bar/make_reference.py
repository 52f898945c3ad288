"""The four-bar linkage all at once: six coordinates, one loop, two multipliers.

Writes reference.csv beside this file: wang2003, Example 3, every 5 ms for 1.5 s, from
scipy's DOP853. Inertia comes from points along the bars (d'Alembert), not from the
closed forms of the models it is compared with: it shares no line with them.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp

MASS, LENGTH = (10.0, 20.0, 5.0), (1.0, 2.0, 1.0)  # kg, m
D = np.array([2.0, 0.0])  # m
RADIUS, E, RATIO = 0.015, 210e9, 0.1  # m, Pa, 1
EA, EI = E * np.pi * RADIUS**2, E * np.pi * RADIUS**4 / 4
K = np.array([EA / 8, EI * np.pi**2 / 2, EI * np.pi**2 * 8]) * np.pi**2  # for 1 m
DAMPING = 2 * RATIO * np.sqrt(K * MASS[2] / 2)
STABLE = 100.0  # 1/s: holds the loop closed against round-off
START = np.array([0.3, 0.0, 0.3, 0.0, 0.0, 0.0, -2.0, 0.0, -2.0, 0.0, 0.0, 0.0])
HEADER = (
    "t,joint.C.Fx,joint.C.Fy,crank.crank.angle,crank.coupler.angle,rocker.angle,"
    "rocker.q1,rocker.q2,rocker.q3,rocker.C.x,rocker.C.y,rocker.C.vx,rocker.C.vy"
)

N = 12  # points a bar
_x, _w = np.polynomial.legendre.leggauss(N)
s = 0.5 * (_x + 1.0)
dm = np.outer(MASS, 0.5 * _w).ravel()[:, None, None]
S = np.sin(np.pi * np.outer([0.5, 1.0, 2.0], s))  # wang2003 (51)


def axes(angle: float) -> Any:
    """Along and across a bar."""
    c, n = np.cos(angle), np.sin(angle)
    return np.array([c, n]), np.array([-n, c])


def points(q: Any, p: Any) -> Any:
    """J = ∂x/∂q of every point, and its acceleration without q''."""
    (a, na), (b, nb), (c, nc) = (axes(angle) for angle in q[:3])
    J, bias = np.zeros((3, N, 2, 6)), np.zeros((3, N, 2))
    J[0, :, :, 0], J[1, :, :, 0] = np.outer(LENGTH[0] * s, na), LENGTH[0] * na
    J[1, :, :, 1] = np.outer(LENGTH[1] * s, nb)
    bias[0] = np.outer(-LENGTH[0] * s * p[0] ** 2, a)
    bias[1] = -LENGTH[0] * p[0] ** 2 * a + np.outer(-LENGTH[1] * s * p[1] ** 2, b)
    along, across = LENGTH[2] * s + S[0] * q[3], q[4:] @ S[1:]
    J[2, :, :, 2] = np.outer(along, nc) - np.outer(across, c)
    J[2, :, :, 3], J[2, :, :, 4] = np.outer(S[0], c), np.outer(S[1], nc)
    J[2, :, :, 5] = np.outer(S[2], nc)
    out, up = -(p[2] ** 2) * along, -(p[2] ** 2) * across
    out, up = out - 2 * p[2] * (p[4:] @ S[1:]), up + 2 * p[2] * p[3] * S[0]
    bias[2] = np.outer(out, c) + np.outer(up, nc)
    return J.reshape(3 * N, 2, 6), bias.reshape(3 * N, 2, 1)


def loop(q: Any, p: Any) -> Any:
    """The gap at C, ∂gap/∂q, and gap'' without q''."""
    (a, na), (b, nb), (c, nc) = (axes(angle) for angle in q[:3])
    reach = LENGTH[2] + q[3]
    gap = LENGTH[0] * a + LENGTH[1] * b - D - reach * c
    zero = np.zeros(2)
    B = np.stack([LENGTH[0] * na, LENGTH[1] * nb, -reach * nc, -c, zero, zero], axis=1)
    bias = -LENGTH[0] * p[0] ** 2 * a - LENGTH[1] * p[1] ** 2 * b
    return gap, B, bias + reach * p[2] ** 2 * c - 2 * p[2] * p[3] * nc


def accelerations(t: float, y: Any) -> Any:
    """q'' and the force F at C, which acts on the coupler."""
    q, p = y[:6], y[6:]
    (J, bias), (gap, B, bend) = points(q, p), loop(q, p)
    flat, heavy = J.reshape(-1, 6), (dm * J).reshape(-1, 6)
    load = -heavy.T @ bias.ravel()
    load[0] += -1000.0 * t if t < 0.1 else -100.0
    load[3:] -= K * q[3:] + DAMPING * p[3:]
    matrix = np.block([[heavy.T @ flat, -B.T], [B, np.zeros((2, 2))]])
    closing = -bend - 2 * STABLE * (B @ p) - STABLE**2 * gap
    return np.split(np.linalg.solve(matrix, np.concatenate([load, closing])), [6])


def solve(t: Any) -> Any:
    """Rows (q, q') at the instants `t`, which begin at 0; the torque kinks at 0.1."""
    rows, y, begin = [START], START, 0.0
    for end in (0.1, float(t[-1])):
        asked = t[(t > begin) & (t <= end)]
        if end <= begin:
            break
        done = solve_ivp(
            lambda t, y: np.concatenate([y[6:], accelerations(t, y)[0]]),
            (begin, end),
            y,
            method="DOP853",
            t_eval=np.append(asked, [] if asked[-1] == end else [end]),
            rtol=1e-10,
            atol=1e-13,
        )
        rows += list(done.y.T[: len(asked)])
        y, begin = done.y[:, -1], end
    return np.array(rows)


def signals(t: float, y: Any) -> list[float]:
    """One row of the table."""
    (c, nc), reach = axes(y[2]), LENGTH[2] + y[3]
    x, v = D + reach * c, y[9] * c + reach * y[8] * nc
    return [t, *accelerations(t, y)[1], *y[:6], *x, *v]


def table(t: Any) -> Any:
    """All signals at the instants `t`."""
    return np.array([signals(t, y) for t, y in zip(t, solve(t), strict=True)])


if __name__ == "__main__":
    rows = table(np.round(np.arange(301) * 0.005, 3))
    text = [",".join(f"{x:.13g}" for x in row + 0.0) for row in rows]
    path = Path(__file__).with_name("reference.csv")
    path.write_text("\n".join([HEADER, *text, ""]), encoding="utf-8")
