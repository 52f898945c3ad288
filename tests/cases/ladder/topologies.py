"""Beams in a chain, a tree, a loop and a star: statics of wang2003 (17)-(28)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from bondline.leaves.fe.generate import Piece, join, line, linear
from bondline.leaves.fe.loads import NodalForce
from bondline.leaves.fe.mesh import Indices, Mesh
from bondline.leaves.fe.model import FeModel
from bondline.leaves.fe.sections import BeamSection, Material
from bondline.leaves.fe.supports import Support
from tests.cases.ladder.climb import Wanted, rest
from tests.cases.ladder.rung import Rung, within
from tests.cases.ladder.shapes import ALL, Z, nearest, plain_mean

CASE, SOURCE = "glued beams", "beam theory"
EI, P = 210e9 * 1e-6, 1e3
SKEW = np.array([0.3, 0.2, 0.1])  # along no beam
SECTION = BeamSection(
    Material("steel", 210e9, 0.3, 7850.0), 1.0, 1e-6, 1e-6, 2e-6, SKEW
)


def framed(beams: Mapping[str, tuple[tuple, tuple]], n: int = 4) -> Mesh:
    """A piece for every beam, given by its ends."""
    pieces = {
        name: Piece(line(n, linear(*ends)), "B33", SECTION)
        for name, ends in beams.items()
    }
    return join(pieces)


def pushed(mesh: Mesh, held: list[tuple], at: tuple) -> FeModel:
    """Clamped at some points, pushed down at one."""
    nodes = np.array([nearest(mesh.points, p) for p in held])
    force = NodalForce(np.array([nearest(mesh.points, at)]), Z, -P)
    return FeModel("beams", mesh, (Support(nodes, ALL),), loads=(force,))


def by_piece(mesh: Mesh) -> Indices:
    """A part for every beam."""
    return np.repeat(np.arange(len(mesh.blocks)), [len(b.nodes) for b in mesh.blocks])


def chain() -> tuple[FeModel, tuple, float]:
    """Four in a row, clamped at one end."""
    mesh = framed({f"b{k}": ((k, 0, 0), (k + 1, 0, 0)) for k in range(4)})
    return pushed(mesh, [(0, 0, 0)], (4, 0, 0)), (4, 0, 0), P * 4**3 / (3 * EI)


def tree() -> tuple[FeModel, tuple, float]:
    """A trunk of height 2 and two arms of length 1, one of them pushed."""
    top = (0, 0, 2)
    mesh = framed(
        {
            "trunk": ((0, 0, 0), top),
            "left": (top, (-1, 0, 2)),
            "right": (top, (1, 0, 2)),
        }
    )
    tip = P / (3 * EI) + P * 2 / EI
    return pushed(mesh, [(0, 0, 0)], (1, 0, 2)), (1, 0, 2), tip


def loop() -> tuple[FeModel, tuple, float]:
    """A square of side 2, held in the middle below and pushed in the middle above."""
    low, high = (-1, 0, 0), (-1, 0, 2)
    right, over = (1, 0, 0), (1, 0, 2)
    beams = {"low": (low, right), "left": (low, high), "top": (high, over)}
    mesh = framed({**beams, "right": (right, over)})
    return pushed(mesh, [(0, 0, 0)], (0, 0, 2)), (0, 0, 2), 10 * P * 2**3 / (384 * EI)


def star(arms: int = 6) -> tuple[FeModel, tuple, float]:
    """Arms of length 1 that meet in one node and are clamped at their ends."""
    turns = 2 * np.pi * np.arange(arms) / arms
    ends = [(float(np.cos(t)), float(np.sin(t)), 0.0) for t in turns]
    mesh = framed({f"arm{k}": ((0, 0, 0), end) for k, end in enumerate(ends)})
    w = P / (arms / 2) * 2**3 / (192 * EI)
    return pushed(mesh, ends, (0, 0, 0)), (0, 0, 0), w


def rungs(fine: bool) -> Iterator[Rung]:
    for make in (chain, tree, loop, star):
        whole, at, reference = make()
        parts = len(whole.mesh.blocks)
        wanted = Wanted(
            CASE, f"B33, {make.__name__}", reference, within(1e-4), SOURCE, parts,
            gluing_gate=1e-8,
        )  # fmt: skip
        node = np.array([nearest(whole.mesh.points, at)])
        yield rest(wanted, whole, plain_mean(node, Z, -1.0), by_piece(whole.mesh))
