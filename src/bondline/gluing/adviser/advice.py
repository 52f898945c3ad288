"""Advice: words first, then the numbers behind them."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, TypeAlias

Cell: TypeAlias = str | float | int | None


@dataclass(frozen=True, slots=True)
class Section:
    """One question to an assembly: sentences, and a table. `care`: read this one."""

    title: str
    words: tuple[str, ...]
    head: tuple[str, ...] = ()
    rows: tuple[tuple[Cell, ...], ...] = ()
    care: bool = False


@dataclass(frozen=True, slots=True)
class Recommendation:
    """What to use; `solves` are advances of leaves for the whole run, now and then."""

    coupling: str
    scheme: str
    window: float  # s
    solves_now: float  # a window
    solves_then: float
    cost_now: float | None  # for the whole run, if its length is known
    cost_then: float | None
    error_now: float | None  # estimated, m a window
    error_then: float | None
    why: str


@dataclass(frozen=True, slots=True)
class Advice:
    """Everything there is to say about gluing a model with windows of one length."""

    model: str
    window: float  # s
    sections: tuple[Section, ...]
    recommended: Recommendation | None

    @property
    def warnings(self) -> tuple[str, ...]:
        """The sentences that nobody should miss."""
        return tuple(w for s in self.sections if s.care for w in s.words)

    def section(self, title: str) -> Section:
        """The section of that title."""
        return next(s for s in self.sections if s.title == title)

    def plain(self) -> dict[str, Any]:
        """As plain data."""
        return asdict(self)
