"""Writes: a version gets its number and its row, in one transaction."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from sqlalchemy import Connection, insert, select, update

from bondline.errors import NotAllowed, UsageError
from bondline.library.access import demand_member, may_write
from bondline.library.draft import Draft
from bondline.library.log import now, write_event
from bondline.library.passport import Passport, corrupt
from bondline.library.records import Entry, entry_of
from bondline.library.signing import sign
from bondline.library.tables import models, versions


@dataclass(frozen=True)
class Writer:
    """Somebody who writes to a library; `place` is what it is called."""

    db: Connection
    who: str
    place: str

    def add(self, draft: Draft, key: Ed25519PrivateKey | None) -> tuple[Entry, bool]:
        """The next version, or the latest one if nothing has changed."""
        row, last = self._state(draft.name)
        owner = row["owner"] if row else self.who
        if row is not None:
            self._demand(row)
        if draft.project:
            demand_member(self.db, draft.project, self.who)
        number = self._number(draft.name, row)
        before = last.seal if last else ""
        made = draft.passport(owner, number, now(), before)
        if last is not None and made.same_but_for_its_number(last.passport):
            return last, False
        text = made.dump()
        entry = Entry(made, text, sign(key, text) if key else None)
        self._keep(entry, row, "add")
        return entry, True

    def receive(self, entry: Entry) -> bool:
        """A version of another library, under its own number; False: it is there."""
        mine, (row, last) = entry.passport, self._state(entry.passport.name)
        newest = last.passport.version if last else 0
        if mine.version <= newest:
            self._same(entry)
            return False
        if mine.version != newest + 1 or mine.previous != (last.seal if last else ""):
            raise _torn(self.place, entry, newest)
        self._may_receive(entry, row, last)
        self._keep(entry, row, "receive")
        return True

    def _state(self, name: str) -> tuple[Mapping[str, Any] | None, Entry | None]:
        found = self.db.execute(select(models).where(models.c.name == name)).first()
        if found is None:
            return None, None
        last = self._at(name, found.latest)
        if last is None:
            raise corrupt(f"{self.place}, {name}@{found.latest}", "its row is missing")
        return found._asdict(), last

    def _at(self, name: str, number: int) -> Entry | None:
        where = (versions.c.name == name, versions.c.number == number)
        row = self.db.execute(select(versions).where(*where)).first()
        return entry_of(row, self.place) if row else None

    def _number(self, name: str, row: Mapping[str, Any] | None) -> int:
        return row["latest"] + 1 if row else 1

    def _demand(self, row: Mapping[str, Any]) -> None:
        if not may_write(self.db, self.who, row):
            raise NotAllowed(
                f"{self.place}: {row['name']}",
                f"the name is taken, and {self.who} may not add versions to it.",
                "Take another name, or ask its owner to let you into its project.",
            )

    def _may_receive(
        self, entry: Entry, row: Mapping[str, Any] | None, last: Entry | None
    ) -> None:
        """Owners and members may; what a key signed, anybody may bring."""
        told = row or {k: getattr(entry.passport, k) for k in _RULED}
        if may_write(self.db, self.who, told):
            return
        known = last.signature if last else entry.signature
        own = entry.signature
        if own is None or known is None or own.signer != known.signer:
            raise NotAllowed(
                f"{self.place}: {entry.reference}",
                f"it is {entry.passport.owner}'s, not signed by their key, and "
                f"{self.who} may not speak for them.",
                "Let the owner sign it (bondline db add --key) or push it.",
            )

    def _same(self, entry: Entry) -> None:
        found = self._at(entry.passport.name, entry.passport.version)
        if found is None or found.seal != entry.seal:
            raise _torn(self.place, entry, entry.passport.version)

    def _keep(self, entry: Entry, row: Mapping[str, Any] | None, what: str) -> None:
        p, mark = entry.passport, entry.signature
        told = _row(p)
        if row is None:
            self.db.execute(insert(models).values(name=p.name, **told))
        else:
            self.db.execute(
                update(models).where(models.c.name == p.name).values(**told)
            )
        self.db.execute(
            insert(versions).values(
                name=p.name,
                number=p.version,
                digest=p.digest,
                passport=entry.text,
                seal=entry.seal,
                signer=mark.signer if mark else "",
                signature=mark.text if mark else "",
            )
        )
        write_event(self.db, self.who, what, p.name, p.version, entry.seal)


_RULED = ("owner", "project", "access")


def _row(p: Passport) -> dict[str, Any]:
    """What `models` repeats of the latest passport."""
    same = ("kind", "owner", "project", "access", "meaning", "created", "words")
    return {"latest": p.version, **{key: getattr(p, key) for key in same}}


def mirrored(p: Passport, row: Mapping[str, Any]) -> bool:
    """Whether a row of `models` says what the latest passport says."""
    return _row(p) == {key: row[key] for key in _row(p)}


def _torn(place: str, entry: Entry, newest: int) -> UsageError:
    return UsageError(
        f"{place}: {entry.reference}",
        f"the histories differ: it does not follow version {newest} here."
        if entry.passport.version > newest
        else "the histories differ: another model has this version here.",
        f"Compare them (bondline db log {entry.passport.name} --url ...); "
        "add yours under another name.",
    )
