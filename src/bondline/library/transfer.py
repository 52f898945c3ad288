"""Transfer: models from one library to another, with all they need."""

from __future__ import annotations

from collections.abc import Iterator

from bondline.errors import BondlineError
from bondline.library.library import Library
from bondline.library.names import Reference, reference
from bondline.library.passport import corrupt
from bondline.library.records import Entry


def transfer(here: Library, there: Library, wanted: Reference | str) -> list[Entry]:
    """Bring a version, the versions before it, and what they use to `there`.

    The versions that were not there, in the order they came. Numbers, passports and
    signatures stay. Each version is whole when it is there; a transfer that was
    stopped goes on where it was.
    """
    asked = reference(wanted) if isinstance(wanted, str) else wanted
    moved: list[Entry] = []
    for entry in _needed(here, asked, (), set()):
        if there.receive(entry, here.files(entry)):
            moved.append(entry)
    return moved


def _needed(
    here: Library, wanted: Reference, path: tuple[str, ...], seen: set[Reference]
) -> Iterator[Entry]:
    """What must be there before it, then itself, without what was `seen`."""
    last = here.get(wanted).passport.version
    if wanted.name in path:
        raise _circle(here, wanted)
    for entry in here.history(wanted.name)[:last]:
        if entry.reference in seen:
            continue
        for used in entry.passport.uses:
            yield from _needed(here, reference(used), (*path, wanted.name), seen)
        seen.add(entry.reference)
        yield entry


def _circle(here: Library, wanted: Reference) -> BondlineError:
    return corrupt(f"{here.place}, {wanted}", "it uses itself")
