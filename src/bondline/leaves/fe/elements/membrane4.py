"""The quadrilateral membrane: assumed stress inside, bulging edges.

The stress is constant plus P β, with P from Airy's functions x³, x²y, xy², y³ about
the centre of the area, so that its mean is zero. P does work on edges that bulge: with
ξ = 0 … 1 from i to j, the length L and the normal m to the left, the displacement is
linear plus

    ½ L ξ (1 - ξ) (θᵢ - θⱼ) m                                                        (1)

(edges: Allman 1984; hybrid stress: Pian 1964, with drilling Aminpour 1992), so that

    β = H⁻¹ G u,  H = ∫ Pᵀ D⁻¹ P dA,  G u = ∮ (P n)·u ds,  K = t Gᵀ H⁻¹ G.           (2)

Rectangles bend in their plane exactly.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bondline.leaves.fe.elements.element import Array
from bondline.leaves.fe.elements.facets import QUADRILATERAL
from bondline.leaves.fe.elements.membranes import (
    constant_rows,
    drilling_slope,
    mean_strain,
    mean_stress,
)
from bondline.leaves.fe.elements.plane_stress import plane_stiffness
from bondline.leaves.fe.elements.shell_frames import Flat
from bondline.leaves.fe.sections import Material, ShellSection

_XI, _W = (0.5 * a for a in np.polynomial.legendre.leggauss(2))
_XI += 0.5


@dataclass(frozen=True)
class HybridQuadrilateral:
    """Constant stress on straight edges, higher stress on bulging ones."""

    def rows(self, flat: Flat, section: ShellSection) -> Array:
        """Rows S with the membrane's stiffness Sᵀ S: elements × 9 × 12."""
        _, higher = _factors(flat, section.material)
        higher *= np.sqrt(section.thickness)
        rows = (constant_rows(flat, section), higher, _hourglass(flat, section))
        return np.concatenate(rows, axis=1)

    def stress(self, flat: Flat, section: ShellSection, u: Array) -> Array:
        """Stress xx yy xy at the 2 × 2 points: elements × 4 × 3."""
        L, R = _factors(flat, section.material)
        beta = np.linalg.solve(L.transpose(0, 2, 1), R @ u.reshape(len(u), -1, 1))
        P = _modes(flat, QUADRILATERAL.N @ flat.xy)
        return mean_stress(flat, section, u) + (P @ beta[:, None])[..., 0]


def _factors(flat: Flat, material: Material) -> tuple[Array, Array]:
    """Cholesky's L of H and R = L⁻¹ G of (2): β = L⁻ᵀ R u and K = t Rᵀ R."""
    root = np.linalg.cholesky(np.linalg.inv(plane_stiffness(material))).T
    P = _modes(flat, QUADRILATERAL.N @ flat.xy)
    S = (root @ P) * np.sqrt(flat.weights)[..., None, None]
    S = S.reshape(len(S), -1, S.shape[-1])
    L = np.linalg.cholesky(S.transpose(0, 2, 1) @ S)
    return np.asarray(L), np.linalg.solve(L, _edge_work(flat))


def _modes(flat: Flat, at: Array) -> Array:
    """P at elements × points × 2 places: elements × points × 3 × 4.

    Lengths are measured by the root of the area, so that the modes are alike in size.
    """
    size = np.sqrt(flat.area)[:, None]
    x, y = at[..., 0] / size, at[..., 1] / size
    P = np.zeros((*x.shape, 3, 4))
    P[..., 1, 0] = P[..., 0, 3] = x
    P[..., 0, 1] = P[..., 1, 2] = y
    P[..., 2, 2], P[..., 2, 3] = -x, -y
    return P


def _hourglass(flat: Flat, section: ShellSection) -> Array:
    """The row that keeps θz from alternating around the corners: elements × 1 × 12.

    It is blind to linear θz. A part of the plate's stiffness is enough, and more would
    stiffen curved shells, whose facets see some of their bending as drilling.
    """
    pattern = np.array([1.0, -1.0, 1.0, -1.0])
    B = mean_strain(flat).reshape(-1, 3, 4, 3)
    slopes = np.stack((B[:, 0, :, 0], B[:, 1, :, 1]), axis=1)
    row = np.zeros((len(B), 4, 3))
    row[..., 2] = pattern - ((pattern @ flat.xy)[:, None] @ slopes)[:, 0]
    return drilling_slope(section) * row.reshape(-1, 1, 12)


def _edge_work(flat: Flat) -> Array:
    """G of (2): elements × 4 × 12."""
    side = flat.sides
    pull = _edge_pull(flat)
    weights = np.stack((_W * (1.0 - _XI), _W * _XI, 0.5 * _W * _XI * (1.0 - _XI)))
    start, end, bulge = np.moveaxis(np.tensordot(pull, weights, (2, 1)), -1, 0)
    dx, dy = side[..., 0, None], side[..., 1, None]
    turn = bulge[..., 1, :] * dx - bulge[..., 0, :] * dy  # along L m = (-dy, dx), (1)
    G = np.empty((len(side), 4, 3, 4))
    G[:, :, :2] = start + np.roll(end, 1, axis=1)
    G[:, :, 2] = turn - np.roll(turn, 1, axis=1)
    return G.reshape(-1, 12, 4).transpose(0, 2, 1)


def _edge_pull(flat: Flat) -> Array:
    """Tractions of P times the edge's length: elements × edges × points × 2 × 4."""
    side = flat.sides[:, :, None]
    at = flat.xy[:, :, None] + _XI[:, None] * side
    P = _modes(flat, at.reshape(len(at), -1, 2)).reshape(len(at), 4, len(_XI), 3, 4)
    dx, dy = side[..., 0, None], side[..., 1, None]  # outward normal: (dy, -dx)
    x = P[..., 0, :] * dy - P[..., 2, :] * dx
    y = P[..., 2, :] * dy - P[..., 1, :] * dx
    return np.stack((x, y), axis=3)
