"""The pinched cylinder with diaphragms: R = 300, L = 600, t = 3."""

from __future__ import annotations

from collections.abc import Iterator

from bondline.leaves.fe.generate import cylindrical, grid
from bondline.leaves.fe.loads import NodalForce
from bondline.leaves.fe.model import FeModel
from bondline.leaves.fe.sections import Material, ShellSection
from tests.cases.ladder.climb import Wanted, rest
from tests.cases.ladder.rung import Rung
from tests.cases.ladder.shapes import RX, RY, RZ, X, Y, Z, cells, held, plain_mean

CASE, SOURCE = "pinched cylinder", "Lindberg et al. 1969; Belytschko et al. 1985"


def model(kind: str, n: int) -> FeModel:
    """An eighth: diaphragm, and symmetry on the other three sides."""
    patch = grid((n, n), cylindrical(300.0, 300.0), kind == "S3")
    section = ShellSection(Material("cylinder", 3e6, 0.3, 1.0), 3.0)
    supports = held(patch, u0=(X, Z), u1=(Y, RX, RZ), v0=(X, RY, RZ), v1=(Z, RX, RY))
    loads = (NodalForce(patch.node_sets["corners"][1:2], Z, -0.25),)
    return FeModel(CASE, patch.mesh(kind, section), supports, loads=loads)


def rungs(fine: bool) -> Iterator[Rung]:
    n, gate = cells(fine, (16, (0.92, 0.96)), (32, (0.98, 1.02)))
    for kind in ("S4", "S3"):
        whole = model(kind, n)
        parts = 4 if kind == "S4" else 2 * fine
        wanted = Wanted(CASE, f"{kind} {n} × {n}", 1.8248e-5, gate, SOURCE, parts)
        corner = whole.mesh.node_sets["corners"][1:2]
        yield rest(wanted, whole, plain_mean(corner, Z, -1.0))
