"""The quadrilateral plate MITC4 of Dvorkin & Bathe (1984)."""

from __future__ import annotations

import numpy as np

from bondline.leaves.fe.elements.element import Array
from bondline.leaves.fe.elements.facets import QUADRILATERAL
from bondline.leaves.fe.elements.plates import PlateStrain, curvature
from bondline.leaves.fe.elements.shell_frames import Flat
from bondline.leaves.fe.sections import ShellSection


def mitc4(flat: Flat, section: ShellSection) -> PlateStrain:
    """Bilinear curvatures; shear along r and s that is constant on the edges."""
    inverse = np.linalg.inv(flat.J)
    shear = (inverse @ _FIELD) @ _edge_shear(flat)[:, None]
    return PlateStrain(curvature(inverse @ QUADRILATERAL.slopes), shear)


def _edge_shear(flat: Flat) -> Array:
    """Integrals ∫ γ·ds = wⱼ - wᵢ + ½ (βᵢ + βⱼ)·s along the edges: elements × 4 × 12."""
    dx, dy = 0.5 * np.moveaxis(flat.sides, -1, 0)
    out = np.zeros((len(dx), 4, 4, 3))
    i = np.arange(4)
    j = np.roll(i, -1)
    out[:, i, i, 0], out[:, i, j, 0] = -1.0, 1.0
    out[:, i, i, 1] = out[:, i, j, 1] = -dy
    out[:, i, i, 2] = out[:, i, j, 2] = dx
    return out.reshape(-1, 4, 12)


def _field() -> Array:
    """Covariant shear at the points from the edges' integrals: g × 2 × 4."""
    r, s = QUADRILATERAL.at.T
    o = np.zeros_like(r)
    along_r = (1.0 - s, o, -1.0 - s, o)
    along_s = (o, 1.0 + r, o, r - 1.0)
    return 0.25 * np.stack((along_r, along_s)).transpose(2, 0, 1)


_FIELD = _field()
