"""How a conversation reaches its partner: a socket of its own, and TLS on it."""

from __future__ import annotations

import os
import socket
import ssl
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from bondline.remote.client.sockets import Bare, Sealed
from bondline.remote.client.straight import Straight, Way
from bondline.remote.client.talk import Talk
from bondline.remote.trust.address import there
from bondline.remote.trust.tls import Credentials

_PATIENCE = 20.0  # s for a connection, and for each word of a handshake
_EACH = 3.0  # s for each address of a name that has several
# As gRPC looks for proxies, and for whom it needs none.
_PROXIES = ("grpc_proxy", "https_proxy", "http_proxy")
_NO_PROXY = ("no_grpc_proxy", "no_proxy")
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
    host, port = there(address)

    def connect(hold: Callable[[socket.socket], None]) -> Bare:
        line = _connected(host, port)
        hold(line)
        _tune(line)
        if context is None:
            found = Bare(line)
        else:
            found = Sealed(line, context, server_name or host)
            if found.greet() != _HTTP2:
                raise ssl.SSLError(1, "the server speaks no HTTP/2")
        line.settimeout(None)
        return found

    return connect


def _connected(host: str, port: int) -> socket.socket:
    """To the first address of the name that answers."""
    every = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    patience = _PATIENCE if len(every) == 1 else _EACH
    for *_, where in every[:-1]:
        with suppress(OSError):
            return _to(where, patience)
    return _to(every[-1][-1], patience)


def _to(where: tuple[Any, ...], patience: float) -> socket.socket:
    line = socket.create_connection(where[:2], patience)
    line.settimeout(_PATIENCE)
    return line


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
    host, _ = there(address)
    free = [name.strip() for name in _said(_NO_PROXY).split(",") if name.strip()]
    return not any(name == "*" or host.endswith(name) for name in free)


def _said(names: Sequence[str]) -> str:
    """The first of these variables that is set."""
    return next((found for n in names if (found := os.environ.get(n))), "")
