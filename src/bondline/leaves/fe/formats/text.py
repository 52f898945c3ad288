"""The text of a deck's file."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from bondline.errors import DeckError

LARGEST_FILE = 2 << 30


class Where(Protocol):
    """A line that names a file."""

    @property
    def file(self) -> str:
        """The file with that line."""
        ...

    @property
    def number(self) -> int:
        """The number of that line, from 1."""
        ...


def text_of(path: Path, where: Where | None = None) -> str:
    """The text of a file, with one kind of line end; bytes that are no text are �."""
    place = f"{where.file}:{where.number}" if where else path.name
    if "\n" in str(path):
        raise DeckError(
            "deck",
            "a text is given where the path of a file should be.",
            "Read a text with parse_inp, parse_bdf or parse_msh.",
        )
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise DeckError(
                place,
                f"{path.name} has more than {LARGEST_FILE >> 30} GB.",
                "Split the deck into files that are included.",
            )
        content = path.read_bytes()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise DeckError(
            place,
            f"{path.name} cannot be read: {reason}.",
            "Give the path of a file that you may read.",
        ) from error
    return uniform(content.decode("utf-8", errors="replace"))


def uniform(text: str) -> str:
    r"""The text with \n as the only line end."""
    return text.replace("\r\n", "\n").replace("\r", "\n")
