"""What of position, velocity and acceleration must agree: φ of liu (1)."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite

import numpy as np

from bondline.core import Balance, Vector
from bondline.errors import SettingError


@dataclass(frozen=True)
class Weights:
    """w₁, w₂, w₃ of acceleration, velocity and position.

    Without `fixed` ones they are (1, 2/T, 1/T²) with T = `steps` h: an error dies out
    as (1 + T d/dt)² says. It is Baumgarte's way, and implicit, so any T is stable.
    """

    steps: float = 5.0
    fixed: tuple[float, float, float] | None = None

    def __post_init__(self) -> None:
        given = self.fixed or (self.steps,)
        whole = all(isfinite(w) and w >= 0.0 for w in given)
        if not (whole and any(given)):
            raise SettingError(
                "weights",
                f"found {given}.",
                "Give w1, w2, w3 not below zero and not all zero, or steps above zero; "
                "(1, 2/T, 1/T^2) with T = 5 steps is the default.",
            )

    def over(self, h: float) -> Vector:
        """Of x, v and a, in this order."""
        if self.fixed is not None:
            return np.array(self.fixed[::-1])
        T = self.steps * h
        return np.array([1.0 / T**2, 2.0 / T, 1.0])


def spread(h: float, way: Balance) -> Vector:
    """∂(x, v, a)/∂a at t₁, by Newmark's formulas."""
    return np.array([way.beta * h * h, way.gamma * h, 1.0])
