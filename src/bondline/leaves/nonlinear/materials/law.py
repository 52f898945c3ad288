"""What a material point answers, all points of a block at once."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bondline.leaves.fe.sections import Material
from bondline.leaves.nonlinear.materials.hardening import Hardening

Array: TypeAlias = NDArray[np.float64]


class Point(NamedTuple):
    """Stress, ∂stress/∂strain, the history that goes with it, and energy per volume.

    `stored` comes back; `plastic` is dissipated since the beginning. Both follow from
    strain and history alone.
    """

    stress: Array
    tangent: Array
    history: Array
    stored: Array
    plastic: Array


class Law(Protocol):
    """Stress from strain and history: `strain` is … × s, `past` … × `numbers`.

    A uniaxial law has no axis s. The first number of a history, if any, is the
    equivalent plastic strain.
    """

    @property
    def numbers(self) -> int:
        """How many a point keeps."""
        ...

    def respond(self, strain: Array, past: Array) -> Point:
        """Stress and all that goes with it; changes nothing."""
        ...


@dataclass(frozen=True)
class Plastic:
    """J2 plasticity on top of an elastic material, strains small, rotations large.

    `kinematic` is the slope C of Prager's back stress in uniaxial tension, besides
    the isotropic hardening.
    """

    elastic: Material
    hardening: Hardening
    kinematic: float = field(default=0.0)


Metal: TypeAlias = Material | Plastic


def elastic(metal: Metal) -> Material:
    """E, ν, ρ and Rayleigh damping."""
    return metal.elastic if isinstance(metal, Plastic) else metal
