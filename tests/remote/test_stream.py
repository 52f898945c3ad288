"""Both ways to converse over gRPC do the same, also where it ends."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import grpc
import pytest

from bondline.remote.client.stream import Direct, Ended, Iterated, Stream, converse

BOTH = pytest.mark.parametrize("way", [Direct, Iterated])
METHOD = "/parrot/Talk"


def talk(requests: Iterator[bytes], context: grpc.ServicerContext) -> Iterator[bytes]:
    for raw in requests:
        if raw == b"end":
            return
        if raw == b"abort":
            context.abort(grpc.StatusCode.UNAUTHENTICATED, "who are you")
        if raw == b"silence":
            gone = threading.Event()
            context.add_callback(gone.set)
            gone.wait(30.0)
            return
        yield raw[::-1]


@pytest.fixture
def channel() -> Iterator[grpc.Channel]:
    server = grpc.server(ThreadPoolExecutor(4))
    handler = grpc.stream_stream_rpc_method_handler(talk)
    server.add_generic_rpc_handlers(
        (grpc.method_handlers_generic_handler("parrot", {"Talk": handler}),)
    )
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    with grpc.insecure_channel(f"127.0.0.1:{port}") as made:
        yield made
    server.stop(None).wait()


@BOTH
def test_replies_come_one_by_one(channel, way) -> None:
    stream = way(channel, METHOD)
    for n in (0, 1, 100_000):
        assert stream.exchange(b"ab" * n) == b"ba" * n
    stream.close()


def test_the_quicker_way_is_the_one_that_is_used(channel) -> None:
    stream = converse(channel, METHOD)
    assert isinstance(stream, Direct)
    stream.close()


def test_where_grpc_has_changed_the_public_way_serves() -> None:
    class Other:
        """A channel without the inside that we know."""

        def stream_stream(self, *names):
            return lambda requests: iter([b"hello"])

    assert converse(Other(), METHOD).exchange(b"") == b"hello"


@BOTH
@pytest.mark.parametrize(
    ("word", "code", "text"),
    [
        (b"end", grpc.StatusCode.OK, ""),
        (b"abort", grpc.StatusCode.UNAUTHENTICATED, "who are you"),
    ],
)
def test_the_end_is_told_with_its_reason(channel, way, word, code, text) -> None:
    stream = way(channel, METHOD)
    stream.exchange(b"hello")
    with pytest.raises(Ended) as ended:
        stream.exchange(word)
    assert (ended.value.code, ended.value.text) == (code, text)
    stream.close()


@BOTH
def test_nobody_listens(way) -> None:
    with grpc.insecure_channel("127.0.0.1:1") as channel:
        stream = way(channel, METHOD)
        with pytest.raises(Ended) as ended:
            stream.exchange(b"hello")
        assert ended.value.code is grpc.StatusCode.UNAVAILABLE
        stream.close()


def waiting(stream: Stream) -> tuple[threading.Thread, list[Ended]]:
    """Somebody who waits for a reply that does not come."""
    ends: list[Ended] = []

    def wait() -> None:
        try:
            stream.exchange(b"silence")
        except Ended as end:
            ends.append(end)

    thread = threading.Thread(target=wait)
    thread.start()
    return thread, ends


@BOTH
@pytest.mark.parametrize("how", ["cancel", "close"])
def test_who_waits_hears_that_it_is_over(channel, way, how) -> None:
    stream = way(channel, METHOD)
    stream.exchange(b"hello")
    thread, ends = waiting(stream)
    getattr(stream, how)()
    thread.join(10.0)
    assert [end.code for end in ends] == [grpc.StatusCode.CANCELLED]
    stream.close()


@BOTH
def test_who_waits_hears_that_the_channel_was_closed(channel, way) -> None:
    """What once made a run wait for ever."""
    stream = way(channel, METHOD)
    stream.exchange(b"hello")
    thread, ends = waiting(stream)
    channel.close()
    thread.join(10.0)
    assert [end.code for end in ends] == [grpc.StatusCode.CANCELLED]


@BOTH
def test_a_closed_channel_answers_nobody(channel, way) -> None:
    stream = way(channel, METHOD)
    stream.exchange(b"hello")
    channel.close()
    with pytest.raises(Ended):
        stream.exchange(b"hello")


@BOTH
def test_what_is_over_stays_over(channel, way) -> None:
    stream = way(channel, METHOD)
    stream.exchange(b"hello")
    stream.close()
    stream.cancel()
    stream.close()
    with pytest.raises(Ended):
        stream.exchange(b"hello")
