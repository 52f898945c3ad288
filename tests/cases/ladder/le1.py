"""NAFEMS LE1: an elliptic membrane, 10 MPa on its outer edge."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from bondline.leaves.fe.generate import elliptic, grid
from bondline.leaves.fe.model import FeModel
from bondline.leaves.fe.sections import Material, ShellSection
from bondline.leaves.fe.supports import Support
from tests.cases.ladder.climb import Wanted, rest
from tests.cases.ladder.rung import Rung, within
from tests.cases.ladder.shapes import LAYERS, X, Y, Z, cells, forces, held, stress

CASE, SOURCE = "NAFEMS LE1", "NAFEMS P18"


def model(kind: str, n: int) -> FeModel:
    """A quarter; σyy is read at D, (2, 0)."""
    ring = elliptic((2.0, 1.0), (3.25, 2.75))
    patch = grid((n, 2 * n), ring, kind == "S3")
    edge = patch.node_sets["u1"]
    side = np.diff(patch.points[edge], axis=0)
    pull = 0.5 * 10e6 * 0.1 * np.column_stack([side[:, 1], -side[:, 0]])
    f = np.zeros((len(edge), 2))
    f[:-1] += pull
    f[1:] += pull
    mesh = patch.mesh(kind, ShellSection(Material("steel", 210e9, 0.3, 7850.0), 0.1))
    flat = Support(np.arange(len(patch.points)), (Z,))
    supports = (flat, *held(patch, v0=(Y,), v1=(X,)))
    return FeModel(CASE, mesh, supports, loads=forces(edge, (X, Y), f))


def rungs(fine: bool) -> Iterator[Rung]:
    for kind, n, gate in (
        ("S4", cells(fine, 8, 16), cells(fine, 0.04, 0.02)),
        ("S3", cells(fine, 12, 24), 0.05),
    ):
        whole = model(kind, n)
        wanted = Wanted(
            CASE, f"{kind} {n} × {2 * n}, σyy(D)", 92.7e6, within(gate), SOURCE,
            4 if kind == "S4" else 2 * fine,
            excuse="constant stress in an element" if kind == "S3" else "",
        )  # fmt: skip
        D = whole.mesh.node_sets["corners"][0]
        yield rest(wanted, whole, stress(D, 1, LAYERS["middle"]))
