"""Planar and spatial parts in one space.

Joints couple x with x and y with y, so that a planar part lives in the plane z = 0 of
those in space, and glued points are where both parts say. Planar parts have y up, and
what is in space has z up; together with a planar part it has y up, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from bondline.core import Matrix


def upright(lines: Mapping[str, Matrix]) -> dict[str, Matrix]:
    """Lines (..., points, 2 or 3) in one space with z up."""
    y_up = has_planar(lines.values())
    return {name: _turned(lifted(x)) if y_up else x for name, x in lines.items()}


def has_planar(lines: Iterable[Matrix]) -> bool:
    """Whether a line is planar, so that y is up in all of them."""
    return any(points.shape[-1] == 2 for points in lines)


def lifted(points: Matrix) -> Matrix:
    """Points of a plane in the plane z = 0; those in space as they are."""
    flat = np.zeros((*points.shape[:-1], 3 - points.shape[-1]), dtype=points.dtype)
    found: Matrix = np.concatenate([points, flat], axis=-1)
    return found


def _turned(points: Matrix) -> Matrix:
    """What had y up, with z up."""
    x, y, z = (points[..., axis] for axis in range(3))
    found: Matrix = np.stack([x, -z, y], axis=-1)
    return found
