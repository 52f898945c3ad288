"""Lumped masses on nodes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from bondline.leaves.nonlinear.elements.block import Answer, Array, Indices, Moved


@dataclass(frozen=True, eq=False)
class Masses:
    """Mass on translations and spherical inertia on rotations of some nodes.

    Bodies whose inertia is not spherical are rigid bodies: glue them.
    """

    widths: ClassVar[tuple[int, ...]] = (1,)

    nodes: Indices
    mass_each: float
    inertia: float = 0.0
    components: tuple[int, ...] = (0, 1, 2)
    numbers: int = 0

    def respond(self, points: Array, moved: Moved, past: Array) -> Answer:
        """No force but inertia."""
        e, m = len(self.nodes), len(self.components)
        return Answer(np.zeros((e, m)), np.zeros((e, m, m)), None, past)

    def mass(self, points: Array) -> Array:
        """Diagonal."""
        each = [self.mass_each if c < 3 else self.inertia for c in self.components]
        return np.repeat(np.diag(each)[None], len(self.nodes), axis=0)

    def drag(self) -> float:
        """None."""
        return 0.0

    def strains(self, past: Array) -> Array | None:
        """None."""
        return None
