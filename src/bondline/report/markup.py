"""HTML made of values: text is escaped by its type, not by remembering to."""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NewType

from bondline.report.words import clean

Safe = NewType("Safe", str)
"""HTML that may go into a page as it is. Only this module and `svg` make it."""


def text(value: object) -> Safe:
    """Any value as inert text.

    >>> text("<b>")
    '&lt;b&gt;'
    """
    lines = (clean(line) for line in str(value).split("\n"))
    return Safe(html.escape("\n".join(lines), quote=True))


def element(tag: str, *content: Safe, cls: str = "") -> Safe:
    """`<tag class=cls>content</tag>`; tag and class are ours, never data."""
    mark = f' class="{cls}"' if cls else ""
    return Safe(f"<{tag}{mark}>{''.join(content)}</{tag}>")


def join(parts: Iterable[Safe]) -> Safe:
    """One after the other."""
    return Safe("".join(parts))


def section(title: str, *content: Safe) -> Safe:
    """A part of the page with its heading; nothing at all if it would be empty."""
    inside = join(content)
    return element("section", element("h2", text(title)), inside) if inside else inside


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> Safe:
    """A table whose first column names its rows; nothing without rows."""
    body = join(
        element("tr", element("th", text(row[0])), *(_cell(v) for v in row[1:]))
        for row in rows
    )
    if not body:
        return Safe("")
    top = element("thead", element("tr", *(element("th", text(h)) for h in head)))
    inner = (top if head else Safe("")) + element("tbody", body)
    return element("div", element("table", Safe(inner)), cls="wide")


def _cell(value: object) -> Safe:
    return element("td", text(value))


def flat(tree: Mapping[str, Any], stem: str = "") -> list[tuple[str, str]]:
    """Nested settings as dotted names.

    >>> flat({"solver": {"tolerance": 1e-10}})
    [('solver.tolerance', '1e-10')]
    """
    rows: list[tuple[str, str]] = []
    for key, value in tree.items():
        name = f"{stem}{key}"
        if isinstance(value, Mapping):
            rows += flat(value, f"{name}.")
        else:
            rows.append((name, _plain(value)))
    return rows


def _plain(value: object) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(_plain(v) for v in value)
    return f"{value:.6g}" if isinstance(value, float) else str(value)
