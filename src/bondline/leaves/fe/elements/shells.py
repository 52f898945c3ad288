"""S4 and S3: flat shell facets with six dofs a node, for thin and thick shells."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from bondline.leaves.fe.elements.element import Array, Recovered
from bondline.leaves.fe.elements.facets import QUADRILATERAL, TRIANGLE, Facet
from bondline.leaves.fe.elements.membrane3 import ConstantTriangle
from bondline.leaves.fe.elements.membrane4 import HybridQuadrilateral
from bondline.leaves.fe.elements.membranes import Membrane
from bondline.leaves.fe.elements.mitc3 import mitc3
from bondline.leaves.fe.elements.mitc4 import mitc4
from bondline.leaves.fe.elements.plane_stress import (
    in_global_axes,
    sound,
    strain_from_stress,
)
from bondline.leaves.fe.elements.plates import PlateStrain, plate_rows, plate_stress
from bondline.leaves.fe.elements.shell_frames import Flat, flatten
from bondline.leaves.fe.elements.shell_mass import shell_mass
from bondline.leaves.fe.sections import ShellSection

_CHUNK = 512  # elements at once, so that their matrices stay in the cache
_MEMBRANE, _PLATE = (0, 1, 5), (2, 3, 4)  # local u v θz and w θx θy
_IN_PLANE, _ACROSS = (0, 1, 3), (5, 4)  # xx yy xy and zx yz of six components


@dataclass(frozen=True, eq=False)
class Shell:
    """A membrane and a plate on the mean plane of the corners.

    Nodes that are not in that plane, and those of a section with an offset, hold the
    facet's corners by rigid arms along its normal, so warped and offset elements move
    rigidly without force. The normal follows the right hand around the corners.
    """

    kind: str
    facet: Facet
    membrane: Membrane
    plate: Callable[[Flat, ShellSection], PlateStrain]

    @property
    def dofs(self) -> tuple[int, ...]:
        """All six."""
        return (0, 1, 2, 3, 4, 5)

    @property
    def nodes(self) -> int:
        """How many corners there are."""
        return self.facet.nodes

    @property
    def faces(self) -> tuple[tuple[int, ...], ...]:
        """One face, Abaqus's SPOS; its normal is the element's."""
        return (tuple(range(self.nodes)),)

    def stiffness(self, x: Array, section: ShellSection) -> Array:
        """Stiffness in global axes: elements × 6n × 6n."""
        sound(section)
        K = np.empty((len(x), 6 * self.nodes, 6 * self.nodes))
        for a in range(0, len(x), _CHUNK):
            S = self._rows(x[a : a + _CHUNK], section)
            half = 0.5 * S.transpose(0, 2, 1) @ S
            np.add(half, half.transpose(0, 2, 1), out=K[a : a + _CHUNK])
        return K

    def mass(self, x: Array, section: ShellSection, lumped: bool) -> Array:
        """Consistent or lumped mass with rotary inertia: elements × 6n × 6n."""
        sound(section)
        M = np.empty((len(x), 6 * self.nodes, 6 * self.nodes))
        for a in range(0, len(x), _CHUNK):
            part = slice(a, a + _CHUNK)
            M[part] = shell_mass(x[part], self.facet, section, lumped)
        return M

    def recover(self, x: Array, section: ShellSection, u: Array) -> Recovered:
        """Stress and strain at the corners, extrapolated from the inner points.

        Transverse shear is a parabola over the thickness: 3/2 of its mean in the
        middle, none at the bottom and the top.
        """
        sound(section)
        flat = flatten(x, self.facet, self.kind)
        v = _to_facet(flat, section) @ u.reshape(len(x), self.nodes, 6, 1)
        middle = self.membrane.stress(flat, section, v[..., _MEMBRANE, 0])
        strain = self.plate(flat, section)
        bending, slip = plate_stress(strain, section, v[..., _PLATE, 0])
        at_points = np.zeros((3, *middle.shape[:2], 6))
        at_points[..., _IN_PLANE] = middle
        at_points[0][..., _IN_PLANE] -= bending
        at_points[2][..., _IN_PLANE] += bending
        at_points[1][..., _ACROSS] = 1.5 * slip
        stress = in_global_axes(self.facet.corners @ at_points, flat.axes)
        known = strain_from_stress(stress, section.material)
        return Recovered(("bottom", "middle", "top"), stress, known)

    def _rows(self, x: Array, section: ShellSection) -> Array:
        """Rows S with stiffness Sᵀ S in global axes: elements × rows × 6n."""
        flat = flatten(x, self.facet, self.kind)
        membrane = self.membrane.rows(flat, section)
        plate = plate_rows(self.plate(flat, section), flat.weights, section)
        e, n, k = len(x), self.nodes, membrane.shape[1]
        S = np.zeros((e, n, k + plate.shape[1], 6))
        S[:, :, :k, _MEMBRANE] = membrane.reshape(e, k, n, 3).transpose(0, 2, 1, 3)
        S[:, :, k:, _PLATE] = plate.reshape(e, -1, n, 3).transpose(0, 2, 1, 3)
        S = S @ _to_facet(flat, section)
        return S.transpose(0, 2, 1, 3).reshape(e, -1, 6 * n)


def _to_facet(flat: Flat, section: ShellSection) -> Array:
    """Local motion of the facet's corners from the nodes': elements × n × 6 × 6."""
    R = flat.axes[:, None]
    arm = (section.offset - flat.heights)[..., None]
    T = np.zeros((*flat.heights.shape, 6, 6))
    T[..., :3, :3] = T[..., 3:, 3:] = R
    T[..., 0, 3:], T[..., 1, 3:] = arm * R[..., 1, :], -arm * R[..., 0, :]  # θ × arm
    return T


S4 = Shell("S4", QUADRILATERAL, HybridQuadrilateral(), mitc4)
S3 = Shell("S3", TRIANGLE, ConstantTriangle(), mitc3)
