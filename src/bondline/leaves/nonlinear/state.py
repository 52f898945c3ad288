"""The state of a nonlinear model as one flat array, and back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from bondline.core import Vector
from bondline.leaves.nonlinear.elements.block import Array


class Parts(NamedTuple):
    """What a state is made of, at one accepted instant.

    Displacements, velocities, accelerations, port loads and inner forces of dofs;
    turns of nodes; the energy that elements store; histories of material points.
    """

    u: Vector
    v: Vector
    a: Vector
    p: Vector
    f: Vector
    turns: Array
    strain: Vector  # one number
    history: Vector


@dataclass(frozen=True)
class Layout:
    """How many dofs, turning nodes and numbers of history there are."""

    dofs: int
    turning: int
    numbers: int

    def parts(self, state: Vector) -> Parts:
        """Views into a state, which nobody writes to."""
        n, m = self.dofs, self.turning
        five = state[: 5 * n].reshape(5, n)
        end = 5 * n + 4 * m
        turns = state[5 * n : end].reshape(m, 4)
        u, v, a, p, f = five
        strain, history = state[end : end + 1], state[end + 1 :]
        return Parts(u, v, a, p, f, turns, strain, history)

    def state(self, parts: Parts) -> Vector:
        """One array, a copy."""
        return np.concatenate([each.ravel() for each in parts])

    def rest(self, history: Vector | None = None) -> Parts:
        """Nothing has moved."""
        turns = np.tile([1.0, 0.0, 0.0, 0.0], (self.turning, 1))
        past = np.zeros(self.numbers) if history is None else history
        u, v, a, p, f = np.zeros((5, self.dofs))
        return Parts(u, v, a, p, f, turns, np.zeros(1), past)
