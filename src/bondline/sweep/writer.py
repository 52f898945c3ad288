"""Writing the record of a sweep: one process at a time, every change durable."""

from __future__ import annotations

import contextlib
import json
import secrets
import shutil
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bondline.errors import UsageError
from bondline.run import database
from bondline.run.lock import only_writer
from bondline.sweep.record import FILE, PACKAGE, SCHEMA, VERSION, Sweep, check_version
from bondline.sweep.work import Answer

Parameters = Mapping[str, str]


def create_sweep(
    folder: Path,
    facts: Mapping[str, Any],
    package: bytes,
    variants: Sequence[Parameters],
    name: str | None = None,
) -> Sweep:
    """A new sweep on the disk with all its variants waiting; whole or not at all."""
    now = datetime.now(UTC)
    name = name or f"s-{now:%Y%m%d-%H%M%S}-{secrets.token_hex(2)}"
    _check_name(folder, name)
    path = folder / name
    draft = path.with_name(f".{name}.{secrets.token_hex(4)}.draft")
    with database.explained(folder):
        draft.mkdir(parents=True)
        try:
            (draft / PACKAGE).write_bytes(package)
            told = {**facts, "created": now.isoformat(timespec="microseconds")}
            _fill(draft / FILE, name, told, variants)
            draft.rename(path)
        except BaseException:
            shutil.rmtree(draft, ignore_errors=True)
            raise
    return Sweep(path)


def _check_name(folder: Path, name: str) -> None:
    if Path(name).name != name or name[0] == "." or name == "latest":
        raise UsageError(
            f"sweep {name!r}",
            "this cannot be the name of a sweep.",
            "Use letters, digits, dashes; no slash, no leading point, not 'latest'.",
        )
    if (folder / name).exists():
        raise UsageError(
            f"sweep {name!r}",
            f"there is one of this name in {folder}.",
            f"Take another name, or go on with it: bondline sweep --resume {name}",
        )


def _fill(
    file: Path, name: str, facts: Mapping[str, Any], variants: Sequence[Parameters]
) -> None:
    with closing(database.connect(f"{file.resolve().as_uri()}?mode=rwc")) as db:
        db.executescript(f"BEGIN; {SCHEMA} PRAGMA user_version = {VERSION}; COMMIT;")
        with database.transaction(db):
            db.execute(
                "INSERT INTO sweep VALUES (?, ?, 'interrupted', 'not started yet')",
                (name, json.dumps(facts)),
            )
            _add(db, name, 0, variants)


def _add(
    db: sqlite3.Connection, name: str, first: int, variants: Sequence[Parameters]
) -> None:
    rows = (
        (k, json.dumps(dict(v)), run_name(name, k))
        for k, v in enumerate(variants, first)
    )
    db.executemany(
        "INSERT INTO variants VALUES (?, ?, 'waiting', ?, 0, NULL, '', '{}', '{}')",
        rows,
    )


def run_name(sweep: str, k: int) -> str:
    """What the run of a variant is called.

    >>> run_name("s-1", 7)
    's-1.0007'
    """
    return f"{sweep}.{k:04}"


@contextlib.contextmanager
def writing(sweep: Sweep) -> Iterator[Writer]:
    """The one writer of a sweep; whatever is left `running` behind waits again."""
    file = sweep.path / FILE
    with (
        only_writer(sweep.path),
        database.explained(file),
        closing(database.connect(f"{file.resolve().as_uri()}?mode=rw")) as db,
    ):
        check_version(db, file)
        writer = Writer(sweep, db)
        try:
            yield writer
        finally:
            writer.release()


@dataclass(frozen=True)
class Writer:
    """Changes the record; hold its lock."""

    sweep: Sweep
    db: sqlite3.Connection

    def status(self, status: str, message: str = "") -> None:
        """Say where the sweep as a whole is."""
        with database.transaction(self.db):
            self.db.execute(
                "UPDATE sweep SET status = ?, message = ?", (status, message)
            )

    def release(self, also: Sequence[str] = ()) -> None:
        """Variants that are running, or have one of those statuses, wait again."""
        with database.transaction(self.db):
            self.db.executemany(
                "UPDATE variants SET status = 'waiting' WHERE status = ?",
                [(status,) for status in ("running", *also)],
            )

    def cancel_waiting(self) -> None:
        """Nothing more begins."""
        with database.transaction(self.db):
            self.db.execute(
                "UPDATE variants SET status = 'cancelled' WHERE status = 'waiting'"
            )

    def begin(self, k: int) -> None:
        """A variant is on its way to a worker."""
        with database.transaction(self.db):
            self.db.execute("UPDATE variants SET status = 'running' WHERE k = ?", (k,))

    def settle(self, answer: Answer, status: str) -> None:
        """What came of a variant, and columns that are new with it."""
        with database.transaction(self.db):
            self.db.execute(
                "UPDATE variants SET status = ?, tries = tries + 1, seconds = ?, "
                "worker = ?, reason = ?, results = ? WHERE k = ?",
                (
                    status,
                    answer.seconds,
                    answer.worker,
                    json.dumps(dict(answer.reason)),
                    json.dumps(dict(answer.chosen.values)),
                    answer.k,
                ),
            )
            self.db.executemany(
                "INSERT OR IGNORE INTO columns VALUES (?, ?)",
                [
                    (column, answer.chosen.units.get(column, ""))
                    for column in answer.chosen.values
                ],
            )

    def add(self, variant: Parameters) -> int:
        """One more variant, waiting; its number."""
        with database.transaction(self.db):
            (last,) = self.db.execute("SELECT max(k) FROM variants").fetchone()
            k = 0 if last is None else int(last) + 1
            _add(self.db, self.sweep.id, k, [variant])
        return k
