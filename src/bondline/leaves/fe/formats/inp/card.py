"""A keyword of an INP deck with its options and data lines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from bondline.errors import DeckError, did_you_mean
from bondline.leaves.fe.formats.row import Row, real, short, whole


class Line(NamedTuple):
    """A line of text and where it stands."""

    file: str
    number: int
    text: str


class Scope(NamedTuple):
    """The instance a card belongs to; the number 0 is the deck itself."""

    name: str = ""
    number: int = 0


OUTSIDE = Scope()


@dataclass
class Card:
    """A keyword; `title` is in capitals, options are by name without blanks.

    `step` counts from 1; 0 is before the first. `under` are the cards that belong to
    this one, as *ELASTIC does to *MATERIAL.
    """

    title: str
    line: Line
    options: dict[str, str]
    lines: list[Line] = field(default_factory=list)
    under: list[Card] = field(default_factory=list)
    step: int = 0
    scope: Scope = OUTSIDE

    @property
    def place(self) -> str:
        """File, line and keyword."""
        return f"{self.line.file}:{self.line.number}, *{self.title}"

    def rows(self) -> Iterator[Row]:
        """The data lines, cut at commas."""
        for file, number, text in self.lines:
            fields = [part.strip() for part in text.split(",")]
            while fields and not fields[-1]:
                fields.pop()
            yield Row(f"{file}:{number}, *{self.title}", fields)

    def row(self, i: int, what: str) -> Row:
        """The data line `i`, from 0."""
        found = list(self.rows())
        if i >= len(found):
            raise self.wrong(f"{what} is missing.", f"Give it on data line {i + 1}.")
        return found[i]

    def option(self, name: str) -> str:
        """An option that must be there."""
        value = self.options.get(squeezed(name), "")
        if not value:
            raise self.wrong(f"the option {name} is missing.", f"Add {name}=...")
        return value

    def choice(self, name: str, known: tuple[str, ...], default: str) -> str:
        """An option that is one of some words."""
        value = squeezed(self.options.get(squeezed(name), default))
        if value not in map(squeezed, known):
            raise self.wrong(f"{name} is {short(value)}.", did_you_mean(value, known))
        return value

    def number(self, name: str, default: float) -> float:
        """An option that is a number."""
        text = self.options.get(squeezed(name))
        if text is None:
            return default
        value = real(text)
        if value is None:
            raise self.wrong(f"{name} is {short(text)}.", "Give a number.")
        return value

    def label(self, name: str) -> int | None:
        """An option that is the number of a node, if it is one."""
        return whole(self.option(name))

    def wrong(self, finding: str, remedy: str) -> DeckError:
        """An error at the keyword's line."""
        return DeckError(self.place, finding, remedy)


def squeezed(text: str) -> str:
    """Capitals without blanks: how keywords are compared.

    >>> squeezed("Shell  Section")
    'SHELLSECTION'
    """
    return "".join(text.split()).upper()
