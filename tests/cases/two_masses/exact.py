"""Two masses on springs, joined rigidly or by a spring and damper: exact solutions."""

from __future__ import annotations

import numpy as np
from scipy.linalg import expm


def joined(masses, springs, x0):
    """Masses that move as one: a cosine."""
    omega = np.sqrt(sum(springs) / sum(masses))
    return lambda t: x0 * np.cos(omega * t)


def bushed(masses, springs, k, c, x0):
    """Both positions at times t, from the matrix exponential."""
    M, link = np.diag(masses), np.array([[1.0, -1.0], [-1.0, 1.0]])
    K, C = np.diag(springs) + k * link, c * link
    A = np.block(
        [
            [np.zeros((2, 2)), np.eye(2)],
            [-np.linalg.solve(M, K), -np.linalg.solve(M, C)],
        ]
    )
    start = np.array([*x0, 0.0, 0.0])
    return lambda t: np.array([(expm(A * s) @ start)[:2] for s in np.atleast_1d(t)])


def order(errors):
    """Fitted over all halvings: the slope of log error against log h."""
    halvings = np.arange(len(errors))
    return -np.polyfit(halvings, np.log2(errors), 1)[0]
