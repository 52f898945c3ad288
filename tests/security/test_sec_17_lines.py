"""SEC-17: a server that has to drop connections drops those that bring most, only."""

from __future__ import annotations

import os
import resource
import socket
import sqlite3
import subprocess
import sys
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from threading import Event, Thread

from bondline.remote.owner.lines import hang_up_on_the_loudest
from tests.remote.test_serve_command import LIMIT

ANOTHER = """
import sqlite3, sys
db = sqlite3.connect(sys.argv[1], timeout=0.0, isolation_level=None)
try:
    db.execute("BEGIN IMMEDIATE")
    print("it is free")
except sqlite3.OperationalError as error:
    print(error)
"""


def dropped(connection: socket.socket) -> bool:
    """Whether the other end has ended it, kindly or not."""
    try:
        return connection.recv(1) == b""
    except ConnectionResetError:
        return True


def talking(mine: socket.socket, other: socket.socket, over: Event, size: int) -> None:
    """So many bytes at a time, which are read, until it is over or cut."""
    with suppress(OSError):
        while not over.is_set():
            mine.sendall(size * b"x")
            left = size
            while left and (got := len(other.recv(left))):
                left -= got


def test_who_sends_most_is_dropped_and_who_sends_little_is_not():
    with socket.create_server(("127.0.0.1", 0)) as door, ExitStack() as stack:
        place = door.getsockname()

        def line() -> tuple[socket.socket, socket.socket]:
            mine = stack.enter_context(socket.create_connection(place, LIMIT))
            return mine, stack.enter_context(door.accept()[0])

        quiet, busy, loud = line(), line(), line()
        over = Event()
        talk = [Thread(target=talking, args=(*busy, over, 100))]
        talk += [Thread(target=talking, args=(*loud, over, 100_000))]
        for each in talk:
            each.start()
        assert hang_up_on_the_loudest(place[1], 0.5) == 1
        assert dropped(loud[0])
        over.set()
        for each in talk:
            each.join(LIMIT)
        for mine, other in (quiet, busy):
            other.sendall(b"still there")
            assert mine.recv(11) == b"still there"


def test_who_looks_for_connections_takes_no_locks_away_and_keeps_no_handle(
    tmp_path: Path,
):
    """Of files, as that of budgets: locks go when any handle of theirs is closed."""
    file = tmp_path / "budgets.sqlite"
    command = [sys.executable, "-c", ANOTHER, str(file)]
    with socket.create_server(("127.0.0.1", 0)) as door, ExitStack() as stack:
        db = stack.enter_context(closing(sqlite3.connect(file, isolation_level=None)))
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("CREATE TABLE used (amount REAL)")
        stack.enter_context(socket.create_connection(door.getsockname(), LIMIT))
        stack.enter_context(door.accept()[0])
        db.execute("BEGIN IMMEDIATE")
        open_files = sorted(os.listdir("/proc/self/fd"))
        assert hang_up_on_the_loudest(door.getsockname()[1], 0.0) == 1
        assert sorted(os.listdir("/proc/self/fd")) == open_files
        assert "locked" in subprocess.check_output(command, text=True)
        db.execute("COMMIT")
        assert "free" in subprocess.check_output(command, text=True)


def test_the_loudest_is_found_where_no_file_can_be_opened_any_more():
    """A partner with many connections must not hide among them."""
    with socket.create_server(("127.0.0.1", 0)) as door, ExitStack() as stack:
        place, lines = door.getsockname(), []
        for _ in range(8):
            mine = stack.enter_context(socket.create_connection(place, LIMIT))
            lines.append((mine, stack.enter_context(door.accept()[0])))
        over = Event()
        loud = Thread(target=talking, args=(*lines[-1], over, 100_000))
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        with (spare := os.scandir("/proc/self/fd")):  # the one that is left for a look
            most = max(int(each.name) for each in spare) + 1
        loud.start()
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
            assert hang_up_on_the_loudest(place[1], 0.5) == 1
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
            over.set()
        loud.join(LIMIT)
        assert dropped(lines[-1][0])
        for mine, other in lines[:-1]:
            other.sendall(b"x")
            assert mine.recv(1) == b"x"


def test_connections_to_others_are_nobodys_business():
    """Also one that this process made itself to the port of somebody else."""
    with ExitStack() as stack:
        doors = [
            stack.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in "ab"
        ]
        place = doors[0].getsockname()
        mine = stack.enter_context(socket.create_connection(place, LIMIT))
        other = stack.enter_context(doors[0].accept()[0])
        assert hang_up_on_the_loudest(doors[1].getsockname()[1]) == 0
        other.sendall(b"x")
        assert mine.recv(1) == b"x"
