"""Mistakes of a deck, gathered so that one reading reports many."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from bondline.errors import DeckError

MOST = 20


@dataclass
class Findings:
    """The mistakes so far; the twentieth ends the reading."""

    problems: list[DeckError] = field(default_factory=list)

    @contextmanager
    def gathering(self) -> Iterator[None]:
        """What goes wrong inside is kept for the report."""
        try:
            yield
        except DeckError as problem:
            self.problems.append(problem)
            if len(self.problems) >= MOST:
                self.report()

    def report(self) -> None:
        """Raise all there are as one error; nothing happens if there are none."""
        if not self.problems:
            return
        first, rest = self.problems[0], self.problems[1:]
        more = "".join(f"\n{problem}" for problem in rest)
        raise DeckError(first.place, first.finding, first.remedy + more, self.problems)
