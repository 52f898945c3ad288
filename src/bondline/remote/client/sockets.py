"""Sockets on which nobody has to wait, plain and with TLS.

Whoever waits for one can be called off at any moment, and what cannot leave at once is
kept. Python's own `SSLSocket` may wait in the middle of a record, and asks the system
twice for each; here TLS sees bytes in memory only.
"""

from __future__ import annotations

import socket
import ssl
from contextlib import suppress
from itertools import count

_PIECE = 65_536  # bytes that are read at a time
_EMPTY = 16  # pieces without any content that are looked through
_NOW = getattr(socket, "MSG_DONTWAIT", 0)


class Bare:
    """A socket that keeps what does not leave at once; raises `OSError`."""

    def __init__(self, line: socket.socket) -> None:
        self._line, self._left = line, b""

    @property
    def kept(self) -> int:
        """Bytes that have not left."""
        return len(self._left)

    def read(self, wait: bool) -> bytes:
        """Some bytes, none at the end; `BlockingIOError`: nothing is there yet."""
        return self._line.recv(_PIECE, 0 if wait else _NOW)

    def write(self, raw: bytes) -> None:
        """Keep it for `flush`."""
        self._left += raw

    def flush(self, wait: bool) -> None:
        """Send what is kept: all of it, or as much as leaves at once."""
        if wait and self._left:
            left, self._left = self._left, b""
            self._line.sendall(left)
        elif self._left:
            try:
                sent = self._line.send(self._left, _NOW)
            except BlockingIOError:
                return
            self._left = self._left[sent:]


class Sealed(Bare):
    """The same with TLS."""

    def __init__(
        self, line: socket.socket, context: ssl.SSLContext, server_name: str
    ) -> None:
        super().__init__(line)
        self._came, self._leaves = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._tls = context.wrap_bio(
            self._came, self._leaves, server_hostname=server_name
        )

    def greet(self) -> str | None:
        """Until both sides trust each other; what is to be spoken inside."""
        while True:
            try:
                self._tls.do_handshake()
            except ssl.SSLWantReadError:
                if not self._bring(wait=True):
                    raise ConnectionResetError("the connection was closed") from None
            except ssl.SSLError:
                with suppress(OSError):  # who left already does not hear why; we say it
                    self._seal(wait=True)
                raise
            else:
                self._seal(wait=True)
                return self._tls.selected_alpn_protocol()

    def read(self, wait: bool) -> bytes:
        """Some bytes; records without any are nothing, for who does not wait."""
        for _ in count() if wait else range(_EMPTY):
            try:
                return bytes(self._tls.read(_PIECE))
            except ssl.SSLZeroReturnError:
                return b""
            except ssl.SSLWantReadError:
                if not self._bring(wait):
                    return b""
        raise BlockingIOError

    def write(self, raw: bytes) -> None:
        """Seal it, and keep it for `flush`."""
        self._tls.write(raw)
        super().write(self._leaves.read())

    def _bring(self, wait: bool) -> bool:
        """More for TLS to see, unless it is the end; it may have to say something."""
        self._seal(wait)
        raw = super().read(wait)
        self._came.write(raw)
        return bool(raw)

    def _seal(self, wait: bool) -> None:
        super().write(self._leaves.read())
        self.flush(wait)
