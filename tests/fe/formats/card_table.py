"""The tables of docs/reference/decks.md: `python -m tests.fe.formats.card_table`."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from functools import partial

from bondline.leaves.fe.formats.bdf.read import COMBINING, STAGES
from bondline.leaves.fe.formats.inp.kinds import KINDS
from bondline.leaves.fe.formats.inp.register import CARDS, PASSED_OVER


def said(read: Callable[..., object] | None) -> str:
    """What a reader says about itself."""
    inner = read.func if isinstance(read, partial) else read
    text = inspect.getdoc(inner) if inner else None
    return " ".join((text or "").split())


def inp_table() -> Iterator[str]:
    """Cards of INP decks."""
    yield "| card | options | data lines |"
    yield "|---|---|---|"
    for card in sorted(CARDS.values(), key=lambda card: card.title):
        under = f"under *{' or *'.join(card.under)}" if card.under else said(card.read)
        options = ", ".join(card.options.split()) or "-"
        yield f"| `*{card.title}` | {options} | {under} |"


def kind_table() -> Iterator[str]:
    """Element types of INP decks."""
    yield "| type | computed as |"
    yield "|---|---|"
    for label, kind in sorted(KINDS.items()):
        yield f"| {label} | {kind} |"


def bulk_table() -> Iterator[str]:
    """Entries of bulk data."""
    yield "| entry | fields |"
    yield "|---|---|"
    for stage in STAGES:
        for name, read in stage.items():
            yield f"| {name} | {said(read)} |"


def passed_over() -> str:
    """Cards that are passed over, without their blanks."""
    return ", ".join(sorted(PASSED_OVER))


def tables() -> list[str]:
    """Every table, as it stands on the page."""
    made = [*("\n".join(t) for t in (inp_table(), kind_table(), bulk_table()))]
    return [*made, passed_over(), ", ".join(COMBINING)]


if __name__ == "__main__":
    print("\n\n".join(tables()))
