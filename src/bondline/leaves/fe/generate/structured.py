"""Structured lines, grids of surfaces and bricks of solids."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from bondline.core import Matrix, Vector
from bondline.errors import UsageError
from bondline.leaves.fe.generate.patch import Patch
from bondline.leaves.fe.mesh import Indices

Cells: TypeAlias = int | Sequence[float] | Vector
Map: TypeAlias = Callable[[Matrix], Matrix]


def point(at: ArrayLike) -> Patch:
    """A single node, for a mass, a spring to the ground or the master of a link."""
    position = np.asarray(at, dtype=np.float64).reshape(1, 3)
    return Patch(position, np.zeros((1, 1), dtype=np.intp))


def line(cells: Cells, curve: Map) -> Patch:
    """Two-node elements along a curve u → x, u (points × 1) from 0 to 1.

    `cells` is how many there are, or the rising parameters of the nodes. The node
    sets `u0` and `u1` are the ends.
    """
    u = parameters("line", cells)
    row = np.arange(len(u) - 1)
    ends = {"u0": np.array([0]), "u1": np.array([len(u) - 1])}
    return Patch(_positions(curve, u[:, None]), np.column_stack([row, row + 1]), ends)


def grid(cells: tuple[Cells, Cells], surface: Map, triangles: bool = False) -> Patch:
    """Quadrilaterals on a surface (u, v) → x, or each cut into two triangles.

    Nodes are counted with u fastest; the normal is ∂x/∂u × ∂x/∂v. Node sets: the
    edges `u0 u1 v0 v1` and the four `corners`, counter-clockwise. Face sets: `top`,
    where the normal comes out, and `bottom`.
    """
    u, v = (parameters("grid", c) for c in cells)
    at = np.arange(len(u) * len(v)).reshape(len(v), len(u))
    quads = _quads(at)
    nodes = quads[:, [[0, 1, 2], [0, 2, 3]]].reshape(-1, 3) if triangles else quads
    sets = {"u0": at[:, 0], "u1": at[:, -1], "v0": at[0], "v1": at[-1]}
    sets["corners"] = at[[0, 0, -1, -1], [0, -1, -1, 0]]
    V, U = np.meshgrid(v, u, indexing="ij")
    points = _positions(surface, np.column_stack([U.ravel(), V.ravel()]))
    row = np.arange(len(nodes))
    faces = {"top": numbered(row, 1), "bottom": numbered(row, 2)}
    return Patch(points, nodes, sets, faces)


def brick(cells: tuple[Cells, Cells, Cells], solid: Map) -> Patch:
    """Eight-node bricks in a solid (u, v, w) → x.

    Nodes are counted with u fastest, then v. The sides `u0 u1 v0 v1 w0 w1` are node
    sets and face sets; the eight `corners` are a node set in a brick's order.
    """
    u, v, w = (parameters("brick", c) for c in cells)
    at = np.arange(len(u) * len(v) * len(w)).reshape(len(w), len(v), len(u))
    lower = np.stack([_quads(layer) for layer in at[:-1]])
    nodes = np.concatenate([lower, lower + at[0].size], axis=2).reshape(-1, 8)
    row = np.arange(len(nodes)).reshape(len(w) - 1, len(v) - 1, len(u) - 1)
    faces = {n: numbered(r, _FACE[n]) for n, r in _sides(row).items()}
    sets = {n: side.ravel() for n, side in _sides(at).items()}
    ring = at[:, [0, 0, -1, -1], [0, -1, -1, 0]]
    sets["corners"] = ring[[0, -1]].ravel()
    W, V, U = np.meshgrid(w, v, u, indexing="ij")
    where = np.column_stack([U.ravel(), V.ravel(), W.ravel()])
    return Patch(_positions(solid, where), nodes, sets, faces)


_FACE = {"w0": 1, "w1": 2, "v0": 3, "u1": 4, "v1": 5, "u0": 6}  # as Abaqus counts


def _sides(a: Indices) -> dict[str, Indices]:
    ends: dict[str, Indices] = {"u0": a[:, :, 0], "u1": a[:, :, -1]}
    ends |= {"v0": a[:, 0], "v1": a[:, -1], "w0": a[0], "w1": a[-1]}
    return ends


def numbered(rows: Indices, face: int) -> Indices:
    """Pairs of an element's row and a face."""
    return np.column_stack([rows.ravel(), np.full(rows.size, face)])


def _quads(at: Indices) -> Indices:
    ring = [at[:-1, :-1], at[:-1, 1:], at[1:, 1:], at[1:, :-1]]
    return np.stack(ring, axis=-1).reshape(-1, 4)


def parameters(place: str, cells: Cells) -> Vector:
    """The parameters of the nodes, from a count or as given."""
    if isinstance(cells, int | np.integer):
        u = np.linspace(0.0, 1.0, int(cells) + 1) if cells > 0 else np.zeros(1)
    else:
        u = np.asarray(cells, dtype=np.float64)
    if u.ndim != 1 or len(u) < 2 or np.any(np.diff(u) <= 0.0):
        raise UsageError(
            place,
            f"cells = {cells!r} gives no row of elements.",
            "Give a count of at least 1, or at least two rising parameters.",
        )
    return u


def _positions(f: Map, u: Matrix) -> Matrix:
    x = np.asarray(f(u), dtype=np.float64)
    if x.shape != (len(u), 3):
        raise UsageError(
            "the map of a generator",
            f"it answered with shape {x.shape} for {len(u)} points.",
            f"Return an array of shape ({len(u)}, 3): x, y and z of every point.",
        )
    return x
