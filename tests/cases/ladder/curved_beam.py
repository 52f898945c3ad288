"""MacNeal and Harder's curved beam: a quarter ring, radii 4.12 and 4.32."""

from __future__ import annotations

from collections.abc import Iterator

from bondline.leaves.fe.generate import elliptic, grid
from bondline.leaves.fe.model import FeModel
from bondline.leaves.fe.sections import Material, ShellSection
from tests.cases.ladder.climb import Wanted, rest
from tests.cases.ladder.rung import Rung, within
from tests.cases.ladder.shapes import ALL, X, Z, cells, even, held, mean

CASE, SOURCE = "curved beam", "MacNeal & Harder 1985"
TIP = {X: ("in plane", 0.08734), Z: ("out of plane", 0.5022)}


def model(kind: str, n: tuple[int, int], component: int) -> FeModel:
    ring = elliptic((4.12, 4.12), (4.32, 4.32))
    patch = grid((n[1], n[0]), ring, kind == "S3")
    section = ShellSection(Material("ring", 1e7, 0.25, 1.0), 0.1)
    loads = even(patch.node_sets["v0"], component, 1.0)
    return FeModel(CASE, patch.mesh(kind, section), held(patch, v1=ALL), loads=loads)


def rungs(fine: bool) -> Iterator[Rung]:
    meshes = {X: cells(fine, (12, 1), (48, 4)), Z: cells(fine, (32, 5), (64, 10))}
    for component, (name, reference) in TIP.items():
        n = meshes[component]
        whole = model("S4", n, component)
        wanted = Wanted(
            CASE, f"S4 {n[0]} × {n[1]}, {name}", reference, within(0.02), SOURCE,
            22 if component == X else 2,
        )  # fmt: skip
        edge = whole.mesh.node_sets["v0"]
        yield rest(wanted, whole, mean(edge, component))
