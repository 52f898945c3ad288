"""The gun and turret of kim2000, section 4: starts, muzzle, references."""

from __future__ import annotations

from functools import cache

import numpy as np

from bondline.numerics import Dop853
from bondline.numerics.systems import Array
from tests.steps.running import history
from tests.steps.systems import DATA, GUN, gun

NAMES = ("th1", "th2", "av1", "av2", "ah1", "ah2")
STARTS = {
    "undeformed": np.zeros(12),
    "sag": np.array([*GUN["static_sag_q"], *np.zeros(6)]),
}
TIMES = 1e-3 * np.arange(1, 1001)


def muzzle(q: Array) -> Array:
    """World positions of the muzzle, one row a state."""
    X = GUN["x_r"] + GUN["L"]
    c, s = np.cos(q[:, 1]), np.sin(q[:, 1])
    up, left = q[:, 2:4] @ GUN["phiL"], q[:, 4:6] @ GUN["phiL"]
    ahead = GUN["p_x"] + c * X + s * up
    c1, s1 = np.cos(q[:, 0]), np.sin(q[:, 0])
    return np.stack([c1 * ahead - s1 * left, s1 * ahead + c1 * left, c * up - s * X], 1)


@cache
def reference(start: str) -> Array:
    """States every millisecond for a second, to 1e-11."""
    return history(Dop853(1e-13, 1e-13), gun(), STARTS[start], TIMES)[0]


@cache
def published() -> Array:
    """The reference that was made by another program: columns by name, every 5 ms."""
    return np.genfromtxt(DATA / "gun_turret.csv", delimiter=",", names=True)


def deviations(states: Array, start: str) -> dict[str, float]:
    """Largest errors over a second of coordinates and of the muzzle (m)."""
    right = reference(start)[:, :6]
    q = states[:, :6]
    found = dict(zip(NAMES, np.abs(q - right).max(axis=0).tolist(), strict=True))
    apart = np.linalg.norm(muzzle(q) - muzzle(right), axis=1)
    return {**found, "muzzle": float(apart.max())}
