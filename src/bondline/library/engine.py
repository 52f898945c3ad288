"""Connections: how they are opened, what a transaction is, what errors mean.

SQLite: WAL with synchronous = FULL, so that a commit is on the disk when it returns.
Writers come one after the other, on PostgreSQL by a lock of the transaction.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, func, select
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from bondline.errors import BondlineError, CorruptModel, StorageError, UsageError
from bondline.library.place import spoken

PATIENCE = 60.0  # s that a writer waits for others
LOCK = 0x626F6E64  # ours among the advisory locks of a PostgreSQL database
_DAMAGED = ("malformed", "not a database", "corrupt", "could not decode")


def open_engine(url: URL) -> Engine:
    """The way to a database; nothing is connected yet."""
    if url.drivername == "sqlite":
        engine = create_engine(url, connect_args={"timeout": PATIENCE})
        event.listen(engine, "connect", _set_up)
        event.listen(engine, "begin", _begin)
        return engine
    try:
        return create_engine(url, connect_args={"connect_timeout": 10})
    except ModuleNotFoundError as error:
        raise UsageError(
            spoken(url),
            f"a library on PostgreSQL needs {error.name}, which is not installed.",
            "pip install 'bondline[postgres]'",
        ) from error


def _set_up(db: Any, _: object) -> None:
    db.isolation_level = None  # we begin transactions ourselves
    cursor = db.cursor()
    for pragma in (
        "PRAGMA journal_mode = WAL",
        "PRAGMA synchronous = FULL",
        "PRAGMA foreign_keys = ON",
        "PRAGMA trusted_schema = OFF",
    ):
        cursor.execute(pragma)
    cursor.close()


def _begin(connection: Connection) -> None:
    write = connection.get_execution_options().get("write", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if write else "BEGIN")


@contextlib.contextmanager
def reading(engine: Engine) -> Iterator[Connection]:
    """One consistent view; changes nothing."""
    with explained(engine.url), engine.connect() as connection:
        yield connection


@contextlib.contextmanager
def writing(engine: Engine) -> Iterator[Connection]:
    """All of it, or nothing; one writer at a time."""
    with (
        explained(engine.url),
        engine.connect().execution_options(write=True) as connection,
        connection.begin(),
    ):
        if engine.dialect.name == "postgresql":
            connection.execute(select(func.pg_advisory_xact_lock(LOCK)))
        yield connection


@contextlib.contextmanager
def explained(url: URL) -> Iterator[None]:
    """Turn what the database says into an error that teaches."""
    try:
        yield
    except (SQLAlchemyError, OSError) as error:
        raise _explain(url, error) from error


def _explain(url: URL, error: SQLAlchemyError | OSError) -> BondlineError:
    said = error.orig if isinstance(error, DBAPIError) else error
    lines = str(said).splitlines()
    text = lines[0][:200] if lines else type(said).__name__
    if any(word in text.lower() for word in _DAMAGED):
        return CorruptModel(
            spoken(url),
            f"the database cannot be read ({text}).",
            "Restore it from a copy.",
        )
    if "locked" in text or "busy" in text:
        remedy = "Another program holds the database; close it and try again."
    elif url.drivername == "sqlite":
        folder = Path(url.database or "").parent
        remedy = f"Check the room on the disk, and your rights in {folder}."
    else:
        remedy = "Check that the server runs, its address, and your name there."
    return StorageError(spoken(url), f"the library does not answer ({text}).", remedy)
