"""What the plates of shell elements share: strains from w θx θy a corner.

A normal tilts by β = (θy, -θx); curvatures are κxx = βx,x, κyy = βy,y and
κxy = βx,y + βy,x; angles of transverse shear are γ = ∇w + β.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from bondline.leaves.fe.elements.element import Array
from bondline.leaves.fe.elements.plane_stress import SHEAR_FACTOR, plane_stiffness
from bondline.leaves.fe.sections import ShellSection


class PlateStrain(NamedTuple):
    """Curvatures xx yy xy (elements × g × 3 × dofs), shear xz yz (… × 2 × dofs)."""

    curvature: Array
    shear: Array


def curvature(dN: Array) -> Array:
    """Curvatures from ∇N, elements × g × 2 × n: elements × g × 3 × 3n."""
    e, g, _, n = dN.shape
    B = np.zeros((e, g, 3, n, 3))
    B[..., 0, :, 2] = B[..., 2, :, 1] = dN[..., 0, :]
    B[..., 2, :, 2] = B[..., 1, :, 1] = dN[..., 1, :]
    B[..., 1] *= -1.0
    return B.reshape(e, g, 3, 3 * n)


def plate_rows(strain: PlateStrain, dA: Array, section: ShellSection) -> Array:
    """Rows S with the plate's stiffness Sᵀ S: elements × rows × dofs."""
    t, material = section.thickness, section.material
    bend = np.linalg.cholesky(plane_stiffness(material) * t**3 / 12.0).T
    slip = np.sqrt(SHEAR_FACTOR * material.G * t)
    S = np.concatenate((bend @ strain.curvature, slip * strain.shear), axis=2)
    S *= np.sqrt(dA)[..., None, None]
    return S.reshape(len(S), -1, S.shape[-1])


def plate_stress(
    strain: PlateStrain, section: ShellSection, u: Array
) -> tuple[Array, Array]:
    """Bending stress xx yy xy of the top layer, and the mean shear stress zx yz.

    Both at the points, elements × g × 3 and × 2, from u: elements × n × 3.
    """
    column = u.reshape(len(u), 1, -1, 1)
    D = 0.5 * section.thickness * plane_stiffness(section.material)
    bending = D @ (strain.curvature @ column)
    slip = SHEAR_FACTOR * section.material.G * (strain.shear @ column)
    return bending[..., 0], slip[..., 0]
