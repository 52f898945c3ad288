"""Writing lines, numbers and names of INP decks."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import groupby
from typing import Literal, TypeAlias

from bondline.errors import UsageError
from bondline.leaves.fe.mesh import Nodes
from bondline.leaves.fe.model import FeModel

Dialect: TypeAlias = Literal["calculix", "abaqus"]
WIDTH = 20  # CalculiX reads no more characters of a number


@dataclass
class Pen:
    """A deck in the making; `names` are in use, in capitals."""

    model: FeModel
    dialect: Dialect
    lines: list[str] = field(default_factory=list)
    elements: int = 0  # the largest number in use
    names: set[str] = field(default_factory=set)

    def card(self, title: str, **options: object) -> None:
        """A keyword with options; one whose value is None has no value."""
        parts = [
            name.replace("_", " ") + ("" if value is None else f"={value}")
            for name, value in options.items()
        ]
        self.lines.append("*" + ", ".join([title, *parts]))

    def row(self, *fields: object) -> None:
        """A data line."""
        self.lines.append(", ".join(map(self.text, fields)))

    def rows(self, fields: Iterable[object], width: int = 8) -> None:
        """Data lines with so many fields each."""
        texts = [self.text(item) for item in fields]
        for i in range(0, len(texts), width):
            self.lines.append(", ".join(texts[i : i + width]))

    def text(self, item: object) -> str:
        """A field; numbers with all digits, or as many as CalculiX reads."""
        if not isinstance(item, float):
            return str(item)
        exact = repr(float(item))
        if self.dialect == "abaqus" or len(exact) <= WIDTH:
            return exact
        return f"{item:.13e}"

    def name(self, wanted: str) -> str:
        """A name that a deck can have, not in use yet for something of its kind."""
        bare = re.sub(r"[^A-Za-z0-9_-]", "_", wanted) or "X"
        bare = bare if bare[0].isalpha() else f"S{bare}"
        name, count = bare, 1
        while name.upper() in self.names:
            count += 1
            name = f"{bare}_{count}"
        self.names.add(name.upper())
        return name

    def elset(self, ids: list[int], wanted: str) -> str:
        """The element set that has just these elements, or a new name for one."""
        for name, known in self.model.mesh.element_sets.items():
            if known.tolist() == ids:
                return name
        return self.name(wanted)

    def number(self) -> int:
        """A number that no element has."""
        self.elements += 1
        return self.elements

    def ids(self, nodes: Nodes | int) -> list[int]:
        """Numbers of nodes."""
        mesh = self.model.mesh
        return [int(i) for i in mesh.ids[mesh.rows(self.model.name, nodes)]]

    def impossible(self, what: str, remedy: str) -> UsageError:
        """Something that the deck's code has no card for."""
        return UsageError(f"writing {self.model.name} for {self.dialect}", what, remedy)


def spans(components: Iterable[int]) -> list[tuple[int, int]]:
    """Dofs from 1 as first and last of each unbroken run.

    >>> spans((0, 1, 2, 4))
    [(1, 3), (5, 5)]
    """
    numbered = enumerate(sorted(components))
    runs = [[c for _, c in run] for _, run in groupby(numbered, lambda p: p[1] - p[0])]
    return [(run[0] + 1, run[-1] + 1) for run in runs]
