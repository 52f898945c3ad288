"""*PARAMETER: names for numbers, which <name> puts into any later line."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from bondline.core import Parameter
from bondline.errors import DeckError, did_you_mean
from bondline.leaves.fe.formats.arithmetic import NotArithmetic, worth
from bondline.leaves.fe.formats.inp.card import Card, Line
from bondline.leaves.fe.formats.row import LARGEST_NUMBER, short

NAME = re.compile(r"<\s*([^<>]*?)\s*>")
RIGHT = re.compile(r"[A-Za-z_]\w*", re.ASCII)
MOST = 10_000


@dataclass
class Parameters:
    """The parameters so far; `given` are values that replace those of the deck."""

    given: Mapping[str, float] = field(default_factory=dict)
    found: dict[str, Parameter] = field(default_factory=dict)

    def read(self, card: Card) -> None:
        """Take in the lines `name = arithmetic` of a card."""
        given = {name.lower(): number for name, number in self.given.items()}
        for line in card.lines:
            place = f"{line.file}:{line.number}, *PARAMETER"
            name, right = _sides(line, place)
            text = right if name.lower() not in given else repr(given[name.lower()])
            try:
                number = worth(text, self._numbers())
            except NotArithmetic as error:
                raise DeckError(
                    place, f"{short(text)}: {error}.", "Write arithmetic of numbers."
                ) from error
            self.found[name.lower()] = Parameter(name, number, meaning=right)
            self._bounded(place)

    def filled(self, line: Line) -> Line:
        """The line with the value of each <name> in its place."""
        if "<" not in line.text:
            return line

        def filling(match: re.Match[str]) -> str:
            name = match[1]
            if name.lower() not in self.found:
                known = [parameter.name for parameter in self.found.values()]
                raise DeckError(
                    f"{line.file}:{line.number}",
                    f"there is no parameter {short(name)}.",
                    did_you_mean(name, known) + " Define it above with *PARAMETER.",
                )
            return repr(self.found[name.lower()].value)

        return Line(line.file, line.number, NAME.sub(filling, line.text))

    def checked(self, place: str) -> Mapping[str, Parameter]:
        """All parameters by name, if those given from outside are among them."""
        for name, number in self.given.items():
            if name.lower() not in self.found:
                known = [parameter.name for parameter in self.found.values()]
                raise DeckError(
                    place,
                    f"the deck has no parameter {short(name)}.",
                    did_you_mean(name, known),
                )
            if not abs(number) <= LARGEST_NUMBER:
                raise DeckError(
                    place, f"{name} is {number:g}.", "Give a finite number."
                )
        return {parameter.name: parameter for parameter in self.found.values()}

    def _numbers(self) -> dict[str, float]:
        return {name: parameter.value for name, parameter in self.found.items()}

    def _bounded(self, place: str) -> None:
        if len(self.found) > MOST:
            raise DeckError(
                place,
                f"there are more than {MOST} parameters.",
                "Write numbers where nothing is to be set.",
            )


def _sides(line: Line, place: str) -> tuple[str, str]:
    name, equals, right = line.text.partition("#")[0].partition("=")
    if not equals or not RIGHT.fullmatch(name.strip()):
        raise DeckError(
            place, f"found {short(line.text)}.", "Write name = arithmetic, one a line."
        )
    return name.strip(), right.strip()
