"""Sums over the elements of a Kratos model part: forces, and matrices."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array, csc_array
from scipy.sparse.linalg import splu

from bondline.core import Matrix, Vector
from bondline.leaves.fe.mesh import Indices
from bondline.leaves.kratos_part import TURNING, Variables

Flags: TypeAlias = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Sums:
    """Where the elements of a part are; sums over them have six dofs a node."""

    names: Variables
    numbers: dict[int, int]  # rows of the nodes by their numbers
    lines: list[list[int]]  # rows of the nodes of each element
    _places: list[list[int]]  # rows of the dofs of each element, node by node

    @staticmethod
    def of(part: Any, names: Variables) -> Sums:
        """Those of a model part, and of each that is read back from it."""
        numbers = {node.Id: k for k, node in enumerate(part.Nodes)}
        lines = [[numbers[n.Id] for n in e.GetNodes()] for e in part.Elements]
        turning = [bool(TURNING.match(names.kind(e))) for e in part.Elements]
        places = [
            [6 * n + c for n in line for c in range(6 if turns else 3)]
            for line, turns in zip(lines, turning, strict=True)
        ]
        return Sums(names, numbers, lines, places)

    def unbalanced(self, part: Any) -> Vector:
        """Own loads less inner forces."""
        total, info = np.zeros(6 * len(self.numbers)), part.ProcessInfo
        for element, rows in zip(part.Elements, self._places, strict=True):
            b = self.names.KM.Vector()
            element.CalculateRightHandSide(b, info)
            np.add.at(total, rows, np.array(b))
        return total

    def matrix(self, part: Any, how: str) -> Any:
        """What a method of the elements calculates, by its name."""
        n, entries = 6 * len(self.numbers), []
        for element, rows in zip(part.Elements, self._places, strict=True):
            A = self.names.KM.Matrix(len(rows), len(rows))  # shells do not size it
            A.fill(0.0)
            getattr(element, how)(A, part.ProcessInfo)
            made = np.array(A)
            if made.size:
                i, j = np.meshgrid(rows, rows, indexing="ij")
                entries.append((made.ravel(), i.ravel(), j.ravel()))
        if not entries:
            return csc_array((n, n))
        values, i, j = (np.concatenate(x) for x in zip(*entries, strict=True))
        return csc_array(coo_array((values, (i, j)), shape=(n, n)))


class Weights(NamedTuple):
    """Masses and dampers while everything rests.

    `rows` are the dofs that have mass and are free, and `mass` a factor of their M.
    Turns have none: Kratos' schemes do not integrate them.
    """

    rows: Indices
    mass: Any
    damping: Any
    heaviest: float
    stiffest: float

    @staticmethod
    def of(part: Any, sums: Sums, held: Flags) -> Weights:
        """Those of a model part that is at rest."""
        M = sums.matrix(part, "CalculateMassMatrix")
        heavy = (M.diagonal() > 0.0) & (np.arange(held.size) % 6 < 3)
        rows = np.flatnonzero(heavy & ~held.ravel())
        return Weights(
            rows,
            splu(csc_array(M[rows][:, rows])),
            sums.matrix(part, "CalculateDampingMatrix"),
            float(M.diagonal().max()),
            float(sums.matrix(part, "CalculateLeftHandSide").diagonal().max()),
        )

    def accelerations(self, v: Vector, total: Vector) -> Matrix:
        """M a = total − C v, nodes x six; supports stay."""
        a, f = np.zeros_like(total), total - self.damping @ v
        a[self.rows] = self.mass.solve(f[self.rows])
        return a.reshape(-1, 6)
