"""Modes from an ordinary record of inputs and outputs, by regression.

    y_n = Σ a_i y_n−i + Σ b_i u_n−i,   i = 1 … p of y, 0 … p of u              (1)

A linear model of p states obeys (1) exactly, whatever moved it; the roots of
z^p − a_1 z^(p−1) − … are its poles.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bondline.numerics.identify.poles import Found, from_step

Floats = NDArray[np.float64]


def arx(u: Floats, y: Floats, h: float, order: int) -> Found:
    """Modes from inputs u (steps × inputs) and outputs y (steps × outputs).

    All outputs share the a_i of (1): the poles belong to the model.
    """
    return from_step(step_poles(u, y, order), h)


def step_poles(
    u: Floats, y: Floats, order: int, rest: bool = False
) -> NDArray[np.complex128]:
    """The roots of (1) as they are; none where the record is too short, or all zeros.

    `rest`: before the record nothing moved. Then (1) holds from its first instant on,
    which tells a model apart from what it is glued to: later on the forces follow from
    the motion, and many models obey the same record.
    """
    if len(y) <= 2 * order:
        return np.zeros(0, dtype=np.complex128)
    u, y = _unit(u), _unit(y)
    if not y.size:
        return np.zeros(0, dtype=np.complex128)
    if rest:
        u, y = (np.vstack([np.zeros((order, x.shape[1])), x]) for x in (u, y))
    left = [_past(y[:, j : j + 1], order, 1) for j in range(y.shape[1])]
    forced = _past(u, order, 0)
    Q, _ = np.linalg.qr(forced)
    A = np.vstack([one - Q @ (Q.T @ one) for one in left])
    b = np.concatenate(
        [y[order:, j] - Q @ (Q.T @ y[order:, j]) for j in range(len(left))]
    )
    a = np.linalg.lstsq(A, b, rcond=1e-15)[0]
    return np.roots(np.concatenate([[1.0], -a])).astype(np.complex128)


def _unit(x: Floats) -> Floats:
    size: Floats = np.abs(x).max(axis=0)
    made: Floats = x[:, size > 0.0] / size[size > 0.0]
    return made


def _past(x: Floats, order: int, first: int) -> Floats:
    """Columns x_n−first … x_n−order for n = order … ."""
    n = len(x)
    return np.hstack([x[order - i : n - i] for i in range(first, order + 1)])
