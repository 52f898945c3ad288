"""The SQLite side of a run: its schema, its connections, its errors.

WAL with synchronous = FULL: a commit is on the disk when it returns, a reader never
waits for the writer, and kill -9 loses what was not committed and nothing else.
"""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from bondline.errors import BondlineError, CorruptRun, StorageError, VersionMismatch

FILE = "run.sqlite"
SCHEMA_VERSION = 2
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_FILES = 6  # that SQLite opens at a time: itself, log, index, journal, folder, chance

SCHEMA = """
CREATE TABLE run (
    id TEXT PRIMARY KEY,
    facts TEXT NOT NULL,     -- JSON; never changes
    seal BLOB NOT NULL,      -- SHA-256 of id and facts
    until REAL NOT NULL,
    status TEXT NOT NULL,    -- running, done, interrupted or failed
    message TEXT NOT NULL,
    head INTEGER,            -- last window, and its hash
    hash BLOB
);
CREATE TABLE layouts (k INTEGER PRIMARY KEY, text TEXT NOT NULL);
CREATE TABLE windows (
    n INTEGER PRIMARY KEY,
    t REAL NOT NULL,
    layout INTEGER NOT NULL,
    blob BLOB NOT NULL,      -- little-endian float64
    hash BLOB NOT NULL       -- see chain.py
);
CREATE TABLE shapes (n INTEGER PRIMARY KEY, blob BLOB NOT NULL);  -- of window n
CREATE TABLE checkpoints (
    n INTEGER PRIMARY KEY, t REAL NOT NULL, state BLOB NOT NULL, seal BLOB NOT NULL
);
CREATE TABLE certificate (
    n INTEGER PRIMARY KEY, text TEXT NOT NULL, seal BLOB NOT NULL
);
CREATE TABLE events (
    k INTEGER PRIMARY KEY, at TEXT NOT NULL, n INTEGER, kind TEXT NOT NULL,
    text TEXT NOT NULL
);
"""


def make(path: Path) -> sqlite3.Connection:
    """A new database with an empty schema."""
    db = connect(f"{path.resolve().as_uri()}?mode=rwc")
    with closed_on_error(db):
        db.executescript(
            f"BEGIN; {SCHEMA} PRAGMA user_version = {SCHEMA_VERSION}; COMMIT;"
        )
    return db


def for_writing(path: Path) -> sqlite3.Connection:
    """The one connection that writes; hold the lock of the run first."""
    db = connect(f"{path.resolve().as_uri()}?mode=rw")
    with closed_on_error(db):
        _check_version(db, path)
    return db


def for_reading(path: Path) -> sqlite3.Connection:
    """A connection that sees one consistent state and changes nothing."""
    if not path.is_file():
        raise StorageError(
            str(path.parent),
            f"there is no {path.name} in this folder.",
            "Give the folder of a run; `bondline runs` lists them.",
        )
    db = look_into(path)
    with closed_on_error(db):
        _check_version(db, path)
        db.execute("BEGIN")
    return db


def look_into(path: Path) -> sqlite3.Connection:
    """A connection to any database of ours that cannot change it."""
    db = sqlite3.connect(_readable(path), uri=True, isolation_level=None)
    with closed_on_error(db):
        db.execute("PRAGMA busy_timeout = 5000")
    return db


@contextlib.contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[None]:
    """All of it, or nothing."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        with contextlib.suppress(sqlite3.Error):
            db.execute("ROLLBACK")
        raise


def copy_over(db: sqlite3.Connection) -> None:
    """What was appended goes into the file now: closing would keep quiet if it cannot.

    A reader is not waited for; closing then does the rest.
    """
    db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()


@contextlib.contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turn what SQLite and the system say into an error that teaches."""
    try:
        yield
    except (sqlite3.Error, OSError, UnicodeDecodeError) as error:
        raise _explain(path, error) from error


def connect(uri: str) -> sqlite3.Connection:
    """A connection to any database of ours, with the promises above."""
    db = sqlite3.connect(uri, uri=True, isolation_level=None)
    with closed_on_error(db):
        db.execute("PRAGMA busy_timeout = 5000")
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = FULL")
    return db


@contextlib.contextmanager
def closed_on_error(db: sqlite3.Connection) -> Iterator[None]:
    """Leave no connection open behind an error."""
    try:
        yield
    except BaseException:
        db.close()
        raise


def _readable(path: Path) -> str:
    """Where the folder is read-only and nobody writes, SQLite must be told so."""
    uri = f"{path.resolve().as_uri()}?mode=ro"
    frozen = not os.access(path.parent, os.W_OK) and not _wal(path).exists()
    return f"{uri}&immutable=1" if frozen else uri


def _wal(path: Path) -> Path:
    return path.with_name(f"{path.name}-wal")


def _check_version(db: sqlite3.Connection, path: Path) -> None:
    (found,) = db.execute("PRAGMA user_version").fetchone()
    if found != SCHEMA_VERSION:
        raise VersionMismatch(
            str(path),
            f"the run has schema {found}, this installation reads {SCHEMA_VERSION}.",
            "Open it with the version of Bondline that made it.",
        )


# the last two: text that is not UTF-8, in a table or in what SQLite says about it
_DAMAGED = (
    *("malformed", "not a database", "corrupt"),
    *("Could not decode", "codec can't decode"),
)


def _explain(
    path: Path, error: sqlite3.Error | OSError | UnicodeDecodeError
) -> BondlineError:
    text = str(error)
    if any(words in text for words in _DAMAGED):
        return CorruptRun(
            str(path),
            f"SQLite cannot read the file ({text}).",
            "Restore it from a copy, or run the model again.",
        )
    if "locked" in text or "busy" in text:
        remedy = "Another program holds the database; close it, then resume."
    elif _failing(error):
        remedy = (
            "The disk did not keep what it was given last: see to the disk (dmesg "
            "names it), then resume. Committed windows are safe."
        )
    elif _few_files():
        remedy = (
            "This process has no files left to open: allow it more (ulimit -n 1024), "
            "then resume. Committed windows are safe."
        )
    elif (
        (isinstance(error, OSError) and error.errno not in _FULL)
        or "readonly" in text
        or "unable to open" in text
    ):
        remedy = "Check that the folder exists and that you may write there."
    else:
        remedy = f"{_room(path)} Make room, then resume: committed windows are safe."
    return StorageError(
        str(path), f"the run cannot be written or read ({text}).", remedy
    )


def _failing(error: Exception) -> bool:
    """The disk said that it lost what was written: to ask again would hide it."""
    if isinstance(error, OSError):
        return error.errno == errno.EIO
    return str(getattr(error, "sqlite_errorname", "")).endswith("FSYNC")


def _few_files() -> bool:
    """Whether SQLite could not open what it needs; it does not tell why."""
    with contextlib.ExitStack() as opened:
        try:
            for _ in range(_FILES):
                opened.enter_context(open(os.devnull, "rb"))
        except OSError as error:
            return error.errno in (errno.EMFILE, errno.ENFILE)
    return False


def _room(path: Path) -> str:
    with contextlib.suppress(OSError):
        return f"{shutil.disk_usage(path.parent).free} bytes are free on this disk."
    return "The disk does not answer."
