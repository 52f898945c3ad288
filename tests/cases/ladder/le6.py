"""NAFEMS LE6: a skew plate, 30 degrees, under 0.7 kPa, simply supported."""

from __future__ import annotations

from collections.abc import Iterator

from bondline.core import Matrix
from bondline.leaves.fe.generate import grid
from bondline.leaves.fe.loads import Pressure
from bondline.leaves.fe.model import FeModel
from bondline.leaves.fe.recover import nodal_stress, principal
from bondline.leaves.fe.sections import Material, ShellSection
from tests.cases.ladder.climb import Wanted, rest
from tests.cases.ladder.plates import faces, rhombus, simply
from tests.cases.ladder.rung import Rung, within
from tests.cases.ladder.shapes import LAYERS, cells, nearest

CASE, SOURCE = "NAFEMS LE6", "NAFEMS P18"


def model(n: int) -> FeModel:
    patch = grid((n, n), rhombus(1.0, 30.0))
    mesh = patch.mesh("S4", ShellSection(Material("steel", 210e9, 0.3, 7850.0), 0.01))
    return FeModel(CASE, mesh, simply(patch), loads=(Pressure(faces(mesh), 0.7e3),))


def largest(model: FeModel, u: Matrix) -> float:
    """The largest principal stress at the bottom of the middle."""
    centre = nearest(model.mesh.points, model.mesh.points.mean(axis=0))
    at = nodal_stress(model.mesh, u)[0].at(centre)
    return float(principal(at[LAYERS["bottom"]])[0])


def rungs(fine: bool) -> Iterator[Rung]:
    n, gate = cells(fine, (16, 0.05), (32, 0.02))
    wanted = Wanted(CASE, f"S4 {n} × {n}, σ₁(E)", 0.802e6, within(gate), SOURCE, 2)
    yield rest(wanted, model(n), largest)
