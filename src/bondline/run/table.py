"""Tables: columns over time, from a CSV file or from results."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from bondline.core import Vector
from bondline.errors import UsageError
from bondline.run.results import Results

_TIME = ("t", "time")


@dataclass(frozen=True)
class Table:
    """Named columns at the instants `t`, which increase."""

    name: str
    t: Vector
    columns: Mapping[str, Vector]

    @classmethod
    def of(cls, results: Results) -> Table:
        """The signals of a run."""
        return cls(results.run or results.model or "run", results.t, results.signals)


def read_csv(path: Path) -> Table:
    """A CSV file: a header with `t` first, then numbers; errors name the line.

    Commas, semicolons and tabs separate; blank lines and lines that begin with `#`
    are skipped.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise UsageError(
            str(path), f"cannot be read ({error.strerror}).", "Give a CSV file."
        ) from error
    except UnicodeDecodeError as error:
        raise UsageError(
            str(path), f"is not UTF-8 text ({error.reason}).", "Save it as UTF-8 CSV."
        ) from error
    return _parse(str(path), text)


def _parse(place: str, text: str) -> Table:
    lines = [
        (number, line)
        for number, line in enumerate(text.splitlines(), 1)
        if line.strip() and not line.lstrip().startswith("#")
    ]
    if not lines:
        raise UsageError(
            place, "the file is empty.", "Its first line must be a header."
        )
    first, head = lines[0]
    mark = _mark(head)
    names = _header(f"{place}:{first}", next(csv.reader([head], delimiter=mark)))
    rows = [_numbers(f"{place}:{k}", line, mark, names) for k, line in lines[1:]]
    if not rows:
        raise UsageError(place, "there are no numbers below the header.", "Add rows.")
    table = np.array(rows)
    _check_time(place, [k for k, _ in lines[1:]], table[:, 0])
    columns = {name: table[:, j].copy() for j, name in enumerate(names) if j}
    return Table(place, table[:, 0].copy(), columns)


def _mark(head: str) -> str:
    """What separates `t` from the rest; other names may hold any of the three."""
    for mark in ",;\t":
        if next(csv.reader([head], delimiter=mark))[0].strip().lower() in _TIME:
            return mark
    return max(",;\t", key=head.count)


def _header(place: str, cells: Iterable[str]) -> list[str]:
    names = [cell.strip() for cell in cells]
    if names[0].lower() not in _TIME:
        raise UsageError(
            place, f"the first column is {names[0]!r}.", "The first column must be 't'."
        )
    for j, name in enumerate(names):
        if not name:
            raise UsageError(place, f"column {j + 1} has no name.", "Name it.")
        if name in names[:j]:
            raise UsageError(place, f"two columns are named {name!r}.", "Rename one.")
    return names


def _numbers(place: str, line: str, mark: str, names: list[str]) -> list[float]:
    cells = next(csv.reader([line], delimiter=mark))
    if len(cells) != len(names):
        raise UsageError(
            place,
            f"there are {len(cells)} values for {len(names)} columns.",
            "Every row needs one value a column.",
        )
    return [_number(place, name, cell) for name, cell in zip(names, cells, strict=True)]


def _number(place: str, name: str, cell: str) -> float:
    try:
        value = float(cell)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise UsageError(
            f"{place}, column {name}",
            f"{cell.strip()!r} is not a finite number.",
            "Write numbers like 1.25e-3, with a point.",
        )
    return value


def _check_time(place: str, numbers: list[int], t: Vector) -> None:
    for k in np.flatnonzero(np.diff(t) <= 0.0):
        raise UsageError(
            f"{place}:{numbers[k + 1]}",
            f"t = {t[k + 1]!s} does not come after t = {t[k]!s}.",
            "Sort the rows by time and remove repeated instants.",
        )
