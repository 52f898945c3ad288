"""Names of numbers, sent once: a table on the owner's side, and on the other."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from itertools import accumulate, pairwise
from typing import NamedTuple

import numpy as np

from bondline.core import Matrix, Observation, Reaction
from bondline.remote import bondline_pb2 as pb
from bondline.remote.codec.malformed import Malformed
from bondline.remote.codec.rows import figures_head, raw

Column = tuple[str, str, int, int, tuple[str, ...], bool]


class Tables:
    """Those that a session has sent; new ones wait for the next reply."""

    def __init__(self) -> None:
        self._known: dict[tuple[Column, ...], int] = {}
        self._last: dict[tuple[Hashable, ...], int] = {}
        self.fresh: list[pb.Table] = []

    def scalars(self, numbers: Mapping[str, float], made: pb.Figures) -> int:
        """Named numbers without units; how many they are, as below."""
        if not numbers:
            return 0
        names = tuple(numbers)
        table = self._last.get(names)
        if table is None:
            table = self._of([(n, "", 0, 0, (), False) for n in names])
            self._last[names] = table
        return _list(table, [float(v) for v in numbers.values()], made)

    def observations(self, seen: Mapping[str, Observation], made: pb.Figures) -> int:
        """Named numbers with units."""
        if not seen:
            return 0
        each = seen.values()
        key = (len(seen), *seen, *[o.unit for o in each])
        table = self._last.get(key)
        if table is None:
            table = self._of((n, o.unit, 0, 0, (), False) for n, o in seen.items())
            self._last[key] = table
        return _list(table, [float(o.value) for o in each], made)

    def reactions(self, forces: Mapping[str, Reaction], made: pb.Figures) -> int:
        """Forces in joints, row by row."""
        if not forces:
            return 0
        table = self._of(
            (n, "", *r.coefficients.shape, r.components, r.instant)
            for n, r in forces.items()
        )
        return _flat(table, [r.coefficients for r in forces.values()], made)

    def shapes(self, shapes: Mapping[str, Matrix], made: pb.Figures) -> int:
        """Polylines, point by point."""
        if not shapes:
            return 0
        each = list(shapes.values())
        key = (*shapes, *[x.shape for x in each])
        table = self._last.get(key)
        if table is None:
            table = self._of((n, "", *x.shape, (), False) for n, x in shapes.items())
            self._last[key] = table
        return _flat(table, each, made)

    def _of(self, columns: Iterable[Column]) -> int:
        key = tuple(columns)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = len(self._known) + 1
            self.fresh.append(_table(found, key))
        return found


def _list(table: int, values: list[float], made: pb.Figures) -> int:
    made.table = table
    made.values.extend(values)
    return len(values)


def _flat(table: int, arrays: list[Matrix], made: pb.Figures) -> int:
    size = sum(a.size for a in arrays)
    numbers = b"".join(map(raw, arrays))
    made.MergeFromString(figures_head(table, size) + numbers)
    return size


def _table(number: int, columns: tuple[Column, ...]) -> pb.Table:
    made = pb.Table(id=number)
    for name, unit, rows, width, components, instant in columns:
        made.columns.add(
            name=name,
            unit=unit,
            rows=rows,
            width=width,
            components=components,
            instant=instant,
        )
    return made


class _Sheet(NamedTuple):
    """A table that came, as it is needed again and again."""

    columns: list[Column]
    names: list[str]
    units: list[str]
    size: int  # numbers of reactions and shapes
    cuts: list[slice]  # those of each


def _sheet(columns: list[Column]) -> _Sheet:
    ends = list(accumulate([c[2] * c[3] for c in columns], initial=0))
    cuts = [slice(*both) for both in pairwise(ends)]
    names, units = [c[0] for c in columns], [c[1] for c in columns]
    return _Sheet(columns, names, units, ends[-1], cuts)


_BLANK = _sheet([])


class Legend:
    """The tables that came: what the numbers of figures mean."""

    def __init__(self) -> None:
        self._tables: dict[int, _Sheet] = {}

    def learn(self, tables: Iterable[pb.Table]) -> None:
        """Take in new tables."""
        for table in tables:
            self._tables[table.id] = _sheet(
                [
                    (c.name, c.unit, c.rows, c.width, tuple(c.components), c.instant)
                    for c in table.columns
                ]
            )

    def _of(self, figures: pb.Figures) -> _Sheet:
        number = figures.table
        if not number:
            return _BLANK
        if number not in self._tables:
            raise Malformed(f"there is no table {number}")
        return self._tables[number]

    def scalars(self, figures: pb.Figures) -> dict[str, float]:
        """Named numbers."""
        names = self._of(figures).names
        return dict(zip(names, _expect(figures, len(names)), strict=True))

    def observations(self, figures: pb.Figures) -> dict[str, Observation]:
        """Named numbers with units."""
        sheet = self._of(figures)
        values = _expect(figures, len(sheet.names))
        each = map(Observation, values, sheet.units)
        return dict(zip(sheet.names, each, strict=True))

    def reactions(self, figures: pb.Figures) -> dict[str, Reaction]:
        """Forces in joints."""
        each = self._arrays(figures)
        return {c[0]: Reaction(c[4], x, c[5]) for c, x in each}

    def shapes(self, figures: pb.Figures) -> dict[str, Matrix]:
        """Polylines."""
        return {c[0]: x for c, x in self._arrays(figures)}

    def _arrays(self, figures: pb.Figures) -> list[tuple[Column, Matrix]]:
        sheet = self._of(figures)
        every = np.array(_expect(figures, sheet.size), dtype=np.float64)
        both = zip(sheet.columns, sheet.cuts, strict=True)
        return [(c, every[cut].reshape(c[2], c[3])) for c, cut in both]


def _expect(figures: pb.Figures, count: int) -> list[float]:
    values: list[float] = figures.values[:]  # a list is quicker than a field
    if len(values) != count:
        raise Malformed(f"{len(values)} figures came, {count} were expected")
    return values
