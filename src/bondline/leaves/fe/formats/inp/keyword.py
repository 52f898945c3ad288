"""Keyword lines: *NAME, OPTION=value, OPTION."""

from __future__ import annotations

import re

from bondline.errors import DeckError
from bondline.leaves.fe.formats.inp.card import Card, Line, squeezed
from bondline.leaves.fe.formats.row import short

PIECE = re.compile(r'\s*((?:"[^"]*"|[^,"])*)(?:,|$)')


def keyword(line: Line) -> Card:
    """The card that a keyword line starts.

    >>> keyword(Line("a.inp", 3, '* nset, NSET = "top edge", Generate')).options
    {'NSET': 'top edge', 'GENERATE': ''}
    """
    pieces = [piece.strip() for piece in PIECE.findall(line.text[1:])]
    title = " ".join(pieces[0].upper().split())
    options = {}
    for piece in filter(None, pieces[1:]):
        name, _, value = piece.partition("=")
        options[squeezed(name)] = value.strip().strip('"').strip()
    card = Card(title, line, options)
    if line.text.count('"') % 2:
        raise DeckError(
            f"{line.file}:{line.number}",
            f"a quotation mark is open in {short(line.text)}.",
            'Close it with ".',
        )
    return card
