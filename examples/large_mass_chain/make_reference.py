"""The mass-spring example all at once: eleven masses in a row, no gluing.

Writes reference.csv beside this file, every 2 ms for 1 s, from scipy's DOP853 at rtol
1e-11. It shares no line with the models it is compared with.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp

g, k, c, d0 = 9.81, 4e5, 10.0, 0.005
m = np.full(11, 0.4)
m[[0, -1]] = 0.2
own = np.array([20.0, 15.0])  # the masses of the multibody model
spring, damper = np.array([2e4, 1.5e4]), np.array([100.0, 80.0])
HEADER = (
    "t,mass_a.x,mass_b.x,mass_a.v,mass_b.v,large_mass.middle.x,joint.a.Fx,joint.b.Fx"
)


def inner(u: Any, v: Any) -> Any:
    """Forces of the springs, on the side of the masses' inertia."""
    d, rate = np.diff(u), np.diff(v)
    N = k * d * (1.0 + (d / d0) ** 2) + c * rate
    f = np.zeros(11)
    f[:-1] -= N
    f[1:] += N
    return f


def accelerations(t: float, u: Any, v: Any) -> Any:
    """All masses; the chain's ends move with the masses of the multibody model."""
    f = -inner(u, v) - m * g
    f[[0, -1]] -= spring * u[[0, -1]] + damper * v[[0, -1]] + own * g
    f[0] += 2000.0 * np.sin(2.0 * np.pi * 4.0 * t)
    heavy = m.copy()
    heavy[[0, -1]] += own
    return f / heavy


def signals(t: float, y: Any) -> list[float]:
    """One row of the table; joint forces act on the masses."""
    u, v = y[:11], y[11:]
    ends = [0, -1]
    F = -(inner(u, v) + m * g + m * accelerations(t, u, v))[ends]
    return [t, *u[ends], *v[ends], u[5], *F]


def table() -> Any:
    """All rows."""
    t = np.round(np.arange(501) * 0.002, 3)
    found = solve_ivp(
        lambda t, y: np.concatenate([y[11:], accelerations(t, y[:11], y[11:])]),
        (0.0, 1.0),
        np.zeros(22),
        method="DOP853",
        t_eval=t,
        rtol=1e-11,
        atol=1e-13,
        max_step=2e-4,
    )
    return np.array([signals(t, y) for t, y in zip(found.t, found.y.T, strict=True)])


if __name__ == "__main__":
    rows = [",".join(f"{x:.13g}" for x in row + 0.0) for row in table()]
    Path(__file__).with_name("reference.csv").write_text(
        "\n".join([HEADER, *rows]) + "\n", encoding="utf-8"
    )
