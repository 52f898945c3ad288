"""SEC-17: who has a certificate and floods a server with HTTP/2 is in nobody's way.

The frames are made by hand, and what comes back is not read: answers to pings and
settings must not pile up either.
"""

from __future__ import annotations

import socket
import ssl
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from queue import SimpleQueue
from threading import Event, Thread
from time import monotonic

import pytest

from bondline.leaves import chain
from bondline.remote.client.dial import Dial
from bondline.remote.client.remote import remote_model
from bondline.remote.owner.memory import resident, watch
from bondline.remote.owner.served import Served
from bondline.remote.trust.tls import Credentials
from tests.chaos.test_crowds import most_memory
from tests.chaos.test_memory import Going
from tests.remote.conftest import ca, integrator, owner, supply  # noqa: F401
from tests.remote.test_serve_command import LIMIT, flags, served
from tests.security.test_sec_17_lines import dropped

WINDOWS = 200  # of somebody else, during a flood
ENOUGH = 100_000  # bytes, that it was one
CALL = b"\x83\x87\x84\x41\x01a"  # POST https / of a, in HPACK
FIELD = b"\x40\x01a\x7f\x01" + 128 * b"b"  # a header, to be remembered


def frame(kind: int, flags: int, stream: int, payload: bytes = b"") -> bytes:
    head = len(payload).to_bytes(3, "big") + bytes([kind, flags])
    return head + stream.to_bytes(4, "big") + payload


HEADERS, RESET, SETTINGS, PING, CONTINUATION = 1, 3, 4, 6, 9
HELLO = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(SETTINGS, 0, 0)


def resets() -> Iterator[bytes]:
    """Rapid reset: streams that are opened and dropped (CVE-2023-44487)."""
    for stream in range(1, 2**30, 2):
        cancel = (8).to_bytes(4, "big")
        yield frame(HEADERS, 4, stream, CALL) + frame(RESET, 0, stream, cancel)


def streams() -> Iterator[bytes]:
    """More streams than anybody may have."""
    for stream in range(1, 2**30, 2):
        yield frame(HEADERS, 4, stream, CALL)


def settings() -> Iterator[bytes]:
    while True:
        yield frame(SETTINGS, 0, 0, b"\x00\x04\x00\x00\xff\xff")


def pings() -> Iterator[bytes]:
    while True:
        yield frame(PING, 0, 0, b"12345678")


def continuations() -> Iterator[bytes]:
    """Headers that never end."""
    yield frame(HEADERS, 0, 1, CALL)
    while True:
        yield frame(CONTINUATION, 0, 1, 100 * FIELD)


FLOODS = (resets, streams, settings, pings, continuations)
MEMORY = 100.0  # MB that they may take
GROWTH = 64  # MiB, after which a server drops who brings most
LATE = 250.0  # MB that come on until it has noticed
BOUNDED = ("--max-growth", GROWTH)


@dataclass
class Tally:
    """What a flood has come to, and whether it is over."""

    sent: int = 0  # bytes that the server took
    over: Event = field(default_factory=Event)


def flood(
    address: str,
    secrets: Credentials,
    frames,
    long: float,
    tally: Tally | None = None,
) -> int:
    """Bytes that the server took; again from the start whenever it hangs up."""
    tally = tally or Tally()
    context = ssl.create_default_context(cafile=str(secrets.ca))
    context.load_cert_chain(secrets.cert, secrets.key)
    context.set_alpn_protocols(["h2"])
    host, _, port = address.partition(":")
    end = monotonic() + long
    while monotonic() < end and not tally.over.is_set():
        try:
            raw = socket.create_connection((host, int(port)), 1.0)
            with closing(context.wrap_socket(raw, server_hostname=host)) as line:
                line.sendall(HELLO)
                for each in frames():
                    line.sendall(each)
                    tally.sent += len(each)
                    if monotonic() > end or tally.over.is_set():
                        break
        except OSError:  # it hung up, or reads no more
            continue
    return tally.sent


def served_meanwhile(going: Going, wet: Future[int]) -> None:
    """Somebody else goes on until a flood is over."""
    while not wet.done():
        going(1)


