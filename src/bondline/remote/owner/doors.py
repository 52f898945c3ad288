"""What a gRPC server answers to, and to whom; the answers are `Host`'s.

Every method is a stream here, also those of one request and one reply: in gRPC's own
way, who opens such a call and sends no request keeps a thread of ours for ever.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from threading import Event

import grpc
from grpc_health.v1 import health
from grpc_reflection.v1alpha import reflection

from bondline.remote.limits import Limits
from bondline.remote.owner.crowd import Crowd
from bondline.remote.owner.extras import Asked, Reflection, check
from bondline.remote.owner.host import Host
from bondline.remote.owner.session import Session
from bondline.remote.owner.stream import Talk, listen
from bondline.remote.protocol import SERVICE
from bondline.remote.trust.validity import now, of_connection, of_peer

_RAN_OUT = "The certificate of the connection ran out."
_NAMELESS = (
    "The certificate carries no partner name: exactly one spiffe:// id is needed, "
    "which bondline cert issue writes into it."
)
_STRANGER = "No grant of this server's policy names you: ask its owner for one."
_CROWDED = "You have {} calls of this server at a time, as many as one partner may."
_LEFT = 4  # calls beyond sessions: some are over, and nobody has heard yet

Requests = Iterator[bytes]
Handler = Callable[[Requests, grpc.ServicerContext], Iterator[bytes]]


def at_a_time(limits: Limits) -> int:
    """Conversations that one partner may have, and as many calls."""
    return limits.sessions + _LEFT


@dataclass
class Methods:
    """The methods of a server; `own` is when its certificate runs out."""

    host: Host
    draining: Event
    own: Callable[[], datetime]
    _talks: Crowd = field(init=False)
    _calls: Crowd = field(init=False)

    def __post_init__(self) -> None:
        most = at_a_time(self.host.limits)
        self._talks, self._calls = Crowd(most), Crowd(most)

    def handlers(self) -> Sequence[grpc.GenericRpcHandler[bytes, bytes]]:
        """For gRPC, which does not know that some are of one request."""
        host, known = self.host, Reflection()
        services: dict[str, dict[str, Handler]] = {
            SERVICE: {
                "Describe": self._once(lambda raw, who, _: host.describe(raw, who)),
                "Pulse": self._once(lambda raw, who, _: host.pulse(raw, who)),
                "Converse": self.converse,
            },
            health.SERVICE_NAME: {"Check": self._once(check)},
            reflection.SERVICE_NAME: {"ServerReflectionInfo": self._each(known.answer)},
        }
        return [
            grpc.method_handlers_generic_handler(
                service,
                {n: grpc.stream_stream_rpc_method_handler(h) for n, h in each.items()},
            )
            for service, each in services.items()
        ]

    def converse(
        self, requests: Requests, context: grpc.ServicerContext
    ) -> Iterator[bytes]:
        """All that is about a session."""
        who = self._granted(context)
        end = _End(who, min(of_peer(context), self.own()), self.draining)
        talk = self._listen(requests, context)
        each = _Conversation(self.host, end).on(talk)
        return self._with_room(self._talks, who, context, each)

    def _each(self, answer: Asked) -> Handler:
        """A conversation without a session, of those who may have one."""

        def handler(
            requests: Requests, context: grpc.ServicerContext
        ) -> Iterator[bytes]:
            who, talk = self._granted(context), self._listen(requests, context)
            each = talk.serve(_Each(lambda raw: answer(raw, who, context)))
            return self._with_room(self._talks, who, context, each)

        return handler

    def _once(self, answer: Asked) -> Handler:
        """One request and one reply; who may not have it is told so by the reply."""

        def handler(
            requests: Requests, context: grpc.ServicerContext
        ) -> Iterator[bytes]:
            who, talk = self._valid(context), self._listen(requests, context)
            each = talk.serve(_Each(lambda raw: answer(raw, who, context), 1))
            return self._with_room(self._calls, who, context, each)

        return handler

    def _listen(self, requests: Requests, context: grpc.ServicerContext) -> Talk:
        return listen(requests, context, self.host.limits.silence)

    def _valid(self, context: grpc.ServicerContext) -> str:
        """Who calls, if the certificate still holds."""
        who = identity(context)
        if who is None:
            self.host.refused("", _NAMELESS)
            context.abort(grpc.StatusCode.UNAUTHENTICATED, _NAMELESS)
        if now() > of_peer(context):
            self.host.refused(who, _RAN_OUT)
            context.abort(grpc.StatusCode.UNAUTHENTICATED, _RAN_OUT)
        return who

    def _granted(self, context: grpc.ServicerContext) -> str:
        """The same, if the owner grants them anything: others hold nothing here."""
        who = self._valid(context)
        if not self.host.knows(who):
            context.abort(grpc.StatusCode.PERMISSION_DENIED, _STRANGER)
        return who

    def _with_room(
        self,
        crowd: Crowd,
        who: str,
        context: grpc.ServicerContext,
        each: Iterator[bytes],
    ) -> Iterator[bytes]:
        """These replies, if there is room for one more of this partner."""
        with crowd.one_more(who) as room:
            if not room:
                reason = _CROWDED.format(crowd.most)
                self.host.no_room(who, reason)
                context.abort(grpc.StatusCode.RESOURCE_EXHAUSTED, reason)
            yield from each


@dataclass(frozen=True)
class _End:
    """Who is at the other end of a stream, and when it is over."""

    who: str
    until: datetime
    draining: Event

    def expired(self, host: Host) -> bool:
        """Whether a certificate ran out since the stream began; written down."""
        if now() <= self.until:
            return False
        host.refused(self.who, _RAN_OUT)
        return True


@dataclass
class _Each:
    """A reply to every request, or to the first ones."""

    answer: Callable[[bytes], bytes]
    most: int | None = None
    _given: int = 0

    def reply(self, raw: bytes) -> bytes:
        """The same whoever asks."""
        self._given += 1
        return self.answer(raw)

    def over(self) -> bool:
        """After the last of them."""
        return self.most is not None and self._given >= self.most

    def tidy(self) -> None:
        """Nothing was left."""


@dataclass
class _Conversation:
    """What is said in one stream; the session lives on when that ends."""

    host: Host
    end: _End
    _mine: Session | None = None

    def on(self, talk: Talk) -> Iterator[bytes]:
        """Requests and replies in turn."""
        try:
            yield from talk.serve(self)
        finally:
            if self._mine is not None:
                self._mine.leave()

    def reply(self, raw: bytes) -> bytes | None:
        """To those whose certificate holds, before and after."""
        if self.end.expired(self.host):
            return None
        reply, session = self.host.answer(raw, self.end.who)
        self._mine = _joined(self._mine, session)
        if self.end.expired(self.host):
            return None  # it is repeated to whoever comes back with a valid one
        return reply

    def over(self) -> bool:
        """Who stops serves nothing new."""
        return self.end.draining.is_set()

    def tidy(self) -> None:
        """What can wait until a reply has left."""
        if self._mine is not None:
            self._mine.tidy()


def _joined(before: Session | None, session: Session | None) -> Session | None:
    """The session that a stream belongs to from now on."""
    if session is None or session is before:
        return before
    session.join()
    if before is not None:
        before.leave()
    return session


def identity(context: grpc.ServicerContext) -> str | None:
    """The SPIFFE id of the client's certificate; "" without TLS, None without an id.

    Never the name of a host or a person: nobody granted these anything.
    """
    known = of_connection(context)
    for value in known.get("peer_spiffe_id", ()):
        return value.decode("utf-8", "replace")
    return None if known.get("x509_pem_cert") else ""
