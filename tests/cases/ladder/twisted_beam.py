"""MacNeal and Harder's beam twisted by a right angle, 12 × 1.1, thick and thin."""

from __future__ import annotations

from collections.abc import Iterator

from bondline.leaves.fe.generate import grid, twisted
from bondline.leaves.fe.model import FeModel
from bondline.leaves.fe.sections import Material, ShellSection
from tests.cases.ladder.climb import Wanted, rest
from tests.cases.ladder.rung import Rung, within
from tests.cases.ladder.shapes import ALL, Y, Z, cells, even, held, mean

CASE = "twisted beam"
SOURCES = {0.32: "MacNeal & Harder 1985", 0.0032: "Belytschko et al. 1989"}
TIP = {
    (0.32, Z): ("in plane", 0.005424),
    (0.32, Y): ("out of plane", 0.001754),
    (0.0032, Z): ("in plane", 5256.0),
    (0.0032, Y): ("out of plane", 1294.0),
}


def model(kind: str, n: tuple[int, int], thick: float, component: int) -> FeModel:
    patch = grid(n, twisted(12.0, 1.1), kind == "S3")
    section = ShellSection(Material("twisted", 29e6, 0.22, 1.0), thick)
    loads = even(patch.node_sets["u1"], component, 1.0)
    return FeModel(CASE, patch.mesh(kind, section), held(patch, u0=ALL), loads=loads)


def rungs(fine: bool) -> Iterator[Rung]:
    n = cells(fine, (12, 2), (48, 8))
    for kind in ("S4", "S3") if fine else ("S4",):
        for (thick, component), (name, reference) in TIP.items():
            whole = model(kind, n, thick, component)
            stiff = (kind, thick, component) == ("S3", 0.32, Y)
            wanted = Wanted(
                CASE,
                f"{kind} {n[0]} × {n[1]}, t = {thick}, {name}",
                reference,
                within(0.02),
                SOURCES[thick],
                4 if kind == "S4" else 2,
                gluing_gate=1e-8 if thick > 0.1 else 1e-5,  # condition 1e10
                excuse="constant strain in the plane" if stiff else "",
            )
            yield rest(wanted, whole, mean(whole.mesh.node_sets["u1"], component))
