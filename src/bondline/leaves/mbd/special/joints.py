"""How an outboard joint frame moves in an inboard one, kim2000 (8), (9), (11)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from bondline.leaves.mbd.special.reading import Array
from bondline.leaves.mbd.special.vectors import (
    UNIT,
    ZERO,
    about,
    cross,
    full,
    skew,
    spread,
    summed,
    vector,
)


@dataclass(frozen=True, eq=False)
class Moved:
    """Where an outboard frame is, what moves it, and the rate of that without u̇.

    Slides are in inboard axes, spins in outboard ones; a column is both.
    """

    D: Array  # from outboard to inboard axes
    slide: Array
    columns: tuple[tuple[Array, Array], ...]
    bias: Array  # of the spin

    def speed(self, u: Array) -> Array:
        """The rate of the slide."""
        return summed(u, [slide for slide, _ in self.columns], ZERO)

    def spin(self, u: Array) -> Array:
        """Relative to the inboard frame."""
        return summed(u, [spin for _, spin in self.columns], ZERO)


def _slides(*axes: int) -> list[tuple[Array, Array]]:
    return [(UNIT[k], ZERO) for k in axes]


def _spins(*axes: int) -> list[tuple[Array, Array]]:
    return [(ZERO, UNIT[k]) for k in axes]


def _made(D: Array, slide: Array, columns: list[tuple[Array, Array]]) -> Moved:
    return Moved(D, slide, tuple(columns), ZERO)


def _universal(q: Array, u: Array) -> Moved:
    """About x, then about the new y: the first axis turns back under the second."""
    second = about(1, q[1])
    first = second.T @ UNIT[0]
    bias = cross(first * u[0], UNIT[1] * u[1])
    columns = ((ZERO, first), (ZERO, UNIT[1]))
    return Moved(about(0, q[0]) @ second, ZERO, columns, bias)


def quaternion(e: Array) -> Array:
    """The matrix of a quaternion (w, x, y, z) of any length but zero."""
    w, x, y, z = e
    n = 2.0 / (w * w + x * x + y * y + z * z)
    v = vector(x, y, z)
    found: Array = UNIT + n * (w * skew(v) - full(0.5 * spread(v, v)))
    return found


_KINDS: Mapping[str, Callable[[Array, Array], Moved]] = {
    "fixed": lambda q, u: _made(UNIT, ZERO, []),
    "revolute": lambda q, u: _made(about(2, q[0]), ZERO, _spins(2)),
    "prismatic": lambda q, u: _made(UNIT, UNIT[2] * q[0], _slides(2)),
    "cylindrical": lambda q, u: _made(
        about(2, q[1]), UNIT[2] * q[0], _slides(2) + _spins(2)
    ),
    "universal": _universal,
    "planar": lambda q, u: _made(
        about(2, q[2]), vector(q[0], q[1], 0.0), _slides(0, 1) + _spins(2)
    ),
    "spherical": lambda q, u: _made(quaternion(q), ZERO, _spins(0, 1, 2)),
    "free": lambda q, u: _made(
        quaternion(q[3:]), q[:3], _slides(0, 1, 2) + _spins(0, 1, 2)
    ),
}


def moved(kind: str, q: Array, u: Array) -> Moved:
    """The motion in a joint of that kind."""
    return _KINDS[kind](q, u)


def quaternion_rate(e: Array, p: Array) -> Array:
    """½ e (0, p) with the spin p in outboard axes."""
    w, v = e[0], e[1:]
    return 0.5 * np.concatenate([[-(v @ p)], w * p + cross(v, p)])
