"""Where a port will be, from what it shows now."""

from __future__ import annotations

import numpy as np

from bondline.core import Motion, Vector
from bondline.numerics.rotations import conjugate, exp, log, product


def foresee(now: Motion, dt: float) -> Motion:
    """The motion after `dt` if accelerations stayed as they are."""
    if dt == 0.0:
        return now
    a = np.zeros_like(now.v) if now.a is None else now.a
    moved, v = dt * (now.v + 0.5 * dt * a), now.v + dt * a
    if now.turn is None:
        return Motion(now.x + moved, v, now.a)
    turn = product(exp(moved[3:]), now.turn)
    return Motion(now.x + moved[:3], v, now.a, turn)


def displacement(before: Motion, after: Motion) -> Vector:
    """From one motion to another, one entry a dof: rotations by their vector."""
    if before.turn is None or after.turn is None:
        return after.x - before.x
    turned = product(after.turn, conjugate(before.turn))
    return np.concatenate([after.x - before.x, log(turned)])
