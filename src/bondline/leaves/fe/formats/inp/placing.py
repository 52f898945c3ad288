"""Instances of parts: moved and turned."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from bondline.core import Matrix
from bondline.leaves.fe.formats.draft import SCOPE
from bondline.leaves.fe.formats.inp.card import Card
from bondline.leaves.fe.formats.inp.work import Work
from bondline.leaves.fe.formats.row import Row


def place_instances(instances: Mapping[int, Card], work: Work) -> None:
    """Move the nodes of each instance by the vector on its first data line, then turn.

    The second data line has two points on the axis and the angle in degrees.
    """
    nodes = work.draft.nodes
    for number, card in instances.items():
        rows = list(card.rows())
        mine = [node for node in nodes if node >> SCOPE == number]
        if not rows or not mine:
            continue
        points = np.array([nodes[node] for node in mine])
        points = points + [rows[0].number(i, "a translation", 0.0) for i in range(3)]
        if len(rows) > 1:
            points = _turned(points, rows[1])
        for node, (x, y, z) in zip(mine, points.tolist(), strict=True):
            nodes[node] = x, y, z


def _turned(points: Matrix, row: Row) -> Matrix:
    """Rodrigues' formula about the line from a to b."""
    numbers = [row.number(i, "the axis or the angle", 0.0) for i in range(7)]
    a, b, angle = np.array(numbers[:3]), np.array(numbers[3:6]), np.radians(numbers[6])
    length = np.linalg.norm(b - a)
    if not length > 0.0:
        raise row.wrong("the axis has no length.", "Give two points on the axis.")
    axis, arm = (b - a) / length, points - a
    along = np.outer(arm @ axis, axis)
    across = np.cross(axis, arm)
    turned = along + np.cos(angle) * (arm - along) + np.sin(angle) * across
    return np.asarray(a + turned, dtype=np.float64)
