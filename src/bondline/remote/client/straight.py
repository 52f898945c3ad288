"""A conversation of gRPC over a socket of its own.

gRPC for Python has threads that read for everybody; each reply wakes one of them, and
that one wakes whoever waits: a third of a round trip on one machine. Here whoever asks
also sends, and reads what the network brings.
"""

from __future__ import annotations

import contextlib
import socket
import ssl
from collections.abc import Callable
from threading import Event, Lock, Thread
from typing import Protocol

import grpc

from bondline.remote.client.talk import Talk

_PIECE = 65_536  # bytes that are read at a time
_LOOKS = 16  # pieces at most that are read while nothing is asked
_ANSWER = 1.0  # s for answers to leave meanwhile


class Wire(Protocol):
    """What a conversation needs of a socket; raises `OSError`."""

    def recv(self, most: int, /) -> bytes:
        """Some bytes, as soon as there are any; none at the end."""
        ...

    def sendall(self, raw: bytes, /) -> None:
        """All of it."""
        ...

    def settimeout(self, seconds: float | None, /) -> None:
        """How long to wait; 0: not at all."""
        ...

    def shutdown(self, how: int, /) -> None:
        """Call off whoever waits."""
        ...

    def close(self) -> None:
        """Give it back."""
        ...


Way = Callable[[], Wire]
"""Reaches the other end; raises `OSError`."""


class Straight:
    """A `Stream` on a connection of its own, which is made in the background.

    One thread asks and hears; any other may `cancel`, or `attend`.
    """

    def __init__(self, way: Way, talk: Talk) -> None:
        self._talk = talk
        self._line: Wire | None = None
        self._using = Lock()  # of the talk, and of who reads
        self._reached = Event()  # or cancelled
        Thread(target=self._reach, args=(way,), daemon=True).start()

    def _reach(self, way: Way) -> None:
        """Connect; whoever hears waits for it, unless somebody cancels."""
        try:
            self._line = way()
        except Exception as error:  # also a name that is none
            self._talk.end(grpc.StatusCode.UNAVAILABLE, _unreached(error))
        else:
            if self._talk.over is not None:
                self._line.close()
        finally:
            self._reached.set()

    def ask(self, raw: bytes) -> None:
        """Send as much as may leave now; the rest, while the reply is waited for."""
        with self._using:
            self._talk.ask(raw)
            if self._reached.is_set():
                self._send()

    def hear(self) -> bytes:
        """The reply, or the end of it all."""
        self._reached.wait()
        talk = self._talk
        with self._using:
            self._send()
            while not (talk.replies or talk.over):
                self._read()
                self._send()
            if talk.replies:
                return talk.replies.popleft()
        assert talk.over is not None
        raise talk.over

    def attend(self) -> None:
        """Answer what came while nothing is asked; waits for nobody."""
        if not self._using.acquire(blocking=False):
            return
        try:
            if self._line is not None and self._reached.is_set():
                self._attend(self._line)
        finally:
            self._using.release()

    def _attend(self, line: Wire) -> None:
        if self._talk.over is not None:
            return
        line.settimeout(0.0)
        with contextlib.suppress(BlockingIOError):
            for _ in range(_LOOKS):
                self._read()
        if self._talk.over is None:
            line.settimeout(_ANSWER)
            self._send()
            line.settimeout(None)

    def cancel(self) -> None:
        """End it now, from any thread: whoever waits for a reply hears of it."""
        code = grpc.StatusCode.CANCELLED
        self._talk.end(code, "Locally cancelled by application!")
        self._reached.set()
        if self._line is not None:
            with contextlib.suppress(OSError):  # it is closed already
                self._line.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """The same, and give back what it holds, once nobody waits."""
        self.cancel()
        with self._using:
            self._talk.replies.clear()
            if self._line is not None:
                self._line.close()

    def _send(self) -> None:
        """What is to leave now."""
        if self._line is None or self._talk.over is not None:
            return
        raw = self._talk.leaving()
        if raw:
            try:
                self._line.sendall(raw)
            except OSError as error:
                self._broke(error)

    def _read(self) -> None:
        """A piece of what comes; raises where a line that waits for nobody has none."""
        if self._line is None or self._talk.over is not None:
            return
        try:
            raw = self._line.recv(_PIECE)
        except BlockingIOError:
            raise
        except OSError as error:
            self._broke(error)
            return
        if raw:
            self._talk.take(raw)
        else:
            self._talk.end(grpc.StatusCode.UNAVAILABLE, "the connection was closed")

    def _broke(self, error: OSError) -> None:
        """An alert is a word of TLS; all else is a cut."""
        said = isinstance(error, ssl.SSLError) and "alert" in str(error).lower()
        text = str(error) if said else f"the connection was closed: {error}"
        self._talk.end(grpc.StatusCode.UNAVAILABLE, text)


def _unreached(error: Exception) -> str:
    """Why there is no connection."""
    trust = isinstance(error, ssl.SSLError)
    return f"TLS handshake: {error}" if trust else str(error)
