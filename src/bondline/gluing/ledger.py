"""What a window did: gap, interface work, energy, counts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from bondline.core import (
    Advance,
    Energy,
    InterfaceSolution,
    Matrix,
    Vector,
)
from bondline.gluing.gaps import Levels


def work(
    forces: Matrix, weights: Matrix, before: Levels, after: Levels, h: float
) -> float:
    """Work of the joint forces on the gap, in joules: what the gluing adds or takes.

    By virtual work the loads of all ends together do ∫ F·e' dt. None is done when the
    gap stays closed.
    """
    d = np.stack([before[0], h * before[1], after[0], h * after[1], h * h * after[2]])
    return float(np.sum(forces * (weights @ d)))


def energy(advances: Mapping[str, Advance[Any]]) -> Energy | None:
    """Sum over the parts, in their order; nothing if one of them does not say."""
    total = Energy(0.0)
    for a in advances.values():
        if a.energy is None:
            return None
        total = total + a.energy
    return total


def counts(
    solution: InterfaceSolution[Any], gap: Vector, interface_work: float
) -> dict[str, float]:
    """Numbers that do not jitter."""
    sweeps = len(solution.history)
    return {
        "iterations": sweeps - 1,
        "sweeps": sweeps,
        "builds": solution.builds,
        "solves": solution.solves,
        "gap": float(np.abs(gap).max()) if gap.size else 0.0,
        "residual": solution.history[-1],
        "interface_work": interface_work,
    }


def merged(one: Mapping[str, float], two: Mapping[str, float]) -> dict[str, float]:
    """Counts of two windows after one another: sums, and the larger gap."""
    largest = ("gap", "residual")
    return {k: max(v, two[k]) if k in largest else v + two[k] for k, v in one.items()}
