"""C3D4 and C3D10: tetrahedra with linear and quadratic displacements."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bondline.leaves.fe.elements.checks import lame
from bondline.leaves.fe.elements.element import Array, Recovered
from bondline.leaves.fe.elements.isoparametric import (
    gradients,
    in_turns,
    isotropic,
    lumped,
    masses,
    recovered,
    spread,
)
from bondline.leaves.fe.sections import SolidSection

_lumped = lumped
_EDGES = np.array([(0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3)])
_DL = np.array([(-1, -1, -1), (1, 0, 0), (0, 1, 0), (0, 0, 1)], dtype=np.float64)


def _orbit(a: float) -> Array:
    """Four points: L = a but for one coordinate."""
    return np.full((4, 4), a) + (1.0 - 4.0 * a) * np.eye(4)


def _edge_orbit(a: float) -> Array:
    """Six points: L = a at two coordinates, ½ − a at the others."""
    L = np.full((6, 4), a)
    L[np.arange(6)[:, None], _EDGES] = 0.5 - a
    return L


# Degree 5 with 14 points (Walkington, 2000), weights of a unit volume of one sixth.
_L14 = np.concatenate(
    [
        _orbit(0.31088591926330060980),
        _orbit(0.092735250310891226402),
        _edge_orbit(0.045503704125649649492),
    ]
)
_W14 = (
    np.repeat(
        [0.11268792571801585080, 0.073493043116361949544, 0.042546020777081466438],
        [4, 4, 6],
    )
    / 6.0
)
_L4 = _orbit(0.25 * (1.0 - 1.0 / np.sqrt(5.0)))  # where stress is most accurate


def shape10(L: Array) -> Array:
    """L(2L − 1) at corners, 4 LᵢLⱼ on edges: points × 10 from volume coordinates."""
    i, j = _EDGES.T
    return np.concatenate([L * (2.0 * L - 1.0), 4.0 * L[:, i] * L[:, j]], axis=1)


def slopes10(L: Array) -> Array:
    """∂N/∂ξ with ξ η ζ = L₂ L₃ L₄, points × 10 × 3."""
    i, j = _EDGES.T
    corners = (4.0 * L - 1.0)[:, :, None] * _DL
    edges = 4.0 * (L[:, i, None] * _DL[j] + L[:, j, None] * _DL[i])
    return np.concatenate([corners, edges], axis=1)


_DN4 = _DL[None]
_N10, _DN10, _DN10_RECOVER = shape10(_L14), slopes10(_L14), slopes10(_L4)
_TO_CORNERS = np.linalg.inv(_L4)
_TO_NODES10 = np.concatenate([_TO_CORNERS, _TO_CORNERS[_EDGES].mean(axis=1)])


@dataclass(frozen=True)
class Tet4:
    """C3D4, constant strain: for filling, not for bending."""

    dofs: tuple[int, ...] = (0, 1, 2)
    nodes: int = 4
    faces: tuple[tuple[int, ...], ...] = ((0, 1, 2), (0, 3, 1), (1, 3, 2), (2, 3, 0))

    def stiffness(self, x: Array, section: SolidSection) -> Array:
        """V BᵀDB."""
        constants = lame(section.material)

        def made(x: Array) -> Array:
            g, det = gradients("C3D4", x, _DN4)
            return isotropic(_products(g, det / 6.0), constants)

        return in_turns(made, x)

    def mass(self, x: Array, section: SolidSection, lumped: bool) -> Array:
        """Consistent ρV/20 (1 + δ), or a quarter a node."""
        _, det = gradients("C3D4", x, _DN4)
        share = np.eye(4) / 4.0 if lumped else (1.0 + np.eye(4)) / 20.0
        return spread(section.material.rho * det[:, :, None] / 6.0 * share)

    def recover(self, x: Array, section: SolidSection, u: Array) -> Recovered:
        """The same at all nodes."""
        g, _ = gradients("C3D4", x, _DN4)
        return recovered(_slope(g, u), lame(section.material), np.ones((4, 1)))


@dataclass(frozen=True)
class Tet10:
    """C3D10, edges may be curved; faces list corners, then the nodes between them."""

    dofs: tuple[int, ...] = (0, 1, 2)
    nodes: int = 10
    faces: tuple[tuple[int, ...], ...] = (
        (0, 1, 2, 4, 5, 6),
        (0, 3, 1, 7, 8, 4),
        (1, 3, 2, 8, 9, 5),
        (2, 3, 0, 9, 7, 6),
    )

    def stiffness(self, x: Array, section: SolidSection) -> Array:
        """∫ BᵀDB with 14 points: constant stress passes curved elements, too."""
        constants = lame(section.material)

        def made(x: Array) -> Array:
            g, det = gradients("C3D10", x, _DN10)
            return isotropic(_products(g, det * _W14), constants)

        return in_turns(made, x)

    def mass(self, x: Array, section: SolidSection, lumped: bool) -> Array:
        """Consistent, or lumped in proportion to the consistent diagonal."""
        rho = section.material.rho

        def made(x: Array) -> Array:
            _, det = gradients("C3D10", x, _DN10)
            M = masses(_N10, rho * det * _W14)
            return spread(_lumped(M) if lumped else M)

        return in_turns(made, x)

    def recover(self, x: Array, section: SolidSection, u: Array) -> Recovered:
        """Extrapolated linearly from four points inside."""
        g, _ = gradients("C3D10", x, _DN10_RECOVER)
        return recovered(_slope(g, u), lame(section.material), _TO_NODES10)


def _products(g: Array, dV: Array) -> Array:
    """G = Σ ∂Nₐ/∂xᵢ ∂N_b/∂xⱼ dV over the points."""
    columns = g.reshape(*dV.shape, -1) * np.sqrt(dV)[:, :, None]
    return np.asarray(columns.swapaxes(1, 2) @ columns)


def _slope(g: Array, u: Array) -> Array:
    """∂uᵢ/∂xⱼ at the points."""
    return np.asarray(u.reshape(len(u), 1, -1, 3).swapaxes(2, 3) @ g)
