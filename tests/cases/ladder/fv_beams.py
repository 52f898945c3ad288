"""NAFEMS vibration of beams: FV2, a pin-ended double cross, and FV5, a deep beam."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from bondline.leaves.fe.generate import Piece, join, line, linear
from bondline.leaves.fe.model import FeModel
from bondline.leaves.fe.profiles import rectangle
from bondline.leaves.fe.sections import BeamSection, Material
from bondline.leaves.fe.supports import Support
from tests.cases.ladder.climb import Wanted, vibration
from tests.cases.ladder.fv_plates import SOURCE, STEEL
from tests.cases.ladder.rung import Rung, within
from tests.cases.ladder.shapes import RX, RY, X, Y, Z, cells, held

FV2 = (11.336, *(17.709,) * 7, 45.345, *(57.390,) * 7)
FV5 = (42.649, 42.649, 77.542, 125.0, 148.31, 148.31, 233.10, 284.55, 284.55)
UP = np.array([0.0, 0.0, 1.0])


def cross(n: int) -> FeModel:
    """Eight arms of 5 m, 125 mm square, pinned at their ends, in their plane."""
    stuff = Material("steel", 200e9, 0.3, 8000.0)
    section = rectangle(0.125, 0.125).section(stuff, UP)
    arms = {}
    for k in range(8):
        turn = 0.25 * np.pi * k
        end = 5.0 * np.array([np.cos(turn), np.sin(turn), 0.0])
        arms[f"arm{k}"] = Piece(line(n, linear((0, 0, 0), end)), "B33", section)
    mesh = join(arms)
    pins = np.concatenate([mesh.node_sets[f"arm{k}.u1"] for k in range(8)])
    flat = Support(np.arange(len(mesh.points)), (Z, RX, RY))
    return FeModel("FV2", mesh, (flat, Support(pins, (X, Y))))


def deep(n: int) -> FeModel:
    """10 m long, 2 m square; in the benchmark it twists with J = I₁ + I₂."""
    I = 2.0**4 / 12.0  # noqa: E741 - its name everywhere
    shear = 4.0 * 5.0 / 6.0
    section = BeamSection(STEEL, 4.0, I, I, 2.0 * I, UP, shear, shear)
    patch = line(n, linear((0, 0, 0), (10, 0, 0)))
    mesh = patch.mesh("B31", section)
    return FeModel("FV5", mesh, held(patch, u0=(X, Y, Z, RX), u1=(Y, Z)))


def rungs(fine: bool) -> Iterator[Rung]:
    n = cells(fine, 4, 8)
    wanted = Wanted("NAFEMS FV2", f"B33 8 × {n}", FV2, within(0.01), SOURCE)
    yield vibration(wanted, cross(n))
    n = cells(fine, 10, 20)
    wanted = Wanted("NAFEMS FV5", f"B31 {n}", FV5, within(0.02), SOURCE, 22)
    yield vibration(wanted, deep(n))
