"""Nodal forces of a pressure on faces of elements.

f_a = −p ∫ N_a n dA with n dA = ∂x/∂ξ × ∂x/∂η dξ dη: exact for flat and bilinear faces.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import sqrt
from typing import NamedTuple, TypeAlias

import numpy as np

from bondline.core import Matrix, Vector
from bondline.errors import SettingError
from bondline.leaves.fe.assemble import kind
from bondline.leaves.fe.elements.element import Array, Faced
from bondline.leaves.fe.mesh import Block, Indices, Mesh

Shape: TypeAlias = Callable[[float, float], tuple[Vector, Matrix]]


def pressed(mesh: Mesh, faces: Indices) -> Matrix:
    """Forces at the nodes (nodes × 3) of a unit of pressure into the faces."""
    force = np.zeros((len(mesh.points), 3))
    for nodes, outward in _found(mesh, np.asarray(faces, dtype=np.intp)):
        each = _spread(mesh.points[nodes]) * -outward[:, None, None]
        np.add.at(force, nodes.ravel(), each.reshape(-1, 3))
    return force


class _Face(NamedTuple):
    nodes: Indices  # of the faces, in order
    outward: Vector  # 1 where their order turns outward, else −1


def _found(mesh: Mesh, faces: Indices) -> Iterator[_Face]:
    """The faces asked for, those of one block and number at once."""
    wanted, numbers = faces.reshape(-1, 2).T
    known = np.zeros(len(wanted), dtype=bool)
    for block in mesh.blocks:
        order = np.argsort(block.ids, kind="stable")
        at = np.searchsorted(block.ids, wanted, sorter=order)
        rows = order[np.minimum(at, len(order) - 1)] if len(order) else at * 0
        mine = (block.ids[rows] == wanted) if len(order) else known & False
        known |= mine
        for number in np.unique(numbers[mine]).tolist():
            yield _one(mesh, block, rows[mine & (numbers == number)], number)
    if not known.all():
        raise SettingError(
            f"pressure on element {wanted[~known][0]}",
            "there is no such element.",
            "Name elements by the owner's numbers.",
        )


def _one(mesh: Mesh, block: Block, rows: Indices, number: int) -> _Face:
    place = f"pressure on element {block.ids[rows[0]]}, {block.kind}"
    listed = _faces(block)
    if not 1 <= number <= len(listed):
        last = f"Its faces are 1 … {len(listed)}." if listed else "It has none."
        raise SettingError(place, f"it has no face {number}.", last)
    corners = list(listed[number - 1])
    if len(corners) not in _RULES:
        raise SettingError(
            place, f"its faces have {len(corners)} nodes.", "3, 4 or 6 nodes work."
        )
    nodes = block.nodes[rows][:, corners]
    if _flat(block, listed):
        return _Face(nodes, np.ones(len(rows)))
    x = mesh.points[block.nodes[rows]]
    away = mesh.points[nodes].mean(axis=1) - x.mean(axis=1)
    normal = _spread(mesh.points[nodes]).sum(axis=1)
    return _Face(nodes, np.sign(np.einsum("ei,ei->e", normal, away)))


def _faces(block: Block) -> Sequence[tuple[int, ...]]:
    """The faces of an element; a shell has its top and its bottom."""
    element = kind(block.kind)
    listed = element.faces if isinstance(element, Faced) else ()
    return (listed[0], listed[0][::-1]) if _flat(block, listed) else listed


def _flat(block: Block, listed: Sequence[tuple[int, ...]]) -> bool:
    """Whether a face is the whole element, as with shells."""
    return len(listed) > 0 and len(listed[0]) == block.nodes.shape[1]


def _spread(x: Array) -> Array:
    """∫ N n dA of each node of faces with nodes at `x`, faces × nodes × 3."""
    shape, points = _RULES[x.shape[1]]
    total = np.zeros_like(x)
    for xi, eta, weight in points:
        N, dN = shape(xi, eta)
        along, across = np.einsum("da,eai->dei", dN, x)
        total += weight * N[:, None] * np.cross(along, across)[:, None, :]
    return total


def _triangle(r: float, s: float) -> tuple[Vector, Matrix]:
    return np.array([1.0 - r - s, r, s]), np.array([[-1.0, 1.0, 0.0], [-1.0, 0.0, 1.0]])


def _quadrangle(r: float, s: float) -> tuple[Vector, Matrix]:
    ri, si = np.array([-1.0, 1.0, 1.0, -1.0]), np.array([-1.0, -1.0, 1.0, 1.0])
    along, across = 1.0 + r * ri, 1.0 + s * si
    return 0.25 * along * across, 0.25 * np.stack([ri * across, si * along])


def _triangle6(r: float, s: float) -> tuple[Vector, Matrix]:
    """Corners first, then the middles of the edges 12, 23, 31."""
    L, (dr, ds) = np.array([1.0 - r - s, r, s]), _triangle(r, s)[1]
    after = [1, 2, 0]
    N = np.concatenate([L * (2.0 * L - 1.0), 4.0 * L * L[after]])
    d = [
        np.concatenate([(4.0 * L - 1.0) * g, 4.0 * (g * L[after] + L * g[after])])
        for g in (dr, ds)
    ]
    return N, np.stack(d)


_G = 1.0 / sqrt(3.0)
# degree 4 on the triangle, six points (Cowper 1973); weights for an area of 1/2
_A, _B = 0.445948490915965, 0.091576213509771
_WA, _WB = 0.223381589678011 / 2.0, 0.109951743655322 / 2.0
_SIX = tuple(
    (p, q, w)
    for a, w in ((_A, _WA), (_B, _WB))
    for p, q in ((a, a), (1.0 - 2.0 * a, a), (a, 1.0 - 2.0 * a))
)
_RULES: Mapping[int, tuple[Shape, tuple[tuple[float, float, float], ...]]] = {
    3: (_triangle, ((1.0 / 3.0, 1.0 / 3.0, 0.5),)),
    4: (_quadrangle, tuple((r, s, 1.0) for r in (-_G, _G) for s in (-_G, _G))),
    6: (_triangle6, _SIX),
}
