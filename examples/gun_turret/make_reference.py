"""The gun-turret in closed form: six coordinates, no multibody code.

Writes reference.csv beside this file: kim2000, section 5, every 5 ms for 1 s, from
scipy's DOP853 at rtol 1e-13. The mass matrix is written out below, and what velocities
do follows from its derivatives (Lagrange). It shares no line with the model it is
compared with.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

g, m, L = 9.81, 1175.0, 5.3  # m/s², kg, m
EI = 2.07e11 * 0.00011430615952819099  # N m²
clamp, p = 0.25203222937948677, 1.2  # m: ahead of the trunnions, of the turret's axis
J_mount = 900.0  # kg m²
J_yaw = 32000.0 + 2600.0 * p**2 + J_mount  # kg m²
HEADER = (
    "t,turret.angle,gun.elevation,gun.av1,gun.av2,gun.ah1,gun.ah2,"
    "muzzle.x,muzzle.y,muzzle.z"
)

roots = np.array(
    [brentq(lambda x: np.cos(x) * np.cosh(x) + 1, *ends) for ends in ((1, 3), (4, 6))]
)
sigma = (np.sinh(roots) - np.sin(roots)) / (np.cosh(roots) + np.cos(roots))
omega2 = EI * L / m * (roots / L) ** 4
I0 = np.sqrt(m) * 2 * sigma / roots  # ∫ φ dm
I1 = clamp * I0 + np.sqrt(m) * L * 2 / roots**2  # ∫ X φ dm
S1 = m * (clamp + L / 2)  # ∫ X dm
J = m * (clamp**2 + clamp * L + L**2 / 3)  # ∫ X² dm
muzzle = np.array([2.0, -2.0]) / np.sqrt(m)  # φ(L)


def mass(q: Any) -> Any:
    """M of the coordinates: two angles, two modes up, two sideways."""
    c, s, v, h = np.cos(q[1]), np.sin(q[1]), q[2:4], q[4:6]
    M = np.eye(6, dtype=q.dtype)
    M[0, 0] = (
        J_yaw + h @ h + p * p * m + c * c * J + s * s * (v @ v)
        + 2 * (p * c * S1 + p * s * (I0 @ v) + c * s * (I1 @ v))
    )  # fmt: skip
    M[0, 1] = M[1, 0] = -c * (h @ v) + s * (I1 @ h)
    M[1, 1] = J_mount + J + v @ v
    M[0, 2:4] = M[2:4, 0] = -s * h
    M[0, 4:6] = M[4:6, 0] = p * I0 + c * I1 + s * v
    M[1, 2:4] = M[2:4, 1] = -I1
    return M


def forces(t: float, q: Any) -> Any:
    """Torques (43), (44), weight, springs."""
    c, s, beat = np.cos(q[1]), np.sin(q[1]), np.sin(2 * np.pi * t)
    f = np.zeros(6)
    f[0] = -45500.0 * beat
    f[1] = 17600.0 * beat - 33451.0 + g * (c * S1 + s * (I0 @ q[2:4]))
    f[2:4] = -g * c * I0 - omega2 * q[2:4]
    f[4:6] = -omega2 * q[4:6]
    return f


def rate(t: float, y: Any) -> Any:
    """y' of y = (q, q')."""
    q, u = y[:6], y[6:]
    steps = 1e-30j * np.eye(6)
    dM = np.array([mass(q + step).imag / 1e-30 for step in steps])  # ∂M/∂qₖ
    velocity = np.einsum("kij,k,j->i", dM, u, u) - 0.5 * np.einsum("kij,i,j", dM, u, u)
    return np.concatenate([u, np.linalg.solve(mass(q), forces(t, q) - velocity)])


def place(q: Any) -> Any:
    """Of the muzzle."""
    x, z, y = clamp + L, muzzle @ q[2:4], muzzle @ q[4:6]
    c, s = np.cos(q[1]), np.sin(q[1])
    ahead = p + c * x + s * z
    C, S = np.cos(q[0]), np.sin(q[0])
    return [C * ahead - S * y, S * ahead + C * y, -s * x + c * z]


if __name__ == "__main__":
    times = np.arange(201) * 0.005
    made = solve_ivp(
        rate, (0.0, 1.0), np.zeros(12), "DOP853", times, rtol=1e-13, atol=1e-15
    )
    rows = [[t, *y[:6], *place(y[:6])] for t, y in zip(made.t, made.y.T, strict=True)]
    table = Path(__file__).with_name("reference.csv")
    np.savetxt(table, rows, "%.13g", ",", header=HEADER, comments="")
