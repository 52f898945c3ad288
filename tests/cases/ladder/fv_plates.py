"""NAFEMS vibration of plates and membranes: FV12, FV15, FV16, FV22, FV32, FV52."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from bondline.leaves.fe.generate import bilinear, brick, grid
from bondline.leaves.fe.model import FeModel
from bondline.leaves.fe.sections import Material, ShellSection, SolidSection
from bondline.leaves.fe.supports import Support
from tests.cases.ladder.climb import Wanted, vibration
from tests.cases.ladder.plates import in_plane, rhombus
from tests.cases.ladder.rung import Rung, within
from tests.cases.ladder.shapes import (
    ALL,
    CUT_SOLIDS,
    RX,
    RY,
    X,
    Y,
    Z,
    cells,
    held,
    rectangle,
)

SOURCE = "NAFEMS FV series (Abbassian et al. 1987)"
# parts of up to 800 dofs find all modes at once, to eps times the highest ω²
SMALL_PARTS = 1e-6
STEEL = Material("steel", 200e9, 0.3, 8000.0)
CONSISTENT = (
    "consistent masses are high on meshes this coarse (FV22: 1.17 at 10 × 10, 1.05 at "
    "20 × 20, 1.015 at 40 × 40); lumped ones cancel part of that"
)
FV12 = (1.622, 2.360, 2.922, 4.233, 4.233, 7.416)
FV15 = (7.938, 12.835, 17.941, 19.133, 24.009, 27.922)
FV16 = (0.421, 1.029, 2.582, 3.306, 3.753, 6.555)
FV22 = (133.95, 201.41, 265.81, 283.68, 334.45)
FV32 = (44.623, 130.03, 162.70, 246.05, 379.90, 391.44)
FV52 = (44.762, 110.52, 110.52, 169.08, 193.93, 206.64, 206.64)


def free_plate(kind: str, n: int) -> FeModel:
    patch = grid((n, n), rectangle(10.0, 10.0), kind == "S3")
    return FeModel("FV12", patch.mesh(kind, ShellSection(STEEL, 0.05)))


def cantilever(n: int) -> FeModel:
    patch = grid((n, n), rectangle(10.0, 10.0))
    mesh = patch.mesh("S4", ShellSection(STEEL, 0.05))
    return FeModel("FV16", mesh, (in_plane(patch), *held(patch, u0=ALL)))


def rhombic(n: int, thick: float, lumped: bool = True) -> FeModel:
    """45 degrees, clamped all around."""
    patch = grid((n, n), rhombus(10.0, 45.0))
    mesh = patch.mesh("S4", ShellSection(STEEL, thick))
    sides = held(patch, **{s: (Z, RX, RY) for s in ("u0", "u1", "v0", "v1")})
    return FeModel("rhombus", mesh, (in_plane(patch), *sides), lumped=lumped)


def tapered(kind: str, n: tuple[int, int]) -> FeModel:
    """A membrane 10 m long, 5 m wide where it is clamped and 1 m at its end."""
    shape = bilinear([(0, 0, 0), (10, 2, 0), (10, 3, 0), (0, 5, 0)])
    patch = grid(n, shape, kind == "S3")
    mesh = patch.mesh(kind, ShellSection(STEEL, 0.05))
    flat = Support(np.arange(len(patch.points)), (Z, RX, RY))
    return FeModel("FV32", mesh, (flat, *held(patch, u0=(X, Y))))


def solid_plate(kind: str, n: tuple[int, int, int]) -> FeModel:
    """Held across at the edges of its lower face: three rigid motions are left."""
    box = np.array([10.0, 10.0, 1.0])
    patch = CUT_SOLIDS[kind](brick(n, lambda u: u * box))
    rim = np.concatenate([patch.node_sets[s] for s in ("u0", "u1", "v0", "v1")])
    line = np.intersect1d(patch.node_sets["w0"], rim)
    mesh = patch.mesh(kind, SolidSection(STEEL))
    return FeModel("FV52", mesh, (Support(line, (Z,)),))


def rungs(fine: bool) -> Iterator[Rung]:
    n, gate = cells(fine, (12, 0.035), (16, 0.02))
    first = Wanted("NAFEMS FV12", f"S4 {n} × {n}", FV12, within(gate), SOURCE)
    yield vibration(first, free_plate("S4", n), rigid=6)
    n = cells(fine, 12, 16)
    words = f"S4 {n} × {n}"
    second = Wanted(
        "NAFEMS FV16", words, FV16, within(0.02), SOURCE, gluing_gate=SMALL_PARTS
    )
    yield vibration(second, cantilever(n))
    for case, reference, thick, few in (
        ("FV15", FV15, 0.05, 16),
        ("FV22", FV22, 1.0, 10),
    ):
        n, gate = cells(fine, (few, 0.04), (20, 0.02))
        words = f"S4 {n} × {n}, lumped"
        wanted = Wanted(
            f"NAFEMS {case}", words, reference, within(gate), SOURCE, deck=False
        )
        yield vibration(wanted, rhombic(n, thick))
        if fine:
            wanted = Wanted(
                f"NAFEMS {case}", f"S4 {n} × {n}, consistent", reference, within(gate),
                SOURCE, excuse=CONSISTENT,
            )  # fmt: skip
            yield vibration(wanted, rhombic(n, thick, lumped=False))
    m, gate = cells(fine, ((16, 8), 0.04), ((32, 16), 0.02))
    words = f"S4 {m[0]} × {m[1]}"
    third = Wanted("NAFEMS FV32", words, FV32, within(gate), SOURCE)
    yield vibration(third, tapered("S4", m))
    yield from solids(fine)
    if fine:
        wanted = Wanted("NAFEMS FV12", "S3 16 × 16", FV12, within(0.02), SOURCE)
        yield vibration(wanted, free_plate("S3", 16), rigid=6)


def solids(fine: bool) -> Iterator[Rung]:
    """On the meshes of the benchmark: the line support lets fine ones fall below."""
    for kind, m in (("C3D8", (10, 10, 3)), ("C3D10", (6, 6, 1))):
        if fine or kind == "C3D8":
            words = f"{kind} {m[0]} × {m[1]} × {m[2]}"
            parts = 2 if fine else 0
            wanted = Wanted("NAFEMS FV52", words, FV52, within(0.02), SOURCE, parts)
            yield vibration(wanted, solid_plate(kind, m), rigid=3)
