"""Maps onto curved bodies, for `grid` and `brick`; angles are in radians."""

from __future__ import annotations

from math import pi

import numpy as np

from bondline.core import Matrix
from bondline.leaves.fe.generate.join import coincident
from bondline.leaves.fe.generate.maps import bilinear
from bondline.leaves.fe.generate.patch import Patch
from bondline.leaves.fe.generate.structured import Map, grid


def elliptic(
    inner: tuple[float, float],
    outer: tuple[float, float],
    angle: float = 0.5 * pi,
    height: float = 1.0,
) -> Map:
    """Between two ellipses about z with half axes along x and y.

    u goes from the inner to the outer one, v round from the x axis, w (of a brick) up.
    """
    (a, b), (c, d) = inner, outer

    def position(p: Matrix) -> Matrix:
        u, turn = p[:, 0], angle * p[:, 1]
        z = height * p[:, 2] if p.shape[1] == 3 else np.zeros(len(p))
        x, y = a + (c - a) * u, b + (d - b) * u
        return np.column_stack([x * np.cos(turn), y * np.sin(turn), z])

    return position


def cylindrical(radius: float, length: float, angle: float = 0.5 * pi) -> Map:
    """A cylinder about y: u goes along y, v round from the z axis towards x."""

    def position(p: Matrix) -> Matrix:
        turn = angle * p[:, 1]
        x, z = radius * np.sin(turn), radius * np.cos(turn)
        return np.column_stack([x, length * p[:, 0], z])

    return position


def spherical(
    radius: float, longitude: float = 0.5 * pi, latitude: float = 0.5 * pi
) -> Map:
    """A sphere: u goes round z from the x axis, v up from the equator."""

    def position(p: Matrix) -> Matrix:
        round_z, up = longitude * p[:, 0], latitude * p[:, 1]
        level = radius * np.cos(up)
        x, y = level * np.cos(round_z), level * np.sin(round_z)
        return np.column_stack([x, y, radius * np.sin(up)])

    return position


def twisted(length: float, width: float, angle: float = 0.5 * pi) -> Map:
    """A strip along x (u) that is across y (v) at its start and turns about x."""

    def position(p: Matrix) -> Matrix:
        turn, across = angle * p[:, 0], width * (p[:, 1] - 0.5)
        y, z = across * np.cos(turn), across * np.sin(turn)
        return np.column_stack([length * p[:, 0], y, z])

    return position


def octant(radius: float, cells: int) -> Patch:
    """The eighth of a sphere where x, y, z ≥ 0: three grids that meet at its middle.

    Without a pole, so all elements are quadrilaterals. Normals point outwards. Node
    sets: the edges `x0 y0 z0` in the planes through the centre, and the three `corners`
    on x, y and z.
    """
    X, Y, Z = np.eye(3)
    middle = X + Y + Z
    blocks = []
    for a, b, c in ((X, Y, Z), (Y, Z, X), (Z, X, Y)):
        rim = [_unit(v) for v in (a, a + b, middle, a + c)]
        blocks.append(grid((cells, cells), bilinear(rim)))
    points = _unit(np.concatenate([block.points for block in blocks]))
    keep, place = coincident(points, 0.1 / cells**2)
    starts = len(blocks[0].points) * np.arange(3)
    nodes = np.concatenate(
        [block.nodes + start for block, start in zip(blocks, starts, strict=True)]
    )
    x = points[keep]
    sets = {f"{n}0": np.flatnonzero(x[:, k] < 1e-9) for k, n in enumerate("xyz")}
    sets["corners"] = np.argmax(x, axis=0)
    return Patch(radius * x, place[nodes], sets)


def _unit(x: Matrix) -> Matrix:
    return np.asarray(x / np.linalg.norm(x, axis=-1, keepdims=True))
