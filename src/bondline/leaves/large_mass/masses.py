"""How large the masses are."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite

import numpy as np

from bondline.core import Port, Vector
from bondline.errors import SettingError

_MOST = 1e13  # beyond it the part is round-off of its large masses
AUTO = 1e4  # of the part's mass: two corrections a step, round-off far below forces


@dataclass(frozen=True)
class Masses:
    """M_L = `ratio` times the mass of the part on each node; 0: chosen, which is 1e4.

    Rotations get J_L = M_L `radius`², the same about every axis, so that ω × J ω = 0.
    """

    ratio: float = 0.0
    radius: float = 0.05

    def __post_init__(self) -> None:
        good = 0.0 <= self.ratio <= _MOST
        if not (good and isfinite(self.radius) and self.radius > 0.0):
            raise SettingError(
                "large mass",
                f"found a ratio of {self.ratio:g} and a radius of {self.radius:g} m.",
                "Give a ratio from 1e3 to 1e4 (0: chosen) and a radius above zero.",
            )

    @property
    def times(self) -> float:
        """The ratio in force."""
        return self.ratio or AUTO

    def on(self, port: Port, mass: float) -> Vector:
        """One number a dof of the port, for a part of this mass."""
        own = self.times * mass
        one = [own * self.radius**2 if d.startswith("r") else own for d in port.dofs]
        return np.tile(np.array(one), port.nodes)
