"""Plain tables: columns as wide as they must be, no frames, easy to grep."""

from __future__ import annotations

from collections.abc import Sequence

from bondline.cli.voice import Voice, dim, fit


def table(
    voice: Voice, head: Sequence[str], rows: Sequence[Sequence[str]], indent: int = 0
) -> None:
    """Print rows under a head; styled cells keep their alignment."""
    every = [tuple(head), *rows]
    widths = [max(_width(row[j]) for row in every) for j in range(len(head))]
    voice.print(dim(_line(head, widths, indent)))
    for row in rows:
        voice.print(_line(row, widths, indent))


def _line(row: Sequence[str], widths: Sequence[int], indent: int) -> str:
    cells = [
        cell + " " * (width - _width(cell))
        for cell, width in zip(row[:-1], widths, strict=False)
    ]
    lead = indent + sum(widths[:-1]) + 2 * len(cells)
    last = row[-1] if "\x1b" in row[-1] else fit(row[-1], lead)
    return (" " * indent + "  ".join([*cells, last])).rstrip()


def _width(cell: str) -> int:
    return len(_plain(cell))


def _plain(cell: str) -> str:
    from re import sub

    return sub(r"\x1b\[[0-9;]*m", "", cell)
