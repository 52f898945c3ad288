"""NAFEMS FV41 and FV42, a free cylinder and a hollow sphere, as thin wedges.

Axisymmetric and radial motions only: the sides of a wedge are slanted supports.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from bondline.core import Vector
from bondline.leaves.fe.generate import brick
from bondline.leaves.fe.links import Equation
from bondline.leaves.fe.mesh import Indices
from bondline.leaves.fe.model import FeModel
from bondline.leaves.fe.sections import SolidSection
from tests.cases.ladder.climb import Wanted, vibration
from tests.cases.ladder.fv_plates import SOURCE, STEEL
from tests.cases.ladder.rung import Rung, within
from tests.cases.ladder.shapes import X, Y, Z, cells

FV41 = (243.53, 377.41, 394.11, 397.72, 405.28)
FV42 = (369.91, 838.03, 1451.2, 2117.0, 2795.8)
HALF = np.radians(1.0)


def sliding(nodes: Indices, normal: Vector, first: int) -> Iterator[Equation]:
    """n · u = 0 at every node; the component `first` follows the others."""
    order = [first, *(k for k in range(3) if k != first and normal[k])]
    for node in nodes:
        at = np.full(len(order), node)
        yield Equation(at, tuple(order), normal[order])


def cylinder(n: tuple[int, int]) -> FeModel:
    """Mean radius 2 m, wall 0.4 m, length 10 m, nothing holds it along z."""

    def wedge(u):
        r, turn = 1.8 + 0.4 * u[:, 0], HALF * (2.0 * u[:, 1] - 1.0)
        return np.column_stack([r * np.cos(turn), r * np.sin(turn), 10.0 * u[:, 2]])

    patch = brick((n[1], 1, n[0]), wedge)
    links = []
    for side, sign in (("v0", -1.0), ("v1", 1.0)):
        normal = np.array([-np.sin(sign * HALF), np.cos(HALF), 0.0])
        links += sliding(patch.node_sets[side], normal, Y)
    mesh = patch.mesh("C3D8", SolidSection(STEEL))
    return FeModel("FV41", mesh, links=tuple(links))


def sphere(n: int) -> FeModel:
    """Radii 1.8 and 6 m; a pyramid whose four edges are radii."""

    def pyramid(u):
        across = np.tan(HALF) * (2.0 * u[:, 1:] - 1.0)
        ray = np.column_stack([np.ones(len(u)), across])
        ray /= np.linalg.norm(ray, axis=1)[:, None]
        return (1.8 + 4.2 * u[:, :1]) * ray

    patch = brick((n, 1, 1), pyramid)
    links = []
    for sides, k in ((("v0", "v1"), Y), (("w0", "w1"), Z)):
        for side, sign in zip(sides, (-1.0, 1.0), strict=True):
            normal = np.zeros(3)
            normal[X], normal[k] = -np.sin(sign * HALF), np.cos(HALF)
            links += sliding(patch.node_sets[side], normal, k)
    mesh = patch.mesh("C3D8", SolidSection(STEEL))
    return FeModel("FV42", mesh, links=tuple(links))


def rungs(fine: bool) -> Iterator[Rung]:
    n = cells(fine, (24, 2), (64, 4))
    words = f"C3D8 {n[0]} × {n[1]}"
    wanted = Wanted("NAFEMS FV41", words, FV41, within(0.01), SOURCE)
    yield vibration(wanted, cylinder(n), rigid=1)
    m, gate = cells(fine, (16, 0.03), (40, 0.01))
    wanted = Wanted("NAFEMS FV42", f"C3D8 {m}", FV42, within(gate), SOURCE, 22)
    yield vibration(wanted, sphere(m))
