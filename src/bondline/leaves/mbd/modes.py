"""Flexible bodies: what integrals over a body's modes leave of it.

In body axes, about the body's origin O, with undeformed points s and modes φₖ.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike

from bondline.core import Matrix
from bondline.errors import SettingError
from bondline.leaves.mbd.frame import Frame


@dataclass(frozen=True, eq=False)
class Node:
    """A frame that moves with the modes: s + shift a, turned by exp(tilt a)."""

    frame: Frame
    shift: Matrix  # 3 × m, Ψ_t of kim2000 (11)
    tilt: Matrix  # 3 × m, Ψ_r

    def __post_init__(self) -> None:
        object.__setattr__(self, "shift", np.asarray(self.shift, dtype=np.float64))
        object.__setattr__(self, "tilt", np.asarray(self.tilt, dtype=np.float64))


_EMPTY: Mapping[str, Node] = MappingProxyType({})


@dataclass(frozen=True, eq=False)
class Modes:
    """The invariants of a flexible body with m modes, kim2000 (5)-(7).

    `stiffening` are 12 symmetric m × m matrices G: the geometric stiffness under a unit
    acceleration of O along x, y, z (a body force −1 per mass), a unit angular
    acceleration about x, y, z, and unit products ωxωx, ωyωy, ωzωz, ωxωy, ωyωz, ωzωx.
    """

    mass: float
    c0: Matrix  # ∫ s dm, (3,)
    J0: Matrix  # −∫ s̃ s̃ dm, (3, 3)
    I0: Matrix  # ∫ φₖ dm, (m, 3)
    S1: Matrix  # ∫ s φₖᵀ dm, (m, 3, 3)
    S2: Matrix  # ∫ φₖ φₗᵀ dm, (m, m, 3, 3)
    M: Matrix  # modal mass, (m, m): traces of S2, and rotary inertia if it counts
    K: Matrix
    D: Matrix
    nodes: Mapping[str, Node] = field(default_factory=lambda: _EMPTY)
    stiffening: Matrix | None = None
    start: Sequence[float] | None = None  # zero if not given
    speed: Sequence[float] | None = None

    def __post_init__(self) -> None:
        m = self.count
        shapes = {
            "c0": (3,),
            "J0": (3, 3),
            "I0": (m, 3),
            "S1": (m, 3, 3),
            "S2": (m, m, 3, 3),
            "M": (m, m),
            "K": (m, m),
            "D": (m, m),
        }
        for name, shape in shapes.items():
            value = _array(f"modes.{name}", getattr(self, name), shape)
            object.__setattr__(self, name, value)
        if self.stiffening is not None:
            value = _array("modes.stiffening", self.stiffening, (12, m, m))
            object.__setattr__(self, "stiffening", value)
        for name, node in self.nodes.items():
            _array(f"modes.nodes[{name!r}].shift", node.shift, (3, m))
            _array(f"modes.nodes[{name!r}].tilt", node.tilt, (3, m))
        for name in ("start", "speed"):
            given = tuple(map(float, getattr(self, name) or ())) or (0.0,) * m
            _array(f"modes.{name}", given, (m,))
            object.__setattr__(self, name, given)
        _check_symmetric(self)
        _check_consistent(self)

    @property
    def count(self) -> int:
        """How many modes there are."""
        return len(np.atleast_1d(np.asarray(self.M)))


def _array(place: str, given: ArrayLike, shape: tuple[int, ...]) -> Matrix:
    found = np.asarray(given, dtype=np.float64)
    if found.shape != shape:
        raise SettingError(
            place,
            f"it has the shape {found.shape}.",
            f"The modal mass M says there are {shape[-1] if shape != (3,) else 3} "
            f"columns: give {' × '.join(map(str, shape))} numbers.",
        )
    if not np.isfinite(found).all():
        raise SettingError(place, "a number is not finite.", "Give finite numbers.")
    return found


def _check_symmetric(modes: Modes) -> None:
    for name in ("J0", "M", "K", "D"):
        A: Matrix = getattr(modes, name)
        if np.abs(A - A.T).max(initial=0.0) > 1e-8 * np.abs(A).max(initial=0.0):
            raise SettingError(
                f"modes.{name}",
                "the matrix is not symmetric.",
                "Give the symmetric matrix; a gyroscopic part comes by itself.",
            )


def _check_consistent(modes: Modes) -> None:
    """∫ φₖ φₗᵀ and ∫ φₗ φₖᵀ are transposes of each other."""
    S2 = modes.S2
    off = np.abs(S2 - S2.transpose(1, 0, 3, 2)).max(initial=0.0)
    if off > 1e-8 * np.abs(S2).max(initial=0.0):
        raise SettingError(
            "modes.S2",
            "S2[k, l] is not the transpose of S2[l, k].",
            "Give ∫ φₖ φₗᵀ dm: the first index belongs to the rows.",
        )
