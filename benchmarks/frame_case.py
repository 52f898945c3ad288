"""What is run by several codes: the truck frame, and a ladder, as plain shells."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from bondline.core import Advance, uniform
from bondline.leaves.fe.generate import Piece, bilinear, grid, join
from bondline.leaves.fe.leaf import fe_leaf
from bondline.leaves.fe.loads import NodalForce
from bondline.leaves.fe.model import FeModel
from bondline.leaves.fe.sections import Material, ShellSection
from bondline.leaves.fe.supports import Support
from bondline.leaves.histories import Harmonic

DT = 5e-4
OMEGA, FORCE = 100.0 * np.pi, 2000.0
Array = np.ndarray[Any, Any]


@dataclass(frozen=True, eq=False)
class Shells:
    """A model as other codes want it told; nodes count from 0, `fixed` is nodes × 6."""

    points: Array
    quads: Array
    triangles: Array
    fixed: Array
    pushed: int  # the node that FORCE sin(OMEGA t) acts on, along z
    E: float
    nu: float
    rho: float
    thickness: float
    alpha: float
    beta: float

    def save(self, path: Path) -> None:
        np.savez(path, **asdict(self))

    @classmethod
    def load(cls, path: Path) -> Shells:
        with np.load(path) as kept:
            return cls(**{n: a if a.ndim else a.item() for n, a in kept.items()})


@dataclass(frozen=True, eq=False)
class Transient:
    """z of the pushed node after every step, and seconds of the clock a step."""

    z: Array
    each: float


def plain(model: FeModel) -> Shells:
    """A model of one kind of shell under one force."""
    mesh = model.mesh
    fixed = np.zeros((len(mesh.points), 6), dtype=bool)
    for support in model.supports:
        fixed[np.ix_(support.nodes, support.components)] = True
    rows = [block.nodes for block in mesh.blocks]
    quads, triangles = (
        np.concatenate(
            [np.zeros((0, n), dtype=int), *(r for r in rows if len(r.T) == n)]
        )
        for n in (4, 3)
    )
    (section,) = {block.section for block in mesh.blocks}
    assert isinstance(section, ShellSection)
    (load,), m = model.loads, section.material
    assert isinstance(load, NodalForce)
    damping = m.alpha, m.beta
    stuff = (m.E, m.nu, m.rho, section.thickness, *damping)
    return Shells(
        mesh.points, quads, triangles, fixed, int(np.atleast_1d(load.nodes)[0]), *stuff
    )


def frame(thickness: float = 0.01) -> FeModel:
    """The truck frame of the example, all decks as one model."""
    sys.path.append(str(Path(__file__).resolve().parents[1]))
    from tests.cases.truck_frame.all_at_once import whole  # that the tests compare with

    model = whole().model
    blocks = tuple(
        replace(b, section=replace(b.section, thickness=thickness))
        for b in model.mesh.blocks
    )
    return replace(model, mesh=replace(model.mesh, blocks=blocks))


def ladder(along: int = 125, across: int = 4, rungs: int = 6) -> FeModel:
    """Two flat rails with rungs, clamped at one end, pushed at a corner of the other.

    As given it has 10,200 dofs.
    """
    steel = Material("steel", 2.1e11, 0.3, 7850.0, alpha=5.0, beta=1e-5)
    section, cell, gap = ShellSection(steel, 0.01), 0.04, 16
    starts = np.linspace(along // rungs, along, rungs).astype(int) - across
    places = [
        *(((along, across), (0, y)) for y in (0, across + gap)),
        *(((across, gap), (int(x), across)) for x in starts),
    ]
    mesh = join({f"p{k}": _plate(*at, cell, section) for k, at in enumerate(places)})
    x, y = mesh.points[:, 0], mesh.points[:, 1]
    corner = np.array([int(np.argmax(x + y))])
    push = NodalForce(corner, 2, FORCE, Harmonic(b=(1.0,), omega=OMEGA))
    clamp = Support(np.flatnonzero(x < 1e-9), tuple(range(6)))
    return FeModel("ladder", mesh, supports=(clamp,), loads=(push,))


def _plate(
    cells: tuple[int, int], at: tuple[int, int], cell: float, section: ShellSection
) -> Piece:
    (a, b), (x, y) = cells, at
    corners = np.array([(x, y), (x + a, y), (x + a, y + b), (x, y + b)], dtype=float)
    flat = np.column_stack([cell * corners, np.zeros(4)])
    return Piece(grid(cells, bilinear(flat)), "S4", section)


def watched(model: FeModel, steps: int) -> Array:
    """z of the pushed node after every step of our own run."""
    return np.array([z for _, z in advanced(model, steps)])


def advanced(model: FeModel, steps: int) -> Iterator[tuple[float, float]]:
    """Every step of our own run, all at once: its seconds, and z of the pushed node."""
    leaf, made = fe_leaf(model, {}), model.assembled
    state = leaf.start(0.0).state
    pushed = plain(model).pushed
    for k in range(steps):
        begin = perf_counter()
        done = leaf.advance(state, uniform(0.0, DT, k), {})
        spent = perf_counter() - begin
        assert isinstance(done, Advance), done
        state = done.state
        u = made.T @ state[: len(state) // 3]
        yield spent, float(made.dofs.spread(u)[pushed, 2])
