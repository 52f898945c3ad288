"""Both ways to converse over gRPC do the same, also where it ends."""

from __future__ import annotations

import gc
import signal
import threading
from collections.abc import Callable, Iterator

import grpc
import pytest

from bondline.remote.client.connecting import straight
from bondline.remote.client.stream import Ended, Iterated, Stream
from tests.remote.parrot import METHOD, SILENT, exchange, parrot

Made = Callable[[], Stream]


@pytest.fixture
def address() -> Iterator[str]:
    with parrot() as made:
        yield made


@pytest.fixture
def channel(address) -> Iterator[grpc.Channel]:
    with grpc.insecure_channel(address) as made:
        yield made


@pytest.fixture(params=["straight", "iterated"])
def make(request, address, channel) -> Made:
    """A new conversation, in either way."""
    if request.param == "straight":
        return lambda: straight(address, None, METHOD)
    return lambda: Iterated(channel, METHOD)


def test_replies_come_one_by_one(make) -> None:
    stream = make()
    for n in (0, 1, 100_000, 2_000_000):  # windows open as it goes on
        assert exchange(stream, b"ab" * n) == b"ba" * n
    stream.close()


@pytest.mark.parametrize(
    ("word", "code", "text"),
    [
        (b"end", grpc.StatusCode.OK, ""),
        (b"abort", grpc.StatusCode.UNAUTHENTICATED, "who are you"),
    ],
)
def test_the_end_is_told_with_its_reason(make, word, code, text) -> None:
    stream = make()
    exchange(stream, b"hello")
    with pytest.raises(Ended) as ended:
        exchange(stream, word)
    assert (ended.value.code, ended.value.text) == (code, text)
    stream.close()


def test_nobody_listens() -> None:
    for stream in (straight("127.0.0.1:1", None, METHOD), unheard()):
        with pytest.raises(Ended) as ended:
            exchange(stream, b"hello")
        assert ended.value.code is grpc.StatusCode.UNAVAILABLE
        assert "refused" in ended.value.text.lower()
        stream.close()


def unheard() -> Stream:
    """gRPC's own, where nobody listens."""
    return Iterated(grpc.insecure_channel("127.0.0.1:1"), METHOD)


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


@pytest.mark.parametrize("how", ["cancel", "close"])
def test_who_waits_hears_that_it_is_over(make, how) -> None:
    stream = make()
    exchange(stream, b"hello")
    thread, ends = waiting(stream)
    getattr(stream, how)()
    thread.join(10.0)
    assert [end.code for end in ends] == [grpc.StatusCode.CANCELLED]
    stream.close()


def test_what_is_over_stays_over(make) -> None:
    stream = make()
    exchange(stream, b"hello")
    stream.close()
    stream.cancel()
    stream.close()
    with pytest.raises(Ended):
        exchange(stream, b"hello")


def test_a_reply_that_nobody_takes_is_no_obstacle_to_closing(make) -> None:
    stream = make()
    stream.ask(b"hello")
    stream.close()
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


def test_who_is_interrupted_while_it_waits_can_still_hang_up(make) -> None:
    gc.collect()  # in a finalizer of what others left, Ctrl-C would be lost
    for _ in range(5):  # Ctrl-C may come a moment before the wait begins
        stream = make()
        assert exchange(stream, b"ab") == b"ba"
        SILENT.clear()
        interrupt_once_silent()
        with pytest.raises(KeyboardInterrupt):
            exchange(stream, b"silence")
        stream.close()
        stream.cancel()
        with pytest.raises(Ended) as ended:
            exchange(stream, b"more")
        assert ended.value.code is grpc.StatusCode.CANCELLED
