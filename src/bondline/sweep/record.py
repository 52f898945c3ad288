"""The record of a sweep: a folder with its variants, to read from while it runs.

`sweeps/<id>/sweep.sqlite` says what each variant is and what came of it, `model.ssp`
what is run. The runs themselves are ordinary runs, `runs/<id>.0007`.
"""

from __future__ import annotations

import contextlib
import json
import re
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bondline.errors import StorageError, UsageError, VersionMismatch, did_you_mean
from bondline.run import database
from bondline.run.lock import is_held

FILE = "sweep.sqlite"
PACKAGE = "model.ssp"
STOP = "stop"  # while this file is there, nothing new begins and windows end early
VERSION = 1

SCHEMA = """
CREATE TABLE sweep (
    id TEXT PRIMARY KEY,
    facts TEXT NOT NULL,     -- JSON; never changes
    status TEXT NOT NULL,    -- running, done, interrupted or cancelled
    message TEXT NOT NULL
);
CREATE TABLE variants (
    k INTEGER PRIMARY KEY,
    parameters TEXT NOT NULL,  -- JSON: values by name, as for --set
    status TEXT NOT NULL,      -- waiting, running, done, failed or cancelled
    run TEXT NOT NULL,         -- its name in the run store
    tries INTEGER NOT NULL,
    seconds REAL,
    worker TEXT NOT NULL,
    reason TEXT NOT NULL,      -- JSON: kind, place, finding, remedy; {} if none
    results TEXT NOT NULL      -- JSON: numbers by column
);
CREATE INDEX by_status ON variants (status);
CREATE TABLE columns (name TEXT PRIMARY KEY, unit TEXT NOT NULL);
"""


@dataclass(frozen=True)
class Variant:
    """One variant, and what came of it so far."""

    k: int
    parameters: Mapping[str, str]
    status: str
    run: str
    tries: int
    seconds: float | None
    worker: str
    reason: Mapping[str, str]
    results: Mapping[str, float]

    @property
    def why(self) -> str:
        """Why it failed, in one line; empty if it did not."""
        pieces = (self.reason.get(key, "") for key in ("place", "finding"))
        return ": ".join(filter(None, pieces))


@dataclass(frozen=True)
class Standing:
    """Where a sweep stands: its status, and how many variants have which."""

    id: str
    path: Path
    model: str
    created: str
    status: str
    message: str
    total: int
    counts: Mapping[str, int]

    @property
    def finished(self) -> int:
        """Variants that need no more work."""
        return self.counts.get("done", 0) + self.counts.get("failed", 0)


@dataclass(frozen=True)
class Sweep:
    """A stored sweep, to read from; any number of readers, also while it runs."""

    path: Path

    @property
    def id(self) -> str:
        """Name of the sweep and of its folder."""
        return self.path.name

    @property
    def stop(self) -> Path:
        """The file whose presence asks to stop."""
        return self.path / STOP

    @contextlib.contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A read-only connection, one snapshot."""
        file = self.path / FILE
        with (
            database.explained(file),
            closing(database.look_into(file)) as db,
        ):
            check_version(db, file)
            db.execute("BEGIN")
            yield db

    @property
    def facts(self) -> dict[str, Any]:
        """What never changes: model, axes, sampler, seed, settings, results asked."""
        with self.reading() as db:
            return _facts(db)

    @property
    def standing(self) -> Standing:
        """Where it stands now."""
        with self.reading() as db:
            facts = _facts(db)
            status, message = db.execute("SELECT status, message FROM sweep").fetchone()
            rows = db.execute("SELECT status, count(*) FROM variants GROUP BY status")
            counts = dict(rows.fetchall())
        if status == "running" and not is_held(self.path):
            status, message = "interrupted", "the process that ran it was killed"
        return Standing(
            id=self.id,
            path=self.path,
            model=facts["model"],
            created=facts["created"],
            status=status,
            message=message,
            total=sum(counts.values()),
            counts=counts,
        )

    def variants(self, status: str | None = None) -> list[Variant]:
        """All variants in order, or those of one status."""
        with self.reading() as db:
            rows = db.execute(
                "SELECT k, parameters, status, run, tries, seconds, worker, reason, "
                "results FROM variants WHERE ?1 IS NULL OR status = ?1 ORDER BY k",
                (status,),
            )
            return [_variant(row) for row in rows]

    @property
    def units(self) -> dict[str, str]:
        """Units of the results by column, in the order in which they came."""
        with self.reading() as db:
            return dict(db.execute("SELECT name, unit FROM columns ORDER BY rowid"))


def _facts(db: sqlite3.Connection) -> dict[str, Any]:
    facts: dict[str, Any] = json.loads(
        db.execute("SELECT facts FROM sweep").fetchone()[0]
    )
    return facts


def _variant(row: tuple[Any, ...]) -> Variant:
    k, parameters, status, run, tries, seconds, worker, reason, results = row
    parsed = (json.loads(text) for text in (parameters, reason, results))
    told, why, numbers = parsed
    return Variant(k, told, status, run, tries, seconds, worker, why, numbers)


def check_version(db: sqlite3.Connection, file: Path) -> None:
    """Refuse the record of another version."""
    (found,) = db.execute("PRAGMA user_version").fetchone()
    if found != VERSION:
        raise VersionMismatch(
            str(file),
            f"the sweep has schema {found}, this installation reads {VERSION}.",
            "Open it with the version of Bondline that made it.",
        )


def all_sweeps(folder: Path) -> list[Sweep]:
    """Every sweep in the folder, by name; none if there is no folder."""
    if not folder.is_dir():
        return []
    return [Sweep(p) for p in sorted(folder.iterdir()) if (p / FILE).is_file()]


def open_sweep(path: Path) -> Sweep:
    """The sweep in the folder `path`; `StorageError` if there is none."""
    if not (path / FILE).is_file():
        raise StorageError(
            str(path),
            f"no sweep is stored here: there is no {FILE}.",
            "Give the folder of a sweep; `bondline sweeps` lists them.",
        )
    return Sweep(path)


def find_sweep(folder: Path, text: str) -> Sweep:
    """The sweep that `text` means: a path, an id, a piece of one, or `latest`."""
    if (Path(text) / FILE).is_file():
        return Sweep(Path(text))
    known = all_sweeps(folder)
    if text == "latest" and known:
        return max(known, key=lambda s: (s.facts["created"], s.id))
    fits = [s for s in known if s.id == text] or [
        s for s in known if re.match(re.escape(text), s.id) or s.id.endswith(text)
    ]
    if len(fits) == 1:
        return fits[0]
    names = [s.id for s in fits or known]
    if fits:
        raise UsageError(
            f"sweep {text!r}",
            f"{len(fits)} sweeps fit: {', '.join(names)}.",
            "Give more of the id.",
        )
    raise UsageError(
        f"sweep {text!r}",
        f"no sweep in {folder} has this id.",
        did_you_mean(text, names) if names else "Make one: bondline sweep MODEL --set",
    )


def cancel(sweep: Sweep) -> None:
    """Ask a sweep to stop, whoever runs it; what is done is kept."""
    with database.explained(sweep.stop):
        sweep.stop.touch()
