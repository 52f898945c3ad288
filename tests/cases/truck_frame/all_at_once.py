"""The truck frame as one model: six decks merged where their nodes coincide."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from scipy.sparse import csc_array
from scipy.sparse.linalg import SuperLU, splu

from bondline.leaves.fe.formats import parse_inp
from bondline.leaves.fe.mesh import Mesh
from bondline.leaves.fe.model import FeModel
from tests.cases.truck_frame.decks import PARTS, text

BETA, GAMMA = 0.25, 0.5


def parts(**values: float) -> dict[str, FeModel]:
    """Every deck as a model of its own, with those values where it has them."""
    found = {}
    for name in PARTS:
        deck = text(name)
        own = {key: v for key, v in values.items() if f"\n{key} = " in deck}
        found[name] = parse_inp(deck, own).model
    return found


@dataclass
class Whole:
    """All decks as one model; `rows` says which row of it a node of a part is."""

    model: FeModel
    rows: dict[str, np.ndarray]


@cache
def whole(**values: float) -> Whole:
    """The frame with those values; made once for all tests."""
    models = parts(**values)
    points = np.concatenate([m.mesh.points for m in models.values()])
    _, first, merged = np.unique(
        points.round(9), axis=0, return_index=True, return_inverse=True
    )
    rank = np.argsort(np.argsort(first))  # in the order of the decks
    ends = np.cumsum([0, *(len(m.mesh.points) for m in models.values())])
    rows = {n: rank[merged[ends[k] : ends[k + 1]]] for k, n in enumerate(models)}
    kept = np.sort(first)
    ids = np.concatenate([m.mesh.ids for m in models.values()])
    blocks = [
        replace(block, nodes=rows[n][block.nodes])
        for n, m in models.items()
        for block in m.mesh.blocks
    ]
    each = {
        what: tuple(
            replace(one, nodes=rows[n][one.nodes])
            for n, m in models.items()
            for one in getattr(m, what)
        )
        for what in ("supports", "loads")
    }
    mesh = Mesh(points[kept], tuple(blocks), ids[kept])
    return Whole(FeModel("whole", mesh, **each), rows)


def refined(model: FeModel) -> FeModel:
    """The same with every cell cut into 2 x 2; cells that share an edge still do."""
    points, between = list(model.mesh.points), {}

    def middle(*nodes: int) -> int:
        place = tuple(sorted(nodes))
        if place not in between:
            between[place] = len(points)
            points.append(model.mesh.points[list(nodes)].mean(axis=0))
        return between[place]

    def cut(corners: list[int]) -> list[list[int]]:
        sides = [middle(corners[k - 1], n) for k, n in enumerate(corners)]
        if len(corners) == 3:
            ends = [[n, sides[(k + 1) % 3], sides[k]] for k, n in enumerate(corners)]
            return [*ends, sides]
        centre = middle(*corners)
        return [
            [n, sides[(k + 1) % 4], centre, sides[k]] for k, n in enumerate(corners)
        ]

    blocks, count = [], 0
    for block in model.mesh.blocks:
        rows = [row for corners in block.nodes.tolist() for row in cut(corners)]
        ids = count + np.arange(len(rows))
        blocks.append(replace(block, nodes=np.array(rows), ids=ids))
        count += len(rows)
    mesh = Mesh(np.array(points), tuple(blocks), np.arange(len(points)))
    return replace(model, mesh=mesh)


@dataclass
class Motion:
    """Displacements and accelerations at the instants: instants × nodes × 6."""

    u: np.ndarray
    a: np.ndarray


def newmark(model: FeModel, dt: float, steps: int, turned: bool = False) -> Motion:
    """The trapezoidal rule with one factor of M + γ dt C + β dt² K, from rest.

    `turned` numbers the equations backwards: another order of elimination.
    """
    made = model.assembled
    M, C, K = (csc_array(A) for A in made.system)
    K_eff = csc_array(M + GAMMA * dt * C + BETA * dt**2 * K)
    way = slice(None, None, -1 if turned else 1)
    factor = factored(K_eff[way][:, way])
    C, K = C.tocsr(), K.tocsr()
    u, v = np.zeros((2, M.shape[0]))
    a = factored(M).solve(made.load(0.0))
    found = [(u, a)]
    for k in range(1, steps + 1):
        u_p = u + dt * v + dt**2 * (0.5 - BETA) * a
        v_p = v + dt * (1.0 - GAMMA) * a
        f = made.load(k * dt) - C @ v_p - K @ u_p
        a = factor.solve(f[way])[way]
        u, v = u_p + dt**2 * BETA * a, v_p + dt * GAMMA * a
        found.append((u, a))
    levels = zip(*found, strict=True)
    return Motion(*(np.array([spread(model, q) for q in each]) for each in levels))


def factored(A) -> SuperLU:
    """Factors of a matrix with a symmetric pattern, pivots on its diagonal."""
    return splu(
        csc_array(A),
        permc_spec="MMD_AT_PLUS_A",
        diag_pivot_thresh=0.0,
        options={"SymmetricMode": True},
    )


def spread(model: FeModel, q: np.ndarray) -> np.ndarray:
    """Values of independent dofs as nodes × 6."""
    made = model.assembled
    return made.dofs.spread(made.T @ q)
