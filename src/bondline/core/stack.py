"""The ends of all joints in one vector, where B never changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from bondline.core.arrays import Matrix, Vector
from bondline.core.connection import Connection, There
from bondline.core.motion import Motion
from bondline.core.port import PortRef

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    Sparse = csr_array[np.float64, tuple[int, int]]


@dataclass(frozen=True, eq=False)
class Stack:
    """e = B x + e₀ of all joints at once, wang2003 (10)-(11); and loads Bᵀ F, (7)-(8).

    `places` says where the dofs of a port are in x.
    """

    places: Mapping[PortRef, slice]
    B: Sparse
    B_transposed: Sparse
    rest: Vector  # e₀

    def levels(self, motions: Mapping[PortRef, Motion]) -> Matrix:
        """x, v and a of all ports, a row each; no a where one of them gives none."""
        each = [motions[end] for end in self.places]
        bends = [m.a for m in each if m.a is not None]
        known = bends if len(bends) == len(each) else []
        rows = [*(m.x for m in each), *(m.v for m in each), *known]
        return np.concatenate(rows).reshape(3 if known else 2, -1)

    def there(self, motions: Mapping[PortRef, Motion]) -> There:
        """e, e' and e'', and the levels they come from."""
        levels = self.levels(motions)
        e, rate, *bend = np.ascontiguousarray((self.B @ levels.T).T)
        return There((e + self.rest, rate, bend[0] if bend else None), levels)

    def loads(self, F: Matrix) -> Mapping[PortRef, Matrix]:
        """What every port feels; row k of `F` and of the loads goes with sᵏ."""
        every = np.asarray((self.B_transposed @ F.T).T)
        return {end: every[:, place] for end, place in self.places.items()}


def stacked(connections: Sequence[Connection], sizes: Mapping[PortRef, int]) -> Stack:
    """The joints in their order; `sizes` has the dofs of every port they meet at."""
    from scipy.sparse import csr_array

    cuts = np.cumsum([0, *sizes.values()]).tolist()
    places = {end: slice(*cuts[k : k + 2]) for k, end in enumerate(sizes)}
    pieces, rest = [], []
    for c in connections:
        still = [_still(sizes[end]) for end in c.ends]
        pieces.append(_rows(np.hstack(c.jacobian(still)), [places[e] for e in c.ends]))
        rest.append(c.gap(still)[0])
    values, columns, counts = (np.concatenate(x) for x in zip(*pieces, strict=True))
    begins = np.cumsum([0, *counts])
    shape = (len(counts), cuts[-1])
    B: Any = csr_array((values, columns, begins), shape=shape)
    return Stack(places, B, B.T.tocsr(), np.concatenate(rest))


def _still(size: int) -> Motion:
    return Motion(*np.zeros((3, size)))


def _rows(B: Matrix, places: Sequence[slice]) -> tuple[Vector, Any, Any]:
    """Entries, columns and entries a row; row by row, in the order of the ends.

    So the order of sums is that of the joint, whatever the order of the ports.
    """
    every = np.concatenate([np.arange(p.start, p.stop) for p in places])
    rows, columns = np.nonzero(B)
    return B[rows, columns], every[columns], np.bincount(rows, minlength=len(B))
