"""What there is to see of a mechanism: its parts in a plane, over time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from bondline.core import Matrix, Vector
from bondline.errors import UsageError
from bondline.report.palette import SERIES
from bondline.run.results import Results
from bondline.run.space import upright


@dataclass(frozen=True)
class Scene:
    """Polylines of the parts, and the points that mean something.

    Everything is (instants, points, 2) in metres. `joints` are ends that several
    parts share all the time, `tips` ends that move and belong to one part only,
    `supports` ends that never move. `box` is (left, right, bottom, top). `oblique`
    says that the plane is a view of a model in space.
    """

    t: Vector
    parts: Mapping[str, Matrix]
    joints: Matrix
    tips: Matrix
    supports: Matrix
    box: tuple[float, float, float, float]
    oblique: bool = False

    @property
    def colors(self) -> dict[str, str]:
        """One colour a part."""
        return {n: SERIES[k % len(SERIES)] for k, n in enumerate(self.parts)}

    def at(self, instants: Vector) -> Scene:
        """The same scene at other instants, straight between those known."""
        return Scene(
            instants,
            {name: _resample(self.t, p, instants) for name, p in self.parts.items()},
            _resample(self.t, self.joints, instants),
            _resample(self.t, self.tips, instants),
            _resample(self.t, self.supports, instants),
            self.box,
            self.oblique,
        )


def scene(results: Results) -> Scene:
    """The mechanism of a run; models in space are seen from the front and above."""
    if not (results.shapes and len(results.t)):
        raise UsageError(
            f"run {results.run}",
            "no part of the model shows a shape.",
            "Plot its signals instead, or give a leaf the method `shapes`.",
        )
    oblique = not _in_a_plane(results.shapes)
    look = _oblique if oblique else _front
    parts = {name: look(points) for name, points in upright(results.shapes).items()}
    joints, tips, supports = _ends(parts)
    return Scene(results.t, parts, joints, tips, supports, _box(parts), oblique)


def _in_a_plane(shapes: Mapping[str, Matrix]) -> bool:
    """Whether there are planar parts, and no other leaves their plane."""
    spatial = [points for points in shapes.values() if points.shape[-1] == 3]
    size = max((float(np.ptp(x[np.isfinite(x)])) for x in spatial), default=0.0)
    away = max((float(np.nanmax(np.abs(x[..., 2]))) for x in spatial), default=0.0)
    return len(spatial) < len(shapes) and away <= 1e-6 * size


def _front(points: Matrix) -> Matrix:
    """The plane of planar parts, as they have it."""
    return points[..., [0, 2]]


def _oblique(points: Matrix) -> Matrix:
    """A fixed view from the front and above."""
    x, y, z = (points[..., axis] for axis in range(3))
    turn, rise = np.radians(-35.0), np.radians(25.0)
    depth = x * np.sin(turn) + y * np.cos(turn)
    right = x * np.cos(turn) - y * np.sin(turn)
    seen: Matrix = np.stack([right, z * np.cos(rise) + depth * np.sin(rise)], axis=-1)
    return seen


def _ends(parts: Mapping[str, Matrix]) -> tuple[Matrix, Matrix, Matrix]:
    """Joints, tips and supports among the ends of all polylines."""
    ends = [p[:, k] for p in parts.values() for k in sorted({0, p.shape[1] - 1})]
    near = 1e-3 * _size(parts)
    groups: list[list[Matrix]] = []
    for end in ends:
        home = next((g for g in groups if _close(g[0], end, near)), None)
        if home is None:
            groups.append([end])
        else:
            home.append(end)
    still = [g[0] for g in groups if _close(g[0], g[0][:1], near)]
    moving = [g for g in groups if not _close(g[0], g[0][:1], near)]
    joints = [g[0] for g in moving if len(g) > 1]
    tips = [g[0] for g in moving if len(g) == 1]
    count = len(next(iter(parts.values())))
    return _stack(joints, count), _stack(tips, count), _stack(still, count)


def _close(a: Matrix, b: Matrix, near: float) -> bool:
    return bool(np.nanmax(np.abs(a - b), initial=0.0) <= near)


def _stack(points: list[Matrix], count: int) -> Matrix:
    return np.stack(points, axis=1) if points else np.zeros((count, 0, 2))


def _size(parts: Mapping[str, Matrix]) -> float:
    left, right, bottom, top = _box(parts, margin=0.0)
    return max(right - left, top - bottom)


def _box(
    parts: Mapping[str, Matrix], margin: float = 0.07
) -> tuple[float, float, float, float]:
    """What encloses every part at every instant, with some air around it."""
    points = np.concatenate([p.reshape(-1, 2) for p in parts.values()])
    points = points[np.isfinite(points).all(axis=1)]
    if not len(points):
        return (-1.0, 1.0, -1.0, 1.0)
    (left, bottom), (right, top) = points.min(axis=0), points.max(axis=0)
    air = margin * (max(right - left, top - bottom) or 1.0)
    return float(left - air), float(right + air), float(bottom - air), float(top + air)


def _resample(t: Vector, points: Matrix, instants: Vector) -> Matrix:
    flat = points.reshape(len(t), -1)
    columns = [np.interp(instants, t, column) for column in flat.T]
    shape = (len(instants), *points.shape[1:])
    moved: Matrix = (
        np.stack(columns, axis=1) if columns else np.zeros((len(instants), 0))
    )
    return moved.reshape(shape)
