"""Plates and blocks of any size, whole and cut, for `bench_fe`."""

from __future__ import annotations

import numpy as np

from bondline.gluing import IntegratedModel, glue
from bondline.leaves import Structure
from bondline.leaves.fe.generate import Piece, bilinear, brick, grid, join, trilinear
from bondline.leaves.fe.leaf import Plug, fe_leaf
from bondline.leaves.fe.loads import NodalForce
from bondline.leaves.fe.model import FeModel
from bondline.leaves.fe.sections import Material, ShellSection, SolidSection
from bondline.leaves.fe.supports import Support
from bondline.leaves.histories import Harmonic

CELL = 0.02
STEEL = Material("steel", 2.1e11, 0.3, 7850.0, alpha=5.0, beta=1e-6)


def plate(cells: tuple[int, int], name: str = "plate", x: float = 0.0) -> FeModel:
    """S4, clamped where x is 0, pushed at the corner farthest from there."""
    a, b = (CELL * n for n in cells)
    corners = [(x, 0.0, 0.0), (x + a, 0.0, 0.0), (x + a, b, 0.0), (x, b, 0.0)]
    section = ShellSection(STEEL, 0.005)
    return _held(name, Piece(grid(cells, bilinear(corners)), "S4", section))


def block(cells: int) -> FeModel:
    """C3D8, as long as it is wide and high."""
    a = CELL * cells
    flat = np.array([(0, 0), (a, 0), (a, a), (0, a)], dtype=float)
    corners = np.vstack([np.column_stack([flat, np.full(4, z)]) for z in (0.0, a)])
    patch = brick((cells, cells, cells), trilinear(corners))
    return _held("block", Piece(patch, "C3D8", SolidSection(STEEL)))


def _held(name: str, piece: Piece) -> FeModel:
    mesh = join({"p": piece})
    clamped = np.flatnonzero(mesh.points[:, 0] < 1e-9)
    held = (Support(clamped, (0, 1, 2, 3, 4, 5)),) if len(clamped) else ()
    if piece.kind == "C3D8":
        held = (Support(clamped, (0, 1, 2)),)
    push = NodalForce(
        np.array([int(np.argmax(mesh.points.sum(axis=1)))]),
        2,
        100.0,
        Harmonic(b=(1.0,), omega=300.0),
    )
    return FeModel(name, mesh, supports=held, loads=(push,))


def strip(leaves: int, columns: int, rows: int) -> IntegratedModel:
    """A strip of plates, `columns` × `rows` cells each, glued along their edges."""
    parts = [_leaf(k, leaves, columns, rows) for k in range(leaves)]
    seams = {f"s{k}": (f"p{k}.right", f"p{k + 1}.left") for k in range(leaves - 1)}
    return glue("strip", parts, seams)


def _leaf(k: int, leaves: int, columns: int, rows: int) -> Structure:
    model = plate((columns, rows), f"p{k}", k * columns * CELL)
    edges = {"left": "p.u0", "right": "p.u1"}
    if k == 0:
        del edges["left"]
    if k == leaves - 1:
        del edges["right"]
    return fe_leaf(model, {port: Plug(nodes) for port, nodes in edges.items()})
