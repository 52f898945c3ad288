"""SEC-12: who has no certificate, or speaks an old TLS or none, is not served."""

from __future__ import annotations

import socket
import ssl
from contextlib import suppress

import pytest

from bondline.remote.host import Host
from bondline.remote.tls import Credentials
from tests.chaos.conftest import ca, integrator, owner
from tests.remote.conftest import serving

__all__ = ["ca", "integrator", "owner"]


@pytest.fixture
def port(owner: Credentials):
    with serving(Host({}), owner) as server:
        yield server.port


def greeted(port: int, mine: Credentials | None, most: ssl.TLSVersion) -> str:
    """The version of TLS in which the server begins to speak."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    context.set_alpn_protocols(["h2"])
    context.maximum_version = most
    if mine is not None:
        context.load_cert_chain(mine.cert, mine.key)
    with (
        socket.create_connection(("127.0.0.1", port), 10.0) as raw,
        context.wrap_socket(raw) as safe,
    ):
        if not safe.recv(1):
            raise ConnectionResetError
        return safe.version() or ""


def test_the_newest_version_is_taken(port, integrator):
    assert greeted(port, integrator, ssl.TLSVersion.MAXIMUM_SUPPORTED) == "TLSv1.3"
    assert greeted(port, integrator, ssl.TLSVersion.TLSv1_2) == "TLSv1.2"


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_an_old_version_is_refused(port, integrator):
    with pytest.raises((ssl.SSLError, ConnectionError)):
        greeted(port, integrator, ssl.TLSVersion.TLSv1_1)


def test_nobody_is_served_without_a_certificate(port):
    with pytest.raises((ssl.SSLError, ConnectionError)):
        greeted(port, None, ssl.TLSVersion.MAXIMUM_SUPPORTED)


def test_nobody_is_served_in_the_open(port):
    with socket.create_connection(("127.0.0.1", port), 10.0) as raw:
        raw.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes(9))
        with suppress(ConnectionResetError):
            assert not raw.recv(1024).startswith(b"\x00\x00")  # no frame of HTTP/2
