"""The interface flexibility of a black box by finite differences, Algorithm 1."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from bondline.core import (
    Advance,
    Flexibility,
    Matrix,
    Model,
    Motion,
    Rejected,
    Signal,
    Window,
)
from bondline.errors import SettingError


@dataclass(frozen=True, slots=True)
class Probe:
    """How far a force is moved to see what it does, wang2003 (50) with a floor.

    Δf = ε max(|f|, floor), with the largest component of the port's force: the paper's
    ε fₙ is undefined at f = 0, which is how its Example 2 starts. The response of a
    window is nearly affine in the force, so ε may be large.
    """

    epsilon: float = 0.01
    floor: float = 1.0  # N

    def __post_init__(self) -> None:
        if not 1e-12 <= self.epsilon <= 1e6:
            raise SettingError(
                "epsilon",
                f"{self.epsilon:g} drowns in round-off or leaves the model's range.",
                "Take something between 1e-6 and 1e2; 0.01 does for most.",
            )

    def size(self, coefficients: Matrix) -> float:
        """Δf for a port under the given force."""
        return self.epsilon * max(float(np.abs(coefficients).max()), self.floor)


def flexibility(
    part: Model,
    args: tuple[Any, Window, Mapping[str, Signal]],
    base: Advance[Any],
    places: tuple[Sequence[str], int],
    probe: Probe,
) -> Flexibility | Rejected:
    """G by moving each force coefficient of each port in turn, Eqs. (29), (49).

    `places` are the ports, and how many coefficients of each are moved.
    """
    (state, window, inputs), (ports, powers) = args, places
    rest = {out: _levels(base, out) for out in ports}
    blocks: dict[tuple[str, str], Any] = {}
    price = 0
    for port in ports:
        f = inputs[port].coefficients
        df = probe.size(f)
        for out in ports:
            blocks[out, port] = np.empty((*rest[out].shape, powers, f.shape[1]))
        for k, j in product(range(powers), range(f.shape[1])):
            moved = f.copy()
            moved[k, j] += df
            done = part.advance(state, window, {**inputs, port: Signal(moved)})
            if isinstance(done, Rejected):
                return done
            price += solves(done)
            for out in ports:
                blocks[out, port][:, :, k, j] = (_levels(done, out) - rest[out]) / df
    return Flexibility(blocks, price)


def solves(advance: Advance[Any]) -> int:
    """Advances of leaves behind one advance: 1, or what an integrated model counted."""
    return int(advance.stats.get("solves", 1))


def _levels(advance: Advance[Any], port: str) -> Matrix:
    motion = advance.outputs[port]
    assert isinstance(motion, Motion), f"{port} must answer with motion"
    a = np.zeros_like(motion.v) if motion.a is None else motion.a  # nobody asks then
    return np.stack([motion.x, motion.v, a])
