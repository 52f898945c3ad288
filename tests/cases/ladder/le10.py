"""NAFEMS LE10: a thick elliptic plate under 1 MPa."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from bondline.leaves.fe.generate import brick, elliptic
from bondline.leaves.fe.loads import Pressure
from bondline.leaves.fe.model import FeModel
from bondline.leaves.fe.sections import Material, SolidSection
from bondline.leaves.fe.supports import Support
from tests.cases.ladder.climb import Wanted, rest
from tests.cases.ladder.rung import Rung, within
from tests.cases.ladder.shapes import CUT_SOLIDS, X, Y, Z, held, nearest, stress

CASE, SOURCE = "NAFEMS LE10", "NAFEMS P18"
MESHES = {"C3D8": (8, 12, 4), "C3D10": (10, 8, 2)}


def model(kind: str, n: tuple[int, int, int]) -> FeModel:
    """A quarter; the rim is held in its plane and, half way up, across."""
    ring = elliptic((2.0, 1.0), (3.25, 2.75), height=0.6)
    patch = CUT_SOLIDS[kind](brick(n, lambda u: u)).mapped(ring)
    rim = patch.node_sets["u1"]
    line = rim[np.isclose(patch.points[rim, 2], 0.3)]
    supports = (*held(patch, v0=(Y,), v1=(X,), u1=(X, Y)), Support(line, (Z,)))
    mesh = patch.mesh(kind, SolidSection(Material("steel", 210e9, 0.3, 7850.0)))
    return FeModel(CASE, mesh, supports, loads=(Pressure(mesh.face_sets["w1"], 1e6),))


def rungs(fine: bool) -> Iterator[Rung]:
    """On the meshes of the benchmark: refined ones go to −5.5 MPa in all codes."""
    for kind, n in MESHES.items():
        if kind == "C3D10" and not fine:
            continue
        whole = model(kind, n)
        wanted = Wanted(
            CASE, f"{kind} {n[0]} × {n[1]} × {n[2]}, σyy(D)", -5.38e6, within(0.03),
            SOURCE, 4 if kind == "C3D8" else 2,
        )  # fmt: skip
        D = nearest(whole.mesh.points, (2.0, 0.0, 0.6))
        yield rest(wanted, whole, stress(D, 1))
