"""What a notebook shows of a value: a table, and curves as small as a word."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

import numpy as np

from bondline.core.arrays import Vector

WIDE, HIGH, MOST_POINTS = 120, 22, 120


class Html(str):
    """Text that is HTML already."""


def table(title: str, heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table under its title; every cell that is not `Html` is escaped."""
    lines = [_row("th", heads), *(_row("td", cells) for cells in rows)]
    return f"<b>{escape(title)}</b><table>{''.join(lines)}</table>"


def _row(tag: str, cells: Sequence[str]) -> str:
    left = f'<{tag} style="text-align:left">'
    inner = (c if isinstance(c, Html) else escape(c) for c in cells)
    return f"<tr>{''.join(f'{left}{c}</{tag}>' for c in inner)}</tr>"


def sparkline(values: Vector) -> Html:
    """The course of a signal, without axes."""
    known = values[np.isfinite(values)]
    if known.size < 2:
        return Html("")
    picked = known[np.linspace(0, known.size - 1, MOST_POINTS).astype(int)]
    low, span = picked.min(), np.ptp(picked) or 1.0
    x = np.linspace(1, WIDE - 1, MOST_POINTS)
    y = HIGH - 1 - (HIGH - 2) * (picked - low) / span
    points = " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(x, y, strict=True))
    line = f'<polyline points="{points}" fill="none" stroke="currentColor"/>'
    return Html(f'<svg width="{WIDE}" height="{HIGH}" role="img">{line}</svg>')
