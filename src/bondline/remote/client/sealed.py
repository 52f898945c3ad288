"""TLS on a socket, without a hand on it: whoever waits can be called off at any moment.

Python's own `SSLSocket` may wait in the middle of a record, also where it is told not
to wait, and asks the system twice for each. Here the socket carries bytes, and TLS sees
them in memory.
"""

from __future__ import annotations

import socket
import ssl

_PIECE = 65_536  # bytes that are read at a time


class Sealed:
    """A socket whose bytes are sealed; raises `OSError` as a socket does."""

    def __init__(
        self, line: socket.socket, context: ssl.SSLContext, server_name: str
    ) -> None:
        self._line = line
        self._came, self._leaves = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._tls = context.wrap_bio(
            self._came, self._leaves, server_hostname=server_name
        )
        self._greet()

    def _greet(self) -> None:
        """Until both sides trust each other."""
        while True:
            try:
                self._tls.do_handshake()
            except ssl.SSLWantReadError:
                self._flush()
                if not self._more():
                    raise ConnectionResetError("the connection was closed") from None
            except ssl.SSLError:
                self._flush()  # the other side hears why
                raise
            else:
                self._flush()
                return

    @property
    def protocol(self) -> str | None:
        """What is spoken inside, as both sides agreed."""
        return self._tls.selected_alpn_protocol()

    def recv(self, most: int) -> bytes:
        """Some bytes, as soon as there are any; none at the end."""
        while True:
            try:
                raw: bytes = self._tls.read(most)
            except ssl.SSLWantReadError:
                if not self._more():
                    return b""
            except ssl.SSLZeroReturnError:
                return b""
            else:
                return raw

    def sendall(self, raw: bytes) -> None:
        """All of it."""
        self._tls.write(raw)
        self._flush()

    def settimeout(self, seconds: float | None) -> None:
        """How long to wait; 0: not at all."""
        self._line.settimeout(seconds)

    def shutdown(self, how: int) -> None:
        """Call off whoever waits; nothing is said to the other side."""
        self._line.shutdown(how)

    def close(self) -> None:
        """Give the socket back."""
        self._line.close()

    def _more(self) -> bool:
        """Whether more came; waits for it."""
        raw = self._line.recv(_PIECE)
        self._came.write(raw)
        if self._leaves.pending:  # TLS may want to say something, too
            self._flush()
        return bool(raw)

    def _flush(self) -> None:
        if self._leaves.pending:
            self._line.sendall(self._leaves.read())
