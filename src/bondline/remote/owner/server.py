"""The gRPC server: mutual TLS, health, reflection, limits; the rest is `Host`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import datetime
from threading import Event, Lock, Thread
from time import monotonic

import grpc
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from bondline.errors import SettingError
from bondline.remote.limits import Limits
from bondline.remote.owner.host import Host
from bondline.remote.owner.memory import watch
from bondline.remote.owner.session import Session
from bondline.remote.owner.stream import Talk, listen
from bondline.remote.protocol import SERVICE
from bondline.remote.trust.address import misaddressed
from bondline.remote.trust.tls import Credentials, loopback
from bondline.remote.trust.validity import never, now, of_connection, of_file, of_peer

_RAN_OUT = "The certificate of the connection ran out."
_NAMELESS = (
    "The certificate carries no partner name: exactly one spiffe:// id is needed, "
    "which bondline cert issue writes into it."
)
HANDSHAKE = 20.0  # s; until then whoever connects, and says nothing, has a file of ours
_Made = grpc.Server
_LAST = 1.0  # s for connections to end
_SPARE = 8  # threads for descriptions, pulses and health


@dataclass
class Server:
    """A running server."""

    port: int
    grpc: _Made
    host: Host
    _again: Callable[[], _Made]
    _over: Event
    _draining: Event
    renewed: int = 0  # times that all connections were made anew
    _failed: Exception | None = None
    _changing: Lock = field(default_factory=Lock)

    def wait(self, seconds: float | None = None) -> bool:
        """Until somebody stops it, or for so long; whether it has stopped.

        Raises what kept it from listening again.
        """
        over = self._over.wait(seconds)
        if self._failed is not None:
            raise self._failed
        return over

    def stop(self, grace: float = 10.0) -> None:
        """Let requests that are being served finish, for so long."""
        self._draining.set()
        end = monotonic() + grace
        while monotonic() < end and self.host.busy and not self._over.is_set():
            self._over.wait(0.02)
        with self._changing:
            self.grpc.stop(0.2).wait(_LAST)  # a thread that computes is not waited for
            self._over.set()

    def begin_stop(self, grace: float = 10.0) -> None:
        """The same, without waiting; not in signal handlers, which take no locks."""
        Thread(target=self.stop, args=(grace,)).start()

    def renew(self) -> None:
        """Drop all connections, with all that gRPC keeps for them, and listen again.

        Sessions stay: whoever had one comes back, and is served what got lost.
        """
        with self._changing:
            if self._draining.is_set():
                return
            self.grpc.stop(None).wait()
            try:
                self.grpc = self._again()
            except Exception as error:  # somebody else may have the port now
                self._failed = error
                self._over.set()
            self.renewed += 1


def serve(host: Host, listen: str, secrets: Credentials | None) -> Server:
    """Listen and serve; without credentials only to this machine."""
    over, draining = Event(), Event()
    own = never if secrets is None else of_file(secrets.cert)
    handlers = _handlers(host, draining, own)
    made, port = _listening(handlers, host.limits, listen, secrets)
    place = f"{listen.rpartition(':')[0]}:{port}"

    def again() -> grpc.Server:
        return _listening(handlers, host.limits, place, secrets)[0]

    server = Server(port, made, host, again, over, draining)
    Thread(target=_sweeping, args=(host, over), daemon=True).start()
    given = (host.limits.growth, over, server.renew)
    Thread(target=watch, args=given, daemon=True).start()
    return server


def _listening(
    handlers: grpc.GenericRpcHandler[bytes, bytes],
    limits: Limits,
    listen: str,
    secrets: Credentials | None,
) -> tuple[grpc.Server, int]:
    """gRPC's part of a server, and its port."""
    streams = limits.sessions + _SPARE
    made = grpc.server(
        ThreadPoolExecutor(streams + _SPARE, thread_name_prefix="leaf"),
        options=[
            ("grpc.max_receive_message_length", limits.message),
            ("grpc.max_send_message_length", 16 * limits.message),
            ("grpc.max_concurrent_streams", streams),
            ("grpc.so_reuseport", 0),
            ("grpc.server_handshake_timeout_ms", int(1000 * HANDSHAKE)),
            ("grpc.http2.min_ping_interval_without_data_ms", 5000),
            ("grpc.max_connection_idle_ms", int(4000 * limits.lease)),
        ],
        maximum_concurrent_rpcs=streams + _SPARE,
    )
    made.add_generic_rpc_handlers((handlers,))
    _extras(made)
    port = _bound(made, listen, secrets)
    made.start()
    return made, port


