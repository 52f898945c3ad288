"""One table of a sweep: a row a variant; parameters, results, reasons."""

from __future__ import annotations

import csv
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bondline.description.overrides import amount
from bondline.description.units import si_of
from bondline.errors import StorageError, UsageError
from bondline.run.export import parquet_writer
from bondline.sweep.record import Sweep, Variant

Column = Sequence[Any]
_SUFFIXES = (".csv", ".parquet")


@dataclass(frozen=True)
class Table:
    """Columns by name; numbers where all of a column are, None where there is none.

    `parameters` and `results` name those columns; `units` are theirs.
    """

    columns: Mapping[str, Column]
    parameters: tuple[str, ...]
    results: tuple[str, ...]
    units: Mapping[str, str]

    def label(self, name: str) -> str:
        """A column as a person reads it: with its unit."""
        unit = self.units.get(name, "")
        return f"{name} [{unit}]" if unit else name

    def rows(self) -> list[tuple[Any, ...]]:
        """Line by line."""
        return list(zip(*self.columns.values(), strict=True))


def table(sweep: Sweep) -> Table:
    """The sweep as it stands now."""
    found, units = sweep.variants(), sweep.units
    names = list(dict.fromkeys(n for v in found for n in v.parameters))
    told = {name: _column([v.parameters.get(name) for v in found]) for name in names}
    parameters = {name: column for name, (column, _) in told.items()}
    return Table(
        columns={
            "variant": [v.k for v in found],
            **parameters,
            "status": [v.status for v in found],
            **{c: [v.results.get(c) for v in found] for c in units},
            "run": [v.run for v in found],
            "tries": [v.tries for v in found],
            "seconds": [v.seconds for v in found],
            "reason": [_reason(v) for v in found],
        },
        parameters=tuple(parameters),
        results=tuple(units),
        units={**{name: unit for name, (_, unit) in told.items()}, **units},
    )


def _reason(v: Variant) -> str:
    return f"{v.reason.get('kind', '')} {v.why}".strip()


def _column(texts: Sequence[str | None]) -> tuple[Column, str]:
    """Numbers and their unit, if all are numbers of one kind; else the texts.

    Where units are mixed, all are told in SI units.

    >>> _column(["500mm", "1m", "2"]), _column(["8kg", "9kg"]), _column(["1m", "1kg"])
    (([0.5, 1.0, 2.0], 'm'), ([8.0, 9.0], 'kg'), (['1m', '1kg'], ''))
    """
    read = [amount(text) if text is not None else None for text in texts]
    pairs = [(float(pair[0]), pair[1]) for pair in read if pair]
    units = {unit for _, unit in pairs}
    if not pairs or len(pairs) < len(texts):
        return texts, ""
    if len(units) > 1:  # a number without a unit is in SI units
        pairs = [si_of(x, unit) or (x, "") if unit else (x, "") for x, unit in pairs]
        units = {unit for _, unit in pairs if unit}
    if len(units) != 1:
        return texts, ""
    return [x for x, _ in pairs], units.pop()


def write_table(sweep: Sweep, path: Path) -> Path:
    """The table as `.csv`, or as `.parquet` where pyarrow is installed."""
    found = table(sweep)
    if path.suffix not in _SUFFIXES:
        raise UsageError(
            str(path), "no such kind of table.", f"Call it {' or '.join(_SUFFIXES)}."
        )
    write = _csv if path.suffix == ".csv" else _parquet(path)
    _whole(path, lambda draft: write(found, draft))
    return path


def _whole(path: Path, write: Callable[[Path], None]) -> None:
    """A file appears whole or not at all."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        write(draft)
        draft.replace(path)
    except OSError as error:
        raise StorageError(
            str(path),
            f"the file cannot be written ({error.strerror}).",
            "Check the folder, your rights and the room on the disk.",
        ) from error
    finally:
        draft.unlink(missing_ok=True)


def _csv(found: Table, path: Path) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(found.label(name) for name in found.columns)
        out.writerows(found.rows())


def _parquet(path: Path) -> Callable[[Table, Path], None]:
    put = parquet_writer(path)

    def write(found: Table, draft: Path) -> None:
        put({found.label(name): col for name, col in found.columns.items()}, draft)

    return write
