"""Places and problems: where something was found, and what to do about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bondline.errors import DescriptionError


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A file, and a line and column counted from 1; 0 where there is none.

    >>> str(Place("a.ssd", 3, 5)), str(Place("a.ssp"))
    ('a.ssd:3:5', 'a.ssp')
    """

    file: str
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}" if self.line else self.file


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong with a model file."""

    code: str
    where: Place
    finding: str
    remedy: str
    severity: str = "error"

    def __str__(self) -> str:
        return f"{self.where}  {self.severity} {self.code}  {self.finding}"

    @property
    def fatal(self) -> bool:
        """Whether the model cannot be used; a warning leaves it usable."""
        return self.severity == "error"


def refuse(problems: Sequence[Problem]) -> DescriptionError:
    """One exception for all problems, told by the first of them."""
    fatal = [p for p in problems if p.fatal]
    first = fatal[0]
    more = f" (and {len(fatal) - 1} more)" if len(fatal) > 1 else ""
    return DescriptionError(
        str(first.where),
        f"{first.code} {first.finding}{more}",
        first.remedy,
        problems,
    )
