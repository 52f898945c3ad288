"""How a conversation reaches its partner, and what keeps the connection."""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from time import monotonic, sleep

import grpc
import pytest

from bondline.remote.client.connecting import proxied, straight
from bondline.remote.client.stream import Ended
from bondline.remote.trust.tls import Credentials
from tests.remote.conftest import ca, integrator, owner  # noqa: F401
from tests.remote.parrot import METHOD, exchange, parrot


@contextmanager
def listening(greet=lambda line: line) -> Iterator[str]:
    """Somebody who takes connections, greets them, and says nothing more."""
    with closing(socket.create_server(("127.0.0.1", 0))) as door, ExitStack() as kept:

        def take() -> None:
            with suppress(OSError):  # until the door is shut
                while True:
                    line, _ = door.accept()
                    kept.enter_context(closing(line))
                    kept.enter_context(closing(greet(line)))

        takes = threading.Thread(target=take, daemon=True)
        takes.start()
        yield f"127.0.0.1:{door.getsockname()[1]}"
        door.shutdown(socket.SHUT_RDWR)
        takes.join(10.0)


def ending(address: str, secrets: Credentials | None, name: str = "") -> Ended:
    """How a conversation ends that is none."""
    stream = straight(address, secrets, METHOD, name)
    with pytest.raises(Ended) as ended:
        exchange(stream, b"hello")
    stream.close()
    assert ended.value.code is grpc.StatusCode.UNAVAILABLE
    return ended.value


def test_both_sides_show_certificates(owner, integrator):  # noqa: F811
    with parrot(secrets=owner) as address:
        stream = straight(address, integrator, METHOD)
        for n in (1, 1000, 100_000):
            assert exchange(stream, b"ab" * n) == b"ba" * n
        stream.close()


def test_who_is_somebody_else_is_not_talked_to(owner, integrator):  # noqa: F811
    with parrot(secrets=owner) as address:
        text = ending(address, integrator, "somebody.else").text
        assert "handshake" in text
        assert "somebody.else" in text


def test_plain_and_sealed_ends_do_not_meet(owner, integrator):  # noqa: F811
    with parrot() as address:
        ending(address, integrator)
    with parrot(secrets=owner) as address:
        ending(address, None)


def test_who_speaks_no_http2_is_told_apart(owner, integrator):  # noqa: F811
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(owner.cert, owner.key)
    with listening(lambda line: context.wrap_socket(line, server_side=True)) as there:
        assert "no HTTP/2" in ending(there, integrator).text


@pytest.mark.parametrize("sealed", [True, False])
def test_who_waits_for_somebody_silent_can_be_called_off(sealed, integrator):  # noqa: F811
    """In the middle of a handshake, too."""
    with listening() as there:
        stream = straight(there, integrator if sealed else None, METHOD)
        off = threading.Timer(0.2, stream.cancel)
        off.start()
        with pytest.raises(Ended) as ended:
            exchange(stream, b"hello")
        assert ended.value.code is grpc.StatusCode.CANCELLED
        stream.close()


def test_a_name_that_is_none_is_told(integrator):  # noqa: F811
    assert ending("." * 300 + ":1", integrator).text


def alive(attended: bool, long: float = 1.5) -> bool:
    """Whether a quiet conversation is still there; its server asks all the time."""
    asking = (
        ("grpc.keepalive_time_ms", 200),
        ("grpc.keepalive_timeout_ms", 200),
        ("grpc.http2.ping_timeout_ms", 200),
        ("grpc.keepalive_permit_without_calls", 1),
    )
    with parrot(*asking) as address:
        stream = straight(address, None, METHOD)
        exchange(stream, b"hello")
        end = monotonic() + long
        while monotonic() < end:
            sleep(0.05)
            if attended:
                stream.attend()
        try:
            return exchange(stream, b"ab") == b"ba"
        except Ended:
            return False
        finally:
            stream.close()


def test_a_quiet_line_is_kept_by_whoever_attends_to_it():
    assert alive(attended=True)
    assert not alive(attended=False), "else this test says nothing"


@pytest.mark.parametrize(
    ("said", "by_proxy"),
    [
        ({}, False),
        ({"https_proxy": "http://proxy:3128"}, True),
        ({"grpc_proxy": "http://proxy:3128", "no_proxy": "oem.example"}, True),
        ({"https_proxy": "http://proxy:3128", "no_proxy": "other, .supplier"}, False),
        ({"http_proxy": "http://proxy:3128", "no_grpc_proxy": "*"}, False),
    ],
)
def test_whom_only_a_proxy_reaches_is_left_to_grpc(monkeypatch, said, by_proxy):
    for name in ("grpc_proxy", "https_proxy", "http_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    for name, value in said.items():
        monkeypatch.setenv(name, value)
    assert proxied("rails.supplier:7443") is by_proxy
