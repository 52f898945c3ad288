"""A line over gRPC."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from queue import Empty, SimpleQueue
from threading import Event, Thread
from time import monotonic, sleep
from typing import Any

import grpc

from bondline.remote.client.line import Busy, LineDown, never
from bondline.remote.limits import MESSAGE
from bondline.remote.protocol import SERVICE
from bondline.remote.trust.tls import Credentials

_TICK = 0.1  # s between looks at the clock
_HEDGE = 0.3  # share of its time that a pulse has for itself
_CAUSES = {
    grpc.StatusCode.DEADLINE_EXCEEDED: "hung",
    grpc.StatusCode.CANCELLED: "reset",
    grpc.StatusCode.RESOURCE_EXHAUSTED: "full",
}


class Dial:
    """One channel, with one stream at a time; made again when it breaks."""

    def __init__(
        self, address: str, secrets: Credentials | None, server_name: str = ""
    ) -> None:
        self.place = address
        self._secrets, self._server_name = secrets, server_name
        self._channel = self._connect()
        self._stream: Any = None
        self._lost = False
        self._outbox: SimpleQueue[bytes | None] = SimpleQueue()
        self._due: float | None = None
        self._late = False
        self._busy, self._patience = never, 0.0
        self._every, self._idle = float("inf"), _nothing
        self._used = monotonic()
        self._over = Event()
        self._watch: Thread | None = None

    def _connect(self) -> grpc.Channel:
        options: list[tuple[str, Any]] = [
            ("grpc.max_receive_message_length", 16 * MESSAGE),
            ("grpc.max_send_message_length", MESSAGE),
            ("grpc.keepalive_time_ms", 10_000),
            ("grpc.keepalive_timeout_ms", 5_000),
            ("grpc.initial_reconnect_backoff_ms", 100),
            ("grpc.max_reconnect_backoff_ms", 2_000),
            ("grpc.use_local_subchannel_pool", 1),
            ("grpc.enable_retries", 0),
        ]
        if self._server_name:
            options.append(("grpc.ssl_target_name_override", self._server_name))
        if self._secrets is None:
            return grpc.insecure_channel(self.place, options)
        return grpc.secure_channel(self.place, self._secrets.for_channel(), options)

    def exchange(self, raw: bytes, patience: float, busy: Busy = never) -> bytes:
        """One round trip on the stream; a watch cuts it when time is up."""
        if self._stream is None:
            self._open()
        self._late, self._busy, self._patience = False, busy, patience
        self._due = monotonic() + patience
        try:
            self._outbox.put(raw)
            _give_way()  # gRPC's thread sends it while we begin to wait
            reply: bytes = next(self._stream)
            return reply
        except StopIteration:
            self.hang_up()
            raise LineDown("reset", "the stream ended") from None
        except grpc.RpcError as error:
            self.hang_up()
            if self._late:
                raise LineDown("hung", f"no reply within {patience:.3g} s") from None
            raise down(error) from None
        finally:
            self._due, self._used = None, monotonic()

    def describe(self, raw: bytes, patience: float) -> bytes:
        """One call of its own."""
        return self._call("Describe", raw, patience)

    def pulse(self, raw: bytes, patience: float) -> bytes:
        """One call of its own; where it takes long, also on a new connection.

        Who answers on neither is silent, and not only lost behind a dead line.
        """
        end, done = monotonic() + patience, SimpleQueue[Any]()
        _pulsed(self._channel, raw, patience, done)
        reply = _first(done, 1, monotonic() + _HEDGE * patience)
        if reply is not None:
            return reply
        with self._connect() as other:
            _pulsed(other, raw, end - monotonic(), done)
            reply = _first(done, 2, end)
        if reply is None:
            raise LineDown("hung", f"no pulse within {patience:.3g} s")
        return reply

    def _call(self, method: str, raw: bytes, patience: float) -> bytes:
        call: Callable[..., bytes] = self._channel.unary_unary(
            f"/{SERVICE}/{method}", None, None
        )
        try:
            return call(raw, timeout=patience)
        except grpc.RpcError as error:
            raise down(error) from None
        except ValueError:  # another thread has just made the connection anew
            raise LineDown("reset", "the connection was closed") from None

    def _open(self) -> None:
        if self._lost and self._secrets is not None:
            self._renew()
        self._outbox = SimpleQueue()
        make: Callable[..., Any] = self._channel.stream_stream(
            f"/{SERVICE}/Converse", None, None
        )
        self._stream = make(iter(self._outbox.get, None))
        if self._watch is None:
            self._watch = Thread(target=self._watching, daemon=True)
            self._watch.start()

    def _renew(self) -> None:
        """Another connection, with the certificate that is in the file now."""
        old, self._channel = self._channel, self._connect()
        self._lost = False
        old.close()

    def while_idle(self, every: float, call: Callable[[], None]) -> None:
        """The watch calls it."""
        self._every, self._idle = every, call

    def _watching(self) -> None:
        while not self._over.wait(_TICK):
            due, stream = self._due, self._stream
            if due is not None and stream is not None:
                if monotonic() > due:
                    self._overdue(due, stream)
            elif monotonic() > self._used + self._every:
                self._used = monotonic()
                self._idle()

    def _overdue(self, due: float, stream: Any) -> None:
        """Time is up: begin again if the other end is at work, else cut."""
        if self._busy():
            if self._due == due:
                self._due = monotonic() + self._patience
        elif self._due == due:  # no reply came while we asked
            self._late = True
            stream.cancel()

    def explain(self) -> tuple[str, str] | None:
        """What is wrong with which certificate, if something is."""
        if self._secrets is None:
            return None
        from bondline.remote.trust.diagnose import diagnose

        found = diagnose(self._secrets, self.place, self._server_name)
        return None if found is None else (found.finding, found.remedy)

    def hang_up(self) -> None:
        """Drop the stream."""
        stream, self._stream = self._stream, None
        if stream is not None:
            self._lost = True
            self._outbox.put(None)
            with contextlib.suppress(Exception):
                stream.cancel()

    def close(self) -> None:
        """Drop everything."""
        self._over.set()
        self.hang_up()
        self._channel.close()


def _pulsed(
    channel: grpc.Channel, raw: bytes, patience: float, done: SimpleQueue[Any]
) -> None:
    """Ask, and have the answer put there."""
    call: Any = channel.unary_unary(f"/{SERVICE}/Pulse", None, None)
    with contextlib.suppress(ValueError):  # it was closed meanwhile
        call.future(raw, timeout=patience).add_done_callback(done.put)


def _first(done: SimpleQueue[Any], most: int, until: float) -> bytes | None:
    """The first of so many answers, until then; failures are none."""
    for _ in range(most):
        with contextlib.suppress(Empty, grpc.RpcError, grpc.FutureCancelledError):
            found: bytes = done.get(timeout=max(0.0, until - monotonic())).result()
            return found
    return None


def _give_way() -> None:
    """Let another thread go on; `sleep(0.0)` does so for 60 us at least."""
    if hasattr(os, "sched_yield"):
        os.sched_yield()
    else:
        sleep(0.0)


def _nothing() -> None:
    """Nobody wants to be called."""


def down(error: grpc.RpcError) -> LineDown:
    """What gRPC says, in our words."""
    code, text = error.code(), error.details() or ""
    if code in _CAUSES:
        return LineDown(_CAUSES[code], text)
    low = text.lower()
    if "refused" in low:
        return LineDown("refused", text)
    if any(word in low for word in ("ssl", "tls", "handshake", "certificate", "alert")):
        return LineDown("tls", text)
    if "reset" in low or "closed" in low or "goaway" in low or "broken pipe" in low:
        return LineDown("reset", text)
    return LineDown("network", text)
