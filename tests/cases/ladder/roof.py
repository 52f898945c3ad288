"""The roof of Scordelis and Lo: radius 25, length 50, 80 degrees, 90 a unit of area."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from bondline.leaves.fe.generate import cylindrical, grid
from bondline.leaves.fe.loads import Gravity
from bondline.leaves.fe.model import FeModel
from bondline.leaves.fe.sections import Material, ShellSection
from tests.cases.ladder.climb import Wanted, rest
from tests.cases.ladder.rung import Rung
from tests.cases.ladder.shapes import RX, RY, RZ, X, Y, Z, cells, held, plain_mean

CASE, SOURCE = "Scordelis-Lo roof", "MacNeal & Harder 1985"


def model(kind: str, n: int) -> FeModel:
    """A quarter: diaphragm, symmetry in the middle, symmetry at the crown."""
    patch = grid((n, n), cylindrical(25.0, 25.0, np.radians(40.0)), kind == "S3")
    section = ShellSection(Material("roof", 4.32e8, 0.0, 360.0), 0.25)
    supports = held(patch, u0=(X, Z), u1=(Y, RX, RZ), v0=(X, RY, RZ))
    loads = (Gravity(np.array([0.0, 0.0, -1.0])),)
    return FeModel(CASE, patch.mesh(kind, section), supports, loads=loads)


def rungs(fine: bool) -> Iterator[Rung]:
    for kind, n, low in (
        ("S4", cells(fine, 8, 16), 0.99),
        ("S3", cells(fine, 16, 32), cells(fine, 0.95, 0.98)),
    ):
        whole = model(kind, n)
        parts = 4 if kind == "S4" else 2 * fine
        wanted = Wanted(CASE, f"{kind} {n} × {n}", 0.3024, (low, 1.025), SOURCE, parts)
        corner = whole.mesh.node_sets["corners"][2:3]
        yield rest(wanted, whole, plain_mean(corner, Z, -1.0))
