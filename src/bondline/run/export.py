"""Exports of results: CSV, with numbers that read back to the same bits."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from bondline.errors import StorageError
from bondline.run.results import Results


def csv_lines(results: Results) -> Iterator[str]:
    """The header, `t` first, then one line an instant."""
    yield ",".join(["t", *results.signals])
    table = np.column_stack([results.t, *results.signals.values()])
    for row in table.tolist():
        yield ",".join(map(repr, row))


def write_csv(results: Results, path: Path) -> Path:
    """Write the signals to `path`; the file appears whole or not at all."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with draft.open("w", encoding="utf-8", newline="") as file:
            file.writelines(f"{line}\n" for line in csv_lines(results))
        draft.replace(path)
    except OSError as error:
        draft.unlink(missing_ok=True)
        raise StorageError(
            str(path),
            f"the file cannot be written ({error.strerror}).",
            "Check the folder, your rights and the room on the disk.",
        ) from error
    return path
