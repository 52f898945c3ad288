"""Both ways to listen over gRPC do the same, also where a conversation ends."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import grpc
import pytest

from bondline.remote.client.stream import Ended, converse
from bondline.remote.owner.stream import Direct, Iterated, Talk, listen

METHOD = "/parrot/Talk"


@dataclass
class Parrot:
    """Says everything backwards; knows how its conversations ended."""

    way: Callable[[Iterator[bytes], grpc.ServicerContext], Talk]
    heard: list[bytes] = field(default_factory=list)
    over: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))
    works: threading.Event = field(default_factory=threading.Event)  # on "slow"
    done: threading.Event = field(default_factory=threading.Event)

    def talk(
        self, requests: Iterator[bytes], context: grpc.ServicerContext
    ) -> Iterator[bytes]:
        talk = self.way(requests, context)
        try:
            for raw in talk:
                self.heard.append(raw)
                if raw == b"abort":
                    context.abort(grpc.StatusCode.UNAUTHENTICATED, "who are you")
                if raw == b"slow":
                    self.works.set()
                    self.done.wait(10.0)
                yield from talk.reply(raw[::-1])
                if raw == b"last":
                    return
        finally:
            self.over.release()


WAYS = {
    "direct": lambda requests, context: Direct(context, 10.0),
    "iterated": lambda requests, context: Iterated(requests, context, 10.0),
}


@pytest.fixture(params=WAYS)
def parrot(request) -> Parrot:
    return Parrot(WAYS[request.param])


@contextmanager
def serving(parrot: Parrot) -> Iterator[tuple[grpc.Server, grpc.Channel]]:
    server = grpc.server(ThreadPoolExecutor(4))
    handler = grpc.stream_stream_rpc_method_handler(parrot.talk)
    server.add_generic_rpc_handlers(
        (grpc.method_handlers_generic_handler("parrot", {"Talk": handler}),)
    )
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
        yield server, channel
    assert server.stop(None).wait(10.0), "gRPC waits for something that is never heard"


@pytest.fixture
def served(parrot) -> Iterator[tuple[grpc.Server, grpc.Channel]]:
    with serving(parrot) as both:
        yield both


def forgotten(server: Any) -> bool:
    """Whether gRPC has forgotten all conversations: else it keeps them for ever."""
    for _ in range(1000):
        with server._state.lock:
            if not server._state.rpc_states:
                return True
        threading.Event().wait(0.01)
    return False


def test_replies_come_one_by_one(served, parrot) -> None:
    server, channel = served
    stream = converse(channel, METHOD)
    for n in (0, 1, 100_000):
        stream.ask(b"ab" * n)
        assert stream.hear() == b"ba" * n
    stream.close()
    assert parrot.over.acquire(timeout=10.0)
    assert forgotten(server)


def test_the_quicker_way_is_the_one_that_is_used() -> None:
    ways: list[Talk] = []

    def noting(requests: Iterator[bytes], context: grpc.ServicerContext) -> Talk:
        ways.append(listen(requests, context, 10.0))
        return ways[-1]

    with serving(Parrot(noting)) as (server, channel):
        stream = converse(channel, METHOD)
        stream.ask(b"hello")
        assert stream.hear() == b"olleh"
        stream.close()
        assert forgotten(server)
    assert [type(way) for way in ways] == [Direct]


class Changed:
    """A context of another release of gRPC: nothing of its inside is where it was."""

    def cancel(self) -> None: ...


def test_where_grpc_has_changed_the_public_way_serves() -> None:
    talk = listen(iter([b"hello"]), Changed(), 10.0)  # type: ignore[arg-type]
    assert list(talk) == [b"hello"]
    assert list(talk.reply(b"olleh")) == [b"olleh"]


@pytest.mark.parametrize("way", [Direct, Iterated])
def test_who_asks_for_nothing_gives_the_thread_back(way) -> None:
    """Also by the public way, whose own wait has no end."""

    def soon(requests: Iterator[bytes], context: grpc.ServicerContext) -> Talk:
        if way is Direct:
            return Direct(context, 0.2)
        return Iterated(requests, context, 0.2)

    with serving(Parrot(soon)) as (server, channel):
        stream = converse(channel, METHOD)
        with pytest.raises(Ended):
            stream.hear()
        assert forgotten(server)
        stream = converse(channel, METHOD)
        stream.ask(b"hello")
        assert stream.hear() == b"olleh"
        threading.Event().wait(0.4)  # later than it had to begin
        stream.ask(b"again")
        assert stream.hear() == b"niaga"
        stream.close()
        assert forgotten(server)


def test_the_last_reply_arrives_before_the_end(served, parrot) -> None:
    server, channel = served
    stream = converse(channel, METHOD)
    stream.ask(b"last")
    assert stream.hear() == b"tsal"
    stream.ask(b"more")
    with pytest.raises(Ended) as ended:
        stream.hear()
    assert ended.value.code is grpc.StatusCode.OK
    assert parrot.heard == [b"last"]
    assert forgotten(server)


def test_an_abort_is_told_with_its_reason(served) -> None:
    server, channel = served
    stream = converse(channel, METHOD)
    for word in (b"hello", b"abort"):
        stream.ask(word)
        if word == b"hello":
            stream.hear()
    with pytest.raises(Ended) as ended:
        stream.hear()
    assert ended.value.code is grpc.StatusCode.UNAUTHENTICATED
    assert ended.value.text == "who are you"
    assert forgotten(server)


def test_who_asks_no_more_ends_it(served, parrot) -> None:
    server, channel = served
    replies = channel.stream_stream(METHOD)(iter([b"ab", b"cd"]))
    assert list(replies) == [b"ba", b"dc"]
    assert parrot.over.acquire(timeout=10.0)
    assert forgotten(server)


def test_who_leaves_ends_it(served, parrot) -> None:
    server, channel = served
    stream = converse(channel, METHOD)
    stream.ask(b"ab")
    stream.hear()
    stream.cancel()
    assert parrot.over.acquire(timeout=10.0)
    assert forgotten(server)
    stream.close()


def test_who_asks_for_nothing_gives_its_thread_back() -> None:
    quiet = Parrot(lambda requests, context: Direct(context, 0.05))
    with serving(quiet) as (server, channel):
        stream = converse(channel, METHOD)
        assert quiet.over.acquire(timeout=10.0)
        stream.ask(b"too late")
        with pytest.raises(Ended) as ended:
            stream.hear()
        assert ended.value.code is grpc.StatusCode.OK
        assert forgotten(server)
    assert not quiet.heard


@pytest.mark.parametrize("before", [[], [b"hello"]])
def test_who_leaves_while_the_server_computes_harms_nobody(served, parrot, before):
    server, channel = served
    stream = converse(channel, METHOD)
    for word in before:
        stream.ask(word)
        stream.hear()
    stream.ask(b"slow")
    assert parrot.works.wait(10.0)
    stream.close()
    assert forgotten(server), "gRPC has closed its account"
    parrot.done.set()
    assert parrot.over.acquire(timeout=10.0)
    other = converse(channel, METHOD)
    for n in range(5):
        other.ask(b"ab" * n)
        assert other.hear() == b"ba" * n
    other.close()


def test_a_server_that_stops_ends_it(served, parrot) -> None:
    server, channel = served
    stream = converse(channel, METHOD)
    stream.ask(b"ab")
    stream.hear()
    server.stop(None).wait(10.0)
    assert parrot.over.acquire(timeout=10.0)
    with pytest.raises(Ended):
        stream.hear()
