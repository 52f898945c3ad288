"""Exports of results, CSV or Parquet: numbers read back to the same bits."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from bondline.errors import SettingError, StorageError
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
            _replace(partial(_pour, results), Path(os.path.realpath(path)))
    except OSError as error:
        raise StorageError(
            str(path),
            f"the file cannot be written ({error.strerror}).",
            "Check the folder, your rights and the room on the disk.",
        ) from error
    return path


def write_parquet(results: Results, path: Path) -> Path:
    """The same table, where pyarrow is installed."""
    write = parquet_writer(path)
    columns = {"t": results.t, **results.signals}
    _replace(partial(write, columns), Path(os.path.realpath(path)))
    return path


def parquet_writer(path: Path) -> Callable[[Mapping[str, Any], Path], None]:
    """Writes columns to a file; `SettingError` where pyarrow is not installed."""
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError as error:
        raise SettingError(
            str(path),
            "Parquet needs pyarrow, which is not installed.",
            "pip install 'bondline[parquet]', or write a .csv.",
        ) from error
    return lambda columns, to: parquet.write_table(pa.table(dict(columns)), to)


def _header(names: list[str]) -> str:
    """Names may hold commas and quotes."""
    text = io.StringIO()
    csv.writer(text, lineterminator="").writerow(names)
    return text.getvalue()


def _pour(results: Results, path: Path) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        file.writelines(f"{line}\n" for line in csv_lines(results))


def _replace(write: Callable[[Path], None], path: Path) -> None:
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        write(draft)
        draft.replace(path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
