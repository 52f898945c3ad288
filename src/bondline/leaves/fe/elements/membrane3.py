"""The triangular membrane of constant strain."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bondline.leaves.fe.elements.element import Array
from bondline.leaves.fe.elements.facets import TRIANGLE
from bondline.leaves.fe.elements.membranes import (
    constant_rows,
    drilling_slope,
    mean_stress,
)
from bondline.leaves.fe.elements.shell_frames import Flat
from bondline.leaves.fe.sections import ShellSection


@dataclass(frozen=True)
class ConstantTriangle:
    """Turner's triangle (1956) with drilling.

    The mean of θz follows the corners; what is left of it feels just enough not to
    be free.
    """

    def rows(self, flat: Flat, section: ShellSection) -> Array:
        """Rows S with the membrane's stiffness Sᵀ S: elements × 6 × 9."""
        dN = np.linalg.inv(flat.J[:, 0]) @ TRIANGLE.slopes[0]
        slope = np.zeros((len(dN), 2, 3, 3))
        slope[..., 2] = drilling_slope(section) * np.sqrt(flat.area)[:, None, None] * dN
        rows = constant_rows(flat, section)
        return np.concatenate((rows, slope.reshape(-1, 2, 9)), axis=1)

    def stress(self, flat: Flat, section: ShellSection, u: Array) -> Array:
        """Stress xx yy xy at the points: elements × 3 × 3."""
        return np.repeat(mean_stress(flat, section, u), 3, axis=1)
