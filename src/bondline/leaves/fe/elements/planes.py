"""Bending of a beam in one plane: w₁ θ₁ w₂ θ₂ with θ = dw/ds for a slender beam.

ξ = s/L runs from 0 to 1, φ = 12 EI / (G Aₛ L²).
"""

from __future__ import annotations

import numpy as np

from bondline.leaves.fe.elements.element import Array

_XI = 0.5 + 0.5 * np.polynomial.legendre.leggauss(4)[0]
_W = 0.5 * np.polynomial.legendre.leggauss(4)[1]  # exact to degree 7


def bend_stiffness(L: Array, EI: float, phi: Array) -> Array:
    """K, elements × 4 × 4."""
    c = EI / ((1.0 + phi) * L**3)
    near, far = (4.0 + phi) * L**2, (2.0 - phi) * L**2
    a, b = np.full_like(L, 12.0), 6.0 * L
    rows = [[a, b, -a, b], [b, near, -b, far], [-a, -b, a, -b], [b, far, -b, near]]
    return np.moveaxis(c * np.array(rows), 2, 0)


def bend_mass(L: Array, phi: Array, mA: float, mI: float) -> Array:
    """M from ∫ (ρA w² + ρI θ²) ds, elements × 4 × 4."""
    w, theta = shapes(L[:, None], phi[:, None], _XI)
    both = mA * np.einsum("egi,egj,g->eij", w, w, _W)
    turn = mI * np.einsum("egi,egj,g->eij", theta, theta, _W)
    return np.asarray((both + turn) * L[:, None, None])


def shapes(L: Array, phi: Array, xi: Array) -> tuple[Array, Array]:
    """Deflection and rotation at ξ for unit w₁ θ₁ w₂ θ₂, last axis 4."""
    e, p = 1.0 - xi, 1.0 + phi
    w = [
        e * (1.0 + xi - 2.0 * xi**2 + phi) / p,
        L * xi * e * (e + phi / 2.0) / p,
        xi * (3.0 * xi - 2.0 * xi**2 + phi) / p,
        -L * xi * e * (xi + phi / 2.0) / p,
    ]
    slope = 6.0 * xi * e / (L * p)
    theta = [
        -slope,
        e * (1.0 - 3.0 * xi + phi) / p,
        slope,
        xi * (3.0 * xi - 2.0 + phi) / p,
    ]
    return np.stack(w, axis=-1), np.stack(theta, axis=-1)
