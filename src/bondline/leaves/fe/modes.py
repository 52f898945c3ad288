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
from bondline.leaves.fe.numbers import check_number
from bondline.numerics import LinearSystem, lowest_modes, modal_damping, modes_between


@dataclass(frozen=True, eq=False)
class FeModes:
    """Modes of a model, rigid motions included, lowest first.

    `frequencies` are in Hz; `shapes` are modes × nodes × 6 with φᵀMφ = 1. `complete`
    says whether none was left out, if known.
    """

    model: FeModel
    frequencies: Vector
    shapes: NDArray[np.float64]
    complete: bool | None


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
    return FeModes(model, found.omega / (2.0 * pi), shapes, found.complete)


def damped(system: LinearSystem, ratios: Sequence[float]) -> LinearSystem:
    """The system with damping ratios for its lowest modes besides its own damping."""
    if not len(ratios):
        return system
    check_number("modal damping ratios", ratios)
    M, C, K = system
    lowest = lowest_modes(K, M, len(ratios))
    own: Any = C  # sparse, as all that is assembled
    return LinearSystem(M, modal_damping(M, lowest, ratios, own), K)
