"""A model in the making, by the numbers and names of a deck."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np

from bondline.errors import DeckError
from bondline.leaves.fe.formats.acting import Acting, Vector3
from bondline.leaves.fe.links import Link
from bondline.leaves.fe.mesh import Block, Indices, Mesh
from bondline.leaves.fe.model import FeModel
from bondline.leaves.fe.sections import Section
from bondline.leaves.fe.supports import Initial

MOST_MEMBERS = 50_000_000  # of all sets together
SCOPE = 32  # bits of a number; what is above says in which instance it is


class Written(NamedTuple):
    """An element as a deck gives it; `label` is the deck's own name of its kind."""

    kind: str
    nodes: tuple[int, ...]
    label: str


@dataclass
class Draft:
    """Nodes, elements, sections and sets by number; `place` is that of the deck."""

    name: str
    place: str
    nodes: dict[int, Vector3] = field(default_factory=dict)
    elements: dict[int, Written] = field(default_factory=dict)
    sections: list[Section] = field(default_factory=list)
    assigned: dict[int, int] = field(default_factory=dict)
    acting: Acting = field(default_factory=Acting)
    links: list[Link] = field(default_factory=list)
    initial: list[Initial] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @cached_property
    def rows(self) -> Mapping[int, int]:
        """The row of every node. All nodes must be known by now."""
        return {number: row for row, number in enumerate(self.nodes)}

    def note(self, text: str) -> None:
        """Say something once."""
        if text not in self.notes:
            self.notes.append(text)

    def assign(self, elements: Iterable[int], section: Section, place: str) -> None:
        """Give elements a section."""
        for number in elements:
            if number in self.assigned:
                raise DeckError(
                    place,
                    f"element {plain(number)} has a section already.",
                    "Give every element one section: split the element sets.",
                )
            self.assigned[number] = len(self.sections)
        self.sections.append(section)

    def model(self, sets: Sets, static_time: float | None = None) -> FeModel:
        """The model of all that was put in."""
        return FeModel(
            self.name,
            self._mesh(sets),
            self.acting.supports(),
            tuple(self.links),
            self.acting.loads(self._faces),
            initial=tuple(self.initial),
            static_time=static_time,
        )

    def _mesh(self, sets: Sets) -> Mesh:
        if not self.nodes:
            raise DeckError(self.place, "there are no nodes.", "Give nodes.")
        return Mesh(
            np.array(list(self.nodes.values()), dtype=float),
            tuple(self._blocks()),
            np.array(self.public(list(self.nodes)), dtype=np.intp),
            {n: self._rows_of(some) for n, some in sets.nodes.items()},
            {n: self._public_elements(some) for n, some in sets.elements.items()},
            {n: self._faces(some) for n, some in sets.faces.items()},
        )

    def _rows_of(self, numbers: list[int]) -> Indices:
        rows = self.rows
        return np.array([rows[number] for number in numbers], dtype=np.intp)

    def _blocks(self) -> Iterable[Block]:
        self._all_assigned()
        groups: dict[tuple[int, str], list[int]] = {}
        for number, written in self.elements.items():
            groups.setdefault((self.assigned[number], written.kind), []).append(number)
        for section, kind in sorted(groups, key=lambda key: key[0]):
            numbers = groups[section, kind]
            nodes = [[self.rows[n] for n in self.elements[e].nodes] for e in numbers]
            yield Block(
                kind,
                np.array(nodes, dtype=np.intp),
                self.sections[section],
                self._public_elements(numbers),
            )

    def _all_assigned(self) -> None:
        bare = [n for n in self.elements if n not in self.assigned]
        if bare:
            some = ", ".join(str(plain(number)) for number in bare[:5])
            raise DeckError(
                self.place,
                f"{len(bare)} elements have no section: {some}"
                f"{', ...' if len(bare) > 5 else ''}.",
                "Give each a section card with an element set that holds it.",
            )

    def _faces(self, faces: list[tuple[int, int]]) -> Indices:
        pairs = np.array(faces, dtype=np.intp).reshape(-1, 2)
        pairs[:, 0] = self._public_elements([element for element, _ in faces])
        return pairs

    def _public_elements(self, numbers: list[int]) -> Indices:
        shift = self._element_shifts
        public = [plain(number) + shift[number >> SCOPE] for number in numbers]
        return np.array(public, dtype=np.intp)

    @cached_property
    def _element_shifts(self) -> dict[int, int]:
        return shifts(self.elements)

    @cached_property
    def _node_shifts(self) -> dict[int, int]:
        return shifts(self.nodes)

    def public(self, nodes: list[int]) -> list[int]:
        """Numbers of nodes as the model shows them: each only once."""
        shift = self._node_shifts
        return [plain(number) + shift[number >> SCOPE] for number in nodes]


class Sets(NamedTuple):
    """Named sets of a deck, by number."""

    nodes: Mapping[str, list[int]]
    elements: Mapping[str, list[int]]
    faces: Mapping[str, list[tuple[int, int]]]


def plain(number: int) -> int:
    """The number as the deck writes it, whichever instance it is in."""
    return number & ((1 << SCOPE) - 1)


def shifts(numbers: Iterable[int]) -> dict[int, int]:
    """What to add to the numbers of each instance so that none is there twice.

    >>> shifts([1 << 32 | 5, 1 << 32 | 6, 2 << 32 | 6, 3])
    {1: 0, 2: 6, 0: 0}
    """
    scopes: dict[int, list[int]] = {}
    for number in numbers:
        scopes.setdefault(number >> SCOPE, []).append(plain(number))
    used: set[int] = set()
    found: dict[int, int] = {}
    for scope in sorted(scopes, key=lambda s: (s == 0, s)):
        clash = not used.isdisjoint(scopes[scope])
        found[scope] = max(used) if clash else 0
        used.update(number + found[scope] for number in scopes[scope])
    return found
