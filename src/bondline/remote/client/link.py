"""The client's end of a session: numbers its requests, repeats what got lost.

A request that got no reply is sent again, byte for byte, on a new stream; the server
serves it once. If the server was started again, the session is opened anew and the
states that are needed are made again. Only when that fails for too long somebody else
hears of it.
"""

from __future__ import annotations

import contextlib
import math
import random
import secrets
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from threading import RLock

from google.protobuf.message import DecodeError

from bondline.errors import BondlineError, LeafInconsistent, LeafLost
from bondline.remote import bondline_pb2 as pb
from bondline.remote.client.ledger import Ledger
from bondline.remote.client.line import Line, LineDown
from bondline.remote.client.memory import Memory
from bondline.remote.client.troubles import CUT, DOUBTFUL, Partner, failure, lost
from bondline.remote.client.waiting import Absence, Work
from bondline.remote.codec import heads
from bondline.remote.codec.malformed import Malformed
from bondline.remote.codec.tables import Legend
from bondline.remote.protocol import spoken
from bondline.wire.turns import OneAtATime, away

_FIRST, _LONGEST = 0.05, 5.0  # s between attempts, at first and at most
_STEP = 10.0  # s for one reply, where nobody says more
_ATTEMPTS = 5  # at least, to begin a session anew before a partner is given up
_HEARTBEAT = 0.7  # s for an answer to whether somebody is there: a hang is known in 1


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to wait for what.

    For a session to open it is `grace`, if that is longer than `step`: its server may
    connect to suppliers of its own first, and cannot say yet that it is at work.
    """

    step: float | None = None  # s for one reply; None: what the owner says, or 10
    connect: float = 10.0  # s for a description
    grace: float = 60.0  # s for a partner to come back
    work: float = 3600.0  # s for one reply, while the partner says that it works


class SessionGone(Exception):
    """The server knows nothing of the session."""


def _nobody(reply: pb.Reply | None) -> None:
    """Nobody wants to know that a session began anew."""


@dataclass
class Link:
    """One session with one partner's model."""

    partner: Partner
    line: Line
    patience: Patience = Patience()
    takeover: bool = False
    coordinator: str = field(default_factory=lambda: secrets.token_hex(8))
    trips: int = 0  # round trips of the session
    sent: int = 0  # bytes of requests that were answered
    received: int = 0  # bytes of their replies
    waited: float = 0.0  # s for replies
    shortest: float = math.inf  # s, of a round trip
    retries: int = 0
    recoveries: int = 0
    released: deque[int] = field(default_factory=deque)
    legend: Legend = field(default_factory=Legend)
    memory: Memory = field(default_factory=Memory)
    fresh: Callable[[pb.Reply | None], None] = _nobody
    pause: Callable[[float], None] = time.sleep
    clock: Callable[[], float] = time.monotonic
    digest: str = ""
    max_step: float = 0.0
    epoch: int = 0
    ledger: Ledger = field(init=False)
    _session: int = 0
    _sequence: int = 0
    _doubtful: bool = False  # whether the partner may have served what got no reply
    _silent: bool = False  # whether the partner did not answer the last pulse
    _names: Iterator[int] = field(default_factory=lambda: count(1))
    _held: set[int] = field(default_factory=set)  # names that were not released
    _lock: RLock = field(default_factory=RLock)  # of threads
    _turn: OneAtATime = field(default_factory=OneAtATime)  # of turns on one thread
    _lost: BondlineError | None = None  # what the last request came to, if nobody came

    def __post_init__(self) -> None:
        self.ledger = Ledger(self.partner.place, self.partner.part)

    def name(self) -> int:
        """A name that no state had before."""
        name = next(self._names)
        self._held.add(name)
        return name

    def describe(self, model: str) -> pb.Description:
        """What the partner says about the model."""
        raw = pb.DescribeRequest(version=spoken(), model=model).SerializeToString()
        absence, connect = self._absence(), self.patience.connect
        with absence.from_now():
            answer = self._insisting(lambda: self.line.describe(raw, connect), absence)
        reply = pb.DescribeReply()
        self._parse(reply, answer)
        if reply.HasField("failure"):
            raise failure(self.partner, reply.failure)
        found = reply.description
        self.ledger.described(found)
        self.digest, self.max_step = found.digest, found.max_step_seconds
        if found.lease_seconds > 0.0:
            self.line.while_idle(found.lease_seconds / 3.0, self.renew)
        return found

    def open(self) -> None:
        """Begin the session, if it has not begun."""
        if self._session:
            return
        ask = pb.Open(
            version=spoken(),
            model=self.partner.model,
            coordinator=self.coordinator,
            digest=self.digest,
            takeover=self.takeover,
        )
        request = pb.Request(open=ask)
        reply = self._send(request, request.SerializeToString())
        if not reply.HasField("opened"):
            raise self._nonsense("the session was neither opened nor refused")
        self._session, self.epoch = reply.opened.session, reply.opened.epoch
        self._sequence, self.legend = 0, Legend()

    def ask(self, request: pb.Request) -> pb.Reply:
        """One round trip; raises what the partner's refusal means."""
        with self._lock, self._turn as met:
            if met and self._lost is not None:
                raise self._lost  # whoever was at it has waited for the partner already
            self.open()
            released = self.released  # names may still be dropped while we look
            request.release.extend([released.popleft() for _ in range(len(released))])
            self._held.difference_update(request.release)
            try:
                if self._doubtful:  # nobody knows which number it expects
                    raise SessionGone
                reply, raw = self._numbered(request)
            except SessionGone:
                reply, raw = self._again(request)
            self.memory.add(request, raw)
            return reply

    def _numbered(self, request: pb.Request) -> tuple[pb.Reply, bytes]:
        """The reply, and the bytes that were sent."""
        self._sequence += 1
        self._doubtful = True
        request.session, request.epoch = self._session, self.epoch
        request.sequence = self._sequence
        raw = request.SerializeToString()
        reply = self._send(request, raw)
        if reply.sequence != self._sequence:
            raise self._nonsense(f"there is no reply to request {self._sequence}")
        if reply.tables:
            self.legend.learn(reply.tables)
        return reply, raw

    def _again(self, request: pb.Request) -> tuple[pb.Reply, bytes]:
        """Open the session anew, as often as it is lost within the partner's grace."""
        until, wait = self.clock() + self.patience.grace, _FIRST
        for attempt in count(1):
            with contextlib.suppress(SessionGone):
                return self._anew(request)
            if attempt >= _ATTEMPTS and self.clock() > until:
                break
            self.pause(wait)
            wait = min(2.0 * wait, _LONGEST)
        raise LeafLost(
            str(self.partner),
            "its server is started again and again.",
            "Have its owner look after it, then resume the run.",
        )

    def _anew(self, request: pb.Request) -> tuple[pb.Reply, bytes]:
        """Open a session, make the states again, and ask once more."""
        try:
            needed = self.memory.needed(request, self._held.copy())
        except KeyError as unknown:
            raise LeafLost(
                str(self.partner),
                f"its server was started again, and state {unknown} is too old to be "
                "made again.",
                "Resume the run: it goes on from its last checkpoint.",
            ) from None
        self.recoveries += 1
        self._session = 0
        self.open()
        self.fresh(None)
        for old in needed:
            self.fresh(self._numbered(old)[0])
        return self._numbered(request)

    def _send(self, request: pb.Request, raw: bytes) -> pb.Reply:
        wait = self.patience.step or self.max_step or _STEP
        since, others = time.monotonic(), away()
        work = Work(self.partner, since, since + self.patience.work)
        busy, absence = partial(self._busy, work), None
        if request.HasField("open"):
            absence = self._absence()
            busy = partial(self._opening, absence, self.clock())
        attempt = partial(self.line.exchange, raw, wait, busy)
        answer = self._insisting(attempt, absence)
        work.over()
        took = time.monotonic() - since
        self.waited += took - (away() - others)
        self.shortest = min(self.shortest, took)
        self.trips += 1
        self.sent += len(raw)
        self.received += len(answer)
        reply = pb.Reply()
        self._parse(reply, answer)
        self._doubtful = False
        self.ledger.received(raw, request, reply)
        if reply.HasField("failure"):
            if request.sequence and not reply.sequence:
                self._sequence -= 1  # it was sent away before it was counted
            if reply.failure.kind == pb.KIND_SESSION:
                raise SessionGone
            raise failure(self.partner, reply.failure)
        return reply

    def _insisting(
        self, attempt: Callable[[], bytes], absence: Absence | None = None
    ) -> bytes:
        """Try until it works, or the partner has been away for its grace."""
        wait, hung, since = _FIRST, 0, self.clock()
        while True:
            try:
                answer = attempt()
            except LineDown as down:
                if wait == _FIRST and down.cause in CUT:
                    since = self.clock()  # it was at work until now, perhaps for long
                until = since + self.patience.grace
                hung += down.cause == "hung"
                final = down.final or hung > 1 or (hung > 0 and self._silent)
                final |= wait == _FIRST and self._untrusted(down)
                if final or self.clock() + wait > until:
                    self._lost = lost(self.partner, down, self.line, self.trips > 0)
                    raise self._lost from down
                absence = absence or self._absence(until)
                absence.still(down.cause, since)
            else:
                self._lost = None
                if absence is not None:
                    absence.over()
                return answer
            self.retries += 1
            self.pause(wait * (0.5 + random.random()))  # not all partners at once
            wait = min(2.0 * wait, _LONGEST)

    def _absence(self, until: float | None = None) -> Absence:
        """Says that the partner is away, if it is for long."""
        last = self.clock() + self.patience.grace if until is None else until
        return Absence(self.partner, last, self.clock)

    def _untrusted(self, down: LineDown) -> bool:
        """Whether certificates are the trouble: no time will mend them."""
        return down.cause in DOUBTFUL and self.line.explain() is not None

    def _parse(self, reply: pb.Reply | pb.DescribeReply, raw: bytes) -> None:
        try:
            reply.ParseFromString(raw)
        except DecodeError:
            raise self._nonsense("these bytes are no reply") from None

    def _nonsense(self, what: str) -> BondlineError:
        return LeafInconsistent(
            str(self.partner), f"{what}.", "Ask its owner which version it serves."
        )

    def _opening(self, absence: Absence, since: float) -> bool:
        """Whether a session may still open; until it has, the partner has no pulse."""
        if self.clock() >= absence.until:
            return False
        absence.still("", since)
        return True

    def _busy(self, work: Work) -> bool:
        """Whether the partner is at work on what was asked."""
        if not self._session or time.monotonic() > work.until:
            return False
        reply = pb.PulseReply()
        try:
            reply.ParseFromString(self.line.pulse(self._pulse(), _HEARTBEAT))
        except (
            LineDown,
            DecodeError,
            BondlineError,
        ):  # or no new connection is to be had
            self._silent = True  # on a new connection, too: nobody needs to try again
            return False
        self._silent = False
        if not (reply.open and reply.busy):
            return False
        if not self.partner.here:
            work.still()
        return True

    def _pulse(self) -> bytes:
        ask = pb.PulseRequest(session=self._session, epoch=self.epoch)
        return ask.SerializeToString()

    def renew(self) -> None:
        """Tell the partner that the session is still wanted, while nothing is asked."""
        if self._session:  # also where a reply lies and others are waited for
            # or no new connection is to be had, while certificates are renewed
            with contextlib.suppress(LineDown, BondlineError):
                self.line.pulse(self._pulse(), _HEARTBEAT)

    def close(self) -> None:
        """End the session, if anybody still listens."""
        with self._lock:
            try:
                if self._session:
                    self._say_goodbye()
            finally:
                self.line.close()

    def _say_goodbye(self) -> None:
        ask = pb.Request(session=self._session, epoch=self.epoch)
        ask.close.SetInParent()
        heads.tell(self.ledger.head(), ask.close)
        self._session, reply = 0, pb.Reply()
        # if nobody hears it, the lease will end the session
        with contextlib.suppress(LineDown, DecodeError, Malformed):
            reply.ParseFromString(self.line.exchange(ask.SerializeToString(), 2.0))
            self.ledger.heard(heads.told(reply.done))
