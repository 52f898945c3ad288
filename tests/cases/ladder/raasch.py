"""Raasch's hook: two arcs in a row, sheared across; soft drilling lets it diverge."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from bondline.leaves.fe.generate import grid
from bondline.leaves.fe.model import FeModel
from bondline.leaves.fe.sections import Material, ShellSection
from tests.cases.ladder.climb import Wanted, rest
from tests.cases.ladder.rung import Rung, within
from tests.cases.ladder.shapes import ALL, Z, cells, even, held, mean

CASE, SOURCE = "Raasch's hook", "Knight 1997; NASTRAN verification manual"


def hook(p):
    """60 degrees of radius 14, then 150 degrees of radius 46 the other way."""
    u, v = p.T
    first = u <= 0.5
    a, b = np.radians(60.0) * 2 * u, np.radians(150.0) * (2 * u - 1.0)
    tx, ty = 0.5, np.sqrt(0.75)
    x0, y0 = 14 * ty, 14 * (1 - tx)
    turn, rise = 46 * (1 - np.cos(b)), 46 * np.sin(b)
    x = np.where(first, 14 * np.sin(a), x0 + ty * turn + tx * rise)
    y = np.where(first, 14 * (1 - np.cos(a)), y0 - tx * turn + ty * rise)
    return np.column_stack([x, y, 20 * v])


def model(n: tuple[int, int]) -> FeModel:
    patch = grid(n, hook)
    section = ShellSection(Material("hook", 3300.0, 0.35, 1.0), 2.0)
    loads = even(patch.node_sets["u1"], Z, 1.0)
    return FeModel(CASE, patch.mesh("S4", section), held(patch, u0=ALL), loads=loads)


def rungs(fine: bool) -> Iterator[Rung]:
    n = cells(fine, (36, 5), (96, 12))
    whole = model(n)
    wanted = Wanted(
        CASE, f"S4 {n[0]} × {n[1]}", 4.9352, within(0.02), SOURCE, cells(fine, 4, 22)
    )
    yield rest(wanted, whole, mean(whole.mesh.node_sets["u1"], Z))
