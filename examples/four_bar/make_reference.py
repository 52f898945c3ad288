"""The four-bar linkage all at once: six coordinates, one loop, two multipliers.

Writes reference.csv beside this file: wang2003, Example 3, every 5 ms for 1.5 s, from
scipy's DOP853; and reference_reduced.csv, with the third bar of the paper's benchmark.
Inertia comes from points on the bars (d'Alembert), not from the closed forms of the
models it is compared with, and the ten beam elements are written out below: it shares
no line with them.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp
from scipy.linalg import eigh

MASS, LENGTH = (10.0, 20.0, 5.0), (1.0, 2.0, 1.0)  # kg, m
D = np.array([2.0, 0.0])  # m
RADIUS, E, RATIO = 0.015, 210e9, 0.1  # m, Pa, 1
EA, EI = E * np.pi * RADIUS**2, E * np.pi * RADIUS**4 / 4
STABLE = 100.0  # 1/s: holds the loop closed against round-off
START = np.array([0.3, 0.0, 0.3, 0.0, 0.0, 0.0, -2.0, 0.0, -2.0, 0.0, 0.0, 0.0])
HEADER = (
    "t,joint.C.Fx,joint.C.Fy,crank.A.angle,crank.B.angle,third.D.angle,"
    "third.a1,third.a2,third.a3,joint.C.x,joint.C.y,joint.C.vx,joint.C.vy"
)

N = 12  # points a rigid bar
_x, _w = np.polynomial.legendre.leggauss(N)
s = 0.5 * (_x + 1.0)
dm = np.outer(MASS[:2], 0.5 * _w).ravel()


@dataclass(frozen=True)
class Bar:
    """The third bar as points, and how three modes of unit mass move them.

    `U` are displacements along it, `V` across it (modes × points), `tip` is U at C.
    """

    dm: Any
    at: Any
    U: Any
    V: Any
    tip: Any
    K: Any
    damping: float = RATIO

    @property
    def D(self) -> Any:
        """Of the modes."""
        return 2 * self.damping * np.sqrt(self.K)


def assumed(damping: float = RATIO) -> Bar:
    """wang2003 (51), on the axis."""
    S = np.sin(np.pi * np.outer([0.5, 1.0, 2.0], s)) * np.sqrt(2 / MASS[2])
    U, V = S * [[1], [0], [0]], S * [[0], [1], [1]]
    K = np.array([EA / 8, EI * np.pi**2 / 2, EI * np.pi**2 * 8]) * np.pi**2 / 2.5
    tip = np.array([np.sqrt(2 / MASS[2]), 0.0, 0.0])
    at = np.array([s, 0 * s])
    return Bar(MASS[2] * 0.5 * _w, at, U, V, tip, K, damping)


def reduced(damping: float = RATIO, elements: int = 10) -> Bar:
    """Ten beam elements with rotary inertia, two bending modes; stretched evenly."""
    x, w = np.polynomial.legendre.leggauss(6)
    z, h = 0.5 * (x + 1), LENGTH[2] / elements
    one, count = _hermite(z, h), 2 * (elements + 1)
    v, dv, ddv = np.zeros((3, elements, len(z), count))
    for k in range(elements):
        for all_, own in zip((v, dv, ddv), one, strict=True):
            all_[k, :, 2 * k : 2 * k + 4] = own
    v, dv, ddv = (each.reshape(-1, count) for each in (v, dv, ddv))
    free = [k for k in range(count) if k not in (0, count - 2)]
    weight = np.tile(0.5 * w * h, elements)[:, None] / LENGTH[2]
    turning = (RADIUS / 2) ** 2  # radius of gyration, squared
    M = MASS[2] * (v.T @ (weight * v) + turning * dv.T @ (weight * dv))
    K = EI * LENGTH[2] * ddv.T @ (weight * ddv)
    squares, Y = eigh(K[np.ix_(free, free)], M[np.ix_(free, free)])
    bend, tilt = (each[:, free] @ Y[:, :2] for each in (v, dv))
    along = (np.arange(elements)[:, None] + z).ravel() * h
    pull = along * np.sqrt(3 / MASS[2])
    # each section is two points at its radius of gyration, above and below the axis
    dm, at, U, V = [], [], [], []
    for eta in (RADIUS / 2, -RADIUS / 2):
        dm.append(0.5 * MASS[2] * weight.ravel())
        at.append([along, np.full(len(along), eta)])
        U.append(np.vstack([-eta * tilt.T, pull]))
        V.append(np.vstack([bend.T, 0 * pull]))
    tip = np.array([0.0, 0.0, np.sqrt(3 / MASS[2])])
    K3 = np.append(squares[:2], 3 * EA / MASS[2] / LENGTH[2])
    every = (np.hstack(each) for each in (dm, at, U, V))
    return Bar(*every, tip, K3, damping)


def _hermite(z: Any, h: float) -> Any:
    """Cubic shapes of an element and two derivatives: points × 4."""
    one, zero = np.ones_like(z), np.zeros_like(z)
    powers = ([one, z, z**2, z**3], [zero, one, 2 * z, 3 * z**2])
    powers = (*powers, [zero, zero, 2 * one, 6 * z])
    C = [[1, 0, 0, 0], [0, h, 0, 0], [-3, -2 * h, 3, -h], [2, h, -2, h]]
    return [np.stack(p, axis=1) @ np.array(C) / h**d for d, p in enumerate(powers)]


def axes(angle: float) -> Any:
    """Along and across a bar."""
    c, n = np.cos(angle), np.sin(angle)
    return np.array([c, n]), np.array([-n, c])


def points(bar: Bar, q: Any, p: Any) -> Any:
    """J = ∂x/∂q of every point, and its acceleration without q''."""
    (a, na), (b, nb), (c, nc) = (axes(angle) for angle in q[:3])
    J, bias = np.zeros((2, N, 2, 6)), np.zeros((2, N, 2))
    J[0, :, :, 0], J[1, :, :, 0] = np.outer(LENGTH[0] * s, na), LENGTH[0] * na
    J[1, :, :, 1] = np.outer(LENGTH[1] * s, nb)
    bias[0] = np.outer(-LENGTH[0] * s * p[0] ** 2, a)
    bias[1] = -LENGTH[0] * p[0] ** 2 * a + np.outer(-LENGTH[1] * s * p[1] ** 2, b)
    along, across = bar.at + np.array([q[3:] @ bar.U, q[3:] @ bar.V])
    third = np.zeros((len(along), 2, 6))
    third[:, :, 2] = np.outer(along, nc) - np.outer(across, c)
    for k in range(3):
        third[:, :, 3 + k] = np.outer(bar.U[k], c) + np.outer(bar.V[k], nc)
    out = -(p[2] ** 2) * along - 2 * p[2] * (p[3:] @ bar.V)
    up = -(p[2] ** 2) * across + 2 * p[2] * (p[3:] @ bar.U)
    J = np.concatenate([J.reshape(-1, 2, 6), third])
    last = np.outer(out, c) + np.outer(up, nc)
    return J, np.concatenate([bias.reshape(-1, 2), last])[:, :, None]


def loop(bar: Bar, q: Any, p: Any) -> Any:
    """The gap at C, ∂gap/∂q, and gap'' without q''."""
    (a, na), (b, nb), (c, nc) = (axes(angle) for angle in q[:3])
    reach, rate = LENGTH[2] + bar.tip @ q[3:], bar.tip @ p[3:]
    gap = LENGTH[0] * a + LENGTH[1] * b - D - reach * c
    B = np.stack([LENGTH[0] * na, LENGTH[1] * nb, -reach * nc], axis=1)
    B = np.hstack([B, -np.outer(c, bar.tip)])
    bias = -LENGTH[0] * p[0] ** 2 * a - LENGTH[1] * p[1] ** 2 * b
    return gap, B, bias + reach * p[2] ** 2 * c - 2 * p[2] * rate * nc


def accelerations(bar: Bar, t: float, y: Any) -> Any:
    """q'' and the force F at C, which acts on the coupler."""
    q, p = y[:6], y[6:]
    (J, bias), (gap, B, bend) = points(bar, q, p), loop(bar, q, p)
    mass = np.concatenate([dm, bar.dm])[:, None, None]
    flat, heavy = J.reshape(-1, 6), (mass * J).reshape(-1, 6)
    load = -heavy.T @ bias.ravel()
    load[0] += -1000.0 * t if t < 0.1 else -100.0
    load[3:] -= bar.K * q[3:] + bar.D * p[3:]
    matrix = np.block([[heavy.T @ flat, -B.T], [B, np.zeros((2, 2))]])
    closing = -bend - 2 * STABLE * (B @ p) - STABLE**2 * gap
    return np.split(np.linalg.solve(matrix, np.concatenate([load, closing])), [6])


def solve(bar: Bar, t: Any) -> Any:
    """Rows (q, q') at the instants `t`, which begin at 0; the torque kinks at 0.1."""
    rows, y, begin = [START], START, 0.0
    for end in (0.1, float(t[-1])):
        asked = t[(t > begin) & (t <= end)]
        if end <= begin:
            break
        done = solve_ivp(
            lambda t, y: np.concatenate([y[6:], accelerations(bar, t, y)[0]]),
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


def signals(bar: Bar, t: float, y: Any) -> list[float]:
    """One row of the table; the coupler's angle counts from the crank."""
    (c, nc), reach = axes(y[2]), LENGTH[2] + bar.tip @ y[3:6]
    x, v = D + reach * c, (bar.tip @ y[9:]) * c + reach * y[8] * nc
    force = accelerations(bar, t, y)[1]
    return [t, *force, y[0], y[1] - y[0], *y[2:6], *x, *v]


def table(t: Any, bar: Bar | None = None) -> Any:
    """All signals at the instants `t`; by assumed modes unless told."""
    bar = bar or assumed()
    return np.array([signals(bar, t, y) for t, y in zip(t, solve(bar, t), strict=True)])


if __name__ == "__main__":
    for bar, name in (
        (assumed(), "reference.csv"),
        (reduced(), "reference_reduced.csv"),
    ):
        rows = table(np.round(np.arange(301) * 0.005, 3), bar)
        text = [",".join(f"{x:.13g}" for x in row + 0.0) for row in rows]
        path = Path(__file__).with_name(name)
        path.write_text("\n".join([HEADER, *text, ""]), encoding="utf-8")
