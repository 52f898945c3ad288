"""Records: versions as they are stored, believed only after a look at their seals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, func, select

from bondline.errors import CorruptModel, SecurityError, UsageError, nearest
from bondline.library.access import visible
from bondline.library.names import Reference
from bondline.library.passport import Passport, corrupt, load_passport, sha256
from bondline.library.signing import Signature
from bondline.library.tables import models, versions

_NEAR = 5000  # names that a nearest match is looked for among


@dataclass(frozen=True)
class Entry:
    """A version: its passport, the text that was sealed, and who signed it."""

    passport: Passport
    text: str
    signature: Signature | None = None

    @property
    def seal(self) -> str:
        """SHA-256 of the passport."""
        return sha256(self.text.encode())

    @property
    def reference(self) -> Reference:
        """Its name and version."""
        return self.passport.reference


def entry_of(row: Row[Any], place: str) -> Entry:
    """The version in a row of `versions`; `CorruptModel` names what is wrong."""
    where = f"{place}, {row.name}@{row.number}"
    if sha256(row.passport.encode()) != row.seal:
        raise corrupt(where, "its passport does not match its seal")
    passport = load_passport(row.passport, where)
    if (passport.name, passport.version) != (row.name, row.number):
        raise corrupt(where, f"its passport is that of {passport.reference}")
    if passport.digest != row.digest:
        raise corrupt(where, "its digest is not that of its passport")
    signature = Signature(row.signer, row.signature) if row.signature else None
    if signature is not None and not signature.holds(row.passport):
        raise corrupt(where, "its signature is not of this passport")
    return Entry(passport, row.passport, signature)


def latest(db: Connection, who: str, name: str) -> int:
    """The newest version that there is for `who`; 0: no such model."""
    wanted = select(models.c.latest).where(models.c.name == name, visible(who))
    return db.scalar(wanted) or 0


def names(db: Connection, who: str) -> list[str]:
    """Models that `who` may see, to look for a near match."""
    wanted = select(models.c.name).where(visible(who)).order_by(models.c.name)
    return list(db.scalars(wanted.limit(_NEAR)))


def read_entry(db: Connection, who: str, wanted: Reference, place: str) -> Entry:
    """A version by name; `UsageError` with the nearest match if there is none.

    The row that decided who may see it must say what the latest passport says.
    """
    own = (models.c.name == wanted.name, visible(who))
    row = db.execute(select(models).where(*own)).first()
    if row is None:
        raise _unknown(db, who, wanted, place)
    newest = read_version(db, wanted.name, row.latest, place)
    highest = select(func.max(versions.c.number)).where(versions.c.name == wanted.name)
    if not mirrored(newest.passport, row._asdict()) or db.scalar(highest) != row.latest:
        raise unlike(place, wanted.name)
    if wanted.version is None or wanted.version == row.latest:
        return newest
    if wanted.version > row.latest:
        raise UsageError(
            f"{place}: {wanted}",
            f"there is no version {wanted.version} of {wanted.name}.",
            f"The latest is {row.latest}: {wanted.name}@{row.latest}.",
        )
    return read_version(db, wanted.name, wanted.version, place)


def read_version(db: Connection, name: str, number: int, place: str) -> Entry:
    """A version that must be there, whoever asks."""
    where = (versions.c.name == name, versions.c.number == number)
    row = db.execute(select(versions).where(*where)).first()
    if row is None:
        raise corrupt(f"{place}, {name}@{number}", "its row is missing")
    return entry_of(row, place)


def _unknown(db: Connection, who: str, wanted: Reference, place: str) -> UsageError:
    close = nearest(wanted.name, names(db, who))
    return UsageError(
        f"{place}: {wanted}",
        "there is no such model, or not for you.",
        f"Did you mean {close!r}?" if close else "Look: bondline db search.",
    )


def told(p: Passport) -> dict[str, Any]:
    """What `models` repeats of the latest passport."""
    same = ("kind", "owner", "project", "access", "meaning", "created", "words")
    return {"latest": p.version, **{key: getattr(p, key) for key in same}}


def mirrored(p: Passport, row: Mapping[str, Any]) -> bool:
    """Whether a row of `models` says what the latest passport says."""
    return told(p) == {key: row[key] for key in told(p)}


def unlike(place: str, name: str) -> CorruptModel:
    """The error of one that does not."""
    return corrupt(f"{place}, {name}", "its row is not what its latest passport says")


def demand_signer(entry: Entry, signers: Sequence[str] | None, place: str) -> None:
    """Refuse what none of the trusted keys has signed; None trusts everybody."""
    found = entry.signature.signer if entry.signature else None
    if signers is None or found in signers:
        return
    said = f"is signed by {found[:16]}..." if found else "is not signed"
    raise SecurityError(
        f"{place}, {entry.reference}",
        f"it {said}, by none of the {len(signers)} keys that are trusted.",
        "Add the owner's FILE.pub to BONDLINE_SIGNERS or --signer, if it is theirs.",
    )
