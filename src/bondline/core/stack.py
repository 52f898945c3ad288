"""The ends of all joints in one vector, where B never changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bondline.core.arrays import Matrix, Vector
from bondline.core.connection import Connection, There
from bondline.core.motion import Motion, Output
from bondline.core.port import PortRef
from bondline.core.port_arrays import ForceRows, Forces, Motions, in_rows
from bondline.core.signal import Signal
from bondline.numerics.sparse_rows import SparseRows

Inputs: TypeAlias = Mapping[str, Signal]


@dataclass(frozen=True, eq=False)
class Stack:
    """e = B x + e₀ of all joints at once, wang2003 (10)-(11); and loads Bᵀ F, (7)-(8).

    `places` says where the dofs of a port are in x, part by part; ports of these parts
    that are not glued have columns without entries.
    """

    places: Mapping[PortRef, slice]
    glued: frozenset[PortRef]
    B: SparseRows
    B_transposed: SparseRows
    rest: Vector  # e₀

    @cached_property
    def _parts(self) -> Mapping[str, _Part]:
        each: dict[str, list[PortRef]] = {}
        for end in self.places:
            each.setdefault(end.part, []).append(end)
        return {n: self._part(ends) for n, ends in each.items()}

    def _part(self, ends: Sequence[PortRef]) -> _Part:
        spans = [self.places[end] for end in ends]
        first, last = spans[0].start, spans[-1].stop
        own = [slice(s.start - first, s.stop - first) for s in spans]
        places = dict(zip([end.port for end in ends], own, strict=True))
        return _Part(slice(first, last), places, self.glued.issuperset(ends))

    def gathered(
        self, outputs: Mapping[str, Mapping[str, Output]]
    ) -> Motions[PortRef] | None:
        """What all ports show, where every part shows them in one array."""
        each = []
        for n, part in self._parts.items():
            shown = outputs[n]
            if not isinstance(shown, Motions) or shown.places != part.places:
                return None
            each.append(shown.levels)
        return Motions(self.places, np.concatenate(each, axis=1))

    def gathered_rows(
        self, shown: Mapping[str, Sequence[Mapping[str, Output]]]
    ) -> NDArray[np.float64] | None:
        """The same after every window: windows × levels × dofs of all ports."""
        each = []
        for n, part in self._parts.items():
            rows = in_rows(shown[n])
            if rows is None or rows.places != part.places:
                return None
            each.append(rows.levels)
        if len({rows.shape[:2] for rows in each}) > 1:
            return None
        return np.concatenate(each, axis=2)

    def gaps(self, levels: NDArray[np.float64]) -> NDArray[np.float64]:
        """e, e' and e'' after every window, from such levels."""
        windows, count, dofs = levels.shape
        rows = self.B.times(levels.reshape(-1, dofs)).reshape(windows, count, -1)
        rows[:, 0] += self.rest
        return rows

    def levels(self, motions: Mapping[PortRef, Motion]) -> Matrix:
        """x, v and a of all ports, a row each; no a where one of them gives none.

        Ports that nobody asked for, and nobody glued, are where they rest.
        """
        each = [
            motions[end] if end in motions else _still(at.stop - at.start)
            for end, at in self.places.items()
        ]
        bends = [m.a for m in each if m.a is not None]
        known = bends if len(bends) == len(each) else []
        rows = [*(m.x for m in each), *(m.v for m in each), *known]
        return np.concatenate(rows).reshape(3 if known else 2, -1)

    def there(self, motions: Mapping[PortRef, Motion]) -> There:
        """e, e' and e'', and the levels they come from."""
        whole = motions if isinstance(motions, Motions) else None
        levels = self.levels(motions) if whole is None else whole.levels
        rows = self.B.times(levels)
        rows[0] += self.rest
        e, rate, *bend = rows
        return There((e, rate, bend[0] if bend else None), levels, whole)

    def loads(self, F: Matrix) -> dict[str, Mapping[str, Signal]]:
        """What the ports of every part feel; row k of `F` and of them goes with sᵏ."""
        every = self.B_transposed.times(F)
        found: dict[str, Mapping[str, Signal]] = {}
        for n, part in self._parts.items():
            told = Forces(part.places, every[:, part.span])
            found[n] = told if part.whole else self._of_joints(n, told)
        return found

    def load_rows(self, F: NDArray[np.float64]) -> dict[str, Sequence[Inputs]]:
        """The same over every window: `F` is windows × powers × forces."""
        windows, powers, size = F.shape
        every = self.B_transposed.times(F.reshape(-1, size)).reshape(
            windows, powers, -1
        )
        found: dict[str, Sequence[Inputs]] = {}
        for n, part in self._parts.items():
            own = np.ascontiguousarray(every[:, :, part.span])
            told = ForceRows(part.places, own)
            found[n] = told if part.whole else [self._of_joints(n, f) for f in told]
        return found

    def _of_joints(self, part: str, told: Forces[str]) -> dict[str, Signal]:
        """Who is not glued is told nothing."""
        return {p: f for p, f in told.items() if PortRef(part, p) in self.glued}


class _Part(NamedTuple):
    """Where the ports of one part are in x, all of them and each; if all are glued."""

    span: slice
    places: Mapping[str, slice]
    whole: bool


def stacked(connections: Sequence[Connection], sizes: Mapping[PortRef, int]) -> Stack:
    """The joints in their order; `sizes` has the dofs of all ports, part by part."""
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
    glued = frozenset(end for c in connections for end in c.ends)
    both = SparseRows.of(B), SparseRows.of(B.T.tocsr())
    return Stack(places, glued, *both, np.concatenate(rest))


def _still(size: int) -> Motion:
    return Motion(*np.zeros((3, size)))


def _rows(B: Matrix, places: Sequence[slice]) -> tuple[Vector, Any, Any]:
    """Entries, columns and entries a row; row by row, in the order of the ends.

    So the order of sums is that of the joint, whatever the order of the ports.
    """
    every = np.concatenate([np.arange(p.start, p.stop) for p in places])
    rows, columns = np.nonzero(B)
    return B[rows, columns], every[columns], np.bincount(rows, minlength=len(B))
