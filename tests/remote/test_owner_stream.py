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

from bondline.remote.client.stream import Ended
from bondline.remote.client.stream import Iterated as Asking
from bondline.remote.owner import ears
from bondline.remote.owner.stream import Direct, Iterated, Talk, listen

METHOD = "/parrot/Talk"


Way = Callable[[Iterator[bytes], grpc.ServicerContext], Talk]


@dataclass
class Parrot:
    """Says everything backwards; knows how its conversations ended."""

    way: Way
    start: Callable[[grpc.Server], None] = ears.start
    leisure: float = 0.0  # s after a reply
    heard: list[bytes] = field(default_factory=list)
    by: list[str] = field(default_factory=list)  # threads that answered
    over: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))
    works: threading.Event = field(default_factory=threading.Event)  # on "slow"
    done: threading.Event = field(default_factory=threading.Event)

    def talk(
        self, requests: Iterator[bytes], context: grpc.ServicerContext
    ) -> Iterator[bytes]:
        try:
            yield from self.way(requests, context).serve(Words(self, context))
        finally:
            self.over.release()


@dataclass
class Words:
    """Of one conversation."""

    parrot: Parrot
    context: grpc.ServicerContext
    last: bool = False

    def reply(self, raw: bytes) -> bytes | None:
        self.parrot.heard.append(raw)
        self.parrot.by.append(threading.current_thread().name)
        if raw == b"abort":
            self.context.abort(grpc.StatusCode.UNAUTHENTICATED, "who are you")
        if raw == b"exit":
            raise SystemExit
        if raw == b"slow":
            self.parrot.works.set()
            self.parrot.done.wait(10.0)
        self.last = raw == b"last"
        return None if raw == b"none" else raw[::-1]

    def over(self) -> bool:
        return self.last

    def tidy(self) -> None:
        threading.Event().wait(self.parrot.leisure)


def direct(requests: Iterator[bytes], context: grpc.ServicerContext) -> Talk:
    return Direct(context, 10.0)


def iterated(requests: Iterator[bytes], context: grpc.ServicerContext) -> Talk:
    return Iterated(requests, context, 10.0)


def alone(server: grpc.Server) -> None:
    """With gRPC's own thread."""
    server.start()


WAYS = {
    "ears": (direct, ears.start),
    "direct": (direct, alone),
    "iterated": (iterated, ears.start),
    "public": (iterated, alone),
}


@pytest.fixture(params=WAYS)
def parrot(request) -> Parrot:
    return Parrot(*WAYS[request.param])


@contextmanager
def serving(parrot: Parrot) -> Iterator[tuple[grpc.Server, grpc.Channel]]:
    server = grpc.server(ThreadPoolExecutor(8, thread_name_prefix="worker"))
    handler = grpc.stream_stream_rpc_method_handler(parrot.talk)
    server.add_generic_rpc_handlers(
        (grpc.method_handlers_generic_handler("parrot", {"Talk": handler}),)
    )
    port = server.add_insecure_port("127.0.0.1:0")
    parrot.start(server)
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
    stream = Asking(channel, METHOD)
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
        stream = Asking(channel, METHOD)
        stream.ask(b"hello")
        assert stream.hear() == b"olleh"
        stream.close()
        assert forgotten(server)
    assert [type(way) for way in ways] == [Direct]


class Changed:
    """A context of another release of gRPC: nothing of its inside is where it was."""

    def cancel(self) -> None: ...


def test_where_grpc_has_changed_the_public_way_serves() -> None:
    context: Any = Changed()
    talk = listen(iter([b"hello", b"again"]), context, 10.0)
    said = talk.serve(Words(Parrot(iterated), context))
    assert list(said) == [b"olleh", b"niaga"]


@pytest.mark.parametrize("name", ["_process_event_and_continue", "_ServerStage"])
@pytest.mark.parametrize("other", [None, lambda state: True])
def test_where_grpc_has_changed_its_own_thread_listens(monkeypatch, name, other):
    server = grpc.server(ThreadPoolExecutor(1))
    if other is None:
        monkeypatch.delattr(f"grpc._server.{name}")
    else:
        monkeypatch.setattr(f"grpc._server.{name}", other)
    before, started = listening(), list[bool]()
    monkeypatch.setattr(server, "start", lambda: started.append(True))
    ears.start(server)
    assert started == [True]
    assert listening() == before


def test_a_call_that_finds_no_thread_makes_nobody_deaf(monkeypatch) -> None:
    with serving(Parrot(direct)) as (server, channel):
        pool: Any = server._state.thread_pool  # type: ignore[attr-defined]
        submit, full = pool.submit, [True]

        def crowded(*given: Any, **more: Any) -> Any:
            if full:
                full.pop()
                raise RuntimeError("can't start new thread")
            return submit(*given, **more)

        monkeypatch.setattr(pool, "submit", crowded)
        lost = Asking(channel, METHOD)
        lost.ask(b"ab")
        for _ in range(1000):
            if not full:
                break
            threading.Event().wait(0.01)
        stream = Asking(channel, METHOD)
        stream.ask(b"ab")
        assert stream.hear() == b"ba"
        stream.close()
        lost.cancel()


def test_after_the_last_reply_nothing_is_answered() -> None:
    """Also while who sent it is still at what could wait."""
    parrot = Parrot(direct, leisure=0.1)
    with serving(parrot) as (server, channel):
        for _ in range(5):
            replies = channel.stream_stream(METHOD)(iter([b"last", b"more", b"more"]))
            assert list(replies) == [b"tsal"]
        assert forgotten(server)
    assert parrot.heard == [b"last"] * 5


