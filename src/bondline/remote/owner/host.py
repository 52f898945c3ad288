"""All models and sessions of one server; transports call it with bytes."""

from __future__ import annotations

import contextlib
import re
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from threading import Condition, Lock
from time import monotonic
from typing import NamedTuple, TypeVar

from google.protobuf.message import DecodeError, Message

from bondline.remote import bondline_pb2 as pb
from bondline.remote.codec import heads
from bondline.remote.codec.count import told
from bondline.remote.codec.malformed import Malformed
from bondline.remote.failures import Refused
from bondline.remote.limits import Limits
from bondline.remote.owner.desk import Desk, refusal
from bondline.remote.owner.front import Front
from bondline.remote.owner.gate import (
    Call,
    Denied,
    Forgetting,
    Gate,
    Knowing,
    came_to_nothing,
    exchange,
    note,
    turned_away,
    visible,
)
from bondline.remote.owner.mishaps import FAILED, mishap
from bondline.remote.owner.saying_no import said_no
from bondline.remote.owner.served import Served
from bondline.remote.owner.session import Over, Session
from bondline.remote.owner.shelf import Shelf
from bondline.remote.protocol import VERSION

M = TypeVar("M", bound=Message)
_NOTHING = "The request asks for nothing: open a session, and name it from then on."
_TAKEN = "All sessions of this server are taken: try again later, or ask its owner."
_NAME = 100  # characters of a model that may not exist
_COORDINATOR = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")


class _Lapsed(NamedTuple):
    """A session whose lease ran out."""

    number: int
    identity: str
    model: str


class Open:
    """Lets everybody do everything: for trials, and for pipes to one's own leaves."""

    def admit(self, call: Call) -> Denied | None:
        """Always."""
        return None

    def served(self, call: Call, numbers: int) -> None:
        """Nobody counts."""


