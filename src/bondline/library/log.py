"""The log: who did what, each row tied to all before it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import astuple, dataclass
from datetime import UTC, datetime

from sqlalchemy import Connection, desc, insert, select

from bondline.errors import CorruptModel
from bondline.library.passport import canonical, sha256
from bondline.library.tables import log

_FIRST = "0" * 64


@dataclass(frozen=True, slots=True)
class Event:
    """One row: somebody added a version, received one, or changed a project."""

    k: int
    at: str
    who: str
    what: str
    name: str
    version: int
    seal: str


def now() -> str:
    """The time, in UTC."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def write_event(
    db: Connection, who: str, what: str, name: str, version: int = 0, seal: str = ""
) -> None:
    """Add a row; inside of a transaction that writes."""
    newest = select(log.c.k, log.c.hash).order_by(desc(log.c.k)).limit(1)
    last = db.execute(newest).first()
    k, before = (last.k + 1, last.hash) if last else (1, _FIRST)
    event = Event(k, now(), who, what, name, version, seal)
    row = {f: getattr(event, f) for f in Event.__slots__}
    db.execute(insert(log).values(**row, hash=_link(before, event)))


def _link(before: str, event: Event) -> str:
    return sha256(canonical([before, *astuple(event)]).encode())


def read_events(db: Connection) -> Iterator[tuple[Event, str]]:
    """All of them with their hashes, the first one first."""
    for row in db.execute(select(log).order_by(log.c.k)):
        yield Event(*row[:-1]), row.hash


def check_chain(db: Connection, place: str) -> tuple[int, str, list[CorruptModel]]:
    """How many rows, the hash of the last one, and the first that is wrong."""
    before, count = _FIRST, 0
    for event, found in read_events(db):
        count += 1
        if event.k != count or _link(before, event) != found:
            return count, found, [_broken(f"{place}, log row {count}")]
        before = found
    return count, before, []


def _broken(place: str) -> CorruptModel:
    return CorruptModel(
        place,
        "it does not fit the rows before it.",
        "A row was changed, added or removed; compare with a copy of the library.",
    )
