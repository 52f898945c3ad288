"""Somebody who comes and leaves, at any moment and in any way.

As a process of its own it says so at every visit, until somebody kills it:
python -m tests.chaos.leaver ADDRESS CERT KEY CA SEED
"""

from __future__ import annotations

import contextlib
import random
import socket
import ssl
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from secrets import token_hex
from threading import Timer

import grpc

from bondline.remote import bondline_pb2 as pb
from bondline.remote.client.connecting import straight
from bondline.remote.client.stream import Ended, Iterated, Stream
from bondline.remote.protocol import SERVICE, spoken
from bondline.remote.trust.tls import Credentials
from tests.security.test_sec_17_floods import HEADERS, HELLO, frame

METHOD = f"/{SERVICE}/Converse"
DATA = 0
PATIENCE = 20.0  # s, for a reply
WINDOWS = 500  # of an impulse response, which takes a while


class Silent(AssertionError):
    """No reply came in time: somebody has harmed the server."""


class Leaver:
    """Visits one server; every number is the seed's."""

    def __init__(self, address: str, secrets: Credentials, seed: int) -> None:
        self.address, self.secrets = address, secrets
        self.random = random.Random(seed)
        self.visits: dict[str, int] = {}
        self._channel: grpc.Channel | None = None

    def visit(self) -> None:
        """One of the ways, by chance."""
        way = self.random.choice(WAYS)
        self.visits[way.__name__] = self.visits.get(way.__name__, 0) + 1
        try:
            with contextlib.suppress(Ended, OSError):
                way(self)
        except grpc.RpcError as error:
            if error.code() is grpc.StatusCode.DEADLINE_EXCEEDED:
                raise Silent from error

    def close(self) -> None:
        if self._channel is not None:
            self._channel.close()
        self._channel = None

    def channel(self) -> grpc.Channel:
        if self._channel is None:
            own = [("grpc.use_local_subchannel_pool", 1)]
            secure = self.secrets.for_channel()
            self._channel = grpc.secure_channel(self.address, secure, own)
        return self._channel

    def stream(self) -> Stream:
        """On a connection of its own, or of gRPC's."""
        if self.random.random() < 0.5:
            return straight(self.address, self.secrets, METHOD)
        return Iterated(self.channel(), METHOD)

    def talked(self) -> tuple[Stream, bytes]:
        """A stream with some requests answered, and the one that comes next."""
        stream, session = self.stream(), pb.Opened()
        many = self.random.randint(0, 2)
        for k in range(many):
            stream.ask(_request(k, session))
            reply = pb.Reply.FromString(heard(stream))
            session = reply.opened if reply.HasField("opened") else session
        return stream, _request(many, session)


def heard(stream: Stream) -> bytes:
    """The reply; raises `Silent`."""
    late = Timer(PATIENCE, stream.cancel)
    late.start()
    try:
        return stream.hear()
    except Ended as end:
        if end.code is grpc.StatusCode.CANCELLED:
            raise Silent from end
        raise
    finally:
        late.cancel()


def _request(ask: int, session: pb.Opened) -> bytes:
    """Open, start, then work."""
    request = pb.Request(session=session.session, epoch=session.epoch, sequence=ask)
    if ask == 0:
        name = token_hex(8)
        request.open.CopyFrom(pb.Open(version=spoken(), coordinator=name))
    elif ask == 1:
        request.start.CopyFrom(pb.Start(t0=0.0, result=1))
    else:
        starts = [1e-3 * n for n in range(WINDOWS)]
        block = pb.Block(starts=starts, ends=[t + 1e-3 for t in starts])
        request.impulse.CopyFrom(pb.Ring(state=1, block=block, powers=1))
    return request.SerializeToString()


def after_a_reply(one: Leaver) -> None:
    """Or before the first request."""
    stream, _ = one.talked()
    stream.close()


def while_it_computes(one: Leaver) -> None:
    stream, work = one.talked()
    stream.ask(work)
    stream.close()


def with_the_channel(one: Leaver) -> None:
    stream, work = one.talked()
    if one.random.random() < 0.5:
        stream.ask(work)
    one.close()
    stream.close()  # our own end of it: what is not heard of keeps the connection


def politely(one: Leaver) -> None:
    """No more requests: the server ends it; or nobody listens to its replies."""
    asked = [_request(k, pb.Opened()) for k in range(one.random.randint(0, 3))]
    talk = one.channel().stream_stream(METHOD)
    replies = talk(iter(asked), timeout=PATIENCE)
    for _ in range(one.random.randint(0, len(asked) + 1)):
        next(replies, None)
    replies.cancel()


def half_way(one: Leaver) -> None:
    """After so many bytes of a conversation."""
    sent = _bytes(one.address)[: one.random.randint(len(HELLO), len(_bytes("")) + 40)]
    context = ssl.create_default_context(cafile=str(one.secrets.ca))
    context.load_cert_chain(one.secrets.cert, one.secrets.key)
    context.set_alpn_protocols(["h2"])
    host, _, port = one.address.partition(":")
    raw = socket.create_connection((host, int(port)), 10.0)
    with closing(context.wrap_socket(raw, server_hostname=host)) as line:
        line.sendall(sent)
        if one.random.random() < 0.5:
            line.recv(100)


WAYS: tuple[Callable[[Leaver], None], ...] = (
    after_a_reply,
    while_it_computes,
    with_the_channel,
    politely,
    half_way,
)


def _bytes(address: str) -> bytes:
    """A conversation by hand: headers, and two messages in pieces."""

    def text(value: str) -> bytes:
        return bytes([len(value)]) + value.encode()

    head = b"\x83\x87\x04" + text(METHOD) + b"\x01" + text(address)
    head += b"\x0f\x10" + text("application/grpc") + b"\x00" + text("te")
    head += text("trailers")
    raw = _request(0, pb.Opened())
    message = b"\x00" + len(raw).to_bytes(4, "big") + raw
    pieces = [message[:7], message[7:], message, message[:20]]
    told = [frame(DATA, 0, 1, piece) for piece in pieces]
    return HELLO + frame(HEADERS, 4, 1, head) + b"".join(told)


def main() -> None:
    address, *files, seed = sys.argv[1:]
    one = Leaver(address, Credentials(*map(Path, files)), int(seed))
    while True:
        print("here", flush=True)
        one.visit()


if __name__ == "__main__":
    main()
