"""How a conversation reaches its partner: a socket of its own, and TLS on it."""

from __future__ import annotations

import os
import socket
import ssl
from collections.abc import Sequence
from contextlib import suppress

from bondline.remote.client.sealed import Sealed
from bondline.remote.client.straight import Straight, Way, Wire
from bondline.remote.client.talk import Talk
from bondline.remote.trust.tls import Credentials

_PATIENCE = 20.0  # s for a connection, as gRPC has it
_PROXIES = ("grpc_proxy", "https_proxy", "http_proxy")  # as gRPC looks for them,
_BUT = ("no_grpc_proxy", "no_proxy")  # and for whom it needs none
_HTTP2 = "h2"
# Somebody who is silent is asked by the kernel, so that no wall forgets the connection:
# s until then, s in between, and how often without an answer.
_ALIVE = (("TCP_KEEPIDLE", 10), ("TCP_KEEPINTVL", 10), ("TCP_KEEPCNT", 3))


def straight(
    address: str, secrets: Credentials | None, method: str, server_name: str = ""
) -> Straight:
    """A conversation with `host:port`, with the certificate that is in the file now."""
    secure = None if secrets is None else secrets.for_socket()
    talk = Talk("http" if secure is None else "https", server_name or address, method)
    return Straight(_way(address, secure, server_name), talk)


def _way(address: str, context: ssl.SSLContext | None, server_name: str) -> Way:
    """What connects, with TLS if there is a context."""
    host, _, port = address.rpartition(":")
    there = host.strip("[]"), int(port)

    def connect() -> Wire:
        line = socket.create_connection(there, _PATIENCE)
        try:
            _tune(line)
            if context is not None:
                sealed = Sealed(line, context, server_name or there[0])
                if sealed.protocol != _HTTP2:
                    raise ssl.SSLError("the server speaks no HTTP/2")
            line.settimeout(None)
        except BaseException:
            line.close()
            raise
        return line if context is None else sealed

    return connect


def _tune(line: socket.socket) -> None:
    line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    line.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in _ALIVE:
        with suppress(AttributeError, OSError):  # another system
            line.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)


def proxied(address: str) -> bool:
    """Whether gRPC would go there through a proxy, which it knows how to."""
    if not _said(_PROXIES):
        return False
    host = address.rpartition(":")[0].strip("[]")
    free = [name.strip() for name in _said(_BUT).split(",") if name.strip()]
    return not any(name == "*" or host.endswith(name) for name in free)


def _said(names: Sequence[str]) -> str:
    """The first of these variables that is set."""
    return next((found for n in names if (found := os.environ.get(n))), "")
