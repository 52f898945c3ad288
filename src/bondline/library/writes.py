"""Writes: a version gets its number and its row, in one transaction."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from sqlalchemy import Connection, insert, select, update

from bondline.errors import NotAllowed, UsageError
from bondline.library.access import demand_member, may_write
from bondline.library.draft import Draft
from bondline.library.log import now, write_event
from bondline.library.passport import Passport
from bondline.library.records import Entry, read_version, told
from bondline.library.signing import public_hex, sign
from bondline.library.tables import models, versions

_FOR_WHOM = ("project", "access")  # only the owner changes these


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
        if row is not None:
            draft = self._settled(draft, row)
        number, before = (row["latest"] + 1, last.seal) if row and last else (1, "")
        made = draft.passport(owner, number, now(), before)
        if last is not None and _nothing_new(last, made, key):
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
        self._may_receive(entry, row)
        self._keep(entry, row, "receive")
        return True

    def _state(self, name: str) -> tuple[Mapping[str, Any] | None, Entry | None]:
        found = self.db.execute(select(models).where(models.c.name == name)).first()
        if found is None:
            return None, None
        last = read_version(self.db, name, found.latest, self.place)
        return found._asdict(), last

    def _demand(self, row: Mapping[str, Any]) -> None:
        if not may_write(self.db, self.who, row):
            raise NotAllowed(
                f"{self.place}: {row['name']}",
                f"the name is taken, and {self.who} may not add versions to it.",
                "Take another name, or ask its owner to let you into its project.",
            )

    def _settled(self, draft: Draft, row: Mapping[str, Any]) -> Draft:
        """For whom it is stays as it was, unless its owner says otherwise."""
        project = draft.project or row["project"]
        moved = project != row["project"]
        access = draft.access or ("" if moved else row["access"])
        if self.who != row["owner"] and (moved or access != row["access"]):
            raise NotAllowed(
                f"{self.place}: {row['name']}",
                f"it is {row['owner']}'s, and {self.who} may not change for whom it "
                "is.",
                "Leave out --in and --access, or ask its owner to change them.",
            )
        return replace(draft, project=project, access=access)

    def _may_receive(self, entry: Entry, row: Mapping[str, Any] | None) -> None:
        """Owners and members may; what the owner's key signed, anybody may bring."""
        if row is not None and row["owner"] != entry.passport.owner:
            raise _torn(self.place, entry, row["latest"])
        lines = told(entry.passport)
        same = row is None or all(row[key] == lines[key] for key in _FOR_WHOM)
        if self.who == entry.passport.owner:
            return
        if same and may_write(self.db, self.who, row or lines):
            return
        own, known = entry.signature, self._owners_key(entry, row)
        if own is None or own.signer != known:
            raise NotAllowed(
                f"{self.place}: {entry.reference}",
                f"it is {entry.passport.owner}'s, not signed by their key, and "
                f"{self.who} may not speak for them.",
                "Let the owner sign it (bondline db add --key) or push it.",
            )

    def _owners_key(self, entry: Entry, row: Mapping[str, Any] | None) -> str | None:
        """Who signed the first version: only the owner makes that one.

        Later ones may be signed by members, who may leave.
        """
        first = entry
        if row is not None:
            first = read_version(self.db, entry.passport.name, 1, self.place)
        return first.signature.signer if first.signature else None

    def _same(self, entry: Entry) -> None:
        p = entry.passport
        found = read_version(self.db, p.name, p.version, self.place)
        if found.seal != entry.seal:
            raise _torn(self.place, entry, p.version)

    def _keep(self, entry: Entry, row: Mapping[str, Any] | None, what: str) -> None:
        p, mark = entry.passport, entry.signature
        lines = told(p)
        if row is None:
            self.db.execute(insert(models).values(name=p.name, **lines))
        else:
            self.db.execute(
                update(models).where(models.c.name == p.name).values(**lines)
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


def _nothing_new(last: Entry, made: Passport, key: Ed25519PrivateKey | None) -> bool:
    """A signature is something new, where there was none or another one."""
    signer = last.signature.signer if last.signature else ""
    signed = key is None or public_hex(key.public_key()) == signer
    return signed and made.same_but_for_its_number(last.passport)


def _torn(place: str, entry: Entry, newest: int) -> UsageError:
    return UsageError(
        f"{place}: {entry.reference}",
        f"the histories differ: it does not follow version {newest} here."
        if entry.passport.version > newest
        else "the histories differ: another model has this version here.",
        f"Compare them (bondline db log {entry.passport.name} --url ...); "
        "add yours under another name.",
    )
