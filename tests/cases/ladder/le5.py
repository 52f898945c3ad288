"""NAFEMS LE5: a cantilever with a Z section under a torque of 1.2 MN m."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from bondline.leaves.fe.generate import Piece, bilinear, grid, join
from bondline.leaves.fe.model import FeModel
from bondline.leaves.fe.sections import Material, ShellSection
from bondline.leaves.fe.supports import Support
from tests.cases.ladder.climb import Wanted, rest
from tests.cases.ladder.rung import Rung, within
from tests.cases.ladder.shapes import ALL, LAYERS, Y, cells, even, nearest, stress

CASE, SOURCE = "NAFEMS LE5", "NAFEMS P18"
CORNERS = ((-1.0, 1.0), (0.0, 1.0), (0.0, -1.0), (1.0, -1.0))
A = (2.5, 1.0, -1.0)


def model(kind: str, along: int, across: int) -> FeModel:
    """Web 2 m high, flanges 1 m wide; 0.6 MN shear the end of each flange."""
    section = ShellSection(Material("steel", 210e9, 0.3, 7850.0), 0.1)
    pieces = {}
    for k, ((y0, z0), (y1, z1)) in enumerate(pairwise(CORNERS)):
        rim = [(0, y0, z0), (10, y0, z0), (10, y1, z1), (0, y1, z1)]
        n = (along, 2 * across if k == 1 else across)
        patch = grid(n, bilinear(rim), kind == "S3")
        pieces[("top", "web", "bottom")[k]] = Piece(patch, kind, section)
    mesh = join(pieces)
    wall = np.flatnonzero(mesh.points[:, 0] < 1e-9)
    loads = even(mesh.node_sets["top.u1"], Y, -0.6e6)
    loads += even(mesh.node_sets["bottom.u1"], Y, 0.6e6)
    return FeModel(CASE, mesh, (Support(wall, ALL),), loads=loads)


def rungs(fine: bool) -> Iterator[Rung]:
    for kind, n in (("S4", cells(fine, (8, 1), (32, 4))), ("S3", (32, 4))):
        if kind == "S3" and not fine:
            continue
        whole = model(kind, *n)
        wanted = Wanted(
            CASE, f"{kind} {n[0]} × {4 * n[1]}, σxx(A)", -108e6, within(0.05), SOURCE,
            4 if kind == "S4" else 2,
            excuse="constant stress in an element" if kind == "S3" else "",
        )  # fmt: skip
        at = nearest(whole.mesh.points, A)
        yield rest(wanted, whole, stress(at, 0, LAYERS["middle"]))
