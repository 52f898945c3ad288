"""Lines swept into quadrilaterals, quadrilaterals into bricks."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from bondline.errors import UsageError
from bondline.leaves.fe.generate.patch import Patch
from bondline.leaves.fe.generate.structured import Cells, numbered, parameters
from bondline.leaves.fe.mesh import Indices


def extrude(patch: Patch, cells: Cells, along: ArrayLike) -> Patch:
    """The patch swept along a vector: lines become shells, shells bricks.

    Node sets keep their names and grow along the sweep; `start` and `end` are the
    first and last layer (and face sets of bricks). Bricks come out right if `along`
    is on the side of the shells' normals.
    """
    s = parameters("extrude", cells)
    step, layers = len(patch.points), np.arange(len(s) - 1)
    points = patch.points + s[:, None, None] * np.asarray(along, dtype=np.float64)
    lower = patch.nodes + step * layers[:, None, None]
    nodes = np.concatenate([lower, _upper(patch, lower + step)], axis=2)
    starts = step * np.arange(len(s))[:, None]
    sets = {n: (rows + starts).ravel() for n, rows in patch.node_sets.items()}
    sets["start"], sets["end"] = np.arange(step), np.arange(step) + starts[-1]
    return Patch(
        points.reshape(-1, 3), nodes.reshape(-1, nodes.shape[2]), sets, _ends(nodes)
    )


def _upper(patch: Patch, upper: Indices) -> Indices:
    """The nodes of the far side, so that the whole runs in an element's order."""
    if upper.shape[2] == 2:
        return upper[:, :, ::-1]
    if upper.shape[2] == 4:
        return upper
    raise UsageError(
        "extrude",
        f"the patch has elements of {patch.nodes.shape[1]} nodes.",
        "Extrude a line (2 nodes) or quadrilaterals (4 nodes).",
    )


def _ends(nodes: Indices) -> dict[str, Indices]:
    if nodes.shape[2] != 8:
        return {}
    rows = np.arange(nodes.shape[0] * nodes.shape[1]).reshape(nodes.shape[:2])
    return {"start": numbered(rows[0], 1), "end": numbered(rows[-1], 2)}
