"""Conditions on dofs that a part holds still by itself.

A dof that is fixed on one side only would hold the other side where its owner did not
say so, and is refused. Fixed on every side, the condition says nothing and is left out:
no force can be told from it, and Λ would be singular.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from bondline.core import Matrix, Port, PortRef
from bondline.errors import WiringError

_ROUND = 1e-10  # of the largest weight of a row


def idle_rows(
    place: str, ends: Sequence[PortRef], ports: Sequence[Port], B: Sequence[Matrix]
) -> list[int]:
    """Rows of e = Σ Bᵢ uᵢ that no end can change; refused where only one cannot."""
    if not any(port.fixed for port in ports):
        return []
    counts = [_counts(port, B_i) for port, B_i in zip(ports, B, strict=True)]
    used = np.array([every > 0 for every, _ in counts])
    touched = np.array([held > 0 for _, held in counts])
    dead = np.array([(held == every) & (every > 0) for every, held in counts])
    alone = dead.any(axis=0) & ~(touched | ~used).all(axis=0)
    for row in np.flatnonzero(alone).tolist():
        i = int(np.flatnonzero(dead[:, row])[0])
        j = int(np.flatnonzero(used[:, row] & ~touched[:, row])[0])
        told = _dof(ends[i], ports[i], int(np.abs(B[i][row]).argmax()))
        other = _dof(ends[j], ports[j], int(np.abs(B[j][row]).argmax()))
        raise WiringError(
            place,
            f"{told} is fixed, {other} is not.",
            "Support the dof in both models or in neither, or tie other dofs.",
        )
    return [int(row) for row in np.flatnonzero((dead | ~used).all(axis=0))]


def _counts(port: Port, B: Matrix) -> tuple[Matrix, Matrix]:
    """How many dofs each row has, and how many of these are fixed."""
    fixed = np.zeros(port.size)
    fixed[list(port.fixed)] = 1.0
    there = _there(B).astype(np.float64)
    return there.sum(axis=1), there @ fixed


def _there(B: Matrix) -> NDArray[np.bool_]:
    """Which dofs count in a row; weights that are round-off do not."""
    size = np.abs(B)
    return np.asarray(size > _ROUND * size.max(axis=1, initial=0.0)[:, None])


def _dof(end: PortRef, port: Port, column: int) -> str:
    node, k = divmod(column, len(port.dofs))
    at = ""
    if port.surface is not None:
        at = f" at ({', '.join(f'{x:g}' for x in port.surface.points[node])})"
    which = f", node {node}{at}" if port.nodes > 1 or at else ""
    return f"{end}{which}, {port.dofs[k]}"
