"""The store: a run is a folder with its record, its model and its lock.

`runs/<id>/run.sqlite` holds accepted windows only, `model.ssp` what was run.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from bondline.core import Frame, Skin
from bondline.errors import CorruptRun, StorageError
from bondline.run import database
from bondline.run.chain import digest
from bondline.run.layout import Layout
from bondline.run.lock import is_held
from bondline.run.results import Results
from bondline.run.signals import About, gather
from bondline.run.skins import Seen, read_moved, read_skins

PACKAGE = "model.ssp"
PAGE = 500  # windows that are read at once

_PAGE_WITHOUT = (
    "SELECT n, t, layout, blob, NULL FROM windows WHERE n > ? ORDER BY n LIMIT ?"
)
_PAGE_WITH_SHAPES = (
    "SELECT w.n, t, layout, w.blob, coalesce(s.blob, x'') FROM windows w "
    "LEFT JOIN shapes s ON s.n = w.n WHERE w.n > ? ORDER BY w.n LIMIT ?"
)


@dataclass(frozen=True)
class Event:
    """Something worth telling that happened to a run; outside its hash."""

    at: str
    n: int | None
    kind: str
    text: str


@dataclass(frozen=True)
class Summary:
    """One line of `bondline runs`. `windows` and `t` are None before the start."""

    id: str
    path: Path
    model: str
    created: str
    status: str
    message: str
    until: float
    windows: int | None
    t: float | None
    sha256: str


@dataclass(frozen=True)
class Run:
    """A stored run, to read from; any number of readers, also while it is written."""

    path: Path

    @property
    def id(self) -> str:
        """Name of the run and of its folder."""
        return self.path.name

    @property
    def file(self) -> Path:
        """The record."""
        return self.path / database.FILE

    def _repr_html_(self) -> str:
        return self.results()._repr_html_()

    @contextlib.contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A read-only connection, one snapshot."""
        with (
            database.explained(self.file),
            closing(database.for_reading(self.file)) as db,
        ):
            yield db

    @property
    def facts(self) -> dict[str, Any]:
        """What never changes: model, digest, grid, settings, versions, fingerprint."""
        with self.reading() as db:
            return read_facts(db, self.file)

    @property
    def summary(self) -> Summary:
        """Where the run stands."""
        with self.reading() as db:
            facts = read_facts(db, self.file)
            row = db.execute(
                "SELECT status, message, until, head, hash FROM run"
            ).fetchone()
            last = db.execute("SELECT t FROM windows WHERE n = ?", (row[3],)).fetchone()
        status, message = _alive(self.path, row[0], row[1])
        return Summary(
            id=self.id,
            path=self.path,
            model=facts["model"],
            created=facts["created"],
            status=status,
            message=message,
            until=row[2],
            windows=row[3],
            t=last[0] if last else None,
            sha256=row[4].hex() if row[4] else "",
        )

    @property
    def package(self) -> bytes:
        """The model as it was run."""
        try:
            return (self.path / PACKAGE).read_bytes()
        except OSError as error:
            raise StorageError(
                str(self.path / PACKAGE),
                f"the model of the run cannot be read ({error.strerror}).",
                "Restore the file from a copy of the run.",
            ) from error

    def frames(self, after: int = -1, shapes: bool = False) -> Iterator[Frame]:
        """Every accepted window later than `after` in order, the start first.

        Shapes are read on demand only. Each page of windows has its own short
        transaction, so that a slow reader is in nobody's way.
        """
        full = True
        while full:
            with self.reading() as db:
                page = read_page(db, self.file, after, shapes)
            yield from page
            full = len(page) == PAGE
            after = page[-1].n if page else after

    @property
    def events(self) -> list[Event]:
        """What happened besides windows."""
        with self.reading() as db:
            rows = db.execute("SELECT at, n, kind, text FROM events ORDER BY k")
            return [Event(*row) for row in rows]

    @property
    def certificate(self) -> dict[str, Any]:
        """The stored certificate as plain data; empty before the run is done."""
        with self.reading() as db:
            row = db.execute("SELECT text FROM certificate").fetchone()
            return json.loads(row[0]) if row else {}

    def skins(self) -> dict[str, Skin]:
        """The surfaces that the parts show, where they rest; there may be none."""
        with self.reading() as db:
            return read_skins(db, str(self.file))

    def seen(self) -> list[Seen]:
        """How these surfaces moved, at the instants that were kept."""
        with self.reading() as db:
            skins = read_skins(db, str(self.file))
            return list(read_moved(db, str(self.file), skins))

    def results(self, shapes: bool = True) -> Results:
        """The run as arrays; cheaper without shapes."""
        facts = self.facts
        about = About(self.id, facts["model"], facts["settings"], self.certificate)
        return gather(self.frames(shapes=shapes), about)


def read_facts(db: sqlite3.Connection, file: Path) -> dict[str, Any]:
    """The facts of a run, after a look at their seal."""
    row = db.execute("SELECT id, facts, seal FROM run").fetchone()
    if row is None or digest(str(row[0]).encode(), str(row[1]).encode()) != row[2]:
        raise CorruptRun(
            str(file),
            "the facts of the run (model, settings, versions) do not match their seal.",
            "Restore the file from a copy, or run the model again.",
        )
    facts: dict[str, Any] = json.loads(row[1])
    return facts


def read_page(
    db: sqlite3.Connection, file: Path, after: int, shapes: bool
) -> list[Frame]:
    """The next frames as they are stored; `verify` says whether they are right."""
    layouts = read_layouts(db, file)
    last = db.execute("SELECT t FROM windows WHERE n = ?", (after,)).fetchone()
    before: float | None = last[0] if last else None
    frames = []
    sql = _PAGE_WITH_SHAPES if shapes else _PAGE_WITHOUT
    for n, t, k, blob, points in db.execute(sql, (after, PAGE)):
        try:
            frame = layouts[k].unpack(blob, n, t, before)
            seen = layouts[k].unpack_shapes(points) if shapes else {}
        except (KeyError, ValueError, IndexError, TypeError) as error:
            raise CorruptRun(
                f"{file}, window {n}",
                f"its numbers do not fit its layout ({error}).",
                "`bondline verify` names the first bad window.",
            ) from error
        frames.append(replace(frame, shapes=seen))
        before = t
    return frames


def read_layouts(db: sqlite3.Connection, file: Path) -> dict[int, Layout]:
    """All layouts of a run by number."""
    rows = db.execute("SELECT k, text FROM layouts ORDER BY k")
    try:
        return {k: Layout.load(text) for k, text in rows}
    except (KeyError, ValueError, TypeError, AttributeError) as error:
        raise CorruptRun(
            f"{file}, table layouts",
            f"a layout cannot be read ({error!r}).",
            "Restore the file from a copy, or run the model again.",
        ) from error


def _alive(path: Path, status: str, message: str) -> tuple[str, str]:
    if status == "running" and not is_held(path):
        return "interrupted", "the process that wrote it was killed"
    return status, message
