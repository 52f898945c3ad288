"""What a library lends to a model while it is read."""

from __future__ import annotations

from bondline.description.place import Place, Problem
from bondline.description.sources import MAX_DATA, Source, inside
from bondline.description.stored import (
    Lookup,
    Refused,
    Stored,
    digest_of,
    parse,
    passport_name,
    read_passport,
)

FITS = {
    "integrated": "application/x-ssp-definition",
    "leaf": "application/x-bondline-deck",
    "reduced": "application/x-bondline-deck",
    "remote": "application/x-bondline-leaf",
}


def lend(
    source: str, kind: str, where: Place, model: Source, lookup: Lookup
) -> Stored | Problem:
    """The model that `source` of a component of type `kind` names."""
    named = parse(source)
    if isinstance(named, Refused):
        return named.at(where)
    found = _carried(*named, where, model) or lookup(*named)
    if isinstance(found, Refused):
        return found.at(where)
    if FITS.get(found.kind) != kind:
        return Problem(
            "BND093",
            where,
            f"{source} is a model of the kind {found.kind!r}, and the component has "
            f"the type {kind[:200]!r}.",
            f'Write type="{FITS.get(found.kind, "?")}".',
        )
    return found


def _carried(
    name: str, version: int, where: Place, model: Source
) -> Stored | Refused | None:
    """The one that the model carries inside; None if it does not."""
    data = model.read(passport_name(name, version), where)
    if isinstance(data, Problem):
        return None
    told = read_passport(data)
    if told is None:
        return changed(name, version, "its passport cannot be read")
    kind, main, digest, names = told
    base, files = passport_name(name, version), dict[str, bytes]()
    for each in names:
        inner = inside(each, base, where)
        found = (
            inner if isinstance(inner, Problem) else model.read(inner, where, MAX_DATA)
        )
        if isinstance(found, Problem):
            return changed(name, version, f"{each[:200]!r} is missing")
        files[each] = found
    if digest_of(files) != digest:
        return changed(name, version, "its files do not make its digest")
    return Stored(name, version, kind, main, digest, data, files)


def changed(name: str, version: int, why: str) -> Refused:
    """The problem of a model that is not what it was."""
    return Refused(
        "BND094",
        f"{name}@{version} is refused: {why}.",
        "Take it from a library that has it whole: bondline db verify, bondline db "
        "pull.",
    )