def _sweeping(host: Host, over: Event) -> None:
    while not over.wait(1.0):
        host.sweep()


def _bound(made: grpc.Server, listen: str, secrets: Credentials | None) -> int:
    if wrong := misaddressed(listen, least=0):
        raise SettingError(
            f"--listen {listen}",
            wrong,
            "Write HOST:PORT, for example 0.0.0.0:7443; 127.0.0.1:0 takes a free one.",
        )
    if secrets is None and not loopback(listen):
        raise SettingError(
            f"--listen {listen}",
            "without certificates only this machine may be served.",
            "Listen on 127.0.0.1:PORT, or give --cert, --key and --client-ca.",
        )
    try:
        if secrets is None:
            return int(made.add_insecure_port(listen))
        return int(made.add_secure_port(listen, secrets.for_server()))
    except RuntimeError:
        raise SettingError(
            f"--listen {listen}",
            "nobody can listen there.",
            "Another server may have the port; 127.0.0.1:0 takes a free one.",
        ) from None


def _extras(made: grpc.Server) -> None:
    well = health.HealthServicer()
    health_pb2_grpc.add_HealthServicer_to_server(well, made)
    for name in ("", SERVICE):
        well.set(name, health_pb2.HealthCheckResponse.SERVING)
    names = (SERVICE, health.SERVICE_NAME, reflection.SERVICE_NAME)
    reflection.enable_server_reflection(names, made)


def _handlers(
    host: Host, draining: Event, own: Callable[[], datetime]
) -> grpc.GenericRpcHandler[bytes, bytes]:
    def describe(raw: bytes, context: grpc.ServicerContext) -> bytes:
        return host.describe(raw, _valid(host, context))

    def pulse(raw: bytes, context: grpc.ServicerContext) -> bytes:
        return host.pulse(raw, _valid(host, context))

    def converse(
        requests: Iterator[bytes], context: grpc.ServicerContext
    ) -> Iterator[bytes]:
        who, until = _valid(host, context), min(of_peer(context), own())
        end = _End(who, until, draining)
        return _conversation(host, listen(requests, context, HANDSHAKE), end)

    return grpc.method_handlers_generic_handler(
        SERVICE,
        {
            "Describe": grpc.unary_unary_rpc_method_handler(describe),
            "Pulse": grpc.unary_unary_rpc_method_handler(pulse),
            "Converse": grpc.stream_stream_rpc_method_handler(converse),
        },
    )


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


def _valid(host: Host, context: grpc.ServicerContext) -> str:
    """Who calls, if the certificate still holds."""
    who = identity(context)
    if who is None:
        host.refused("", _NAMELESS)
        context.abort(grpc.StatusCode.UNAUTHENTICATED, _NAMELESS)
    if now() > of_peer(context):
        host.refused(who, _RAN_OUT)
        context.abort(grpc.StatusCode.UNAUTHENTICATED, _RAN_OUT)
    return who


def _conversation(host: Host, talk: Talk, end: _End) -> Iterator[bytes]:
    """Requests and replies in turn; the session lives on when the stream ends."""
    mine: Session | None = None
    try:
        for raw in talk:
            if end.expired(host):
                return
            reply, session = host.answer(raw, end.who)
            mine = _joined(mine, session)
            if end.expired(host):
                return  # it is repeated to whoever comes back with a valid one
            yield from talk.reply(reply)
            if end.draining.is_set():
                return
            if session is not None:
                session.tidy()
    finally:
        if mine is not None:
            mine.streams -= 1


def _joined(before: Session | None, session: Session | None) -> Session | None:
    """The session that a stream belongs to from now on."""
    if session is None or session is before:
        return before
    session.streams += 1
    if before is not None:
        before.streams -= 1
    return session


def identity(context: grpc.ServicerContext) -> str | None:
    """The SPIFFE id of the client's certificate; "" without TLS, None without an id.

    Never the name of a host or a person: nobody granted these anything.
    """
    known = of_connection(context)
    for value in known.get("peer_spiffe_id", ()):
        return value.decode("utf-8", "replace")
    return None if known.get("x509_pem_cert") else ""
