"""Cross-sections cut into fibres, in the axes 1 and 2 of a beam."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bondline.core import Vector
from bondline.errors import SettingError
from bondline.leaves.fe import profiles
from bondline.leaves.nonlinear.materials.law import Metal


@dataclass(frozen=True, eq=False)
class Fibres:
    """Areas at (y1, y2) from the centroid, of one metal; J twists (3-D only)."""

    metal: Metal
    y1: Vector
    y2: Vector
    area: Vector
    J: float = 0.0


def rectangle(metal: Metal, width: float, height: float, cuts: int = 6) -> Fibres:
    """A full rectangle, `width` along axis 1, by `cuts` × `cuts` Gauss points."""
    _sized("rectangle", cuts, width=width, height=height)
    xi, w = np.polynomial.legendre.leggauss(cuts)
    y1, y2 = np.meshgrid(0.5 * width * xi, 0.5 * height * xi)
    area = 0.25 * width * height * np.outer(w, w)
    J = profiles.rectangle(width, height).J
    return Fibres(metal, y1.ravel(), y2.ravel(), area.ravel(), J)


def layers(metal: Metal, depth: float, width: float, cuts: int = 10) -> Fibres:
    """A rectangle in layers along axis 1, by Gauss points: for bending in a plane."""
    _sized("layers", cuts, depth=depth, width=width)
    xi, w = np.polynomial.legendre.leggauss(cuts)
    return Fibres(metal, 0.5 * depth * xi, 0.0 * xi, 0.5 * w * depth * width)


def box(metal: Metal, depth: float, height: float, wall: float, web: int = 8) -> Fibres:
    """A closed box for bending along axis 1: a fibre a flange, `web` for both webs.

    `depth` is along axis 1. Flanges are `height` × `wall`; in axis 2 they and the webs
    have their own fibres at the middle lines of the walls.
    """
    _walled("box", web, depth, height, wall)
    clear, arm = depth - 2.0 * wall, 0.5 * (height - wall)
    side = _middles(height, web)
    flange, webs = _middles(clear, web), np.full(web, arm)
    outer = np.full(web, 0.5 * (depth - wall))
    y1 = np.concatenate([outer, -outer, flange, flange])
    y2 = np.concatenate([side, side, webs, -webs])
    areas = np.repeat([height * wall / web, clear * wall / web], 2 * web)
    J = profiles.box(depth, height, wall, wall).J
    return Fibres(metal, y1, y2, areas, J)


def flat_box(
    metal: Metal, depth: float, height: float, wall: float, web: int = 8
) -> Fibres:
    """The same box for the plane: one fibre a flange, `web` over both webs."""
    _walled("flat_box", web, depth, height, wall)
    clear = depth - 2.0 * wall
    outer = 0.5 * (depth - wall)
    y1 = np.concatenate([[outer, -outer], _middles(clear, web)])
    area = np.concatenate([[height * wall] * 2, np.full(web, 2.0 * wall * clear / web)])
    return Fibres(metal, y1, np.zeros_like(y1), area)


def tube(metal: Metal, radius: float, wall: float, cuts: int = 16) -> Fibres:
    """A thin tube: fibres around its middle line that keep its area and inertia."""
    _sized("tube", cuts, radius=radius, wall=wall)
    made = profiles.pipe(radius, wall)
    angle = 2.0 * np.pi * (np.arange(cuts) + 0.5) / cuts
    r = np.sqrt(2.0 * made.I11 / made.area)
    area = np.full(cuts, made.area / cuts)
    return Fibres(metal, r * np.cos(angle), r * np.sin(angle), area, made.J)


def _middles(size: float, cuts: int) -> Vector:
    return np.asarray(size * ((np.arange(cuts) + 0.5) / cuts - 0.5))


def _sized(shape: str, cuts: int, **sizes: float) -> None:
    """Refuse what is no size, and no number of fibres."""
    for name, size in sizes.items():
        if not (np.isfinite(size) and size > 0.0):
            raise SettingError(
                f"section {shape}", f"{name} is {size:g}.", "Give metres above zero."
            )
    if cuts < 1:
        raise SettingError(
            f"section {shape}", f"it is cut into {cuts}.", "Give 1 fibre or more."
        )


def _walled(shape: str, web: int, depth: float, height: float, wall: float) -> None:
    _sized(shape, web, depth=depth, height=height, wall=wall)
    if not 2.0 * wall < min(depth, height):
        raise SettingError(
            f"section {shape}",
            f"walls of {wall:g} m leave nothing open in {depth:g} x {height:g} m.",
            "Give walls thinner than half of it, or a rectangle.",
        )
