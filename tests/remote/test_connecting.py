"""How a conversation reaches its partner, and what keeps the connection."""

from __future__ import annotations

import socket
import ssl
import struct
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic, sleep

import grpc
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
)

from bondline.errors import SettingError
from bondline.remote.client import frames
from bondline.remote.client.connecting import proxied, straight
from bondline.remote.client.dial import Dial
from bondline.remote.client.frames import frame, settings
from bondline.remote.client.line import LineDown
from bondline.remote.client.sockets import Bare, Sealed
from bondline.remote.client.straight import Straight
from bondline.remote.client.stream import Ended
from bondline.remote.client.talk import Talk
from bondline.remote.limits import MESSAGE
from bondline.remote.protocol import SERVICE
from bondline.remote.trust.tls import Credentials
from tests.remote.conftest import ca, integrator, owner  # noqa: F401
from tests.remote.parrot import METHOD, SILENT, exchange, parrot


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


class Rude:
    """A server of TLS that says who it is, and will not hear what that is worth."""

    def __init__(self, line: socket.socket, secrets: Credentials) -> None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(secrets.cert, secrets.key)
        self._came, self._leaves = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._tls = context.wrap_bio(self._came, self._leaves, server_side=True)
        self._line = line

    def greet(self) -> None:
        self._came.write(self._line.recv(65_536))
        with suppress(ssl.SSLWantReadError):
            self._tls.do_handshake()
        self._line.shutdown(socket.SHUT_RD)  # from now on nothing can be sent to it
        self._line.sendall(self._leaves.read())


def test_why_nobody_is_trusted_is_told_also_if_the_other_end_has_left(owner):  # noqa: F811
    ours, theirs = socket.socketpair()
    with ours, theirs:
        rude = threading.Thread(target=Rude(theirs, owner).greet)
        rude.start()
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # trusts nobody
        with pytest.raises(ssl.SSLCertVerificationError):
            Sealed(ours, context, "localhost").greet()
        rude.join(10.0)


@pytest.mark.parametrize("sealed", [True, False])
def test_who_waits_for_somebody_silent_can_be_called_off(sealed, integrator):  # noqa: F811
    """In the middle of a handshake, too; and the other end hears of it."""
    gone = threading.Event()

    def until_it_goes(line: socket.socket) -> socket.socket:
        while line.recv(1000):
            pass
        gone.set()
        return line

    with listening(until_it_goes) as there:
        stream = straight(there, integrator if sealed else None, METHOD)
        off = threading.Timer(0.2, stream.cancel)
        off.start()
        with pytest.raises(Ended) as ended:
            exchange(stream, b"hello")
        assert ended.value.code is grpc.StatusCode.CANCELLED
        assert gone.wait(10.0)
        stream.close()


def test_a_request_leaves_as_soon_as_somebody_is_reached(owner, integrator):  # noqa: F811
    """Not when it is waited for: others may be waited for before."""
    with parrot(secrets=owner) as address:
        SILENT.clear()
        stream = straight(address, integrator, METHOD)
        stream.ask(b"silence")
        assert SILENT.wait(10.0)
        stream.close()


def narrow(address: str) -> Straight:
    """On a line that takes little at a time."""

    def way(hold) -> Bare:
        host, port = address.split(":")
        line = socket.create_connection((host, int(port)))
        line.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 10_000)
        hold(line)
        return Bare(line)

    return Straight(way, Talk("http", address, METHOD))


