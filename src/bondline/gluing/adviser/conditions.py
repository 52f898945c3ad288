"""Conditions of the joints: those that repeat others, and parts that nothing holds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from bondline.core import (
    Assembly,
    InterfaceProblem,
    Matrix,
    Rejected,
    Static,
    Sweep,
)
from bondline.gluing.adviser.advice import Section
from bondline.gluing.solvers.redundancy import redundant_conditions
from bondline.gluing.state import GluedState

_ILL = 1e10


def redundancy(
    assembly: Assembly,
    state: GluedState,
    problem: InterfaceProblem,
    here: Sweep | Rejected,
) -> Section:
    """The rank of ∂e/∂x, and the condition of ∂e/∂F before and after scaling."""
    B, names = stacked(assembly, state)
    extra = [names[k] for k in redundant_conditions(B)]
    words, care = _words(names, extra), bool(extra)
    slope = None
    if not isinstance(here, Rejected):
        slope = problem.slope(np.zeros(problem.size), here)
    if slope is None or isinstance(slope, Rejected) or not len(slope.matrix):
        return Section("Redundancy", tuple(words), care=care)
    raw, scaled = conditions(slope.matrix)
    if scaled > _ILL and not extra:
        words.append(
            "The interface is nearly singular though no condition repeats another: a "
            "part cannot move where a joint asks it to."
        )
        care = True
    rows = (("as it is", raw), ("rows and columns scaled", scaled))
    return Section("Redundancy", tuple(words), ("de/dF", "condition"), rows, care)


def _words(names: list[str], extra: list[str]) -> list[str]:
    if not extra:
        return [f"All {len(names)} conditions of the joints are independent."]
    return [
        f"{len(extra)} of {len(names)} conditions repeat others: {', '.join(extra)}. "
        "The smallest forces that close the gaps will be used; remove a joint if "
        "single forces matter."
    ]


def stacked(assembly: Assembly, state: GluedState) -> tuple[Matrix, list[str]]:
    """∂e/∂(all glued port dofs), and the name of each row."""
    ends = dict.fromkeys(e for c in assembly.connections for e in c.ends)
    columns, size = {}, 0
    for end in ends:
        width = assembly.parts[end.part].ports[end.port].size
        columns[end] = slice(size, size + width)
        size += width
    B, at = np.zeros((assembly.offsets[-1], size)), assembly.offsets
    for k, c in enumerate(assembly.connections):
        each = c.jacobian([state.motions[end] for end in c.ends])
        for end, b in zip(c.ends, each, strict=True):
            B[at[k] : at[k + 1], columns[end]] += b
    names = [f"{c.name}.{f}" for c in assembly.connections for f in c.components]
    return B, names


def conditions(J: Matrix) -> tuple[float, float]:
    """Condition of a slope as it is, and with rows and columns scaled."""
    rows = np.abs(J).max(axis=1)
    half = J / np.where(rows, rows, 1.0)[:, None]
    columns = np.abs(half).max(axis=0)
    scaled = half / np.where(columns, columns, 1.0)
    return float(np.linalg.cond(J)), float(np.linalg.cond(scaled))


def floating(parts: Mapping[str, Any], state: GluedState) -> Section:
    """Parts that have no equilibrium of their own."""
    able = {n: p for n, p in parts.items() if isinstance(p, Static)}
    loose = [n for n, p in able.items() if _floats(p, state.parts[n])]
    silent = [n for n in parts if n not in able]
    words = []
    if loose:
        words.append(
            f"Nothing holds {', '.join(loose)}: statics need springs at the joints "
            "(Robin); dynamics do not mind."
        )
    elif able:
        words.append(f"Held on their own: {', '.join(able)}.")
    if silent:
        words.append(f"No statics, so nobody knows: {', '.join(silent)}.")
    return Section("Floating parts", tuple(words))


def _floats(part: Static[Any], state: Any) -> bool:
    return isinstance(part.equilibrium(state, 1.0, {}, {}), Rejected)
