"""Mutated HTTP/2 to a client of gRPC: it goes on, or says that this is none."""

from __future__ import annotations

import socket
from collections.abc import Callable
from contextlib import suppress
from random import Random

import grpc

from bondline.remote.client.sockets import Bare
from bondline.remote.client.straight import Straight
from bondline.remote.client.stream import Ended
from bondline.remote.client.talk import Talk
from bondline.remote.trust.address import there
from tests.fuzz.mutate import changed
from tests.remote.parrot import METHOD, exchange, parrot

_WORDS = (
    b"\0\0\0\4\1\0\0\0\0",  # settings are heard
    b"\0\0\4\3\0\0\0\0\1\0\0\0\x08",  # a reset
    b"\0\0\x08\6\0\0\0\0\0pingpong",
    b"\0\0\4\x08\0\0\0\0\1\x7f\xff\xff\xff",  # a window that is too wide
    b"\0\0\6\4\0\0\0\0\0\0\4\xff\xff\xff\xff",
    b"\0\x40\0\x09\0\0\0\0\1" + bytes(0x4000),  # headers that go on
    b"\xff\xff\xff\0\0\0\0\0\1",  # a frame that is too long
    b"\0\0\0\0\1\0\0\0\1",  # an end without a status
    b"\x3f\xe1\xff\x03",  # a table of headers of 64 kB
)


def said_by_grpc() -> list[bytes]:
    """What a server of gRPC's own says in a conversation, piece by piece."""
    heard = list[bytes]()
    with parrot() as address:

        def way(hold: Callable[[socket.socket], None]) -> Heard:
            line = socket.create_connection(there(address))
            hold(line)
            return Heard(line, heard)

        stream = Straight(way, Talk("http", address, METHOD))
        for n in (0, 3, 30_000):
            exchange(stream, b"ab" * n)
        with suppress(Ended):
            exchange(stream, b"abort")
        stream.close()
    return heard


class Heard(Bare):
    """A line that keeps what it hears."""

    def __init__(self, line: socket.socket, heard: list[bytes]) -> None:
        super().__init__(line)
        self._heard = heard

    def read(self, wait: bool) -> bytes:
        raw = super().read(wait)
        self._heard.append(raw)
        return raw


class ToTalk:
    """Changed bytes of a server to the client's end of a conversation."""

    def __init__(self) -> None:
        self._pieces = said_by_grpc()
        self.answered = self.amiss = 0

    def __call__(self, dice: Random) -> None:
        talk = Talk("http", "there:1", METHOD)
        sent = len(talk.leaving())
        came = replies = 0
        for piece in self._pieces:
            talk.ask(b"more")
            raw = changed(piece, dice, _WORDS) if dice.random() < 0.5 else piece
            came += len(raw)
            talk.take(raw)
            replies += len(talk.replies)
            talk.replies.clear()
            sent += len(talk.leaving())
        self.answered += replies
        assert replies <= len(self._pieces), "it is answered more than it asked"
        end = talk.over
        self.amiss += end is None or end.code is not grpc.StatusCode.UNAUTHENTICATED
        assert sent <= 10_000 + 3 * came + 20 * len(self._pieces), (
            "it answers more than it is told"
        )
