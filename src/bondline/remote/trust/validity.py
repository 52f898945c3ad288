"""How long a connection may be used: as long as the certificates of both its ends.

TLS looks at certificates when a connection is made, and never again. So the server
looks at the clock before each request and each reply.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path

import grpc
from cryptography import x509

FOREVER = datetime.max.replace(tzinfo=UTC)


def now() -> datetime:
    """The wall clock: certificates know no other."""
    return datetime.now(UTC)


def of_peer(context: grpc.ServicerContext) -> datetime:
    """When the client's certificate runs out; never, where there is none."""
    pems = of_connection(context).get("x509_pem_cert", ())
    return min(map(_end, pems), default=FOREVER)


def of_connection(context: grpc.ServicerContext) -> Mapping[str, Iterable[bytes]]:
    """What TLS knows of the client; the stubs of gRPC have its type wrong."""
    return context.auth_context()  # type: ignore[return-value]


def of_file(path: Path) -> Callable[[], datetime]:
    """When the certificate that is in a file now runs out."""

    def end() -> datetime:
        try:
            return _end(path.read_bytes())
        except OSError:
            return FOREVER  # being replaced: the connection has the one before

    return end


def never() -> datetime:
    """Of an end without a certificate."""
    return FOREVER


def _end(pem: bytes) -> datetime:
    try:
        return x509.load_pem_x509_certificate(pem).not_valid_after_utc
    except ValueError:
        return FOREVER
