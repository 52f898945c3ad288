"""Connections that a server of this process has, and who sends most.

gRPC keeps its sockets to itself, and to end a server in a flood takes it seconds: what
has come is read first. The system knows the sockets, too, and ends one at once.

They are looked at by gRPC's own handles. A second handle of each would need numbers,
which may have run out; and whoever closes a second handle of a file, which is what most
numbers stand for, takes away the locks that SQLite holds on it.
"""

from __future__ import annotations

import os
import socket
import stat
import struct
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from time import sleep
from typing import NamedTuple

_DESCRIPTORS = Path("/proc/self/fd")
_INTERNET = (socket.AF_INET, socket.AF_INET6)
_MOMENT = 0.02  # s in which it shows who sends most
_SHARE = 10  # part of what comes that makes one loud
_RECEIVED = 128  # where Linux tells the bytes that came, in its account of a connection


class _Line(NamedTuple):
    """A connection; its number may be another's by now, and then the inode differs."""

    number: int
    inode: int


def hang_up_on_the_loudest(port: int, moment: float = _MOMENT) -> int:
    """End the connections to a port that bring most just now; how many they were.

    Where nobody can be told from the others, all end: whoever had a session comes back.
    """
    before = _received_by_each(port)
    sleep(moment)
    after = _received_by_each(port)
    came = {each: after[each] - n for each, n in before.items() if each in after}
    return sum(map(_hang_up, _loud(came)))


def _loud(came: Mapping[_Line, int]) -> list[_Line]:
    least = max(1, sum(came.values()) // _SHARE)
    return [each for each, n in came.items() if n >= least] or [*came]


def _received_by_each(port: int) -> dict[_Line, int]:
    """Bytes so far that came over the connections that others made to the port."""
    found = {}
    for number in map(int, os.listdir(_DESCRIPTORS)):
        with suppress(OSError):  # it was closed since
            status = os.fstat(number)
            if stat.S_ISSOCK(status.st_mode):
                with _borrowed(number) as line:
                    if line.family in _INTERNET and _ends_at(line, port):
                        found[_Line(number, status.st_ino)] = _received(line)
    return found


def _hang_up(each: _Line) -> bool:
    """Whether it was still there."""
    with suppress(OSError):
        if os.fstat(each.number).st_ino == each.inode:
            with _borrowed(each.number) as line:
                line.shutdown(socket.SHUT_RDWR)
            return True
    return False


@contextmanager
def _borrowed(number: int) -> Iterator[socket.socket]:
    """gRPC's handle of a socket, which stays open."""
    line = socket.socket(fileno=number)
    try:
        yield line
    finally:
        line.detach()


def _ends_at(line: socket.socket, port: int) -> bool:
    """Whether it is a connection that somebody made to the port."""
    try:
        line.getpeername()
    except OSError:  # it listens
        return False
    return bool(line.getsockname()[1] == port)


def _received(line: socket.socket) -> int:
    """Bytes so far; 0 where nobody counts them."""
    try:
        told = line.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 192)
        (count,) = struct.unpack_from("Q", told, _RECEIVED)
    except (OSError, AttributeError, struct.error):
        return 0
    return int(count)
