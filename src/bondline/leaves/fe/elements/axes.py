"""Local axes and rigid arms."""

from __future__ import annotations

import numpy as np

from bondline.core import Vector
from bondline.leaves.fe.elements.checks import Verdict, refuse
from bondline.leaves.fe.elements.element import Array
from bondline.leaves.fe.elements.truss import axis

_CROSS = np.zeros((3, 3, 3))  # the permutation symbol
_CROSS[[0, 1, 2], [1, 2, 0], [2, 0, 1]] = 1.0
_CROSS[[0, 1, 2], [2, 0, 1], [1, 2, 0]] = -1.0
_NO_AXIS_1 = Verdict(
    "the section's direction is along the beam (or zero), so axis 1 is undefined.",
    "Give BeamSection a direction across the beam.",
)


def beam_axes(kind: str, x: Array, direction: Vector) -> Array:
    """Rows t, 1, 2 of every beam."""
    _, t = axis(kind, x)
    d = np.broadcast_to(np.asarray(direction, dtype=np.float64), t.shape)
    across = d - np.einsum("ei,ei->e", d, t)[:, None] * t
    size = np.linalg.norm(across, axis=1)
    refuse(kind, x, ~(size > 1e-6 * np.linalg.norm(direction)), _NO_AXIS_1)
    n1 = across / size[:, None]
    return np.stack([t, n1, np.cross(t, n1)], axis=1)


def arms(arm: Array) -> Array:
    """Motion at the ends of rigid arms from that of the nodes.

    `arm` is elements × nodes × 3, from the node to its end: u + θ × a, and θ. Gives
    elements × nodes × 6 × 6.
    """
    made = np.broadcast_to(np.eye(6), (*arm.shape[:2], 6, 6)).copy()
    made[:, :, :3, 3:] = np.einsum("ijk,enk->enij", _CROSS, arm)
    return made


def turned(R: Array, nodes: Array) -> Array:
    """Blocks of nodes (elements × n × 6 × 6) in axes R, as elements × 6n × 6n."""
    count, n = nodes.shape[:2]
    made = np.zeros((count, n, 6, n, 6))
    for node in range(n):
        for part in (slice(0, 3), slice(3, 6)):
            made[:, node, part, node] = R @ nodes[:, node, part]
    return made.reshape(count, 6 * n, 6 * n)
