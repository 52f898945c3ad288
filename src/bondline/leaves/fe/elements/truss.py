"""T3D2: a two-node bar that carries axial force only."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bondline.leaves.fe.elements.checks import Verdict, refuse
from bondline.leaves.fe.elements.element import Array, Recovered
from bondline.leaves.fe.elements.isoparametric import spread
from bondline.leaves.fe.sections import TrussSection

_TENSOR = ([0, 1, 2, 0, 1, 2], [0, 1, 2, 1, 2, 0])  # xx yy zz xy yz zx
_NO_LENGTH = Verdict(
    "both nodes are at the same place, so it has no axis.",
    "Move a node, merge them, or use SPRING between coincident nodes.",
)


@dataclass(frozen=True)
class Truss:
    """T3D2, three displacements a node."""

    dofs: tuple[int, ...] = (0, 1, 2)
    nodes: int = 2

    def stiffness(self, x: Array, section: TrussSection) -> Array:
        """EA/L along the axis t: B = (−t, t) / L."""
        L, t = axis("T3D2", x)
        B = np.concatenate([-t, t], axis=1) / L[:, None]
        EA = section.material.E * section.area
        return EA * L[:, None, None] * B[:, :, None] * B[:, None, :]

    def mass(self, x: Array, section: TrussSection, lumped: bool) -> Array:
        """Linear in all directions, or half of the mass at either node."""
        L, _ = axis("T3D2", x)
        share = np.eye(2) / 2.0 if lumped else (1.0 + np.eye(2)) / 6.0
        m = section.material.rho * section.area * L
        return spread(m[:, None, None] * share)

    def recover(self, x: Array, section: TrussSection, u: Array) -> Recovered:
        """σ t⊗t and ε (t⊗t − ν (1 − t⊗t)), the same at both nodes."""
        _, t = axis("T3D2", x)
        E, nu = section.material.E, section.material.nu
        along = (t[:, :, None] * t[:, None, :])[:, _TENSOR[0], _TENSOR[1]]
        across = np.eye(3)[_TENSOR] - along
        strain = _strain(x, u)[:, None] * (along - nu * across)
        stress = E * _strain(x, u)[:, None] * along
        return Recovered(("bar",), _both(stress)[None], _both(strain)[None])

    def resultants(self, x: Array, section: TrussSection, u: Array) -> Array:
        """The axial force, tension positive."""
        forces = np.zeros((len(x), 2, 6))
        N = section.material.E * section.area * _strain(x, u)
        forces[:, :, 0] = N[:, None]
        return forces


def axis(kind: str, x: Array) -> tuple[Array, Array]:
    """Length and unit vector from the first node to the second."""
    along = x[:, 1] - x[:, 0]
    L = np.linalg.norm(along, axis=1)
    refuse(kind, x, ~(L > 0.0), _NO_LENGTH)
    return L, along / L[:, None]


def _strain(x: Array, u: Array) -> Array:
    L, t = axis("T3D2", x)
    strain: Array = np.einsum("ei,ei->e", u[:, 3:] - u[:, :3], t) / L
    return strain


def _both(values: Array) -> Array:
    return np.repeat(values[:, None, :], 2, axis=1)
