"""Numbers in lines of text, and symmetric matrices made of them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy.sparse import coo_array, csr_array

from bondline.core import Matrix
from bondline.errors import DeckError
from bondline.leaves.fe.matrices.sound import check_count
from bondline.leaves.fe.mesh import Indices
from bondline.leaves.fe.stacks import Sparse


class Line(NamedTuple):
    """A line of a file: its number from 1, and what it says."""

    number: int
    text: str


def read_lines(path: Path) -> list[Line]:
    """The lines that are not empty; their number of bytes is asked before."""
    try:
        check_count(str(path), path.stat().st_size, 2**31)
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise DeckError(
            str(path),
            f"it cannot be read ({error.strerror}).",
            "Check the name of the file, and your rights.",
        ) from error
    lines = (Line(i, s.strip()) for i, s in enumerate(text.splitlines(), start=1))
    return [line for line in lines if line.text]


def numbers(path: Path, lines: Sequence[Line], width: int | None) -> Matrix:
    """All numbers of some lines, `width` in each; None: however many there are."""
    plain = [_plain(line.text) for line in lines]
    fields = [text.split() for text in plain]
    wrong = [
        line
        for line, own in zip(lines, fields, strict=True)
        if width is not None and len(own) != width
    ]
    if wrong:
        raise _unreadable(path, wrong[0], f"{width} numbers in every line")
    try:
        found = np.array([x for own in fields for x in own], dtype=np.float64)
    except ValueError:
        raise _unreadable(path, _first_bad(lines, fields), "numbers only") from None
    return found if width is None else found.reshape(-1, width)


def _plain(text: str) -> str:
    return text.replace(",", " ").replace("D", "E").replace("d", "e")


def _first_bad(lines: Sequence[Line], fields: Sequence[Sequence[str]]) -> Line:
    for line, own in zip(lines, fields, strict=True):
        try:
            [float(x) for x in own]
        except ValueError:
            return line
    return lines[0]


def _unreadable(path: Path, line: Line, right: str) -> DeckError:
    return DeckError(
        f"{path}:{line.number}",
        f"cannot read {line.text[:60]!r}.",
        f"There should be {right}.",
    )


def whole(path: Path, lines: Sequence[Line], values: Matrix) -> Indices:
    """Numbers that must be whole, as such."""
    fits = np.isfinite(values) & (values == np.round(values)) & (np.abs(values) < 2**53)
    if not fits.all():
        bad = int(np.flatnonzero(~fits.all(axis=1))[0])
        raise _unreadable(path, lines[bad], "whole numbers for rows and dofs")
    return values.astype(np.intp)


def mirrored(at: tuple[Indices, Indices], values: Matrix, n: int) -> Sparse:
    """A symmetric matrix from entries; of one triangle alone, both are made."""
    i, j = at
    if not ((i > j).any() and (i < j).any()):
        off = i != j
        i, j = np.concatenate([i, j[off]]), np.concatenate([j, i[off]])
        values = np.concatenate([values, values[off]])
    made: Sparse = csr_array(coo_array((values, (i, j)), shape=(n, n)))
    return made
