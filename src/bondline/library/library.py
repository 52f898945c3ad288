"""The library: versioned models by name, with their passports."""

from __future__ import annotations

import getpass
import os
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from sqlalchemy import delete, desc, insert, select

from bondline.description.stored import Stored
from bondline.errors import UsageError
from bondline.library import diff as compare
from bondline.library import records
from bondline.library.access import demand_member, is_member, visible
from bondline.library.blobs import Blobs, FileBlobs, TableBlobs
from bondline.library.draft import Draft
from bondline.library.engine import open_engine, reading, writing
from bondline.library.log import Event, write_event
from bondline.library.migrate import ready
from bondline.library.names import Reference, named, person, reference
from bondline.library.passport import corrupt
from bondline.library.place import default_url, place, spoken
from bondline.library.records import Entry
from bondline.library.search import Hit, Query, search
from bondline.library.signing import default_signers
from bondline.library.tables import log, members, models, versions
from bondline.library.verify import Inspector, Verdict, read_files
from bondline.library.writes import Writer


def whoami() -> str:
    """BONDLINE_USER, or the name of the login."""
    return person(os.environ.get("BONDLINE_USER") or getpass.getuser())


class Library:
    """A model library: a folder, or a database that a team shares.

    `url` is a folder, sqlite:///FILE or postgresql+psycopg://...; without one
    BONDLINE_LIBRARY, or `library/` in the project. `who` is asking: they see their own
    models, those of their projects, and public ones. With `signers` only versions that
    one of these keys signed are given out. Use it in a `with`, or `close` it.
    """

    def __init__(
        self,
        url: str | None = None,
        who: str | None = None,
        create: bool = False,
        signers: Sequence[str] | None = None,
    ) -> None:
        self.url = place(url or default_url())
        self.place = spoken(self.url)
        self.who = whoami() if who is None else person(who)
        self.signers = default_signers() if signers is None else tuple(signers)
        self._engine = open_engine(self.url)
        try:
            ready(self._engine, create)
        except BaseException:
            self._engine.dispose()
            raise
        self._blobs: Blobs = TableBlobs(self._engine)
        if self.url.drivername == "sqlite":
            self._blobs = FileBlobs(Path(self.url.database or "").parent / "files")

    def __enter__(self) -> Library:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Give the connections back."""
        self._engine.dispose()

    def add(
        self, draft: Draft, key: Ed25519PrivateKey | None = None
    ) -> tuple[Entry, bool]:
        """The version that the draft became; False: it is the latest one already."""
        return self.add_all([draft], key)[0]

    def add_all(
        self, drafts: Sequence[Draft], key: Ed25519PrivateKey | None = None
    ) -> list[tuple[Entry, bool]]:
        """The same of many: all of them, or none.

        Files are on the disk before anything refers to them.
        """
        for draft in drafts:
            draft.judge()
        for data in {d for draft in drafts for d in draft.files.values()}:
            self._blobs.put(data)
        with writing(self._engine) as db:
            writer = Writer(db, self.who, self.place)
            return [writer.add(draft, key) for draft in drafts]

    def search(self, query: Query | str = "") -> list[Hit]:
        """Models that match, each at its latest version."""
        asked = Query(query) if isinstance(query, str) else query
        with reading(self._engine) as db:
            return search(db, self.who, asked)

    def latest(self, name: str) -> int:
        """The newest version of a model; 0: there is no such model, or not for you."""
        with reading(self._engine) as db:
            return records.latest(db, self.who, name)

    def names(self) -> list[str]:
        """Models that may be seen, at most five thousand of them."""
        with reading(self._engine) as db:
            return records.names(db, self.who)

    def get(self, wanted: Reference | str) -> Entry:
        """A version, `rail@3`, or the latest one, `rail`; its seals are checked."""
        asked = reference(wanted) if isinstance(wanted, str) else wanted
        with reading(self._engine) as db:
            found = records.read_entry(db, self.who, asked, self.place)
        records.demand_signer(found, self.signers, self.place)
        return found

    def files(self, entry: Entry) -> dict[str, bytes]:
        """The files of a version; `CorruptModel` if one is not what it was."""
        return read_files(entry, self._blobs, self.place)

    def stored(self, wanted: Reference | str) -> Stored:
        """A version with its files, as a model takes it."""
        entry = self.get(wanted)
        p, text, files = entry.passport, entry.text.encode(), self.files(entry)
        return Stored(p.name, p.version, p.kind, p.main, p.digest, text, files)

    def history(self, name: str) -> list[Entry]:
        """All versions of a model, the first one first; refused if one is untrusted."""
        newest = self.get(Reference(named(name)))
        rows = select(versions).where(versions.c.name == name)
        with reading(self._engine) as db:
            every = db.execute(rows.order_by(versions.c.number)).all()
        found = [records.entry_of(row, self.place) for row in every]
        if newest.passport.version > len(found):
            raise corrupt(f"{self.place}, {name}", "versions of it are missing")
        for entry in found:
            records.demand_signer(entry, self.signers, self.place)
        return found

    def events(self, name: str = "", last: int = 50) -> list[Event]:
        """What happened to the models that may be seen, the newest last."""
        own = select(models.c.name).where(visible(self.who))
        rows = select(log).where(log.c.name.in_(own)).order_by(desc(log.c.k))
        if name:
            rows = rows.where(log.c.name == named(name))
        with reading(self._engine) as db:
            found = [Event(*row[:-1]) for row in db.execute(rows.limit(last))]
        return found[::-1]

    def diff(self, old: Reference | str, new: Reference | str) -> compare.Diff:
        """What changed between two versions."""
        a, b = (self.get(wanted) for wanted in (old, new))
        return compare.diff((a.passport, self.files(a)), (b.passport, self.files(b)))

    def receive(self, entry: Entry, files: dict[str, bytes]) -> bool:
        """Take a version over from another library, number and signature as they are.

        False: it is here already. What it uses must be here before.
        """
        for name, told in entry.passport.files.items():
            if self._blobs.put(files[name]) != told["sha256"]:
                raise corrupt(f"{entry.reference}: {name}", "it is not what was sealed")
        with writing(self._engine) as db:
            return Writer(db, self.who, self.place).receive(entry)

    def verify(self, name: str = "") -> Verdict:
        """Check every record, every file and the whole log; or those of one model."""
        with reading(self._engine) as db:
            inspector = Inspector(db, self.who, self.place, self._blobs, self.signers)
            return inspector.verdict(name)

    def members(self, project: str) -> list[str]:
        """Who belongs to a project."""
        wanted = select(members.c.who).where(members.c.project == named(project))
        with reading(self._engine) as db:
            return list(db.scalars(wanted.order_by(members.c.who)))

    def join(self, project: str, who: str) -> None:
        """Let somebody into a project; its members may, or whoever makes it."""
        project, who = named(project), person(who)
        with writing(self._engine) as db:
            demand_member(db, project, self.who)
            for one in dict.fromkeys((self.who, who)):
                if not is_member(db, project, one):
                    db.execute(insert(members).values(project=project, who=one))
                    write_event(db, self.who, f"join {one}", project)

    def leave(self, project: str, who: str) -> None:
        """Take somebody out of a project; any of its members may."""
        project, who = named(project), person(who)
        with writing(self._engine) as db:
            demand_member(db, project, self.who)
            gone = db.execute(
                delete(members).where(
                    members.c.project == project, members.c.who == who
                )
            )
            if not gone.rowcount:
                raise UsageError(
                    f"project {project}",
                    f"{who} is not one of its members.",
                    f"See them: bondline db members {project}",
                )
            write_event(db, self.who, f"leave {who}", project)
