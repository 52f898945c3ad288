"""What the membranes of shell elements share: u v and the drilling θz a corner.

Constant stress does work on straight edges alone, so its nodal loads are those of the
standard elements, without moments about the normal: tractions lumped to the nodes and
supports without rotations leave the patch test exact, and triangles and quadrilaterals
mix. MacNeal's theorem (1987) states the price: trapezoids bend stiffly in their plane.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np

from bondline.leaves.fe.elements.element import Array
from bondline.leaves.fe.elements.plane_stress import plane_stiffness
from bondline.leaves.fe.elements.shell_frames import Flat
from bondline.leaves.fe.sections import ShellSection


class Membrane(Protocol):
    """Stretching in the facet's plane, from u v θz a corner."""

    def rows(self, flat: Flat, section: ShellSection) -> Array:
        """Rows S with the membrane's stiffness Sᵀ S: elements × rows × 3n."""

    def stress(self, flat: Flat, section: ShellSection, u: Array) -> Array:
        """Stress xx yy xy at the facet's points from u: elements × g × 3."""


def mean_strain(flat: Flat) -> Array:
    """Mean strain xx yy xy within straight edges: elements × 3 × 3n."""
    dx, dy = np.moveaxis(_across(flat), -1, 0) / (2.0 * flat.area[:, None])
    e, n = dx.shape
    B = np.zeros((e, 3, n, 3))
    B[:, 0, :, 0] = B[:, 2, :, 1] = dy
    B[:, 1, :, 1] = B[:, 2, :, 0] = -dx
    return B.reshape(e, 3, 3 * n)


def constant_rows(flat: Flat, section: ShellSection) -> Array:
    """Rows of the mean strain, and of the mean drilling.

    The drilling is Hughes & Brezzi's (1989): the shear modulus holds the mean of θz to
    the mean rotation within straight edges.
    """
    t, material = section.thickness, section.material
    root = np.linalg.cholesky(plane_stiffness(material)).T
    turn = np.sqrt(material.G) * _mean_drilling(flat)[:, None]
    rows = np.concatenate((root @ mean_strain(flat), turn), axis=1)
    out: Array = np.sqrt(t * flat.area)[:, None, None] * rows
    return out


def drilling_slope(section: ShellSection) -> float:
    """Root of the stiffness that uneven θz feels: 0.1 G t³/12, much as a plate's.

    Facets of a curved shell see some of its bending as uneven θz, which must not cost
    more than the bending itself.
    """
    return float(np.sqrt(0.1 * section.material.G * section.thickness**3 / 12.0))


def mean_stress(flat: Flat, section: ShellSection, u: Array) -> Array:
    """Stress of the mean strain: elements × 1 × 3."""
    strain = mean_strain(flat) @ u.reshape(len(u), -1, 1)
    return (plane_stiffness(section.material) @ strain)[:, None, :, 0]


def _mean_drilling(flat: Flat) -> Array:
    """Mean θz less the mean of ½ (v,x - u,y) within straight edges: elements × 3n."""
    dx, dy = np.moveaxis(_across(flat), -1, 0) / (-4.0 * flat.area[:, None])
    share = np.full_like(dx, 1.0 / dx.shape[1])
    return np.stack((dx, dy, share), axis=-1).reshape(len(dx), -1)


def _across(flat: Flat) -> Array:
    """From the corner before to the corner after: elements × n × 2."""
    across: Array = np.roll(flat.xy, -1, axis=1) - np.roll(flat.xy, 1, axis=1)
    return across
