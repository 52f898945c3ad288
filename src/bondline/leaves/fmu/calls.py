"""Rows of numbers as FMI takes them: kind by kind, arrays as a whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a set or get function, and where each number of a row is in it."""

    kind: str
    references: list[int]
    size: int  # numbers, those of elements that nobody asks for among them
    columns: list[int]  # of the row
    places: list[int]  # the same in the call
    whole: bool  # whether the row says all numbers


def calls(wires: Sequence[Any]) -> list[Call]:
    """The calls for wires as they travel: reference, kind, element, size of its array.

    >>> [call] = calls([[7, "Float64", 1, 2], [3, "Float64", 0, 1]])
    >>> call.references, call.size, call.places, call.whole
    ([7, 3], 3, [1, 2], False)
    """
    return [_call(kind, wires) for kind in dict.fromkeys(w[1] for w in wires)]


def _call(kind: str, wires: Sequence[Any]) -> Call:
    columns = [i for i, wire in enumerate(wires) if wire[1] == kind]
    sizes = {wires[i][0]: wires[i][3] for i in columns}
    first = dict(zip(sizes, accumulate(sizes.values(), initial=0), strict=False))
    places = [first[wires[i][0]] + wires[i][2] for i in columns]
    size = sum(sizes.values())
    return Call(kind, [*sizes], size, columns, places, len(set(places)) == size)
