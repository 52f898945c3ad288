"""Bodies as flat polygons in the order in which they are painted: far ones first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, TypeAlias

import numpy as np
from matplotlib.colors import to_rgb
from numpy.typing import NDArray

from bondline.core import Matrix, Skin, Vector
from bondline.report.camera import Camera
from bondline.report.facets import Edges, corners, edges, finer, normals
from bondline.report.palette import INK, PAPER

Array: TypeAlias = NDArray[np.float64]
Colors: TypeAlias = Callable[[Vector], Array]
"""Values to red, green and blue."""

FINE = 8000  # facets up to which colours change inside a facet
LINED = 12000  # facets up to which their edges are drawn
_LIGHTS = np.array([[-0.45, 0.62, 0.64], [0.80, 0.10, 0.59]])  # seen by the viewer
_SHARES = np.array([0.34, 0.16])
_DOT = 8  # corners


@dataclass(frozen=True, eq=False)
class Body:
    """A part as it is drawn: where its points are, its colour or values at points."""

    name: str
    skin: Skin
    points: Matrix
    color: str
    values: Vector | None = None

    @cached_property
    def corners(self) -> NDArray[np.intp]:
        """Four points a facet."""
        return corners(self.skin)

    @cached_property
    def edges(self) -> Edges:
        """Edges that stand out where the part rests."""
        return edges(self.corners, normals(self.skin.points[self.corners]))

    def moved(self, points: Matrix, values: Vector | None = None) -> Body:
        """The same part elsewhere, without finding its edges again."""
        other = Body(self.name, self.skin, points, self.color, values)
        other.__dict__["corners"], other.__dict__["edges"] = self.corners, self.edges
        return other


class Strokes(NamedTuple):
    """Polygons on paper (n × k × 2), how near they are, and how they are painted."""

    outline: Array
    near: Vector
    face: Array
    edge: Array
    width: Vector


@dataclass(frozen=True, eq=False)
class Paint:
    """How bodies become strokes.

    `place` puts points in space on paper with their nearness. Values get `colors`.
    `dot` is the radius of a port's nodes on paper, 0 for none.
    """

    camera: Camera
    centre: Vector
    size: float
    colors: Colors
    fine: bool
    lined: bool
    dot: float = 0.0

    def place(self, points: Matrix) -> Matrix:
        """Points on paper."""
        return self.camera.project(points, self.centre, self.size)

    def strokes(self, bodies: Sequence[Body]) -> Strokes:
        """All polygons, the farthest first."""
        found = [s for body in bodies for s in self._body(body)]
        k = max((s.outline.shape[1] for s in found), default=4)
        wide = [s._replace(outline=_widened(s.outline, k)) for s in found]
        each = [np.concatenate(column) for column in zip(*wide, strict=True)]
        order = np.argsort(each[1], kind="stable")
        return Strokes(*(column[order] for column in each))

    def _body(self, body: Body) -> list[Strokes]:
        flat = self.place(body.points)
        quads = flat[body.corners]
        near = quads[:, :, 2].mean(axis=1) if len(quads) else np.zeros(0)
        shade = self._shade(body)
        found = [self._facets(body, quads, near, shade)]
        if body.values is not None and self.fine and self.lined:
            found.append(_mesh_lines(quads, near))
        found += [_outlines(body, flat, near), self._bars(body, flat)]
        if self.dot:
            found.append(self._dots(body, flat, near))
        return [s for s in found if len(s.near)]

    def _shade(self, body: Body) -> Vector:
        """How light facets are, from either side."""
        n = normals(body.points[body.corners]) @ self.camera.axes.T
        light: Vector = np.abs(n @ _LIGHTS.T) @ _SHARES
        return light

    def _facets(self, body: Body, quads: Array, near: Vector, shade: Vector) -> Strokes:
        if body.values is None:
            base = np.array(to_rgb(body.color))
            lit = (0.52 + shade)[:, None]
            face = np.clip(base * lit + 0.12 * shade[:, None], 0.0, 1.0)
            edge = 0.62 * face if self.lined else face
            widths = np.full(len(near), 0.30 if self.lined else 0.2)
            return Strokes(quads[:, :, :2], near, _opaque(face), _opaque(edge), widths)
        values = body.values[body.corners]
        if self.fine:
            values = finer(values[:, :, None])[..., 0].mean(axis=2).ravel()
            outline = finer(quads[:, :, :2]).reshape(-1, 4, 2)
            near, shade = np.repeat(near, 4), np.repeat(shade, 4)
        else:
            values, outline = values.mean(axis=1), quads[:, :, :2]
        face = np.clip(self.colors(values) * (0.72 + 0.62 * shade)[:, None], 0.0, 1.0)
        rgba = _opaque(face)
        return Strokes(outline, near, rgba, rgba, np.full(len(near), 0.35))

    def _bars(self, body: Body, flat: Array) -> Strokes:
        ends = flat[body.skin.bars]
        if body.values is None:
            color = np.tile(0.85 * np.array(to_rgb(body.color)), (len(ends), 1))
        else:
            color = self.colors(body.values[body.skin.bars].mean(axis=1))
        return _lines(ends, ends[:, :, 2].mean(axis=1), _opaque(color), 2.2)

    def _dots(self, body: Body, flat: Array, near: Vector) -> Strokes:
        ports = body.skin.ports.values()
        at = np.unique(np.concatenate([np.zeros(0, dtype=np.intp), *ports]))
        key = _nearest(body, flat, near)[at]
        turn = 2.0 * np.pi * (np.arange(_DOT) + 0.5) / _DOT
        circle = self.dot * np.stack([np.cos(turn), np.sin(turn)], axis=1)
        face = np.tile([*to_rgb(PAPER), 1.0], (len(at), 1))
        edge = np.tile([*to_rgb(INK), 1.0], (len(at), 1))
        width = np.full(len(at), 0.55)
        return Strokes(flat[at, None, :2] + circle, key, face, edge, width)


def _nearest(body: Body, flat: Array, near: Vector) -> Vector:
    """How near the nearest facet at each point is: a dot must not be painted over."""
    found = flat[:, 2].copy()
    for k in range(4):
        np.maximum.at(found, body.corners[:, k], near)
    return found


def _outlines(body: Body, flat: Array, near: Vector) -> Strokes:
    """Sharp and free edges, painted right after the nearer facet beside them."""
    ends, beside = body.edges
    key = near[beside].max(axis=1) if len(beside) else np.zeros(0)
    return _lines(flat[ends], key, np.array([*to_rgb(INK), 0.75]), 0.65)


def _mesh_lines(quads: Array, near: Vector) -> Strokes:
    face = np.zeros((len(near), 4))
    edge = np.tile([*to_rgb(INK), 0.22], (len(near), 1))
    return Strokes(quads[:, :, :2], near, face, edge, np.full(len(near), 0.3))


def _lines(ends: Array, near: Vector, color: Array, width: float) -> Strokes:
    """Lines as polygons without area, so that they are sorted like all others."""
    outline = ends[:, [0, 1, 1, 0], :2] if len(ends) else np.zeros((0, 4, 2))
    edge = np.broadcast_to(color, (len(ends), 4)).copy()
    face = np.zeros((len(ends), 4))
    return Strokes(outline, near, face, edge, np.full(len(ends), width))


def _opaque(rgb: Array) -> Array:
    return np.concatenate([rgb, np.ones((len(rgb), 1))], axis=1)


def _widened(outline: Array, k: int) -> Array:
    """Polygons with `k` corners, the last one repeated."""
    more = k - outline.shape[1]
    return np.concatenate([outline, *[outline[:, -1:]] * more], axis=1)
