"""Cook's membrane, clamped on the left and sheared on the right."""

from __future__ import annotations

from collections.abc import Iterator

from bondline.leaves.fe.generate import bilinear, grid
from bondline.leaves.fe.model import FeModel
from bondline.leaves.fe.sections import Material, ShellSection
from tests.cases.ladder.climb import Wanted, rest
from tests.cases.ladder.rung import Rung, within
from tests.cases.ladder.shapes import ALL, Y, cells, even, held, plain_mean

CASE, SOURCE = "Cook's membrane", "Cook 1974; Simo & Rifai 1990"


def model(kind: str, n: int) -> FeModel:
    shape = bilinear([(0, 0, 0), (48, 44, 0), (48, 60, 0), (0, 44, 0)])
    patch = grid((n, n), shape, kind == "S3")
    section = ShellSection(Material("cook", 1.0, 1.0 / 3.0, 1.0), 1.0)
    loads = even(patch.node_sets["u1"], Y, 1.0)
    return FeModel(CASE, patch.mesh(kind, section), held(patch, u0=ALL), loads=loads)


def rungs(fine: bool) -> Iterator[Rung]:
    for kind, n, gate in (
        ("S4", cells(fine, 4, 16), cells(fine, 0.06, 0.01)),
        ("S3", cells(fine, 16, 32), 0.04),
    ):
        whole = model(kind, n)
        excuse = "constant strain in the plane" if (kind, fine) == ("S3", False) else ""
        wanted = Wanted(
            CASE, f"{kind} {n} × {n}", 23.96, within(gate), SOURCE,
            4 if kind == "S4" else 2 * fine, excuse=excuse,
        )  # fmt: skip
        middle = whole.mesh.node_sets["u1"][n // 2 : n // 2 + 1]
        yield rest(wanted, whole, plain_mean(middle, Y))