@pytest.mark.parametrize("way", [Direct, Iterated])
def test_who_asks_for_nothing_gives_the_thread_back(way) -> None:
    """Also by the public way, whose own wait has no end."""

    def soon(requests: Iterator[bytes], context: grpc.ServicerContext) -> Talk:
        if way is Direct:
            return Direct(context, 0.2)
        return Iterated(requests, context, 0.2)

    with serving(Parrot(soon)) as (server, channel):
        stream = Asking(channel, METHOD)
        with pytest.raises(Ended):
            stream.hear()
        assert forgotten(server)
        stream = Asking(channel, METHOD)
        stream.ask(b"hello")
        assert stream.hear() == b"olleh"
        threading.Event().wait(0.4)  # later than it had to begin
        stream.ask(b"again")
        assert stream.hear() == b"niaga"
        stream.close()
        assert forgotten(server)


def test_the_last_reply_arrives_before_the_end(served, parrot) -> None:
    server, channel = served
    stream = Asking(channel, METHOD)
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
    stream = Asking(channel, METHOD)
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
    stream = Asking(channel, METHOD)
    stream.ask(b"ab")
    stream.hear()
    stream.cancel()
    assert parrot.over.acquire(timeout=10.0)
    assert forgotten(server)
    stream.close()


def test_who_asks_for_nothing_gives_its_thread_back() -> None:
    quiet = Parrot(lambda requests, context: Direct(context, 0.05))
    with serving(quiet) as (server, channel):
        stream = Asking(channel, METHOD)
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
    stream = Asking(channel, METHOD)
    for word in before:
        stream.ask(word)
        stream.hear()
    stream.ask(b"slow")
    assert parrot.works.wait(10.0)
    stream.close()
    assert forgotten(server), "gRPC has closed its account"
    parrot.done.set()
    assert parrot.over.acquire(timeout=10.0)
    other = Asking(channel, METHOD)
    for n in range(5):
        other.ask(b"ab" * n)
        assert other.hear() == b"ba" * n
    other.close()


def test_a_server_that_stops_ends_it(served, parrot) -> None:
    server, channel = served
    stream = Asking(channel, METHOD)
    stream.ask(b"ab")
    stream.hear()
    server.stop(None).wait(10.0)
    assert parrot.over.acquire(timeout=10.0)
    with pytest.raises(Ended):
        stream.hear()


def listening() -> int:
    return sum(t.name.startswith("ear-") for t in threading.enumerate())


def gone(most: int) -> bool:
    """Whether no more than these ears are left, soon."""
    for _ in range(400):
        if listening() <= most:
            return True
        threading.Event().wait(0.01)
    return False


def test_who_hears_answers() -> None:
    before, parrot = listening(), Parrot(direct)
    with serving(parrot) as (_, channel):
        stream = Asking(channel, METHOD)
        for _ in range(50):
            stream.ask(b"ab")
            assert stream.hear() == b"ba"
        stream.close()
    mostly = sum(name.startswith("ear-") for name in parrot.by)
    assert mostly > 10, "the other one may hear the next before this one is free"
    assert gone(before), "an ear outlives its server"


def test_while_one_answers_another_listens() -> None:
    """However many are slow: these are left to threads of their conversations."""
    parrot = Parrot(direct)
    with serving(parrot) as (server, channel):
        slow = [Asking(channel, METHOD) for _ in range(4)]
        for stream in slow:
            stream.ask(b"slow")
        assert parrot.works.wait(10.0)
        other = Asking(channel, METHOD)
        for n in range(20):
            other.ask(b"ab" * n)
            assert other.hear() == b"ba" * n
        parrot.done.set()
        for stream in slow:
            assert stream.hear() == b"wols"
        for stream in (other, *slow):
            stream.close()
        assert forgotten(server)
    assert {name[:3] for name in parrot.by} == {"ear", "wor"}


@pytest.mark.parametrize("word", [b"exit", b"abort", b"none"])
def test_what_goes_wrong_in_one_conversation_is_its_own(word) -> None:
    """Ten times: an ear that ended would be missed."""
    parrot = Parrot(direct)
    with serving(parrot) as (server, channel):
        kept = Asking(channel, METHOD)
        for n in range(10):
            stream = Asking(channel, METHOD)
            stream.ask(word)
            with pytest.raises(Ended):
                stream.hear()
            kept.ask(b"ab" * n)
            assert kept.hear() == b"ba" * n
        kept.close()
        assert forgotten(server)
    assert "ear" in {name[:3] for name in parrot.by}


@pytest.mark.parametrize("word", [b"exit", b"abort", b"none"])
def test_the_same_in_a_conversations_own_thread(word) -> None:
    parrot = Parrot(direct)
    with serving(parrot) as (server, channel):
        slow = Asking(channel, METHOD)
        slow.ask(b"slow")
        assert parrot.works.wait(10.0)
        stream = Asking(channel, METHOD)
        stream.ask(word)
        with pytest.raises(Ended):
            stream.hear()
        parrot.done.set()
        assert slow.hear() == b"wols"
        slow.close()
        assert forgotten(server)
    assert {name[:3] for name in parrot.by} == {"ear", "wor"}


def test_a_server_stops_while_an_ear_answers() -> None:
    before, parrot = listening(), Parrot(direct)
    with serving(parrot) as (server, channel):
        stream = Asking(channel, METHOD)
        stream.ask(b"slow")
        assert parrot.works.wait(10.0)
        assert server.stop(None).wait(5.0), "it waits for an answer"
        assert gone(before + 1), "who listens has heard of the end"
        parrot.done.set()
        assert parrot.over.acquire(timeout=10.0)
    assert gone(before)
