"""FT-21: messages that claim to be long, and replies that are."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager

import grpc
import pytest

from bondline.errors import ResourceLimit
from bondline.remote.client.dial import Dial
from bondline.remote.client.remote import remote_model
from bondline.remote.limits import MESSAGE
from bondline.remote.protocol import SERVICE
from bondline.remote.trust.tls import Credentials
from tests.chaos.conftest import Home
from tests.chaos.kills import LIMIT, Lives
from tests.chaos.test_crowds import most_memory
from tests.security.test_sec_17_floods import HEADERS, HELLO, frame

DATA, END_STREAM, END_HEADERS = 0, 1, 4


def field(name: bytes, value: bytes) -> bytes:
    """A header in HPACK, spelled out."""
    return b"\x00" + bytes([len(name)]) + name + bytes([len(value)]) + value


CALL = (
    b"\x83\x87"  # POST, https
    + field(b":path", f"/{SERVICE}/Describe".encode())
    + field(b":authority", b"localhost")
    + field(b"content-type", b"application/grpc")
    + field(b"te", b"trailers")
)


def claimed(length: int) -> bytes:
    """A call whose message has so many bytes, none of which follows."""
    prefix = b"\x00" + length.to_bytes(4, "big")
    return HELLO + frame(HEADERS, END_HEADERS, 1, CALL) + frame(DATA, 0, 1, prefix)


def answered(line: ssl.SSLSocket, patience: float) -> bool:
    """Whether the call came to its end."""
    line.settimeout(patience)
    told = b""
    try:
        while True:
            while len(told) < 9 or len(told) < 9 + int.from_bytes(told[:3], "big"):
                more = line.recv(65536)
                if not more:
                    return False
                told += more
            kind, flags = told[3], told[4]
            if kind == HEADERS and flags & END_STREAM:
                return True
            told = told[9 + int.from_bytes(told[:3], "big") :]
    except TimeoutError:
        return False


@pytest.mark.parametrize(("length", "refused"), [(100, False), (2**31 - 1, True)])
def test_two_gigabytes_that_are_only_claimed_are_refused_at_once(
    pendulum: Home,
    owner: Credentials,
    integrator: Credentials,
    length: int,
    refused: bool,
):
    """A hundred bytes are waited for: the positive control."""
    process, port = Lives(pendulum, owner, integrator).server()
    before = most_memory(process.pid or 0)
    context = ssl.create_default_context(cafile=str(integrator.ca))
    context.load_cert_chain(integrator.cert, integrator.key)
    context.set_alpn_protocols(["h2"])
    raw = socket.create_connection(("127.0.0.1", port), LIMIT)
    with closing(context.wrap_socket(raw, server_hostname="127.0.0.1")) as line:
        line.sendall(claimed(length))
        assert answered(line, LIMIT if refused else 0.5) == refused
    assert most_memory(process.pid or 0) - before < 64
    process.kill()
    process.join(LIMIT)


@contextmanager
def talkative(length: int) -> Iterator[tuple[int, list[bytes]]]:
    """A partner whose every answer has so many bytes; its port, and what was asked."""
    asked = list[bytes]()

    def describe(raw: bytes, _: grpc.ServicerContext) -> bytes:
        asked.append(raw)
        return bytes(length)

    handler = grpc.method_handlers_generic_handler(
        SERVICE, {"Describe": grpc.unary_unary_rpc_method_handler(describe)}
    )
    server = grpc.server(
        ThreadPoolExecutor(1), [handler], options=[("grpc.max_send_message_length", -1)]
    )
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    try:
        yield port, asked
    finally:
        server.stop(0).wait()


def test_a_reply_that_is_too_long_is_refused_once_and_said_so():
    with talkative(17 * MESSAGE) as (port, asked):
        line = Dial(f"127.0.0.1:{port}", None)
        with pytest.raises(ResourceLimit, match="too long for one of both") as told:
            remote_model("part", line, "part")
        line.close()
    assert told.value.exit_code == 60
    assert len(asked) == 1, "no time will mend that"