@dataclass
class Host:
    """What a server serves, to whom, and who has a session."""

    models: Mapping[str, Served]
    gate: Gate = field(default_factory=Open)
    limits: Limits = Limits()  # noqa: RUF009 - a frozen value
    shelf: Shelf | None = None
    clock: Callable[[], float] = monotonic
    sessions: dict[int, Session] = field(default_factory=dict)
    _fenced: deque[int] = field(default_factory=lambda: deque(maxlen=1024))
    _lapsed: deque[_Lapsed] = field(default_factory=lambda: deque(maxlen=64))
    _epoch: int = 0
    _lock: Lock = field(default_factory=Lock)
    _coming: set[tuple[str, str]] = field(default_factory=set)  # who opens a session
    _room: Condition = field(init=False)  # of the lock: somebody came, or did not

    def __post_init__(self) -> None:
        self._room = Condition(self._lock)

    def describe(self, raw: bytes, identity: str) -> bytes:
        """The description of a model, if its owner lets this partner see it."""
        ask = pb.DescribeRequest()
        try:
            ask = _parsed(ask, raw)
            served, call = self._granted(ask.model, ask.version, identity, "describe")
            front = self._front(served, call)
            found = served.description(self.limits.lease, front)
            self.gate.served(call, told(found))
        except Refused as refused:
            model = self._known(ask.model)
            self._note(refused, Call(identity, model, "describe", request=raw))
            came_to_nothing(self.gate)
            return pb.DescribeReply(failure=refused.message).SerializeToString()
        except FAILED as error:  # its words stay here
            call = Call(identity, self._known(ask.model), "describe", request=raw)
            failed = self._mishap(error, call)
            came_to_nothing(self.gate)
            return pb.DescribeReply(failure=failed).SerializeToString()
        return pb.DescribeReply(description=found).SerializeToString()

    def _known(self, model: str) -> str:
        """A name that came from outside, if there is such a model."""
        return model if model in self.models else ""

    def pulse(self, raw: bytes, identity: str) -> bytes:
        """Whether a session lives, and whether it computes."""
        ask, reply = pb.PulseRequest(), pb.PulseReply()
        try:
            ask = _parsed(ask, raw)
        except Refused:
            return reply.SerializeToString()
        session, now = self.sessions.get(ask.session), self.clock()
        if session and (session.epoch, session.identity) == (ask.epoch, identity):
            session.touched, since = now, session.busy_since
            reply.open, reply.sequence = True, session.sequence
            reply.busy = since is not None
            reply.seconds = 0.0 if since is None else now - since
        return reply.SerializeToString()

    def answer(self, raw: bytes, identity: str) -> tuple[bytes, Session | None]:
        """The reply to one request, and the session it belongs to."""
        request = pb.Request()
        try:
            if len(raw) > self.limits.message:
                raise Refused(pb.CODE_RESOURCE_EXHAUSTED, "The request is too long.")
            request = _parsed(request, raw)
            if not (request.session or request.WhichOneof("ask")):
                raise Refused(pb.CODE_INVALID_ARGUMENT, _NOTHING)
            if request.HasField("open"):
                return self._opened(request.open, identity)
            session = self._session(request, identity)
            if request.HasField("close"):
                return self._closed(session, request), session
            return self._served(session, raw, request), session
        except Refused as refused:
            self._note(refused, self._call(request, raw, identity))
            came_to_nothing(self.gate)
            return pb.Reply(failure=refused.message).SerializeToString(), None
        except FAILED as error:  # its words stay here
            failed = self._mishap(error, self._call(request, raw, identity))
            came_to_nothing(self.gate)
            return pb.Reply(failure=failed).SerializeToString(), None

    def _served(self, session: Session, raw: bytes, request: pb.Request) -> bytes:
        """The session's answer; it may have ended since it was found."""
        try:
            return session.answer(raw, request)
        except Over:
            raise self._missing(request.session) from None

    def _call(self, request: pb.Request, raw: bytes, identity: str) -> Call:
        """A request that got nowhere, in the gate's words."""
        session = self.sessions.get(request.session)
        model = session.desk.served.name if session else self._known(request.open.model)
        method = request.WhichOneof("ask") or ""
        number = str(request.session) if request.session else ""
        return Call(identity, model, method, session=number, request=raw)

    def _mishap(self, error: BaseException, call: Call) -> pb.Failure:
        """Of a model that may not be there yet: it tells of no parts then, either."""
        served = self.models.get(call.model)
        secretive = served is None or not served.published.inner
        return mishap(error, self.gate, call, secretive)

    def _note(self, refused: Refused, call: Call) -> None:
        if not refused.noted:
            note(self.gate, call, said_no(refused))

    def refused(self, identity: str, reason: str) -> None:
        """A transport sent somebody away: the owner's log has it."""
        turned_away(self.gate, identity, reason)

    def knows(self, identity: str) -> bool:
        """Whether the owner grants this partner anything; that it does not is noted."""
        if not isinstance(self.gate, Knowing) or self.gate.knows(identity):
            return True
        why = "no grant names this partner."
        no = Denied("PERMISSION_DENIED", "It may not converse here.", "who", why)
        note(self.gate, Call(identity, "", "converse"), no)
        return False

    def no_room(self, identity: str, reason: str) -> None:
        """A partner has more conversations than it may: the owner's log has it."""
        no = Denied("RESOURCE_EXHAUSTED", reason, "limits")
        note(self.gate, Call(identity, "", "converse"), no)

    @property
    def busy(self) -> bool:
        """Whether any session computes."""
        return any(s.busy_since is not None for s in list(self.sessions.values()))

    def sweep(self) -> None:
        """End sessions that have been silent for too long."""
        with self._lock:
            late = self.clock() - self.limits.lease
            for session in list(self.sessions.values()):
                if session.touched < late and session.busy_since is None:
                    self._end(session)
                    self._lapsed.append(
                        _Lapsed(session.number, session.identity, session.model)
                    )

    def _session(self, request: pb.Request, identity: str) -> Session:
        session = self.sessions.get(request.session)
        if session is None:
            raise self._missing(request.session)
        if session.identity != identity:
            raise Refused(pb.CODE_PERMISSION_DENIED, "The session is somebody else's.")
        if request.epoch != session.epoch:
            raise _fenced()
        return session

    def _missing(self, number: int) -> Refused:
        """Of a session that is over, or never was."""
        if number in self._fenced:
            return _fenced()
        return Refused(
            pb.CODE_FAILED_PRECONDITION,
            "There is no such session: its lease ran out, or the server restarted.",
            pb.KIND_SESSION,
        )

    def _opened(self, ask: pb.Open, identity: str) -> tuple[bytes, Session]:
        served, call = self._granted(ask.model, ask.version, identity, "open")
        if not _COORDINATOR.fullmatch(ask.coordinator):
            raise Refused(
                pb.CODE_INVALID_ARGUMENT, "A coordinator is named by a-z, 0-9 and -."
            )
        if ask.digest and ask.digest != served.digest:
            raise Refused(
                pb.CODE_FAILED_PRECONDITION,
                "The model has changed since it was described.",
                pb.KIND_VERSION,
            )
        self.sweep()
        front = self._front(served, call)
        with self._opening(ask, identity, served.name):
            session = self._begin(served, front, ask.coordinator, identity)
        description = served.description(self.limits.lease, front)
        opened = pb.Opened(
            session=session.number, epoch=session.epoch, description=description
        )
        self.gate.served(call._replace(session=str(session.number)), told(description))
        return pb.Reply(opened=opened).SerializeToString(), session

    def _front(self, served: Served, call: Call) -> Front:
        names = [p.name for p in served.ports]
        return served.front(visible(self.gate, call, names))

    @contextlib.contextmanager
    def _opening(self, ask: pb.Open, identity: str, model: str) -> Iterator[None]:
        """A place for one more session, while it is made ready.

        Others come and go meanwhile. Only who wants that very place waits for it: the
        same coordinator, which asks again, and whoever finds all places taken.
        """
        who = (identity, ask.coordinator)
        with self._room:
            self._room.wait_for(lambda: self._may_try(who))
            self._make_room(ask, identity, model)
            self._coming.add(who)
        try:
            yield
        finally:
            with self._room:
                self._coming.remove(who)
                self._room.notify_all()

    def _may_try(self, who: tuple[str, str]) -> bool:
        taken = len(self.sessions) + len(self._coming)
        full = taken >= self.limits.sessions
        return not self._coming or not (full or who in self._coming)

    def _begin(
        self, served: Served, front: Front, coordinator: str, identity: str
    ) -> Session:
        model = served.borrow()  # not under the lock: it may ask suppliers of its own
        desk = Desk(served, front, model, self.gate, identity, self.shelf, self.limits)
        try:
            with self._lock:
                return self._numbered(desk, coordinator, identity)
        except BaseException:
            served.bring_back(model)
            raise

    def _numbered(self, desk: Desk, coordinator: str, identity: str) -> Session:
        self._epoch += 1
        if self.shelf is not None:
            self._epoch = self.shelf.next_epoch()
        made = Session(
            self._epoch, self._epoch, coordinator, identity, desk, self.clock
        )
        self.sessions[made.number] = made
        return made

    def _make_room(self, ask: pb.Open, identity: str, model: str) -> None:
        """Refuse a session too many; end one that is fenced off, or that hung up.

        Only the partner's own: nobody ends a session of somebody else's, or hears of
        it. A coordinator that asks once more has not heard of its session. Who takes a
        model over is alone with it: also one of the same partner's whose lease ran
        out, and who may wake up again, is fenced off.
        """
        if ask.takeover:
            for late in [*self._lapsed]:
                if (late.identity, late.model) == (identity, model):
                    self._lapsed.remove(late)
                    self._fenced.append(late.number)
        own = [s for s in self.sessions.values() if s.identity == identity]
        for session in own:
            if session.coordinator == ask.coordinator:
                self._end(session, fenced=True)
        while len(self.sessions) >= self.limits.sessions:
            own = [s for s in self.sessions.values() if s.identity == identity]
            oldest = min(own, key=lambda s: (not s.gone, s.touched), default=None)
            if oldest is None or not (oldest.gone or ask.takeover):
                raise self._held(oldest)
            self._end(oldest, fenced=True)

    def _held(self, session: Session | None) -> Refused:
        """By one of the partner's own; or by others, of whom nothing is told."""
        if session is None:
            return Refused(pb.CODE_RESOURCE_EXHAUSTED, _TAKEN)
        left = max(0.0, session.touched + self.limits.lease - self.clock())
        return Refused(
            pb.CODE_RESOURCE_EXHAUSTED,
            f"Coordinator {session.coordinator} has the session; its lease runs out "
            f"in {left:.0f} s unless it is renewed.",
        )

    def _end(self, session: Session, fenced: bool = False) -> None:
        if self.sessions.pop(session.number, None) is None:
            return  # somebody else has ended it
        if fenced:
            self._fenced.append(session.number)
        if isinstance(self.gate, Forgetting):
            number = str(session.number)
            self.gate.forget(session.identity, session.model, number)
        if session.end():  # a model that still computes is nobody's any more
            session.desk.served.bring_back(session.desk.model)
        self._room.notify_all()

    def _closed(self, session: Session, request: pb.Request) -> bytes:
        with self._lock:
            self._end(session)
        reply = pb.Reply(sequence=request.sequence, done=pb.Done())
        call = session.desk.call("close")
        self.gate.served(call, 0)
        with contextlib.suppress(Malformed):  # the session is over all the same
            exchange(self.gate, call, heads.told(request.close), reply.done)
        return reply.SerializeToString()

    def _granted(
        self, name: str, version: pb.Version, identity: str, method: str
    ) -> tuple[Served, Call]:
        """The model, if this partner may: whether it exists is not told to others."""
        if version.major != VERSION[0]:
            raise Refused(
                pb.CODE_FAILED_PRECONDITION,
                f"This server speaks version {VERSION[0]}.{VERSION[1]} of the "
                f"protocol, not {version.major}.{version.minor}.",
                pb.KIND_VERSION,
            )
        if not name and len(self.models) == 1:
            name = next(iter(self.models))
        known = name in self.models
        call = Call(identity, name if known else name[:_NAME], method)
        denied = self.gate.admit(call)
        if denied is not None:
            raise refusal(denied)
        if not known:
            raise Refused(pb.CODE_NOT_FOUND, "There is no such model here.")
        return self.models[name], call


def _fenced() -> Refused:
    return Refused(pb.CODE_ABORTED, "Another coordinator has taken the session over.")


def _parsed(message: M, raw: bytes) -> M:
    try:
        message.ParseFromString(raw)
    except DecodeError:
        raise Refused(pb.CODE_INVALID_ARGUMENT, "These bytes are no request.") from None
    return message
