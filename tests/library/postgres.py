"""A PostgreSQL server of the tests' own: a temporary folder, a socket in it, no port.

It sorts as people do (ICU), so that what must sort byte by byte is seen to.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

_HOMES = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
_OWNER = "postgres"  # the server refuses to run as root


def missing() -> str:
    """Why there is no server; empty if there may be one."""
    if find_spec("psycopg") is None:
        return "psycopg is not installed: it comes with the extra 'postgres'"
    if not _HOMES:
        return "there is no PostgreSQL server here (Debian: postgresql)"
    return ""


@contextlib.contextmanager
def server() -> Iterator[str]:
    """The URL of an empty server, without the name of a database."""
    folder, home = Path(tempfile.mkdtemp(prefix="bondline-pg-")), _HOMES[-1]
    own = {"user": _OWNER, "group": _OWNER} if os.geteuid() == 0 else {}
    if own:
        shutil.chown(folder, _OWNER, _OWNER)
    settings = {"fsync": "off", "listen_addresses": "", "max_connections": "40"}
    settings |= {"unix_socket_directories": str(folder), "shared_buffers": "16MB"}
    words = [f"-c {name}='{value}'" for name, value in settings.items()]
    data = folder / "data"
    try:
        _call(own, home / "initdb", "-D", data, "-U", "tests", "-A", "trust", "-N",
              "--locale-provider=icu", "--icu-locale=en", "-E", "UTF8",
              "--locale=C.UTF-8")  # fmt: skip
        _call(own, home / "pg_ctl", "-D", data, "-w", "-l", folder / "log",
              "-o", " ".join(words), "start")  # fmt: skip
        yield f"postgresql+psycopg://tests@/{{}}?host={folder}"
        _call(own, home / "pg_ctl", "-D", data, "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _call(own: dict[str, str], *words: object) -> None:
    subprocess.run(
        [str(w) for w in words],
        check=True,
        cwd="/",
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        timeout=60,
        **own,
    )


def new_database(url: str, name: str) -> str:
    """The URL of a database of its own on that server."""
    import psycopg
    from psycopg import sql

    plain = url.format("postgres").replace("+psycopg", "")
    with psycopg.connect(plain, autocommit=True) as db:
        db.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
    return url.format(name)
