"""A camera: points in space to points on paper, and how near they are."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from bondline.core import Matrix, Vector
from bondline.errors import UsageError, did_you_mean

VIEWS = {
    "iso": (-52.0, 28.0),
    "front": (-90.0, 0.0),
    "back": (90.0, 0.0),
    "left": (180.0, 0.0),
    "right": (0.0, 0.0),
    "top": (-90.0, 90.0),
    "bottom": (-90.0, -90.0),
}


@dataclass(frozen=True)
class Camera:
    """Looks at a model from `azimuth` (from x towards y) and `elevation`, degrees.

    z is up. `distance` counts diameters of what is looked at; infinite means that
    parallel lines stay parallel.
    """

    azimuth: float = VIEWS["iso"][0]
    elevation: float = VIEWS["iso"][1]
    distance: float = math.inf

    @cached_property
    def axes(self) -> Matrix:
        """Rows point to the right, up, and towards the viewer."""
        a, e = math.radians(self.azimuth), math.radians(self.elevation)
        right = [-math.sin(a), math.cos(a), 0.0]
        towards = [math.cos(e) * math.cos(a), math.cos(e) * math.sin(a), math.sin(e)]
        return np.array([right, np.cross(towards, right), towards])

    def project(self, points: Matrix, centre: Vector, size: float) -> Matrix:
        """(…, 3): right, up and nearness of points (…, 3), with `centre` at the origin.

        `size` is the diameter of all that is looked at.
        """
        seen: Matrix = (points - centre) @ self.axes.T
        if math.isinf(self.distance):
            return seen
        away = np.maximum(1.0 - seen[..., 2] / (self.distance * size), 0.05)
        near: Matrix = np.concatenate(
            [seen[..., :2] / away[..., None], seen[..., 2:]], -1
        )
        return near


def camera(view: str, perspective: bool = False) -> Camera:
    """From the name of a view, or from two angles such as `-60,20`."""
    distance = 2.2 if perspective else math.inf
    if view in VIEWS:
        return Camera(*VIEWS[view], distance)
    try:
        azimuth, elevation = (float(word) for word in view.split(","))
    except ValueError:
        azimuth = elevation = math.nan
    if not (math.isfinite(azimuth) and abs(elevation) <= 90.0):
        raise UsageError(
            f"view {view!r}",
            "it is neither a view nor two angles in degrees.",
            f"Give azimuth,elevation such as -60,20. {did_you_mean(view, VIEWS)}",
        )
    return Camera(azimuth, elevation, distance)
