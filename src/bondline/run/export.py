"""Exports of results: CSV, with numbers that read back to the same bits."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from bondline.errors import StorageError
from bondline.run.results import Results


def csv_lines(results: Results) -> Iterator[str]:
    """The header, `t` first, then one line an instant."""
    yield _header(["t", *results.signals])
    table = np.column_stack([results.t, *results.signals.values()])
    for row in table.tolist():
        yield ",".join(map(repr, row))


def write_csv(results: Results, path: Path) -> Path:
    """Write the signals to `path`; a file appears whole or not at all.

    A link is followed, and a pipe or a device is written to as it stands.
    """
    try:
        if path.exists() and not path.is_file():
            _pour(results, path)
        else:
            _replace(results, Path(os.path.realpath(path)))
    except OSError as error:
        raise StorageError(
            str(path),
            f"the file cannot be written ({error.strerror}).",
            "Check the folder, your rights and the room on the disk.",
        ) from error
    return path


def _header(names: list[str]) -> str:
    """Names may hold commas and quotes."""
    text = io.StringIO()
    csv.writer(text, lineterminator="").writerow(names)
    return text.getvalue()


def _pour(results: Results, path: Path) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        file.writelines(f"{line}\n" for line in csv_lines(results))


def _replace(results: Results, path: Path) -> None:
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        _pour(results, draft)
        draft.replace(path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