@pytest.mark.parametrize("known", [True, False])
def test_a_long_request_leaves_while_others_are_waited_for(known):
    with parrot() as address:
        stream = narrow(address)
        if known:
            exchange(stream, b"hello")
        SILENT.clear()
        stream.ask(b"silence" + bytes(MESSAGE // 2))
        assert SILENT.wait(10.0)
        stream.close()


@contextmanager
def no_more_threads() -> Iterator[None]:
    """Each would need more memory than a machine can have."""
    before = threading.stack_size(2**47)
    try:
        yield
    finally:
        threading.stack_size(before)


def test_where_there_are_no_threads_nobody_is_reached_and_it_is_told():
    with parrot(method=f"/{SERVICE}/Converse") as address:
        line = Dial(address, None)
        for _ in range(2):
            with no_more_threads(), pytest.raises(LineDown) as down:
                line.exchange(b"ab", 5.0)
            assert down.value.cause == "full"
            assert "no thread" in down.value.detail
            assert not down.value.final
        assert line.exchange(b"ab", 5.0) == b"ba", "once there are some again"
        line.hang_up()
        with no_more_threads(), pytest.raises(LineDown) as down:
            line.exchange(b"ab", 5.0)
        assert down.value.cause == "full"
        assert line.exchange(b"ab", 5.0) == b"ba"
        line.close()


@pytest.mark.parametrize("size", [1, MESSAGE // 4])
def test_who_is_reached_needs_no_threads(size):
    with parrot() as address:
        stream = narrow(address)
        exchange(stream, b"hello")
        with no_more_threads():
            assert exchange(stream, b"ab" * size) == b"ba" * size
        stream.close()


WIDE = settings((frames.ROOM, frames.WIDEST)) + frames.update(0, 2**30)


def deaf(line: socket.socket, windows: bytes = WIDE) -> socket.socket:
    """Lets us send all that we like, if its windows do, and reads nothing."""
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 10_000)
    line.sendall(windows)
    return line


def test_who_does_not_read_holds_nobody_up():
    with listening(deaf) as there:
        line = Dial(there, None)
        with pytest.raises(LineDown) as down:
            line.exchange(b"a" * MESSAGE, 0.3)
        assert down.value.cause == "hung"
        line.close()


def going(line: socket.socket) -> socket.socket:
    """Says why it goes, in words that mean something else elsewhere, and goes."""
    why = struct.pack(">II", 1, 11) + b"certificate refused"
    line.sendall(settings() + frame(frames.GOAWAY, 0, 0, why))
    line.shutdown(socket.SHUT_WR)
    return line


def test_why_the_other_end_goes_is_told_to_people_and_nothing_follows_from_it():
    with listening(going) as there:
        line = Dial(there, None)
        with pytest.raises(LineDown) as down:
            line.exchange(b"a", 5.0)
        assert down.value.cause == "reset"
        told = (
            "the connection was closed; it said ENHANCE_YOUR_CALM certificate refused"
        )
        assert down.value.detail == told
        line.close()


@pytest.mark.parametrize("windows", [WIDE, settings()])
def test_what_cannot_leave_can_be_called_off(windows):
    with listening(lambda line: deaf(line, windows)) as there:
        stream = straight(there, None, METHOD)
        stream.ask(b"a")
        assert stream._reached.wait(10.0)
        stream.ask(b"a" * MESSAGE)
        off = threading.Thread(target=stream.close, daemon=True)
        off.start()
        off.join(10.0)
        assert not off.is_alive()
        with pytest.raises(Ended) as ended:
            stream.hear()
        assert ended.value.code is grpc.StatusCode.CANCELLED


def test_whoever_attends_does_not_wait_for_a_slow_line():
    with listening(deaf) as there:
        stream = straight(there, None, METHOD)
        stream.ask(b"a" * MESSAGE)
        for _ in range(50):
            stream.attend()
        assert stream._talk.over is None
        stream.close()


PINGS = 1000 * frame(frames.PING, 0, 0, b"12345678")


def pinged(line: socket.socket, before: int) -> int:
    """How many bytes of pings a line has taken, when it takes no more."""
    with suppress(BlockingIOError):
        while True:
            at = before % len(PINGS)
            before += line.send(PINGS[at:], socket.MSG_DONTWAIT)
    return before


def came(line: socket.socket) -> int:
    """How many bytes have come."""
    with suppress(BlockingIOError):
        return len(line.recv(10**6, socket.MSG_DONTWAIT))
    return 0


def test_who_reads_no_answers_is_not_listened_to_until_it_does():
    """Else it would fill our memory with them."""
    ours, theirs = socket.socketpair()
    stream = Straight(lambda hold: Bare(ours), Talk("http", "there:1", METHOD))
    with ours, theirs:
        stream.ask(b"")
        assert stream._reached.wait(10.0)
        while came(theirs):
            pass
        first = asked = pinged(theirs, 0)
        for _ in range(30):
            stream.attend()
            asked = pinged(theirs, asked)
        assert asked < 5 * first
        answered = 0
        while answered < asked // 17 * 17 and stream._talk.over is None:
            stream.attend()
            answered += came(theirs)
        assert answered == asked // 17 * 17, "an answer is as long as a ping"
        stream.close()


def test_a_line_that_nobody_uses_is_attended_to():
    """A server that asks after 1.5 s who is there, and waits for as long."""
    asking = (
        ("grpc.keepalive_time_ms", 1500),
        ("grpc.keepalive_timeout_ms", 1500),
        ("grpc.http2.ping_timeout_ms", 1500),
    )
    with parrot(*asking, method=f"/{SERVICE}/Converse") as address:
        line = Dial(address, None)
        assert line.exchange(b"ab", 5.0) == b"ba"
        stream = line._stream
        threading.Event().wait(4.0)
        assert line.exchange(b"abc", 5.0) == b"cba"
        assert line._stream is stream, "the very same"
        line.close()


def test_files_may_have_comments(owner, integrator, tmp_path):  # noqa: F811
    ca, ours = tmp_path / "ca.pem", integrator.ca.read_text()  # noqa: F811
    ca.write_text(f"Subject: CN = Müller\n{ours}", encoding="utf-8")
    with parrot(secrets=owner) as address:
        stream = straight(address, replace(integrator, ca=ca), METHOD)
        assert exchange(stream, b"ab") == b"ba"
        stream.close()


def test_a_key_that_is_too_weak_is_told(integrator, tmp_path):  # noqa: F811
    secrets = weak(tmp_path, integrator.ca)
    with pytest.raises(SettingError) as error:
        straight("127.0.0.1:1", secrets, METHOD)
    assert error.value.place == str(secrets.cert)
    assert "too small" in error.value.finding


def weak(folder: Path, authority: Path) -> Credentials:
    """A key of 1,024 bits, and a certificate that it signs itself."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=1024)
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "weak")])
    today = datetime.now(UTC)
    made = x509.CertificateBuilder(name, name, key.public_key(), 1, today, today)
    cert, own = folder / "weak.pem", folder / "weak.key"
    cert.write_bytes(made.sign(key, hashes.SHA256()).public_bytes(Encoding.PEM))
    kind = (Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    own.write_bytes(key.private_bytes(*kind))
    own.chmod(0o600)
    return Credentials(cert, own, authority)


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
