"""The slider-crank once more: a rod of points with mass, one condition, DOP853.

Independent of the multibody leaf, and slow (half a minute).
"""

from __future__ import annotations

import numpy as np
from scipy.integrate import solve_ivp

from bondline.core import Vector
from tests.cases.ladder.slider_crank import (
    CRANK,
    RATES,
    RHO,
    ROD,
    SIDE,
    SLIDER,
    SPEED,
    START,
    shapes,
    stiffness,
)

_x, _w = np.polynomial.legendre.leggauss(16)
_X, _DM = (_x + 1.0) / 2.0, RHO * SIDE**2 * ROD * _w / 2.0
_PHI = np.moveaxis(shapes(_X)[..., [0, 2]], 0, -1)  # points × 2 × modes
_S = np.stack([ROD * _X, 0.0 * _X], axis=1)
_THICK = _DM.sum() * SIDE**2 / 12.0


def rates(t: float, y: Vector) -> Vector:
    """Of the rod's angle, its modes, and their rates."""
    phi, q, spin, dq = y[0], y[1:5], y[5], y[6:]
    R = np.array([[np.cos(phi), -np.sin(phi)], [np.sin(phi), np.cos(phi)]])
    p, v = _S + _PHI @ q, _PHI @ dq
    J = np.concatenate([_quarter(p)[:, :, None], _PHI], axis=2)
    M = np.einsum("n,nia,nib->ab", _DM, J, J)
    M[0, 0] += _THICK
    turn = SPEED * t
    pin = -(SPEED**2) * CRANK * np.array([np.cos(turn), np.sin(turn)])
    bias = pin @ R - spin**2 * p + 2.0 * spin * _quarter(v)
    f = -np.einsum("n,nia,ni->a", _DM, J, bias)
    f[1:] -= stiffness() @ q
    end = np.array([[ROD + q[3], 0.0]])
    slides = R @ np.c_[_quarter(end)[0], np.zeros((2, 3)), [1.0, 0.0]]
    away = -(spin**2) * end + 2.0 * spin * _quarter(np.array([[dq[3], 0.0]]))
    more = pin + R @ away[0]
    M += SLIDER * np.outer(slides[0], slides[0])
    f -= SLIDER * slides[0] * more[0]
    A = np.block([[M, slides[1:].T], [slides[1:], np.zeros((1, 1))]])
    return np.r_[spin, dq, np.linalg.solve(A, np.r_[f, -more[1]])[:5]]


def _quarter(v: Vector) -> Vector:
    """Turned by a right angle."""
    return np.stack([-v[:, 1], v[:, 0]], axis=1)


def found(tolerance: float = 1e-9) -> dict[str, float]:
    """All coordinates at 0.1 s."""
    start = np.r_[START[1], START[3:], RATES[1], RATES[3:]]
    done = solve_ivp(
        rates, (0.0, 0.1), start, "DOP853", rtol=tolerance, atol=1e-4 * tolerance
    )
    phi, *q = done.y[:5, -1].tolist()
    x = CRANK * np.cos(0.1 * SPEED) + (ROD + q[3]) * np.cos(phi)
    return {"phi2": phi, "x3": float(x), **{f"q{k + 1}": v for k, v in enumerate(q)}}
