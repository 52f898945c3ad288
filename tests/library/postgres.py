"""A PostgreSQL server of the tests' own: a temporary folder, a socket in it, no port.

It sorts as people do (ICU), so that what must sort byte by byte is seen to.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
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
    folder = Path(tempfile.mkdtemp(prefix="bondline-pg-"))
    if os.geteuid() == 0:
        shutil.chown(folder, _OWNER, _OWNER)
    url = f"postgresql+psycopg://tests@/{{}}?host={folder}"
    try:
        _call("initdb", "-D", folder / "data", "-U", "tests", "-A", "trust", "-N",
              "--locale-provider=icu", "--icu-locale=en", "-E", "UTF8",
              "--locale=C.UTF-8")  # fmt: skip
        start(url)
        try:
            yield url
        finally:
            stop_at_once(url)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def start(url: str) -> None:
    """Start the server of that URL, again after a stop."""
    folder = _folder(url)
    settings = {"fsync": "off", "listen_addresses": "", "max_connections": "40"}
    settings |= {"unix_socket_directories": str(folder), "shared_buffers": "16MB"}
    words = [f"-c {name}='{value}'" for name, value in settings.items()]
    _call("pg_ctl", "-D", folder / "data", "-w", "-l", folder / "log",
          "-o", " ".join(words), "start")  # fmt: skip


def stop_at_once(url: str) -> None:
    """No checkpoint, no good-bye: what a crash leaves behind."""
    _call("pg_ctl", "-D", _folder(url) / "data", "-m", "immediate", "stop")


def kill_one_writer(url: str) -> None:
    """kill -9 of a process of the server; it ends all others, and recovers."""
    import psycopg

    busy = "SELECT pid FROM pg_stat_activity WHERE datname = current_database()"
    with psycopg.connect(url.replace("+psycopg", "")) as db:
        found = db.execute(f"{busy} AND pid <> pg_backend_pid()").fetchall()
    os.kill(found[0][0], signal.SIGKILL)


def recovered(url: str) -> None:
    """Wait until the server takes connections again."""
    where = ["-h", str(_folder(url)), "-U", "tests", "-d", "postgres", "-q"]
    for _ in range(10_000):
        if not subprocess.run(
            [_HOMES[-1] / "pg_isready", *where], check=False
        ).returncode:
            return
    raise AssertionError("the server does not come back")


def _folder(url: str) -> Path:
    return Path(url.rpartition("=")[2])


def _call(program: str, *words: object) -> None:
    own = {"user": _OWNER, "group": _OWNER} if os.geteuid() == 0 else {}
    subprocess.run(
        [str(w) for w in (_HOMES[-1] / program, *words)],
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
