"""Where a library is: a folder, or a database of a team."""

from __future__ import annotations

import os
from pathlib import Path

from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from bondline.errors import UsageError

FILE = "library.sqlite"
HOME = "library"  # under the project
_POSTGRES = ("postgresql", "postgresql+psycopg")


def default_url() -> str:
    """BONDLINE_LIBRARY, or the folder `library` of the project."""
    project = Path(os.environ.get("BONDLINE_PROJECT") or ".")
    return os.environ.get("BONDLINE_LIBRARY") or str(project / HOME)


def place(text: str) -> URL:
    """The address that a text means: a folder, sqlite:///file or postgresql://..."""
    if "://" not in text:
        return URL.create("sqlite", database=str(Path(text).absolute() / FILE))
    try:
        url = make_url(text)
    except (ArgumentError, ValueError):
        raise _unknown("--url") from None  # it may have a password in it
    if url.drivername in _POSTGRES:
        return url.set(drivername=_POSTGRES[1])
    if url.drivername != "sqlite" or not url.database or url.query or url.host:
        raise _unknown(url.drivername)
    if url.database.startswith((":", "file:")):
        raise _unknown("--url")
    return url.set(database=str(Path(url.database).absolute()))


def _unknown(what: str) -> UsageError:
    return UsageError(
        what[:80],
        "this is no address of a library.",
        "Give a folder, sqlite:///FILE or postgresql+psycopg://USER@HOST/DATABASE.",
    )


def spoken(url: URL) -> str:
    """As it may be printed: a folder by its path, a database without its password."""
    if url.drivername == "sqlite":
        path = Path(url.database or "")
        return str(path.parent) if path.name == FILE else str(path)
    return url.render_as_string(hide_password=True)
