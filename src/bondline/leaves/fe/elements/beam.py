"""B31 and B33: two-node beams in space, exact for loads at the nodes.

Stiffness after Przemieniecki (1968), section 5.6, with the shear parameters
φ = 12 EI / (G Aₛ L²); φ = 0 is the Euler-Bernoulli beam (B33). The consistent mass
with rotary inertia is integrated from the same exact shapes (Friedman and Kosmatka,
1993).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isinf

import numpy as np

from bondline.leaves.fe.elements.axes import arms, beam_axes, turned
from bondline.leaves.fe.elements.element import Array
from bondline.leaves.fe.elements.planes import bend_mass, bend_stiffness
from bondline.leaves.fe.elements.truss import axis
from bondline.leaves.fe.sections import BeamSection

# Axes t 1 2 of both ends: displacements 0-2 and 6-8, rotations 3-5 and 9-11. Bending
# in the plane of t and 1 moves along 1 and turns about 2; in that of t and 2 it turns
# about −1.
_AXIAL, _TWIST = [0, 6], [3, 9]
_PLANE1, _SIGN1 = [1, 5, 7, 11], np.ones(4)
_PLANE2, _SIGN2 = [2, 4, 8, 10], np.array([1.0, -1.0, 1.0, -1.0])
_PAIR = np.array([[1.0, -1.0], [-1.0, 1.0]])
_LINEAR = (1.0 + np.eye(2)) / 6.0


@dataclass(frozen=True)
class Beam:
    """A beam with six dofs a node; `shear` tells B31 from B33.

    Shear areas of the section that are infinite leave shear out of B31, too. Section
    forces are those at the centroid.
    """

    shear: bool
    dofs: tuple[int, ...] = (0, 1, 2, 3, 4, 5)
    nodes: int = 2

    @property
    def kind(self) -> str:
        """Its name in Abaqus."""
        return "B31" if self.shear else "B33"

    def stiffness(self, x: Array, section: BeamSection) -> Array:
        """In global axes at the nodes."""
        T = self._to_axes(x, section)
        return np.asarray(T.swapaxes(1, 2) @ self._stiffness(x, section) @ T)

    def mass(self, x: Array, section: BeamSection, lumped: bool) -> Array:
        """Consistent, or its diagonal in the beam's axes scaled to the mass.

        A lumped beam turns with the diagonal of the consistent mass; with an offset
        the mass stays at the centroid, so that the matrix is not diagonal.
        """
        T = self._to_axes(x, section)
        M = self._mass(x, section)
        return np.asarray(T.swapaxes(1, 2) @ (_diagonal(M) if lumped else M) @ T)

    def resultants(self, x: Array, section: BeamSection, u: Array) -> Array:
        """N V1 V2 T M1 M2 at both ends, on the face that looks along t."""
        v = self._to_axes(x, section) @ u[:, :, None]
        ends = (self._stiffness(x, section) @ v).reshape(-1, 2, 6)
        return np.asarray(ends * np.array([[-1.0], [1.0]]))

    def _to_axes(self, x: Array, section: BeamSection) -> Array:
        """From global motion of the nodes to motion of the centroid in t 1 2."""
        R = beam_axes(self.kind, x, section.direction)
        o1, o2 = section.offset
        arm = o1 * R[:, 1] + o2 * R[:, 2]
        return turned(R, arms(np.stack([arm, arm], axis=1)))

    def _phi(self, L: Array, EI: float, area: float, G: float) -> Array:
        if not self.shear or isinf(area):
            return np.zeros_like(L)
        return 12.0 * EI / (G * area * L**2)

    def _stiffness(self, x: Array, section: BeamSection) -> Array:
        L, _ = axis(self.kind, x)
        E, G = section.material.E, section.material.G
        K = np.zeros((len(x), 12, 12))
        put(K, _AXIAL, E * section.area / L[:, None, None] * _PAIR)
        put(K, _TWIST, G * section.J / L[:, None, None] * _PAIR)
        phi1 = self._phi(L, E * section.I22, section.shear1, G)
        phi2 = self._phi(L, E * section.I11, section.shear2, G)
        put(K, _PLANE1, bend_stiffness(L, E * section.I22, phi1), _SIGN1)
        put(K, _PLANE2, bend_stiffness(L, E * section.I11, phi2), _SIGN2)
        return K

    def _mass(self, x: Array, section: BeamSection) -> Array:
        L, _ = axis(self.kind, x)
        E, G, rho = section.material.E, section.material.G, section.material.rho
        mA, I1, I2 = rho * section.area, section.I11, section.I22
        M = np.zeros((len(x), 12, 12))
        put(M, _AXIAL, mA * L[:, None, None] * _LINEAR)
        put(M, _TWIST, rho * (I1 + I2) * L[:, None, None] * _LINEAR)
        phi1 = self._phi(L, E * I2, section.shear1, G)
        phi2 = self._phi(L, E * I1, section.shear2, G)
        put(M, _PLANE1, bend_mass(L, phi1, mA, rho * I2), _SIGN1)
        put(M, _PLANE2, bend_mass(L, phi2, mA, rho * I1), _SIGN2)
        return M


def put(K: Array, rows: list[int], block: Array, sign: Array | None = None) -> None:
    """Add a block to some rows and columns of all matrices, in place."""
    s = np.ones(len(rows)) if sign is None else sign
    K[:, np.array(rows)[:, None], rows] += s[:, None] * block * s


def _diagonal(M: Array) -> Array:
    """Hinton, Rock and Zienkiewicz: translations along every axis keep the mass."""
    d = np.einsum("ejj->ej", M).copy()
    mass = M[:, 0, 0] + M[:, 6, 6] + 2.0 * M[:, 0, 6]
    twist = M[:, 3, 3] + M[:, 9, 9] + 2.0 * M[:, 3, 9]
    groups = ((_AXIAL, mass), ([1, 7], mass), ([2, 8], mass), (_TWIST, twist))
    for rows, total in groups:
        d[:, rows] = total[:, None] / 2.0
    turns = ((_PLANE1, [5, 11]), (_PLANE2, [4, 10]))
    for plane, rows in turns:
        moves = M[:, plane[0], plane[0]] + M[:, plane[2], plane[2]]
        d[:, rows] *= (mass / moves)[:, None]
    made = np.zeros_like(M)
    np.einsum("ejj->ej", made)[:] = d
    return made
