"""What the cases share: shells and solids from patches, supports, loads, readings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from bondline.core import Matrix, Vector
from bondline.leaves.fe.generate import Patch, bilinear, to_tet4, to_tet10
from bondline.leaves.fe.loads import NodalForce
from bondline.leaves.fe.mesh import Indices
from bondline.leaves.fe.model import FeModel
from bondline.leaves.fe.recover import nodal_stress
from bondline.leaves.fe.supports import Support

ALL = (0, 1, 2, 3, 4, 5)
X, Y, Z, RX, RY, RZ = ALL
LAYERS = {"bottom": 0, "middle": 1, "top": 2}
CUT_SOLIDS = {"C3D8": lambda p: p, "C3D4": to_tet4, "C3D10": to_tet10}


def rectangle(length: float, width: float):
    """A map onto a rectangle in x and y."""
    return bilinear([(0, 0, 0), (length, 0, 0), (length, width, 0), (0, width, 0)])


def held(patch: Patch, **sides: tuple[int, ...]) -> tuple[Support, ...]:
    """Components of node sets, by the name of the set."""
    return tuple(Support(patch.node_sets[n], c) for n, c in sides.items())


def even(nodes: Indices, component: int, total: float) -> tuple[NodalForce, ...]:
    """A line load over nodes in a row at equal distances."""
    each = total / (len(nodes) - 1)
    return (
        NodalForce(nodes[1:-1], component, each),
        NodalForce(nodes[[0, -1]], component, 0.5 * each),
    )


def spread(nodes: Indices, component: int, total: float) -> tuple[NodalForce, ...]:
    """A force shared by nodes in equal parts."""
    return (NodalForce(nodes, component, total / len(nodes)),)


def plain_mean(nodes: Indices, component: int, sign: float = 1.0):
    """A reading: the mean of a displacement over nodes."""
    return lambda model, u: sign * float(u[nodes, component].mean())


def forces(nodes: Indices, components: Sequence[int], values: Matrix) -> tuple:
    """A force of its own at every node; `values` are nodes × components."""
    return tuple(_forces(nodes, components, np.asarray(values)))


def _forces(nodes: Indices, components: Sequence[int], values: Matrix) -> Iterator:
    for node, row in zip(nodes, values, strict=True):
        for component, value in zip(components, row, strict=True):
            yield NodalForce(np.array([node]), component, float(value))


def mean(nodes: Indices, component: int, sign: float = 1.0):
    """A reading: the mean of a displacement over nodes at equal distances in a row."""

    def read(model: FeModel, u: Matrix) -> float:
        w = np.ones(len(nodes))
        if len(nodes) > 1:
            w[[0, -1]] = 0.5
        return sign * float(w @ u[nodes, component] / w.sum())

    return read


def stress(node: int, component: int, layer: int = 0):
    """A reading: a component xx yy zz xy yz zx of the stress at a node."""

    def read(model: FeModel, u: Matrix) -> float:
        return float(nodal_stress(model.mesh, u)[0].at(node)[layer, component])

    return read


def nearest(points: Matrix, at: Sequence[float] | Vector) -> int:
    """The row of the point closest to a place."""
    return int(np.argmin(np.linalg.norm(points - np.asarray(at), axis=1)))


def cells(fine: bool, few, many):
    """Cells of the fast and of the refined mesh."""
    return many if fine else few
