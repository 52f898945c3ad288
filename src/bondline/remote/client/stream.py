"""One conversation over gRPC: a request, its reply, and so on, until it ends."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any, Protocol

import grpc


class Ended(Exception):
    """The conversation is over; `code` is OK where the other end just ended it.

    What the other end `said` when it went is for people: nothing follows from it.
    """

    def __init__(self, code: grpc.StatusCode, text: str, said: str = "") -> None:
        super().__init__(f"{code.name}: {text}")
        self.code, self.text, self.said = code, text, said


class Stream(Protocol):
    """One request at a time; after `Ended` there is nothing more to ask."""

    def ask(self, raw: bytes) -> None:
        """Send a request; does not wait."""
        ...

    def hear(self) -> bytes:
        """Wait for the reply; raises `Ended`."""
        ...

    def attend(self) -> None:
        """Answer what the other end wants to know while nothing is asked; quickly."""
        ...

    def cancel(self) -> None:
        """End it now, from any thread: whoever waits for a reply hears of it."""
        ...

    def close(self) -> None:
        """The same, and give back what it holds, once nobody waits."""
        ...


class Iterated:
    """By gRPC's public streams, through two threads of theirs: it knows proxies."""

    def __init__(self, channel: grpc.Channel, method: str) -> None:
        self._outbox: SimpleQueue[bytes | None] = SimpleQueue()
        make: Callable[..., Any] = channel.stream_stream(method, None, None)
        self._replies = make(iter(self._outbox.get, None))

    def ask(self, raw: bytes) -> None:
        """Leave it to them."""
        self._outbox.put(raw)

    def hear(self) -> bytes:
        """The reply, or the end."""
        try:
            reply: bytes = next(self._replies)
            return reply
        except StopIteration:
            raise Ended(grpc.StatusCode.OK, "") from None
        except grpc.RpcError as error:
            raise Ended(error.code(), error.details() or "") from None

    def attend(self) -> None:
        """Threads of theirs do."""

    def cancel(self) -> None:
        """End it."""
        self._outbox.put(None)
        with contextlib.suppress(Exception):
            self._replies.cancel()

    close = cancel
