"""A line over gRPC."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from queue import Empty, SimpleQueue
from threading import Event, Thread
from time import monotonic
from typing import Any, TypeVar

import grpc

from bondline.remote.client.connecting import proxied, straight
from bondline.remote.client.knock import Knock, why_silent
from bondline.remote.client.line import Busy, LineDown, never
from bondline.remote.client.stream import Ended, Iterated, Stream
from bondline.remote.client.waiting import log
from bondline.remote.limits import MESSAGE
from bondline.remote.protocol import SERVICE
from bondline.remote.trust.tls import Credentials
from bondline.wire.turns import others_first

T = TypeVar("T")
_TICK = 0.1  # s between looks at the clock
_QUIET = 1.0  # s without a request, after which the other end may want to know things
_HEDGE = 0.3  # share of its time that a pulse has for itself
_TOO_LONG = "message larger than max"  # as gRPC says it: no time will mend that
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
        self._stream: Stream | None = None
        self._lost = False
        self._due: float | None = None
        self._listening = False  # else a reply may lie here, and nobody took it yet
        self._late = ""  # why no reply came in time
        self._silence = ""  # why no pulse did
        self._busy, self._patience = never, 0.0
        self._every, self._idle = float("inf"), _nothing
        self._used = monotonic()
        self._wrong = False  # whether it was said that the watch cannot ask
        self._over = Event()
        self._watch: Thread | None = None

    def _connect(self) -> grpc.Channel:
        options: list[tuple[str, Any]] = [
            ("grpc.max_receive_message_length", 16 * MESSAGE),
            ("grpc.max_send_message_length", MESSAGE),
            ("grpc.keepalive_time_ms", 10_000),
            ("grpc.keepalive_timeout_ms", 20_000),
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
        stream = self._stream or self._open()
        self._late, self._busy, self._patience = "", busy, patience
        self._used = monotonic()
        try:
            self._due = monotonic() + patience  # also while others have their turn
            stream.ask(raw)
            others_first()
            self._listening = True
            return stream.hear()
        except Ended as end:
            self.hang_up()
            if self._late:
                text = f"no reply within {patience:.3g} s"
                raise LineDown(self._late, text) from None
            raise down(end.code, end.text, end.said) from None
        except BaseException:  # somebody does not want to wait: the reply is nobody's
            self.hang_up()
            raise
        finally:
            self._due, self._listening, self._used = None, False, monotonic()

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
        before = Knock(self.place)
        with self._connect() as other:
            _pulsed(other, raw, end - monotonic(), done)
            reply = _first(done, 2, end)
        if reply is None:
            self._silence = why_silent(self.place, before)
            raise LineDown(self._silence, f"no pulse within {patience:.3g} s")
        return reply

    def _call(self, method: str, raw: bytes, patience: float) -> bytes:
        call: Callable[..., bytes] = self._channel.unary_unary(
            f"/{SERVICE}/{method}", None, None
        )
        try:
            return call(raw, timeout=patience)
        except grpc.RpcError as error:
            found = down(error.code(), error.details() or "")
            if found.cause == "hung":
                found.cause = why_silent(self.place)
            raise found from None
        except ValueError:  # another thread has just made the connection anew
            raise LineDown("reset", "the connection was closed") from None

    def _open(self) -> Stream:
        if self._lost and self._secrets is not None:
            self._renew()
        if self._watch is None:
            self._watch = self._watched()
        stream = self._stream = self._converse(f"/{SERVICE}/Converse")
        return stream

    def _watched(self) -> Thread:
        """From now on; without a watch nothing is asked."""
        watch = Thread(target=self._watching, daemon=True)
        try:
            watch.start()
        except RuntimeError as error:
            text = f"no thread for a watch on this machine: {error}"
            raise LineDown("full", text) from None
        return watch

    def _converse(self, method: str) -> Stream:
        """On a connection of its own, unless only gRPC knows the way."""
        if proxied(self.place):
            return Iterated(self._channel, method)
        return straight(self.place, self._secrets, method, self._server_name)

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
            due, stream, idle = self._due, self._stream, monotonic() - self._used
            if stream is not None and not self._listening and idle > _QUIET:
                self._asked(stream.attend)
            if due is not None and stream is not None:
                if monotonic() > due:
                    self._overdue(due, stream)
            elif idle > self._every:
                self._used = monotonic()
                self._asked(self._idle)

    def _asked(self, call: Callable[[], T]) -> T | None:
        """What a callback says, if it says anything.

        None ends the watch: without it a partner that hangs is waited for for ever.
        """
        try:
            return call()
        except Exception as error:
            if not self._wrong:
                text = "%s: it could not be asked whether it is there: %r"
                log.warning(text, self.place, error)
            self._wrong = True
            return None

    def _overdue(self, due: float, stream: Stream) -> None:
        """Time is up: begin again if the other end is at work, else cut.

        Also if it answers, and nobody listens: its reply came, while others are waited
        for. Who is silent is cut at once, so that several are not so one by one.
        """
        self._silence = ""
        if self._asked(self._busy) or not (self._silence or self._listening):
            if self._due == due:
                self._due = monotonic() + self._patience
            return
        why = self._silence or why_silent(self.place)
        if self._due == due:  # no reply came while we asked
            self._late = why
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
            stream.close()

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


def _nothing() -> None:
    """Nobody wants to be called."""


def down(code: grpc.StatusCode, text: str, said: str = "") -> LineDown:
    """What gRPC says, in our words; and what the other end `said` as it went."""
    told = f"; it said {said}" if said else ""
    if code is grpc.StatusCode.OK:
        return LineDown("reset", f"the stream ended{told}")
    low = text.lower()
    final = code in _CAUSES and _TOO_LONG in low
    return LineDown(_cause(code, low), f"{text}{told}", final)


def _cause(code: grpc.StatusCode, low: str) -> str:
    if code in _CAUSES:
        return _CAUSES[code]
    if "refused" in low:
        return "refused"
    if any(word in low for word in ("ssl", "tls", "handshake", "certificate", "alert")):
        return "tls"
    if "reset" in low or "closed" in low or "goaway" in low or "broken pipe" in low:
        return "reset"
    return "network"
