"""NAFEMS LE2: a cylindrical shell in constant bending, and in constant tension."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from bondline.core import Matrix
from bondline.leaves.fe.generate import cylindrical, grid
from bondline.leaves.fe.loads import Pressure
from bondline.leaves.fe.model import FeModel
from bondline.leaves.fe.recover import nodal_stress
from bondline.leaves.fe.sections import Material, ShellSection
from tests.cases.ladder.climb import Wanted, rest
from tests.cases.ladder.plates import faces
from tests.cases.ladder.rung import Rung, within
from tests.cases.ladder.shapes import (
    ALL,
    LAYERS,
    RX,
    RY,
    RZ,
    X,
    Y,
    Z,
    cells,
    even,
    held,
    nearest,
)

CASE, SOURCE = "NAFEMS LE2", "NAFEMS P18, on a mesh of our own"
ANGLE = np.radians(30.0)
OUTER = LAYERS["bottom"]


def patch_of(n: int):
    """30 degrees of radius 1, 0.5 wide, with elements of uneven shape."""
    arc = cylindrical(1.0, 0.5, ANGLE)

    def uneven(p):
        bump = 0.15 * np.sin(np.pi * p[:, 0]) * np.sin(np.pi * p[:, 1])
        return arc(np.clip(p + bump[:, None] * np.array([1.0, -1.0]), 0.0, 1.0))

    return grid((n, n), uneven)


def model(n: int, bent: bool) -> FeModel:
    """Clamped along v = 0, plane strain across; a moment, or pressure with its pull."""
    patch = patch_of(n)
    section = ShellSection(Material("LE2", 210e9, 0.3, 1.0), 0.01)
    mesh, edge = patch.mesh("S4", section), patch.node_sets["v1"]
    if bent:
        loads = even(edge, RY, 1e3 * 0.5)
    else:
        pull = 60e6 * 0.01 * 0.5
        loads = even(edge, X, pull * np.cos(ANGLE))
        loads += even(edge, Z, -pull * np.sin(ANGLE))
        loads += (Pressure(faces(mesh, 1), 0.6e6),)  # normals point to the axis
    sides = held(patch, v0=ALL, u0=(Y, RX, RZ), u1=(Y, RX, RZ))
    return FeModel(CASE, mesh, sides, loads=loads)


def tangential(model: FeModel, u: Matrix) -> float:
    """Stress round the cylinder at the outer face of the middle."""
    at = nearest(model.mesh.points, cylindrical(1.0, 0.5, ANGLE)(np.full((1, 2), 0.5)))
    x, _, z = model.mesh.points[at]
    t = np.array([z, 0.0, -x])  # the radius is 1
    s = nodal_stress(model.mesh, u)[0].at(at)[OUTER]
    full = s[[[0, 3, 5], [3, 1, 4], [5, 4, 2]]]
    return float(t @ full @ t)


def rungs(fine: bool) -> Iterator[Rung]:
    n, gate = cells(fine, (8, 0.04), (16, 0.02))
    for bent, words in ((True, "moment"), (False, "pressure")):
        wanted = Wanted(
            CASE, f"S4 {n} × {n}, {words}, σ(E)", 60e6, within(gate), SOURCE, 4
        )
        yield rest(wanted, model(n, bent), tangential)
