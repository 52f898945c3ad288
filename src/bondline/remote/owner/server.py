"""The gRPC server: mutual TLS and limits; `Methods` say who comes in."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import Event, Thread
from time import monotonic

import grpc

from bondline.errors import SettingError
from bondline.remote.limits import Limits
from bondline.remote.owner import ears
from bondline.remote.owner.doors import Methods, at_a_time
from bondline.remote.owner.host import Host
from bondline.remote.owner.lines import hang_up_on_the_loudest
from bondline.remote.owner.memory import watch
from bondline.remote.trust.address import misaddressed
from bondline.remote.trust.tls import Credentials, loopback
from bondline.remote.trust.validity import never, of_file

_LAST = 1.0  # s for connections to end
_PARTNERS = 4  # that have room for all that one may have at a time


@dataclass
class Server:
    """A running server."""

    port: int
    grpc: grpc.Server
    host: Host
    _over: Event
    _draining: Event

    def wait(self, seconds: float | None = None) -> bool:
        """Until somebody stops it, or for so long; whether it has stopped."""
        return self._over.wait(seconds)

    def stop(self, grace: float = 10.0) -> None:
        """Let requests that are being served finish, for so long."""
        self._draining.set()
        end = monotonic() + grace
        while monotonic() < end and self.host.busy and not self._over.is_set():
            self._over.wait(0.02)
        self.grpc.stop(0.2).wait(_LAST)  # a thread that computes is not waited for
        self._over.set()

    def begin_stop(self, grace: float = 10.0) -> None:
        """The same, without waiting; not in signal handlers, which take no locks."""
        Thread(target=self.stop, args=(grace,)).start()

    def shed(self) -> None:
        """Drop connections that bring most, with all that gRPC keeps for them.

        Sessions stay: whoever had one comes back, and is served what got lost.
        """
        hang_up_on_the_loudest(self.port)


def serve(host: Host, listen: str, secrets: Credentials | None) -> Server:
    """Listen and serve; without credentials only to this machine."""
    over, draining = Event(), Event()
    own = never if secrets is None else of_file(secrets.cert)
    handlers = Methods(host, draining, own).handlers()
    made, port = _listening(handlers, host.limits, listen, secrets)
    server = Server(port, made, host, over, draining)
    Thread(target=_sweeping, args=(host, over), daemon=True).start()
    given = (host.limits.growth, over, server.shed)
    Thread(target=watch, args=given, daemon=True).start()
    return server


def _listening(
    handlers: Sequence[grpc.GenericRpcHandler[bytes, bytes]],
    limits: Limits,
    listen: str,
    secrets: Credentials | None,
) -> tuple[grpc.Server, int]:
    """gRPC's part of a server, and its port."""
    streams = 2 * at_a_time(limits)  # conversations, and calls
    sign = min(limits.silence, limits.lease)  # s for one of life
    most = _PARTNERS * streams
    made = grpc.server(
        ThreadPoolExecutor(most, thread_name_prefix="leaf"),
        options=[
            ("grpc.max_receive_message_length", limits.message),
            ("grpc.max_send_message_length", 16 * limits.message),
            ("grpc.max_concurrent_streams", streams),
            ("grpc.so_reuseport", 0),
            ("grpc.server_handshake_timeout_ms", int(1000 * limits.silence)),
            ("grpc.http2.min_ping_interval_without_data_ms", 5000),
            ("grpc.max_connection_idle_ms", int(4000 * limits.lease)),
            ("grpc.keepalive_time_ms", int(1000 * limits.lease)),  # is it still there?
            ("grpc.http2.ping_timeout_ms", int(1000 * sign)),
        ],
        maximum_concurrent_rpcs=most,
    )
    made.add_generic_rpc_handlers(handlers)
    port = _bound(made, listen, secrets)
    ears.start(made)
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
