"""MacNeal and Harder's thick-walled cylinder: nearly incompressible, plane strain."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from bondline.leaves.fe.generate import brick, elliptic
from bondline.leaves.fe.loads import Pressure
from bondline.leaves.fe.model import FeModel
from bondline.leaves.fe.sections import Material, SolidSection
from tests.cases.ladder.climb import Wanted, rest
from tests.cases.ladder.rung import Rung, within
from tests.cases.ladder.shapes import X, Y, Z, held, plain_mean

CASE, SOURCE = "thick cylinder", "MacNeal & Harder 1985; Lamé"
RADII = (np.array([3.0, 3.5, 4.2, 5.2, 6.75, 9.0]) - 3.0) / 6.0


def model(nu: float) -> FeModel:
    """A quarter under unit pressure inside."""
    patch = brick((RADII, 9, 1), elliptic((3.0, 3.0), (9.0, 9.0)))
    mesh = patch.mesh("C3D8", SolidSection(Material("m", 1000.0, nu, 1.0)))
    supports = held(patch, v0=(Y,), v1=(X,), w0=(Z,), w1=(Z,))
    return FeModel(CASE, mesh, supports, loads=(Pressure(mesh.face_sets["u0"], 1.0),))


def lame(nu: float) -> float:
    """The inside moves by that much."""
    return (1 + nu) / 1000.0 * 9.0 / 72.0 * ((1 - 2 * nu) * 3.0 + 81.0 / 3.0)


def rungs(fine: bool) -> Iterator[Rung]:
    for nu in (0.3, 0.49, 0.499, 0.4999):
        whole = model(nu)
        sets = whole.mesh.node_sets
        wanted = Wanted(
            CASE, f"C3D8 5 × 9 × 1, ν = {nu}", lame(nu), within(0.025), SOURCE,
            4 if fine or nu == 0.49 else 0,
        )  # fmt: skip
        yield rest(wanted, whole, plain_mean(np.intersect1d(sets["u0"], sets["v0"]), X))
