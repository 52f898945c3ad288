"""A TCP proxy with weather: late, slow, sliced, cut, flipped or deaf; seeded."""

from __future__ import annotations

import asyncio
import random
import socket
import struct
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from threading import Event, Thread

_CHUNK = 65536
_RST = struct.pack("ii", 1, 0)  # SO_LINGER: closing sends a reset


@dataclass(frozen=True)
class Weather:
    """What happens to bytes on their way."""

    delay: float = 0.0  # s, each way
    jitter: float = 0.0  # s, at most, on top of it
    slices: int = 0  # bytes in one write; 0: as they came
    resets: Sequence[int] = ()  # who gets so far is cut, then the next number holds
    flips: Sequence[int] = ()  # a bit of that byte of a connection, one after another


FINE = Weather()


@dataclass
class Proxy:
    """Between a client and the server at `target`."""

    target: int  # port
    weather: Weather = FINE
    seed: int = 0
    port: int = 0
    connections: int = 0
    passed: int = 0  # bytes, of all connections
    cuts: int = 0
    flipped: int = 0
    taps: list[Callable[[bytes], None]] = field(default_factory=list)
    _alarms: list[tuple[int, Callable[[], None]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._dice = random.Random(self.seed)
        self._loop = asyncio.new_event_loop()
        self._hearing = asyncio.Event()
        self._hearing.set()
        self._resets, self._flips = (
            deque(self.weather.resets),
            deque(self.weather.flips),
        )
        self._open: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    def after(self, more: int, call: Callable[[], None]) -> None:
        """Call that, in a thread of its own, when so many more bytes have passed."""
        self._alarms.append((self.passed + more, call))
        self._alarms.sort(key=lambda alarm: alarm[0])

    def reached(self, more: int, call: Callable[[], None]) -> Event:
        """The same, and an event that it was called."""
        done = Event()

        def both() -> None:
            call()
            done.set()

        self.after(more, both)
        return done

    def calm(self) -> None:
        """Call nobody any more."""
        self._alarms.clear()

    def refuse(self) -> None:
        """Take no new connection, as a machine without a server does."""
        self._loop.call_soon_threadsafe(self._server.close)

    def go_deaf(self) -> None:
        """Keep every connection, take new ones, and pass nothing on: half-open."""
        self._loop.call_soon_threadsafe(self._hearing.clear)

    def hear_again(self) -> None:
        self._loop.call_soon_threadsafe(self._hearing.set)

    async def _serve(self, ready: Event, over: asyncio.Event) -> None:
        self._server = await asyncio.start_server(self._accepted, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        ready.set()
        await over.wait()
        self._server.close()
        for writer in list(self._open):
            writer.transport.abort()

    def _accepted(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        """Known from the first moment: the end may come before the second."""
        self._open.add(writer)
        self._tasks.add(self._loop.create_task(self._connected(reader, writer)))

    async def _connected(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self.connections += 1
        try:
            there = await asyncio.open_connection("127.0.0.1", self.target)
        except (OSError, asyncio.CancelledError):  # nobody is there, or it is the end
            self._open.discard(writer)
            _reset(writer)
            return
        both = _Pair()
        self._open.add(there[1])
        ways = (
            self._way(reader, there[1], both),
            self._way(there[0], writer, both),
        )
        with suppress(asyncio.CancelledError):  # at the end
            await asyncio.gather(*ways)
        for end in (writer, there[1]):
            self._open.discard(end)
            _reset(end)

    async def _way(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, both: _Pair
    ) -> None:
        """One direction: what was read is due later; what is due is written."""
        queue: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()
        writing = asyncio.create_task(self._writing(queue, writer, both))
        try:
            while raw := await reader.read(_CHUNK):
                queue.put_nowait((self._due(), raw))
        except OSError:
            pass
        queue.put_nowait((self._loop.time(), b""))
        await writing

    def _due(self) -> float:
        late = self.weather.delay + self.weather.jitter * self._dice.random()
        return self._loop.time() + late

    async def _writing(
        self,
        queue: asyncio.Queue[tuple[float, bytes]],
        writer: asyncio.StreamWriter,
        both: _Pair,
    ) -> None:
        with suppress(OSError):
            while True:
                due, raw = await queue.get()
                await asyncio.sleep(max(0.0, due - self._loop.time()))
                await self._hearing.wait()
                if not raw or not await self._passed_on(raw, writer, both):
                    break
        writer.close()

    async def _passed_on(
        self, raw: bytes, writer: asyncio.StreamWriter, both: _Pair
    ) -> bool:
        """Whether the connection still stands afterwards."""
        raw = self._changed(raw, both)
        most = self._resets[0] if self._resets else both.seen + len(raw) + 1
        whole = both.seen + len(raw) < most
        if not whole:
            raw = raw[: max(0, self._resets.popleft() - both.seen)]
        both.seen += len(raw)
        for tap in self.taps:
            tap(raw)
        await self._written(raw, writer)
        self._count(len(raw))
        if not whole:
            self.cuts += 1
            _reset(writer)
        return whole

    def _changed(self, raw: bytes, both: _Pair) -> bytes:
        at = self._flips[0] - both.seen if self._flips else -1
        if not 0 <= at < len(raw):
            return raw
        self._flips.popleft()
        self.flipped += 1
        bit = 1 << self._dice.randrange(8)
        return raw[:at] + bytes([raw[at] ^ bit]) + raw[at + 1 :]

    async def _written(self, raw: bytes, writer: asyncio.StreamWriter) -> None:
        size = self.weather.slices or len(raw) or 1
        for k in range(0, len(raw), size):
            writer.write(raw[k : k + size])
            await writer.drain()
            if self.weather.slices:
                await asyncio.sleep(0)  # so that each is a packet of its own

    def _count(self, size: int) -> None:
        self.passed += size
        while self._alarms and self._alarms[0][0] <= self.passed:
            _, call = self._alarms.pop(0)
            Thread(target=call, daemon=True).start()


@dataclass
class _Pair:
    """What both directions of a connection share."""

    seen: int = 0  # bytes


def _reset(writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        held = writer.get_extra_info("socket")
        if held is not None:
            held.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RST)
    writer.transport.abort()


@contextmanager
def between(target: int, weather: Weather = FINE, seed: int = 0) -> Iterator[Proxy]:
    """A proxy to the port `target` of this machine."""
    proxy, ready = Proxy(target, weather, seed), Event()
    over = asyncio.Event()
    thread = Thread(target=_run, args=(proxy, ready, over), daemon=True)
    thread.start()
    assert ready.wait(30.0)
    try:
        yield proxy
    finally:
        proxy._loop.call_soon_threadsafe(over.set)
        thread.join(30.0)


def _run(proxy: Proxy, ready: Event, over: asyncio.Event) -> None:
    loop = proxy._loop
    asyncio.set_event_loop(loop)
    try:
        loop.run_until_complete(proxy._serve(ready, over))
        rest = asyncio.all_tasks(loop)
        for task in rest:
            task.cancel()
        loop.run_until_complete(asyncio.gather(*rest, return_exceptions=True))
        for writer in list(proxy._open):
            writer.transport.abort()
        loop.run_until_complete(asyncio.sleep(0))  # what was aborted closes
    finally:
        loop.close()