@pytest.mark.quick(2)
@pytest.mark.parametrize("frames", FLOODS)
def test_a_flood_of_frames_is_in_nobodys_way(
    tmp_path: Path,
    owner: Credentials,  # noqa: F811
    integrator: Credentials,  # noqa: F811
    frames,
):
    """So many windows to the right bits, in its session, while the flood lasts. How
    fast they are is told by benchmarks/bench_floods.py: that depends on the machine."""
    tally = Tally()
    with (
        ThreadPoolExecutor(1) as pool,
        served(tmp_path, "chain", *flags(owner), *BOUNDED) as (address, process),
    ):
        part = remote_model("chain", Dial(address, integrator), "chain")
        going = Going(part)
        going(5)
        before = most_memory(process.pid)
        wet = pool.submit(flood, address, integrator, frames, LIMIT, tally)
        while not wet.done() and (going.n < WINDOWS or tally.sent < ENOUGH):
            going(1)
        assert not wet.done(), "the flood lasts"
        tally.over.set()
        wet.result(LIMIT)
        took = most_memory(process.pid) - before
        assert going(1) == Going(chain("chain"))(going.n)
        assert part.link.recoveries == 0, "the session was never lost"
        part.close()
    assert took < (MEMORY if frames is not continuations else 1.05 * GROWTH + LATE)


@pytest.mark.full
def test_headers_that_never_end_take_only_so_much_memory(
    tmp_path: Path,
    owner: Credentials,  # noqa: F811
    integrator: Credentials,  # noqa: F811
):
    """From four at a time, for long: without a limit it was half a gigabyte here."""
    with (
        served(tmp_path, "chain", *flags(owner), *BOUNDED) as (address, process),
        ThreadPoolExecutor(4) as pool,
    ):
        part = remote_model("chain", Dial(address, integrator), "chain")
        going = Going(part)
        going(5)
        before = most_memory(process.pid)
        given = (address, integrator, continuations, 12.0)
        wet = [pool.submit(flood, *given) for _ in range(4)]
        for each in wet:
            served_meanwhile(going, each)
        assert sum(each.result(LIMIT) for each in wet) > 1e8, "it was a flood"
        assert going.n > WINDOWS, "it was in nobody's way"
        assert going(1) == Going(chain("chain"))(going.n)
        assert part.link.recoveries == 0, "the session was never lost"
        part.close()
        assert most_memory(process.pid) - before < 1.05 * GROWTH + LATE


def test_where_all_are_quiet_all_are_dropped_and_sessions_go_on(supply):  # noqa: F811
    there = supply({"chain": Served("chain", lambda: chain("chain"))})
    part = there.model("chain")
    going = Going(part)
    going(5)
    place = ("127.0.0.1", there.server.port)
    with socket.create_connection(place, LIMIT) as other:
        there.server.shed()
        assert dropped(other)
        assert going(5) == Going(chain("chain"))(10)
    assert (part.link.recoveries, part.link.retries > 0) == (0, True)
    part.close()


def test_memory_that_comes_on_is_noticed_and_what_stays_is_not_counted_again():
    over, shed = Event(), SimpleQueue[int]()
    kept = []

    def watched() -> None:
        watch(32 * 2**20, over, lambda: shed.put(resident()))

    looking = Thread(target=watched)
    looking.start()
    while shed.empty():
        kept.append(bytearray(b"x" * 2**20))
        over.wait(0.01)
    assert len(kept) >= 20
    shed.get()
    over.wait(0.5)  # two more looks
    assert shed.empty(), "once"
    over.set()
    looking.join(LIMIT)


def test_what_cannot_be_dropped_now_is_dropped_at_the_next_look():
    over, asked, kept = Event(), [], []

    def shed() -> None:
        asked.append(len(kept))
        if len(asked) > 1:
            over.set()
        raise OSError(24, "Too many open files")

    looking = Thread(target=watch, args=(32 * 2**20, over, shed))
    looking.start()
    while not over.is_set():
        kept.append(bytearray(b"x" * 2**20))
        over.wait(0.01)
    looking.join(LIMIT)
    assert len(asked) == 2
