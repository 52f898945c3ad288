"""What readers of decks passed over, and how they settled doubts."""

from __future__ import annotations

from collections.abc import Iterator

from bondline.build.decks import readers, unread
from bondline.description import ComponentSpec, ModelSpec, SystemSpec
from bondline.errors import DeckError


def deck_notes(spec: ModelSpec | None) -> list[str]:
    """`Deck.notes` of all parts that are made from decks, each with its file."""
    if spec is None:
        return []
    return list(dict.fromkeys(_of_system(spec.system)))


def _of_system(system: SystemSpec) -> Iterator[str]:
    for element in system.elements:
        if isinstance(element, SystemSpec):
            yield from _of_system(element)
        else:
            yield from _of_part(element)


def _of_part(part: ComponentSpec) -> Iterator[str]:
    if part.file is None or part.file.ending not in readers():
        return
    try:
        notes = unread(part)
    except DeckError:
        return  # told as a problem
    for note in notes:
        yield f"{part.source}: {note}"
