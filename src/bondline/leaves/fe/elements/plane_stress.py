"""Isotropic plane stress, and its way to global axes."""

from __future__ import annotations

import numpy as np

from bondline.errors import SettingError
from bondline.leaves.fe.elements.element import Array
from bondline.leaves.fe.sections import Material, ShellSection

SHEAR_FACTOR = 5.0 / 6.0


def plane_stiffness(material: Material) -> Array:
    """Stress xx yy xy from strain xx yy and the shear angle: 3 × 3."""
    E, nu = material.E, material.nu
    unit = np.array([[1.0, nu, 0.0], [nu, 1.0, 0.0], [0.0, 0.0, 0.5 * (1.0 - nu)]])
    D: Array = E / (1.0 - nu * nu) * unit
    return D


def sound(section: ShellSection) -> None:
    """Refuse sections that are no plate."""
    E, nu, t = section.material.E, section.material.nu, section.thickness
    if not (E > 0.0 and -1.0 < nu <= 0.5 and t > 0.0):
        raise SettingError(
            f"shell section of {section.material.name}",
            f"E = {E:g}, nu = {nu:g} and a thickness of {t:g} do not make a plate.",
            "E and the thickness must be positive, nu between -1 and 0.5.",
        )


def in_global_axes(local: Array, axes: Array) -> Array:
    """Turn … × elements × nodes × 6 tensors (xx yy zz xy yz zx) into global axes.

    `axes` (elements × 3 × 3) has the local axes as rows.
    """
    xx, yy, zz, xy, yz, zx = np.moveaxis(local, -1, 0)
    rows = (xx, xy, zx, xy, yy, yz, zx, yz, zz)
    tensor = np.stack(rows, axis=-1).reshape(*local.shape[:-1], 3, 3)
    R = axes[:, None]
    T = R.swapaxes(-1, -2) @ tensor @ R
    a, b = (0, 1, 2, 0, 1, 2), (0, 1, 2, 1, 2, 0)
    return np.asarray(T[..., a, b])


def strain_from_stress(stress: Array, material: Material) -> Array:
    """Tensor strains xx yy zz xy yz zx from stresses by Hooke's law."""
    E, nu = material.E, material.nu
    strain = (1.0 + nu) / E * stress
    strain[..., :3] -= nu / E * stress[..., :3].sum(axis=-1, keepdims=True)
    return strain
