"""Verify: is everything in a library what it was?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, select

from bondline.description.stored import digest_of
from bondline.errors import BondlineError
from bondline.library.access import visible
from bondline.library.blobs import Blobs
from bondline.library.log import check_chain
from bondline.library.passport import corrupt
from bondline.library.records import (
    Entry,
    demand_signer,
    entry_of,
    mirrored,
    unlike,
)
from bondline.library.tables import models, versions


@dataclass(frozen=True)
class Verdict:
    """What was looked at and what is wrong; `head` is the hash of the whole log.

    Who keeps the head elsewhere finds out if the end of the log was cut off.
    """

    models: int
    versions: int
    signed: int
    events: int
    head: str
    problems: tuple[BondlineError, ...]


@dataclass(frozen=True)
class Inspector:
    """Looks at every record that `who` may see, and at the whole log."""

    db: Connection
    who: str
    place: str
    blobs: Blobs
    signers: Sequence[str] | None

    def verdict(self, name: str = "") -> Verdict:
        """All that is wrong with one model, or with the library."""
        wanted = select(models).where(visible(self.who)).order_by(models.c.name)
        if name:
            wanted = wanted.where(models.c.name == name)
        rows = self.db.execute(wanted).all()
        good: list[Entry] = []
        problems = [p for row in rows for p in self._model(row, good)]
        count, head, torn = check_chain(self.db, self.place)
        signed = sum(entry.signature is not None for entry in good)
        every = (*problems, *torn)
        return Verdict(len(rows), len(good), signed, count, head, every)

    def _model(self, row: Row[Any], good: list[Entry]) -> Iterator[BondlineError]:
        every = select(versions).where(versions.c.name == row.name)
        rows = self.db.execute(every.order_by(versions.c.number)).all()
        before, trouble = "", False
        for k, found in enumerate(rows):
            try:
                good.append(self._version(found, k + 1, before))
            except BondlineError as error:
                yield error
                trouble = True
            before = found.seal
        same = bool(rows) and (trouble or mirrored(good[-1].passport, row._asdict()))
        if not same:
            yield unlike(self.place, row.name)

    def _version(self, found: Row[Any], number: int, before: str) -> Entry:
        entry = entry_of(found, self.place)
        where = f"{self.place}, {entry.reference}"
        if found.number != number or entry.passport.previous != before:
            raise corrupt(where, "it does not follow the version before it")
        demand_signer(entry, self.signers, self.place)
        read_files(entry, self.blobs, self.place)
        return entry


def read_files(entry: Entry, blobs: Blobs, place: str) -> dict[str, bytes]:
    """The files of a version, each compared with its SHA-256, and all together."""
    p = entry.passport
    files = {
        name: blobs.get(told["sha256"], f"{place}, {p.reference}: {name}")
        for name, told in p.files.items()
    }
    if digest_of(files) != p.digest:
        raise corrupt(f"{place}, {p.reference}", "its files do not make its digest")
    return files
