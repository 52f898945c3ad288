"""The motion a port is told for t₁, and how far it is from where it is."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from bondline.core import Matrix, Motion, Output, Signal, Trial, Vector
from bondline.numerics.rotations import conjugate, exp, log, product, spins


def told(signal: Signal | None, now: Output | None, h: float) -> Motion:
    """Where the path ends, with its rates; without one the port stays where it is."""
    if signal is None:
        assert isinstance(now, Motion), "a force port shows its motion"
        still = np.zeros_like(now.v)
        return Motion(now.x, still, still, now.turn)
    c = signal.coefficients
    k = np.arange(len(c), dtype=np.float64)
    x, v, a = c.sum(axis=0), k @ c / h, (k * (k - 1.0)) @ c / h**2
    if signal.origin is None:
        return Motion(x, v, a)
    turn = product(exp(x[3:]), signal.origin.turn)
    spin, spin_rate = spins(x[3:], v[3:], a[3:])
    return Motion(
        signal.origin.x + x[:3],
        np.concatenate([v[:3], spin]),
        np.concatenate([a[:3], spin_rate]),
        turn,
    )


def behind(aim: Motion, own: Motion) -> Matrix:
    """q − r, q' − r', q'' − r'' in rows; of a frame, the turn from one to the other."""
    x: Vector = aim.x - own.x
    if aim.turn is not None and own.turn is not None:
        x = np.concatenate([x, log(product(aim.turn, conjugate(own.turn)))])
    return np.stack([x, aim.v - own.v, _a(aim) - _a(own)])


def sizes(motion: Motion) -> Matrix:
    """|x|, |v|, |a| in rows; turns count as one radian."""
    x = np.abs(motion.x)
    if motion.turn is not None:
        x = np.concatenate([x, np.ones(3)])
    assert motion.a is not None, "a corrector shows accelerations"
    return np.stack([x, np.abs(motion.v), np.abs(motion.a)])


def accelerations(trial: Trial, ports: Iterable[str]) -> Vector:
    """r'' of these ports, stacked."""
    return np.concatenate([_a(trial.motions[p]) for p in ports])


def largest(vectors: Iterable[Vector]) -> float:
    """Of all entries, in size; 0 where there are none."""
    return max((float(np.abs(v).max(initial=0.0)) for v in vectors), default=0.0)


def _a(motion: Motion) -> Vector:
    assert motion.a is not None, "a corrector shows accelerations"
    return motion.a
