"""Mass of shells on their bilinear (or flat) surface."""

from __future__ import annotations

import numpy as np

from bondline.leaves.fe.elements.element import Array
from bondline.leaves.fe.elements.facets import Facet
from bondline.leaves.fe.sections import ShellSection


def shell_mass(x: Array, facet: Facet, section: ShellSection, lumped: bool) -> Array:
    """Mass with rotary inertia ρt³/12 about every axis: elements × 6n × 6n.

    The spin about the normal gets the inertia of the tilts, so that no dof is without
    mass. A lumped mass is diagonal, but for the moments of an offset, which couple the
    dofs of one node.
    """
    N = facet.N
    if lumped:
        share = np.einsum("gi,ij->gij", N, np.eye(facet.nodes))
    else:
        share = np.einsum("gi,gj->gij", N, N)
    e, n = len(x), facet.nodes
    point = _point_mass(x, facet, section)
    M = np.tensordot(share, point, axes=(0, 1))  # i j e 6 6
    return np.ascontiguousarray(M.transpose(2, 0, 3, 1, 4)).reshape(e, 6 * n, 6 * n)


def _point_mass(x: Array, facet: Facet, section: ShellSection) -> Array:
    """Mass matrices of the points' areas, of displacement and rotation: 6 × 6 each.

    The middle surface moves by u + θ × c with c = offset times normal, so the blocks
    are m, m [c]ᵀ, m [c], m (c² - c cᵀ) + rotary inertia, with [c] v = c × v.
    """
    t, material = section.thickness, section.material
    tangents = np.einsum("gan,enc->egac", facet.slopes, x)
    normal = np.cross(tangents[:, :, 0], tangents[:, :, 1])
    area = np.linalg.norm(normal, axis=-1, keepdims=True)
    mass = (material.rho * t * facet.weights[:, None] * area)[..., None]
    eye = np.eye(3)
    out = np.zeros((*area.shape[:2], 6, 6))
    out[..., :3, :3] = mass * eye
    out[..., 3:, 3:] = mass * t * t / 12.0 * eye
    if section.offset != 0.0:
        c = section.offset * normal / area
        cross = np.cross(c[..., None, :], eye).swapaxes(-1, -2)  # columns c × eⱼ
        squared = section.offset**2 * eye - c[..., :, None] * c[..., None, :]
        out[..., :3, 3:] = -mass * cross
        out[..., 3:, :3] = mass * cross
        out[..., 3:, 3:] += mass * squared
    return out
