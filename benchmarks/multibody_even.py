"""Work at equal error: of every method the longest step whose error is low enough.

Errors are of integration alone, from the converged motion of the same model. Levels are
not chosen here: they are the error that one row has with its own step, and a tenth of
it. Steps divide the 5 ms between compared positions.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np
from multibody_reference import converged
from multibody_row import Row
from rival_process import Done, Job

SHARES = (*range(1, 11), 12, 15, 20, 25, 30, 40, 50, 70, 100, 140, 200, 280, 400)
STEPS = tuple(5e-3 / share for share in SHARES)  # s, 5 ms to 12.5 us
LEVELS = (1.0, 0.1)


@dataclass(frozen=True)
class Contest:
    """Methods that must not be worse than `level` is with its own step."""

    title: str
    level: Row
    rows: tuple[Row, ...]


@dataclass(frozen=True)
class Search:
    """Errors that are known so far; what fails has an endless one."""

    known: dict[Row, float] = field(default_factory=dict)

    def error(self, row: Row) -> float:
        if row not in self.known:
            self.known[row] = _error(row)
        return self.known[row]

    def longest(self, row: Row, level: float) -> Row | None:
        """With the longest of `STEPS` that is good enough, if one is.

        Halves what is left: errors are taken to grow with steps.
        """
        low, high = 0, len(STEPS)
        while low < high:
            middle = (low + high) // 2
            if self.error(replace(row, step=STEPS[middle])) <= level:
                high = middle
            else:
                low = middle + 1
        return replace(row, step=STEPS[low]) if low < len(STEPS) else None


def _error(row: Row) -> float:
    job = Job(row.case, row.method, row.step, again=0)
    try:
        error = own_error(row, row.code.run(job))
    except (RuntimeError, ValueError):  # it gave up, or ended early
        return float("inf")
    return error if np.isfinite(error) else float("inf")


def own_error(row: Row, done: Done) -> float:
    """From the converged motion of the same model, m."""
    return done.error(converged(row.same))


def picked(contest: Contest) -> Iterator[tuple[float, list[Row]]]:
    """For every level the rows that reach it, each with its longest step."""
    search = Search()
    there = [row for row in contest.rows if not row.code.missing()]
    if contest.level.code.missing():
        return
    for share in LEVELS:
        level = share * search.error(contest.level)
        found = (search.longest(row, level) for row in there)
        yield level, [row for row in found if row]
