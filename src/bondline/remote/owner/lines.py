"""Connections that a server of this process has, and who sends most.

gRPC keeps its sockets to itself, and to end a server in a flood takes it seconds: what
has come is read first. The system knows the sockets, too, and ends one at once.
"""

from __future__ import annotations

import os
import socket
import struct
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from time import sleep

_DESCRIPTORS = Path("/proc/self/fd")
_INTERNET = (socket.AF_INET, socket.AF_INET6)
_MOMENT = 0.02  # s in which it shows who sends most
_SHARE = 10  # part of what comes that makes one loud
_RECEIVED = 128  # where Linux tells the bytes that came, in its account of a connection


def hang_up_on_the_loudest(port: int, moment: float = _MOMENT) -> int:
    """End the connections to a port that bring most just now; how many they were.

    Where nobody can be told from the others, all end: whoever had a session comes back.
    """
    with ExitStack() as stack:
        lines = [stack.enter_context(line) for line in _connected(port)]
        before = [_received(line) for line in lines]
        sleep(moment)
        came = [_received(line) - b for line, b in zip(lines, before, strict=True)]
        loud = _loud(lines, came)
        for line in loud:
            with suppress(OSError):  # it has ended by itself
                line.shutdown(socket.SHUT_RDWR)
    return len(loud)


def _loud(
    lines: Sequence[socket.socket], came: Sequence[int]
) -> Sequence[socket.socket]:
    least = max(1, sum(came) // _SHARE)
    loud = [line for line, n in zip(lines, came, strict=True) if n >= least]
    return loud or lines


def _connected(port: int) -> Iterator[socket.socket]:
    """A second handle of each: gRPC may close its own, and the number be another's."""
    own = set[int]()  # numbers may be free again, as that of the listing itself
    for number in map(int, os.listdir(_DESCRIPTORS)):
        if number in own:
            continue
        with suppress(OSError):  # not a socket, or closed since
            line = _second(number)
            own.add(line.fileno())
            if line.family in _INTERNET and _ends_at(line, port):
                yield line
            else:
                line.close()


def _second(number: int) -> socket.socket:
    """Another handle of a socket, and none of anything else."""
    copy = os.dup(number)
    try:
        return socket.socket(fileno=copy)
    except OSError:  # a file, a pipe, ...
        os.close(copy)
        raise


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
