"""Parametric meshes: lines, grids and bricks mapped into space, cut and joined."""

from bondline.leaves.fe.generate.curved import (
    cylindrical,
    elliptic,
    octant,
    spherical,
    twisted,
)
from bondline.leaves.fe.generate.extrude import extrude
from bondline.leaves.fe.generate.join import Piece, coincident, join
from bondline.leaves.fe.generate.maps import bilinear, linear, trilinear
from bondline.leaves.fe.generate.patch import Patch
from bondline.leaves.fe.generate.structured import brick, grid, line, point
from bondline.leaves.fe.generate.tets import to_tet4, to_tet10

__all__ = [
    "Patch",
    "Piece",
    "bilinear",
    "brick",
    "coincident",
    "cylindrical",
    "elliptic",
    "extrude",
    "grid",
    "join",
    "line",
    "linear",
    "octant",
    "point",
    "spherical",
    "to_tet4",
    "to_tet10",
    "trilinear",
    "twisted",
]
