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

import grpc

from bondline.remote.client.sockets import Bare
from bondline.remote.client.stream import Ended
from bondline.remote.client.talk import Talk

_KEPT = 65_536  # bytes that did not leave, above which nothing more is read
_LOOKS = 16  # pieces at most that are read while nothing is asked

Way = Callable[[Callable[[socket.socket], None]], Bare]
"""Reaches the other end, and says on which socket as soon as there is one."""


class Straight:
    """A `Stream` on a connection of its own, which is made in the background.

    One thread asks and hears; any other may `cancel`, or `attend`. Whether it is over
    may be said by any of them at any time, and is final. Only what is too long to leave
    at once needs another thread, so that it leaves while others are waited for.
    """

    def __init__(self, way: Way, talk: Talk) -> None:
        self._way, self._talk = way, talk
        self._socket: socket.socket | None = None
        self._line: Bare | None = None
        self._begun = False
        self._reached = Event()  # or cancelled
        self._using = Lock()  # of the line, and of what is said on it

    def ask(self, raw: bytes) -> None:
        """Send as much as leaves at once, and the rest in the background."""
        if not self._begun:
            self._begun = True
            self._begin()
        with self._using:
            self._talk.ask(raw)
            self._send(wait=False)
            behind = self._behind()
        if behind:  # others may be waited for before this reply is
            with contextlib.suppress(RuntimeError):  # no thread: it leaves in `hear`
                Thread(target=self._push, daemon=True).start()

    def hear(self) -> bytes:
        """The reply, or the end of it all."""
        talk = self._talk
        if talk.over is None:
            self._reached.wait()
        with self._using:
            while not (talk.replies or talk.over):
                self._send(wait=True)
                self._read(wait=True)
            if talk.replies:
                return talk.replies.popleft()
        end = talk.over
        assert end is not None
        raise Ended(end.code, end.text, end.said)

    def attend(self) -> None:
        """Answer what came while nothing is asked; waits for nobody."""
        if not self._using.acquire(blocking=False):
            return
        try:
            with contextlib.suppress(BlockingIOError):
                for _ in range(_LOOKS):
                    self._send(wait=False)
                    if self._line is None or self._line.kept > _KEPT:
                        return  # who does not read our answers asks no more
                    self._read(wait=False)
            self._send(wait=False)
        finally:
            self._using.release()

    def cancel(self) -> None:
        """End it now, from any thread: whoever waits for a reply hears of it."""
        code = grpc.StatusCode.CANCELLED
        self._talk.end(code, "Locally cancelled by application!")
        self._reached.set()
        if self._socket is not None:
            with contextlib.suppress(OSError):  # it is closed already
                self._socket.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """The same, and give back what it holds, once nobody waits."""
        self.cancel()
        with self._using:
            self._talk.replies.clear()  # nobody is to take them for an answer
            if self._line is not None and self._socket is not None:
                self._socket.close()

    def _begin(self) -> None:
        """Connect in the background."""
        try:
            Thread(target=self._reach, daemon=True).start()
        except RuntimeError as error:
            text = f"no thread for it on this machine: {error}"
            self._talk.end(grpc.StatusCode.RESOURCE_EXHAUSTED, text)
            self._reached.set()

    def _reach(self) -> None:
        """Connect, and send what is asked already; whoever hears waits for it."""
        try:
            line = self._way(self._hold)
        except Exception as error:  # also a name that is none
            self._talk.end(grpc.StatusCode.UNAVAILABLE, _unreached(error))
            self._drop()
        else:
            with self._using:
                self._line = line
                if self._talk.over is not None:
                    self._drop()
                self._send(wait=False)
        finally:
            self._reached.set()
        if self._behind():
            self._push()

    def _behind(self) -> bool:
        """Whether a part of what is asked has not left, and still may."""
        line, talk = self._line, self._talk
        return line is not None and talk.over is None and (line.kept > 0 or talk.held)

    def _push(self) -> None:
        """Until all that is asked has left; what comes meanwhile is kept for `hear`."""
        with self._using:
            while self._behind():
                self._send(wait=True)
                if self._talk.held:
                    self._read(wait=True)  # until windows open

    def _hold(self, line: socket.socket) -> None:
        """From now on it can be called off."""
        self._socket = line
        if self._talk.over is not None:
            raise ConnectionAbortedError("nobody wants it any more")

    def _drop(self) -> None:
        if self._socket is not None:
            self._socket.close()

    def _send(self, wait: bool) -> None:
        """What is to leave now, as far as windows let it."""
        if self._line is None or self._talk.over is not None:
            return
        try:
            raw = self._talk.leaving()
            if raw:
                self._line.write(raw)
            self._line.flush(wait)
        except OSError as error:
            self._broke(error)

    def _read(self, wait: bool) -> None:
        """A piece of what comes; `BlockingIOError` where nobody waits for one."""
        if self._line is None or self._talk.over is not None:
            return
        try:
            raw = self._line.read(wait)
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
