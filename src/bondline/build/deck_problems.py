"""What is wrong with a deck, at its place in the deck."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bondline.description import ComponentSpec, Place, Problem
from bondline.description.spec import FileSpec
from bondline.errors import BondlineError, DeckError, SettingError

_PLACE = re.compile(r"[^:]*:(\d+)(?:, (.*))?")  # file:line, card


def misread(file: FileSpec, error: DeckError) -> Iterator[Problem]:
    """Every mistake that a reader found, with the line of the deck."""
    each = [e for e in error.problems if isinstance(e, DeckError)] or [error]
    for mistake in each:
        found = _PLACE.fullmatch(mistake.place)
        line, card = (int(found[1]), found[2]) if found else (0, None)
        where = Place(file.shown, line, 1 if line else 0)
        finding = f"{card}: {mistake.finding}" if card else mistake.finding
        yield Problem("BND071", where, finding, mistake.remedy)


def unusable(part: ComponentSpec, error: BondlineError) -> Problem:
    """The problem of a deck that was read, and does not make a leaf."""
    shown = part.file.shown if part.file else part.source
    finding = f"{error.place}: {error.finding}"
    return Problem("BND071", Place(shown), finding, error.remedy)


def refused(part: ComponentSpec, error: DeckError) -> SettingError:
    """The error of a deck that parameters of the model have made wrong."""
    assert part.file is not None, "a deck was read"
    first = next(misread(part.file, error))
    return SettingError(str(first.where), first.finding, first.remedy)
