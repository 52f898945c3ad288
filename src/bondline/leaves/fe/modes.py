"""Undamped vibration of a model: frequencies and shapes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import pi
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bondline.core import Vector
from bondline.leaves.fe.massless import check_mass
from bondline.leaves.fe.model import FeModel
from bondline.numerics import LinearSystem, lowest_modes, modal_damping, modes_between


@dataclass(frozen=True, eq=False)
class FeModes:
    """Modes of a model, rigid motions included, lowest first.

    `frequencies` are in Hz; `shapes` are modes × nodes × 6 with φᵀMφ = 1.
    """

    model: FeModel
    frequencies: Vector
    shapes: NDArray[np.float64]


def modes(
    model: FeModel, count: int = 10, band: tuple[float, float] | None = None
) -> FeModes:
    """The lowest modes, or all with frequencies in a band (Hz).

    Enforced motion is left out: led nodes stand still.
    """
    made = model.assembled
    check_mass(made)
    M, _, K = made.system
    few = min(count, K.shape[0])
    found = lowest_modes(K, M, few) if band is None else modes_between(K, M, band)
    moved = np.asarray(made.T @ found.shapes, dtype=np.float64)
    nodes = len(model.mesh.points)
    shapes = np.zeros((moved.shape[1], nodes, 6))
    for shape, u in zip(shapes, moved.T, strict=True):
        shape[:] = made.dofs.spread(u)
    return FeModes(model, found.omega / (2.0 * pi), shapes)


def damped(system: LinearSystem, ratios: Sequence[float]) -> LinearSystem:
    """The system with damping ratios for its lowest modes besides its own damping."""
    if not len(ratios):
        return system
    M, C, K = system
    lowest = lowest_modes(K, M, len(ratios))
    own: Any = C  # sparse, as all that is assembled
    return LinearSystem(M, modal_damping(M, lowest, ratios, own), K)
