"""Verify: is everything in a library what it was?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from sqlalchemy import ColumnElement, Connection, Row, and_, select

from bondline.description.stored import digest_of
from bondline.errors import BondlineError
from bondline.library.access import visible
from bondline.library.blobs import Blobs, read_ahead
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

_TOGETHER = 500  # versions that are read at once
_SMALL = 32_768  # bytes of a file that is read with others
_Found: TypeAlias = "tuple[Row[Any], Entry | BondlineError]"


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
        own = visible(self.who)
        if name:
            own = and_(own, models.c.name == name)
        rows = self.db.execute(select(models).where(own).order_by(models.c.name)).all()
        found: dict[str, list[_Found]] = {row.name: [] for row in rows}
        for row, entry in self._versions(own):
            found[row.name].append((row, entry))
        good: list[Entry] = []
        problems = [p for row in rows for p in self._model(row, found[row.name], good)]
        count, head, torn = check_chain(self.db, self.place)
        signed = sum(entry.signature is not None for entry in good)
        every = (*problems, *torn)
        return Verdict(len(rows), len(good), signed, count, head, every)

    def _versions(self, own: ColumnElement[bool]) -> Iterator[_Found]:
        """All versions in their order, or what is wrong with each by itself.

        A question a version would be most of the work: many are read together.
        """
        wanted = select(versions).join(models).where(own)
        ordered = wanted.order_by(versions.c.name, versions.c.number)
        for rows in self.db.execute(ordered).partitions(_TOGETHER):
            sealed = [_tried(entry_of, row, self.place) for row in rows]
            ahead = read_ahead(self.blobs, _small(sealed))
            for row, entry in zip(rows, sealed, strict=True):
                if isinstance(entry, Entry):
                    entry = _tried(self._whole, entry, ahead)
                yield row, entry

    def _whole(self, entry: Entry, blobs: Blobs) -> Entry:
        demand_signer(entry, self.signers, self.place)
        read_files(entry, blobs, self.place)
        return entry

    def _model(
        self, row: Row[Any], found: Sequence[_Found], good: list[Entry]
    ) -> Iterator[BondlineError]:
        before, trouble = "", False
        for k, (line, entry) in enumerate(found):
            judged = _follows(entry, k + 1, before, self.place)
            if isinstance(judged, Entry):
                good.append(judged)
            else:
                yield judged
                trouble = True
            before = line.seal
        same = bool(found) and (trouble or mirrored(good[-1].passport, row._asdict()))
        if not same:
            yield unlike(self.place, row.name)


def _tried(read: Callable[..., Entry], *given: Any) -> Entry | BondlineError:
    try:
        return read(*given)
    except BondlineError as error:
        return error


def _follows(
    entry: Entry | BondlineError, number: int, before: str, place: str
) -> Entry | BondlineError:
    """The entry, if it is the next one in its line."""
    if isinstance(entry, BondlineError):
        return entry
    p = entry.passport
    if (p.version, p.previous) == (number, before):
        return entry
    return corrupt(
        f"{place}, {p.reference}", "it does not follow the version before it"
    )


def _small(found: Sequence[Entry | BondlineError]) -> Iterator[str]:
    """Files that can be read many at a time."""
    for entry in found:
        if isinstance(entry, Entry):
            told = entry.passport.files.values()
            yield from (file["sha256"] for file in told if file["size"] <= _SMALL)


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
