"""What the entries of bulk data put together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from bondline.core import Matrix, Vector
from bondline.leaves.fe.formats.draft import Draft
from bondline.leaves.fe.formats.row import Row
from bondline.leaves.fe.mesh import Indices
from bondline.leaves.fe.sections import Material, Section


@dataclass
class Bulk:
    """A draft and what entries refer to by number.

    `spcs` and `loads` are the sets in use with the factor of each, or None for all.
    """

    draft: Draft
    materials: dict[int, Material] = field(default_factory=dict)
    frames: dict[int, tuple[Vector, Matrix]] = field(default_factory=dict)
    properties: dict[int, tuple[str, Row]] = field(default_factory=dict)
    used: dict[int, list[int]] = field(default_factory=dict)  # elements by property
    shared: dict[tuple[object, ...], tuple[Section, list[int]]] = field(
        default_factory=dict
    )
    spcs: dict[int, float] | None = None
    loads: dict[int, float] | None = None
    modes: int = 0

    def node(self, row: Row, i: int) -> int:
        """The number of a grid point that is there."""
        number = row.label(i, "the grid point")
        if number not in self.draft.nodes:
            raise row.wrong(f"there is no grid point {number}.", "Add it as GRID.")
        return number

    def element(self, row: Row, i: int) -> int:
        """The number of an element that is there."""
        number = row.label(i, "the element")
        if number not in self.draft.elements:
            raise row.wrong(f"there is no element {number}.", "Define the element.")
        return number

    def material(self, row: Row, i: int) -> Material:
        """The material with the number in a field."""
        number = row.label(i, "the material")
        if number not in self.materials:
            known = ", ".join(map(str, sorted(self.materials)[:12])) or "none"
            raise row.wrong(f"there is no MAT1 {number}.", f"Known: {known}.")
        return self.materials[number]

    def share(self, key: tuple[object, ...], section: Section, element: int) -> None:
        """Give an element a section; the same key is the same section."""
        self.shared.setdefault(key, (section, []))[1].append(element)

    def rows(self, numbers: Iterable[int]) -> Indices:
        """Rows of grid points."""
        return np.array([self.draft.rows[n] for n in numbers], dtype=np.intp)


def listed(row: Row, first: int, known: Mapping[int, object]) -> list[int]:
    """Numbers from a field on; `a THRU b` is all that are known from a to b."""
    found: list[int] = []
    i = first
    while i < len(row):
        if row.word(i).upper() == "THRU":
            last = row.label(i + 1, "the last number")
            if not found or last < found[-1]:
                raise row.wrong("THRU has no sound range.", "Write: first THRU last.")
            found += _between(found[-1] + 1, last, known)
            i += 2
        else:
            if row.word(i):
                found.append(_there(row, i, known))
            i += 1
    return found


def _between(first: int, last: int, known: Mapping[int, object]) -> list[int]:
    if last - first < len(known):
        return [number for number in range(first, last + 1) if number in known]
    return sorted(number for number in known if first <= number <= last)


def _there(row: Row, i: int, known: Mapping[int, object]) -> int:
    number = row.label(i, "a number")
    if known and number not in known:
        raise row.wrong(f"there is no {number}.", "Define it, or take it out.")
    return number


def components(row: Row, i: int) -> tuple[int, ...]:
    """Dofs written as digits, 0 ... 5 here."""
    text = row.word(i)
    if not text or not set(text) <= set("123456"):
        raise row.wrong(f"the dofs are {text!r}.", "Give digits from 1 to 6: 123.")
    return tuple(sorted({int(digit) - 1 for digit in text}))


def unsupported(row: Row, i: int, what: str) -> None:
    """A field that must be blank or zero."""
    if row.word(i) not in ("", "0", "0.", "0.0") and row.number(i, what) != 0.0:
        raise row.wrong(f"{what} is {row.word(i)!r}.", "Leave it blank.")
