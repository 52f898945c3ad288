"""Which instances of a law are quick; the others wait for ./run test --full."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pytest


def chosen(rows: Sequence[tuple[int, ...]], least: int) -> set[int]:
    """Which of the rows are few, and have every value of every column.

    At least so many. A table, in which a column never repeats, is no product: of it
    some are taken, evenly spread.

    >>> product = [(i, j) for i in range(3) for j in range(2)]
    >>> [product[k] for k in sorted(chosen(product, 1))]
    [(0, 0), (1, 1), (2, 0)]
    >>> sorted(chosen([(seed, 0) for seed in range(9)], 3))
    [0, 4, 8]
    """
    columns = list(zip(*rows, strict=True))
    table = any(len(set(column)) == len(rows) for column in columns)
    found: set[int] = set() if table else _covering(rows)
    last = len(rows) - 1
    for k in range(least):
        if len(found) < least:
            found.add(round(k * last / max(least - 1, 1)))
    return found


def _covering(rows: Sequence[tuple[int, ...]]) -> set[int]:
    """The first that adds most, again and again until none adds anything."""
    values = [set(enumerate(row)) for row in rows]
    found: set[int] = set()
    seen: set[tuple[int, int]] = set()
    while True:
        best = max(range(len(values)), key=lambda k: len(values[k] - seen))
        if values[best] <= seen:
            return found
        found.add(best)
        seen |= values[best]


def _values(group: Sequence[pytest.Function]) -> list[tuple[int, ...]]:
    """The parameters of each instance: the same number for the same object."""
    return [tuple(map(id, item.callspec.params.values())) for item in group]


def mark_long_forms(items: Iterable[pytest.Item]) -> None:
    """Of tests marked `quick(n)`, all instances that are not among the chosen ones."""
    groups: dict[str, list[pytest.Function]] = {}
    for item in items:
        if isinstance(item, pytest.Function) and item.get_closest_marker("quick"):
            groups.setdefault(item.nodeid.partition("[")[0], []).append(item)
    for group in groups.values():
        marker = group[0].get_closest_marker("quick")
        assert marker is not None
        kept = chosen(_values(group), *marker.args)
        for k, item in enumerate(group):
            if k not in kept:
                item.add_marker(pytest.mark.full)
