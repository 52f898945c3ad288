"""Reads our docstrings: plain text with `code`, lists, doctests and indented blocks.

They are written to be read in the source, with |f| and * and `Subsystem`s, so they
are not reStructuredText; autodoc expects that. Each paragraph is turned into it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from sphinx.application import Sphinx

ALIGNED = re.compile(r"\S {3,}\S")  # columns: a table or tree drawn with spaces
BULLET = re.compile(r"^(\s*)[-*] ")
SPECIAL = re.compile(r"([\\*|_])")
FORWARD = re.compile(r"TypeAliasForwardRef\('(\w+)'\)")


def paragraphs(lines: list[str]) -> Iterator[list[str]]:
    """Runs of lines between blank lines."""
    run: list[str] = []
    for line in [*lines, ""]:
        if line.strip():
            run.append(line)
        elif run:
            yield run
            run = []


def inline(text: str) -> str:
    """Backticked words as literals, everything else as it stands.

    >>> inline("|f| of `Subsystem`s")
    '\\\\|f\\\\| of ``Subsystem``\\\\ s'
    """
    pieces = text.split("`")
    if len(pieces) % 2 == 0:  # an odd backtick: not code at all
        return SPECIAL.sub(r"\\\1", text).replace("`", r"\`")
    for i, piece in enumerate(pieces):
        if i % 2 == 0:
            glued = i > 0 and piece[:1].isalnum()
            pieces[i] = (r"\ " if glued else "") + SPECIAL.sub(r"\\\1", piece)
        else:
            pieces[i] = f"``{piece}``"
    return "".join(pieces)


def restructured(run: list[str]) -> list[str]:
    """One paragraph, as reStructuredText."""
    if run[0].lstrip().startswith(">>>"):
        return run
    if run[0].startswith("  ") or any(map(ALIGNED.search, run)):
        return ["::", "", *("    " + line for line in run)]
    lines: list[str] = []
    text = "\n".join(run)  # code may run over the end of a line
    for line in inline(text).splitlines():
        bullet = BULLET.match(line.replace("\\*", "*"))
        if bullet:
            lines += ["", bullet[1] + "- " + line.replace("\\*", "*")[bullet.end() :]]
        else:
            lines.append(line)
    return lines


def rewrite(*event: Any) -> None:
    """Replace the docstring by its reStructuredText, in place."""
    *_, lines = event
    lines[:] = [line for run in paragraphs(lines) for line in (*restructured(run), "")]


def name_aliases(*event: Any) -> tuple[str | None, str | None]:
    """Show an alias by its name."""
    *_, signature, returns = event
    return _named(signature), _named(returns)


def _named(text: str | None) -> str | None:
    return FORWARD.sub(r"\1", text) if text else text


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("autodoc-process-docstring", rewrite)
    app.connect("autodoc-process-signature", name_aliases)
    return {"parallel_read_safe": True}
