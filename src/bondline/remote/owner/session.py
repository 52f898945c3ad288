"""One coordinator's session on the owner's side: bytes in, bytes out, no transport.

Every request is served at most once: the reply to the last one is kept, and given
again to whoever repeats it with the same bytes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock
from time import monotonic

from bondline.remote import bondline_pb2 as pb
from bondline.remote.codec.malformed import Malformed
from bondline.remote.failures import Refused
from bondline.remote.owner.answering import answer
from bondline.remote.owner.desk import Desk
from bondline.remote.owner.gate import note
from bondline.remote.owner.mishaps import FAILED, mishap
from bondline.remote.owner.saying_no import said_no


class Over(Exception):
    """The session has ended, and its model may be somebody else's."""


@dataclass
class Session:
    """What a coordinator has on a server; `epoch` fences off the one before."""

    number: int
    epoch: int
    coordinator: str
    identity: str
    desk: Desk
    clock: Callable[[], float] = monotonic
    touched: float = 0.0
    streams: int = 0  # that are connected
    busy_since: float | None = None
    ended: bool = False
    _rate: float = field(default=0.0)  # requests that may still come
    _counted: float = 0.0  # when that was
    _last: tuple[int, bytes, bytes] = (0, b"", b"")
    _lock: Lock = field(default_factory=Lock)  # of what is asked
    _fate: Lock = field(default_factory=Lock)  # of who uses it, and whether it is over

    def __post_init__(self) -> None:
        self.touched = self._counted = self.clock()
        self._rate = self.desk.limits.per_second
        self.desk.session = str(self.number)

    @property
    def model(self) -> str:
        """By the name that it is served under."""
        return self.desk.served.name

    @property
    def sequence(self) -> int:
        """Of the request that was answered last."""
        return self._last[0]

    @property
    def gone(self) -> bool:
        """Whether its coordinator hung up: it may come back as another process."""
        return self.streams <= 0 and self.busy_since is None

    def join(self) -> None:
        """One more stream is about it."""
        with self._fate:
            self.streams += 1

    def leave(self) -> None:
        """One less."""
        with self._fate:
            self.streams -= 1

    def end(self) -> bool:
        """It is over; whether its model is free, and not at work any more."""
        with self._fate:
            self.ended = True
            free = self.busy_since is None
        self.desk.names.clear()
        return free

    def _begin(self) -> None:
        """From now on the model is at work; raises `Over`."""
        with self._fate:
            if self.ended:
                raise Over
            self.busy_since = self.clock()

    def answer(self, raw: bytes, request: pb.Request) -> bytes:
        """The reply to one request; whoever repeats one waits for it; raises `Over`."""
        with self._lock:
            self._spend(self.clock())
            number, before, reply = self._last
            if request.sequence == number and raw == before:
                return reply
            self.desk.request = raw
            if request.sequence != number + 1:
                return self._out_of_turn(request, number)
            self.desk.tidy()
            reply = self._serve(request).SerializeToString()
            self._last = (request.sequence, raw, reply)
            return reply

    def tidy(self) -> None:
        """The reply has left: what can wait until then is done now.

        If the next request is at work already, it does that itself, or the one after.
        """
        if self._lock.acquire(blocking=False):
            try:
                self.desk.tidy()
            finally:
                self._lock.release()

    def _spend(self, now: float) -> None:
        """One request of those that may come in a second."""
        most = self.desk.limits.per_second
        gained = (now - self._counted) * most if most < float("inf") else 0.0
        self._rate = min(most, self._rate + gained)
        self.touched = self._counted = now
        if self._rate < 1.0:
            raise Refused(
                pb.CODE_RESOURCE_EXHAUSTED,
                f"More than {most:g} requests came in a second.",
            )
        self._rate -= 1.0

    def _serve(self, request: pb.Request) -> pb.Reply:
        self._begin()
        self.desk.release(request.release)
        reply = pb.Reply()
        try:
            answer(self.desk, request, reply)
        except Refused as refused:
            if not refused.noted:
                self._note(request, refused)
            reply = pb.Reply(failure=refused.message)
        except Malformed as error:
            self._note(request, error)
            failure = pb.Failure(code=pb.CODE_INVALID_ARGUMENT, reason=f"{error}.")
            reply = pb.Reply(failure=failure)
        except FAILED as error:  # the model's: its words stay here
            call = self.desk.call(request.WhichOneof("ask") or "")
            hidden = self.desk.served.secretive
            reply = pb.Reply(failure=mishap(error, self.desk.gate, call, hidden))
        finally:
            self.busy_since = None
            self.touched = self.clock()
        reply.sequence = request.sequence
        if self.desk.tables.fresh:
            reply.tables.extend(self.desk.tables.fresh)
            self.desk.tables.fresh.clear()
        return reply

    def _out_of_turn(self, request: pb.Request, last: int) -> bytes:
        """To one that is neither the last request once more, nor the next one."""
        number, code = request.sequence, pb.CODE_FAILED_PRECONDITION
        reason = f"Request {number} came where {last + 1} was expected."
        if number == last:
            code = pb.CODE_INVALID_ARGUMENT
            reason = f"Request {number} was another one."
        self._note(request, Refused(code, reason))
        return failed(code, reason, number)

    def _note(self, request: pb.Request, error: Refused | Malformed) -> None:
        """The owner's log has what was refused here."""
        call = self.desk.call(request.WhichOneof("ask") or "")
        note(self.desk.gate, call, said_no(error, self.desk.front))


def failed(code: pb.Code, reason: str, sequence: int = 0) -> bytes:
    """A reply that says no."""
    failure = pb.Failure(code=code, reason=reason)
    return pb.Reply(sequence=sequence, failure=failure).SerializeToString()
