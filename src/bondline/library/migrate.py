"""The schema: made where there is none, brought up to date where it is old."""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Engine, inspect, select
from sqlalchemy.engine import URL
from sqlalchemy.sql import column, table

from bondline.errors import StorageError, UsageError, VersionMismatch
from bondline.library.engine import explained, reading, writing
from bondline.library.place import spoken

if TYPE_CHECKING:
    from alembic.config import Config

HEAD = "0001"  # the newest step in migrations/versions
_KNOWN = ("0001",)
_MARK = table("alembic_version", column("version_num"))


def ready(engine: Engine, create: bool) -> None:
    """A library of the newest schema; `create` makes it where there is none."""
    path = Path(engine.url.database or "") if _is_file(engine.url) else None
    if path is not None and not path.is_file():
        if not create:
            raise _absent(engine.url)
        with explained(engine.url):
            path.parent.mkdir(parents=True, exist_ok=True)
    found = revision(engine) if path is None or path.is_file() else None
    if found == HEAD:
        return
    if found is None and not create:
        raise _absent(engine.url)
    if found is not None and found not in _KNOWN:
        raise VersionMismatch(
            spoken(engine.url),
            f"the library has schema {found}, this installation knows {HEAD}.",
            "Install the version of Bondline that made it.",
        )
    upgrade(engine)


def revision(engine: Engine) -> str | None:
    """The step that a database is at; None if it is none of ours."""
    with reading(engine) as db:
        if not inspect(db).has_table(_MARK.name):
            return None
        found = db.scalar(select(_MARK.c.version_num))
    return None if found is None else str(found)


def upgrade(engine: Engine) -> None:
    """Take all steps, in one transaction."""
    from alembic import command

    with _steps(engine) as config:
        command.upgrade(config, "head")


def downgrade(engine: Engine) -> None:
    """Take all steps back: nothing is left."""
    from alembic import command

    with _steps(engine) as config:
        command.downgrade(config, "base")


@contextlib.contextmanager
def _steps(engine: Engine) -> Iterator[Config]:
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", "bondline.library:migrations")
    with _alone(engine.url), writing(engine) as db:
        config.attributes["connection"] = db
        yield config


@contextlib.contextmanager
def _alone(url: URL) -> Iterator[None]:
    """No other process makes the same file; PostgreSQL has its own lock."""
    if not _is_file(url):
        yield
        return
    with explained(url):
        fd = os.open(f"{url.database}.lock", os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX)
        yield
    finally:
        os.close(fd)


def _is_file(url: URL) -> bool:
    return url.drivername == "sqlite"


def _absent(url: URL) -> StorageError | UsageError:
    return UsageError(
        spoken(url),
        "there is no library here.",
        "Make one by adding a model: bondline db add FILE; or say where it is: "
        "--url, BONDLINE_LIBRARY.",
    )
