"""C3D8: the eight-node brick with incompatible modes.

Wilson's nine bubbles 1 − ξ², 1 − η², 1 − ζ² in every direction, in the form of Taylor,
Beresford and Wilson (1976): their gradients use the Jacobian of the centre and j₀/j, so
that they do no work on constant stress and the patch test holds for any shape. Three
dilatations ηζ, ζξ, ξη (Andelfinger and Ramm, 1993) free the brick from volumetric
locking. The twelve are eliminated in every element.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bondline.leaves.fe.elements.checks import lame
from bondline.leaves.fe.elements.element import Array, Recovered
from bondline.leaves.fe.elements.isoparametric import (
    gradients,
    in_turns,
    isotropic,
    jacobian,
    lumped,
    masses,
    recovered,
    spread,
)
from bondline.leaves.fe.sections import SolidSection

_SIGNS = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], dtype=np.float64)
_CORNERS = np.concatenate(
    [np.column_stack([_SIGNS, np.full(4, z)]) for z in (-1.0, 1.0)]
)
_POINTS = _CORNERS / np.sqrt(3.0)  # Gauss, 2 × 2 × 2, weights 1


def shape(xi: Array) -> Array:
    """Nₐ = ⅛ (1 + ξₐξ)(1 + ηₐη)(1 + ζₐζ), points × 8."""
    N: Array = (1.0 + xi[:, None, :] * _CORNERS).prod(axis=2) / 8.0
    return N


def slopes(xi: Array) -> Array:
    """∂N/∂ξ, points × 8 × 3."""
    f = 1.0 + xi[:, None, :] * _CORNERS
    others = np.stack([f[:, :, j] * f[:, :, k] for j, k in ((1, 2), (2, 0), (0, 1))])
    dN: Array = np.moveaxis(others, 0, 2) * _CORNERS / 8.0
    return dN


_N, _DN = shape(_POINTS), slopes(_POINTS)
_DN_CENTRE = slopes(np.zeros((1, 3)))
_DBUBBLE = -2.0 * _POINTS[:, None, :] * np.eye(3)  # points × 3 bubbles × 3
_DILATATION = _POINTS[:, [1, 2, 0]] * _POINTS[:, [2, 0, 1]]  # ηζ, ζξ, ξη
_TO_NODES = np.linalg.inv(_N).astype(np.float64)


@dataclass(frozen=True)
class Brick:
    """C3D8, three displacements a node."""

    dofs: tuple[int, ...] = (0, 1, 2)
    nodes: int = 8
    faces: tuple[tuple[int, ...], ...] = (
        (0, 1, 2, 3),
        (4, 7, 6, 5),
        (0, 4, 5, 1),
        (1, 5, 6, 2),
        (2, 6, 7, 3),
        (3, 7, 4, 0),
    )

    def stiffness(self, x: Array, section: SolidSection) -> Array:
        """K with the modes eliminated: K_uu − K_ua K_aa⁻¹ K_au."""
        constants = lame(section.material)
        return in_turns(lambda some: _condensed(some, constants), x)

    def mass(self, x: Array, section: SolidSection, lumped: bool) -> Array:
        """Consistent, or lumped in proportion to the consistent diagonal."""
        rho = section.material.rho

        def made(x: Array) -> Array:
            M = masses(_N, rho * gradients("C3D8", x, _DN)[1])
            return spread(_lumped(M) if lumped else M)

        return in_turns(made, x)

    def recover(self, x: Array, section: SolidSection, u: Array) -> Recovered:
        """Extrapolated from the Gauss points, the modes included."""
        constants = lame(section.material)
        g, theta, det = _fields(x)
        K = _with_modes(g, theta, det, constants)
        modes = -np.linalg.solve(K[:, 24:, 24:], K[:, 24:, :24] @ u[:, :, None])
        v = np.concatenate([u, modes[:, :9, 0]], axis=1).reshape(len(x), 1, 11, 3)
        slope = v.swapaxes(2, 3) @ g
        volume = (theta @ modes[:, 9:])[:, :, :, None]
        return recovered(slope + volume * np.eye(3), constants, _TO_NODES)


_lumped = lumped


def _fields(x: Array) -> tuple[Array, Array, Array]:
    """Gradients of 8 shapes and 3 bubbles, dilatations, and det J, at Gauss points."""
    g, det = gradients("C3D8", x, _DN)
    det0, adjugate0 = jacobian(x, _DN_CENTRE)
    bubbles = (_DBUBBLE @ adjugate0) / det[:, :, None, None]  # j₀/j J₀⁻ᵀ ∂N/∂ξ
    theta = _DILATATION * (det0 / det)[:, :, None]
    return np.concatenate([g, bubbles], axis=2), theta, det


def _condensed(x: Array, constants: tuple[float, float]) -> Array:
    K = _with_modes(*_fields(x), constants)
    K_ua = K[:, :24, 24:]
    return K[:, :24, :24] - K_ua @ np.linalg.solve(K[:, 24:, 24:], K[:, 24:, :24])


def _with_modes(
    g: Array, theta: Array, det: Array, constants: tuple[float, float]
) -> Array:
    """Stiffness of 24 displacements, 9 bubbles and 3 dilatations."""
    lam, mu = constants
    columns = np.concatenate([g.reshape(*det.shape, 33), theta], axis=2)
    columns *= np.sqrt(det)[:, :, None]
    G = columns.swapaxes(1, 2) @ columns
    K: Array = np.empty_like(G)
    K[:, :33, :33] = isotropic(G[:, :33, :33], constants)
    K[:, 33:, :] = (3.0 * lam + 2.0 * mu) * G[:, 33:, :]  # m · D = (3λ + 2μ) mᵀ
    K[:, :33, 33:] = K[:, 33:, :33].swapaxes(1, 2)
    K[:, 33:, 33:] *= 3.0
    return K
