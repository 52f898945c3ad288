"""Requests on their way into a stream, from the thread that asks.

gRPC takes requests of a stream from an iterator, in a thread of its own: two threads
change places before a byte is sent, a quarter of a round trip. Beneath that iterator a
message can be sent at once. That is not part of gRPC's public interface: where a
version has no such thing, requests go the public way, and arrive as well.
"""

from __future__ import annotations

from contextlib import suppress
from importlib import import_module
from queue import SimpleQueue
from typing import Any

_message: Any = None
with suppress(ImportError, AttributeError):  # where it is not there: the public way
    _message = import_module("grpc._cython.cygrpc").SendMessageOperation
_NO_FLAGS = 0


def _sent(event: Any) -> None:
    """Nobody waits for that: the reply says it."""


class Outgoing:
    """The requests of one stream; gRPC iterates over it."""

    def __init__(self) -> None:
        self._queue: SimpleQueue[bytes | None] = SimpleQueue()
        self._send: Any = None

    def __iter__(self) -> Outgoing:
        return self

    def __next__(self) -> bytes:
        raw = self._queue.get()
        if raw is None:
            raise StopIteration
        return raw

    def opened(self, stream: Any) -> None:
        """The stream that they go into."""
        if _message is not None:
            self._send = getattr(getattr(stream, "_call", None), "operate", None)

    @property
    def direct(self) -> bool:
        """Whether they are sent by whoever asks."""
        return self._send is not None

    def send(self, raw: bytes) -> None:
        """One request; whether it arrives is known from the reply."""
        if self._send is None:
            self._queue.put(raw)
        else:
            self._send((_message(raw, _NO_FLAGS),), _sent)

    def end(self) -> None:
        """No more of them."""
        self._queue.put(None)
