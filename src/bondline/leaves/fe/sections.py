"""What elements are made of: materials and sections."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf
from typing import TypeAlias

import numpy as np

from bondline.core import Matrix, Vector


@dataclass(frozen=True, slots=True)
class Material:
    """An isotropic linear elastic material with Rayleigh damping α M + β K."""

    name: str
    E: float
    nu: float = 0.3
    rho: float = 0.0
    alpha: float = 0.0
    beta: float = 0.0

    @property
    def G(self) -> float:
        """Shear modulus."""
        return self.E / (2.0 * (1.0 + self.nu))


@dataclass(frozen=True, slots=True)
class ShellSection:
    """A plate of one thickness; `offset` is from the nodes to its middle surface.

    The offset goes along the normal, in metres.
    """

    material: Material
    thickness: float
    offset: float = 0.0


@dataclass(frozen=True, slots=True)
class SolidSection:
    """A body filled with one material."""

    material: Material


@dataclass(frozen=True, slots=True)
class TrussSection:
    """A bar that carries axial force only."""

    material: Material
    area: float


@dataclass(frozen=True, eq=False)
class BeamSection:
    """A constant cross-section in the axes 1 and 2 of an element.

    Axis 1 is `direction` made normal to the beam's axis t, axis 2 = t × 1. I₁₁ bends
    in the plane of t and 2 (about axis 1), I₂₂ in that of t and 1; J twists. Shear
    areas that are infinite make an Euler-Bernoulli beam. `offset` (axes 1 and 2) is
    from the nodes to the centroid.
    """

    material: Material
    area: float
    I11: float
    I22: float
    J: float
    direction: Vector
    shear1: float = inf
    shear2: float = inf
    offset: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True, eq=False)
class PointMass:
    """A lumped mass with its tensor of inertia about the node."""

    mass: float
    inertia: Matrix = field(default_factory=lambda: np.zeros((3, 3)))


@dataclass(frozen=True, eq=False)
class Bushing:
    """Springs and dashpots along and about the six axes between two nodes.

    With one node the other end is the ground. `axes` has the local axes as rows.
    """

    stiffness: Vector
    damping: Vector
    axes: Matrix = field(default_factory=lambda: np.eye(3))


Section: TypeAlias = (
    ShellSection | SolidSection | TrussSection | BeamSection | PointMass | Bushing
)
