"""Both ways to converse over gRPC do the same, also where it ends."""

from __future__ import annotations

import gc
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import grpc
import pytest

from bondline.remote.client.stream import Direct, Ended, Iterated, Stream, converse

BOTH = pytest.mark.parametrize("way", [Direct, Iterated])
METHOD = "/parrot/Talk"


SILENT = threading.Event()  # a request came that will not be answered


def exchange(stream: Stream, raw: bytes) -> bytes:
    stream.ask(raw)
    return stream.hear()


def nothing_left(stream: Stream) -> bool:
    """Whether all that was begun was heard of: else gRPC keeps the call for ever."""
    return not isinstance(stream, Direct) or not stream._begun


def talk(requests: Iterator[bytes], context: grpc.ServicerContext) -> Iterator[bytes]:
    for raw in requests:
        if raw == b"end":
            return
        if raw == b"abort":
            context.abort(grpc.StatusCode.UNAUTHENTICATED, "who are you")
        if raw == b"silence":
            gone = threading.Event()
            context.add_callback(gone.set)
            SILENT.set()
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
        assert exchange(stream, b"ab" * n) == b"ba" * n
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

    assert exchange(converse(Other(), METHOD), b"") == b"hello"


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
    exchange(stream, b"hello")
    with pytest.raises(Ended) as ended:
        exchange(stream, word)
    assert (ended.value.code, ended.value.text) == (code, text)
    assert nothing_left(stream)
    stream.close()


@BOTH
def test_nobody_listens(way) -> None:
    with grpc.insecure_channel("127.0.0.1:1") as channel:
        stream = way(channel, METHOD)
        with pytest.raises(Ended) as ended:
            exchange(stream, b"hello")
        assert ended.value.code is grpc.StatusCode.UNAVAILABLE
        assert nothing_left(stream)
        stream.close()


def waiting(stream: Stream) -> tuple[threading.Thread, list[Ended]]:
    """Somebody who waits for a reply that does not come."""
    ends: list[Ended] = []

    def wait() -> None:
        try:
            exchange(stream, b"silence")
        except Ended as end:
            ends.append(end)

    SILENT.clear()
    thread = threading.Thread(target=wait)
    thread.start()
    assert SILENT.wait(10.0)
    return thread, ends


@BOTH
@pytest.mark.parametrize("how", ["cancel", "close"])
def test_who_waits_hears_that_it_is_over(channel, way, how) -> None:
    stream = way(channel, METHOD)
    exchange(stream, b"hello")
    thread, ends = waiting(stream)
    getattr(stream, how)()
    thread.join(10.0)
    assert [end.code for end in ends] == [grpc.StatusCode.CANCELLED]
    stream.close()
    assert nothing_left(stream)


@BOTH
def test_who_waits_hears_that_the_channel_was_closed(channel, way) -> None:
    """What once made a run wait for ever."""
    stream = way(channel, METHOD)
    exchange(stream, b"hello")
    thread, ends = waiting(stream)
    channel.close()
    thread.join(10.0)
    assert [end.code for end in ends] == [grpc.StatusCode.CANCELLED]


@BOTH
def test_a_closed_channel_answers_nobody(channel, way) -> None:
    stream = way(channel, METHOD)
    exchange(stream, b"hello")
    channel.close()
    with pytest.raises(Ended):
        exchange(stream, b"hello")


@BOTH
def test_what_is_over_stays_over(channel, way) -> None:
    stream = way(channel, METHOD)
    exchange(stream, b"hello")
    stream.close()
    stream.cancel()
    stream.close()
    with pytest.raises(Ended):
        exchange(stream, b"hello")


@BOTH
def test_a_reply_that_nobody_takes_is_no_obstacle_to_closing(channel, way) -> None:
    stream = way(channel, METHOD)
    stream.ask(b"hello")
    stream.close()
    assert nothing_left(stream)
    with pytest.raises(Ended):
        stream.hear()


def interrupt_once_silent() -> None:
    """Ctrl-C, when the request that is not answered has come."""
    main = threading.main_thread().ident
    assert main is not None

    def interrupt() -> None:
        if SILENT.wait(10.0):
            signal.pthread_kill(main, signal.SIGINT)

    threading.Thread(target=interrupt).start()


@BOTH
def test_who_is_interrupted_while_it_waits_can_still_hang_up(channel, way) -> None:
    """gRPC gives a call back then: whoever asks it more would find nothing there."""
    gc.collect()  # in a finalizer of what others left, Ctrl-C would be lost
    for _ in range(5):  # Ctrl-C may come a moment before the wait begins
        stream = way(channel, METHOD)
        assert exchange(stream, b"ab") == b"ba"
        SILENT.clear()
        interrupt_once_silent()
        with pytest.raises(KeyboardInterrupt):
            exchange(stream, b"silence")
        stream.close()
        stream.cancel()
        assert nothing_left(stream)
        with pytest.raises(Ended) as ended:
            exchange(stream, b"more")
        assert ended.value.code is grpc.StatusCode.CANCELLED
