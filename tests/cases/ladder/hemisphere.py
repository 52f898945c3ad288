"""Hemispheres under point loads: with a hole of 18 degrees, and closed (NAFEMS LE3)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from bondline.leaves.fe.generate import grid, octant, spherical
from bondline.leaves.fe.loads import NodalForce
from bondline.leaves.fe.model import FeModel
from bondline.leaves.fe.sections import Material, ShellSection
from bondline.leaves.fe.supports import Support
from tests.cases.ladder.climb import Wanted, rest
from tests.cases.ladder.rung import Rung, within
from tests.cases.ladder.shapes import RX, RY, RZ, X, Y, Z, cells, held, plain_mean

CASE = "hemisphere"
WARPED = (
    "flat facets of a mesh warped at random are stiff, and converge late: 0.979 at "
    "16 × 16, 0.989 at 24 × 24, 0.992 at 32 × 32, where the even mesh has 0.993"
)


def open_one(kind: str, n: int, uneven: float = 0.0) -> FeModel:
    """A quarter of the hemisphere with a hole; inner nodes moved at random."""
    ball = spherical(10.0, latitude=np.radians(72.0))
    rng = np.random.default_rng(1)

    def shaken(p):
        inside = ((p > 1e-9) & (p < 1 - 1e-9)).all(axis=1)
        return ball(p + uneven / n * inside[:, None] * rng.uniform(-1, 1, p.shape))

    patch = grid((n, n), shaken, kind == "S3")
    section = ShellSection(Material("hemisphere", 6.825e7, 0.3, 1.0), 0.04)
    corners = patch.node_sets["corners"]
    supports = held(patch, u0=(Y, RX, RZ), u1=(X, RY, RZ))
    loads = (NodalForce(corners[:1], X, 1.0), NodalForce(corners[1:2], Y, -1.0))
    supports += (Support(corners[:1], (Z,)),)
    return FeModel(CASE, patch.mesh(kind, section), supports, loads=loads)


def closed_one(n: int) -> FeModel:
    """LE3: a quarter of the closed hemisphere, 2 kN out at A and in at C."""
    patch = octant(10.0, n)
    section = ShellSection(Material("LE3", 68.25e9, 0.3, 1.0), 0.04)
    corners = patch.node_sets["corners"]
    supports = held(patch, y0=(Y, RX, RZ), x0=(X, RY, RZ))
    supports += (Support(corners[2:], (Z,)),)
    loads = (NodalForce(corners[:1], X, 2e3), NodalForce(corners[1:2], Y, -2e3))
    return FeModel("LE3", patch.mesh("S4", section), supports, loads=loads)


def rungs(fine: bool) -> Iterator[Rung]:
    for kind, n, uneven in (
        ("S4", cells(fine, 8, 16), 0.0),
        ("S4", 16, 0.25),
        ("S3", 16, 0.0),
    ):
        whole = open_one(kind, n, uneven)
        wanted = Wanted(
            CASE,
            f"{kind} {n} × {n}, hole of 18°" + (", uneven" if uneven else ""),
            0.094,
            within(0.02),
            "MacNeal & Harder 1985",
            4 if (kind, uneven) == ("S4", 0.0) else 2 * fine,
            gluing_gate=1e-7,
            excuse=WARPED if uneven else "",
        )
        corner = whole.mesh.node_sets["corners"][:1]
        yield rest(wanted, whole, plain_mean(corner, X))
    n = cells(fine, 6, 12)
    whole = closed_one(n)
    wanted = Wanted(
        "NAFEMS LE3",
        f"S4 3 × {n} × {n}, u(A)",
        0.185,
        within(0.02),
        "NAFEMS P18",
        gluing_gate=1e-7,
    )
    yield rest(wanted, whole, plain_mean(whole.mesh.node_sets["corners"][:1], X))
