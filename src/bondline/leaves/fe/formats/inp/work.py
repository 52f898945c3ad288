"""What the cards of an INP deck put together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from bondline.errors import DeckError
from bondline.leaves.fe.formats.deck import Analysis
from bondline.leaves.fe.formats.draft import MOST_MEMBERS, SCOPE, Draft
from bondline.leaves.fe.formats.inp.card import Card, Scope
from bondline.leaves.fe.formats.names import Names
from bondline.leaves.fe.formats.row import Row, short, whole
from bondline.leaves.fe.mesh import Indices
from bondline.leaves.fe.sections import Material
from bondline.leaves.histories import STEADY, History


@dataclass(frozen=True)
class SurfaceOf:
    """A surface: faces of elements, or nodes alone, each with an area."""

    faces: list[tuple[int, int]] = field(default_factory=list)
    nodes: dict[int, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Frame:
    """Local axes of an *ORIENTATION as rows; curvilinear ones have none."""

    axes: tuple[tuple[float, float, float], ...] | None


@dataclass
class Work:
    """A draft and the named things that cards refer to."""

    draft: Draft
    scopes: dict[str, Scope] = field(default_factory=dict)
    node_sets: Names[list[int]] = field(default_factory=lambda: Names("node set"))
    element_sets: Names[list[int]] = field(default_factory=lambda: Names("element set"))
    materials: Names[Material] = field(default_factory=lambda: Names("material"))
    amplitudes: Names[History] = field(default_factory=lambda: Names("amplitude"))
    frames: Names[Frame] = field(default_factory=lambda: Names("orientation"))
    surfaces: Names[SurfaceOf] = field(default_factory=lambda: Names("surface"))
    steps: list[Analysis] = field(default_factory=list)
    element_cards: list[tuple[Card, list[int]]] = field(default_factory=list)
    total_time: set[str] = field(default_factory=set)
    cleared: set[tuple[str, int]] = field(default_factory=set)
    members: int = 0
    generated: int = 0
    ramps: dict[int, History] = field(default_factory=dict)

    def name(self, name: str, scope: Scope) -> str:
        """The name of a thing that is defined in an instance."""
        return f"{scope.name}.{name}" if scope.name else name

    def extend(
        self, sets: Names[list[int]], name: str, numbers: Iterable[int], card: Card
    ) -> None:
        """Put members into a set, each once, after those it has."""
        full = self.name(name, card.scope)
        known = sets.find(full) or []
        merged = list(dict.fromkeys([*known, *numbers]))
        self.members += len(merged)
        if self.members > MOST_MEMBERS:
            raise card.wrong(
                f"the sets have more than {MOST_MEMBERS} members together.",
                "Take out sets that are not used.",
            )
        sets.put(full, merged)

    def nodes(self, row: Row, i: int, scope: Scope) -> list[int]:
        """The nodes that a field names: a number or a set."""
        return self._members(row, i, scope, self.node_sets, self.draft.nodes)

    def elements(self, row: Row, i: int, scope: Scope) -> list[int]:
        """The elements that a field names: a number or a set."""
        return self._members(row, i, scope, self.element_sets, self.draft.elements)

    def _members(
        self,
        row: Row,
        i: int,
        scope: Scope,
        sets: Names[list[int]],
        known: Mapping[int, object],
    ) -> list[int]:
        text = unquoted(row.word(i))
        what = sets.what.split()[0]
        if not text:
            raise row.wrong(f"the {what} is missing.", "Give a number or a set.")
        number = self.number(text, scope)
        if number is None:
            return sets.get(text, row.place, scope.name)
        if number not in known:
            raise row.wrong(f"there is no {what} {text}.", f"Define {what} {text}.")
        return [number]

    def number(self, text: str, scope: Scope) -> int | None:
        """A label, also as instance.label, or nothing if the text is a name."""
        instance, dot, label = text.rpartition(".")
        if dot and label and instance.upper() in self.scopes:
            scope, text = self.scopes[instance.upper()], label
        value = whole(text)
        return None if value is None else value | scope.number << SCOPE

    def reference(self, card: Card, option: str) -> int:
        """The row of the one node that an option names."""
        row = Row(card.place, [card.option(option)])
        found = self.nodes(row, 0, card.scope)
        if len(found) != 1:
            raise card.wrong(
                f"{option} {short(row.word(0))} has {len(found)} nodes.",
                "Name one node, or a set of one node.",
            )
        return self.draft.rows[found[0]]

    def rows(self, numbers: Iterable[int]) -> Indices:
        """Rows of nodes."""
        rows = self.draft.rows
        return np.array([rows[number] for number in numbers], dtype=np.intp)

    def history(self, card: Card) -> History:
        """The amplitude that a card names, or the constant 1."""
        name = card.options.get("AMPLITUDE")
        if not name:
            return self.ramps.get(card.step, STEADY)
        if card.step > 1 and name.upper() in self.total_time:
            raise card.wrong(
                f"the amplitude {name!r} counts the time of all steps.",
                "Give it TIME=STEP TIME.",
            )
        return self.amplitudes.get(name, card.place, card.scope.name)


def unquoted(text: str) -> str:
    """A name without its quotation marks."""
    return text.strip('"').strip()


def missing(card: Card, what: str) -> DeckError:
    """Something that a card cannot do without."""
    return card.wrong(f"{what} is missing.", f"Give {what}.")
