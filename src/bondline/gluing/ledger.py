"""What a window did: gap, interface work, energy, counts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from bondline.core import (
    Advance,
    Energy,
    Gap,
    InterfaceSolution,
    Matrix,
    Motion,
    Rejected,
    Vector,
)
from bondline.gluing.state import GluedState


def gap_over(before: Gap, after: Gap, h: float) -> Matrix:
    """The gap at both ends of a window, as `Coupling.work` wants it."""
    (e0, v0, _), (e1, v1, a1) = before, after
    # without accelerations, e'' of the cubic through the rest
    bend = 6 * (e0 - e1) + h * (2 * v0 + 4 * v1) if a1 is None else h * h * a1
    return np.stack([e0, h * v0, e1, h * v1, bend])


def energy(advances: Mapping[str, Advance[Any]]) -> Energy | None:
    """Sum over the parts, in their order; nothing if one of them does not say."""
    total = Energy(0.0)
    for a in advances.values():
        if a.energy is None:
            return None
        total = total + a.energy
    return total


def counts(
    solution: InterfaceSolution[Any],
    gap: Gap,
    motions: Iterable[Motion],
    interface_work: float,
) -> dict[str, float]:
    """Numbers that do not jitter."""
    sweeps = len(solution.history)
    return {
        "iterations": sweeps - 1,
        "sweeps": sweeps,
        "builds": solution.builds,
        "solves": solution.solves,
        "gap": _largest(gap[0]),
        "gap_rate": _largest(gap[1]),
        "speed": max((_largest(m.v) for m in motions), default=0.0),
        "residual": solution.history[-1],
        "interface_work": interface_work,
        "halvings": 0,
    }


def one_after_another(
    one: Advance[GluedState], two: Advance[GluedState], forces: Matrix
) -> Advance[GluedState]:
    """Two windows as one: flows and counts add up, of two gaps the larger counts."""
    energy = two.energy
    if energy is not None and one.energy is not None:
        energy = energy + Energy(0.0, one.energy.dissipated, one.energy.supplied)
    stats = {
        k: _both(k, one.stats.get(k, 0.0), two.stats.get(k, 0.0))
        for k in dict.fromkeys([*one.stats, *two.stats])
    }
    return Advance(replace(two.state, forces=forces), two.outputs, energy, stats)


def _both(name: str, one: float, two: float) -> float:
    return max(one, two) if name.rpartition(".")[2] in _LARGEST else one + two


_LARGEST = ("gap", "gap_rate", "speed", "residual")


def _largest(x: Vector) -> float:
    return float(np.abs(x).max()) if x.size else 0.0


def after_halving(
    done: Advance[GluedState], failed: InterfaceSolution[Any] | Rejected
) -> Advance[GluedState]:
    """The same, with the price of the attempt that failed."""
    stats = dict(done.stats)
    stats["halvings"] += 1
    if not isinstance(failed, Rejected):
        stats["sweeps"] += len(failed.history)
        stats["iterations"] += len(failed.history) - 1
        stats["builds"] += failed.builds
        stats["solves"] += failed.solves
    return replace(done, stats=stats)
