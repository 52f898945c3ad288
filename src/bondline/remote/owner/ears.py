"""The threads of a gRPC server that hear what comes, and may answer it themselves.

gRPC has one such thread a server, and it must not stop to answer: it wakes another one
for that, which costs more than many an answer. With two of them one may answer, as long
as the other one listens.
"""

from __future__ import annotations

import logging
from functools import cache
from inspect import signature
from threading import Lock, Thread, local
from time import sleep, time
from typing import Any

import grpc

_inside: Any = None
try:
    from grpc import _server as _inside
    from grpc._cython import cygrpc  # type: ignore[attr-defined]
except ImportError:  # another release of gRPC: its own thread listens
    pass

log = logging.getLogger("bondline.leaf")
_PATIENCE = 1.0  # s, after which one looks whether the server has stopped
_PAUSE = 0.1  # s after something went wrong


class _Own(local):
    """What a thread must hold to answer: one of two may; nothing, if it is no ear."""

    mouth: Lock | None = None


_own = _Own()


def taken() -> Lock | None:
    """Held by this thread, which hears what comes, while the other one listens.

    To be released when it has answered; None: it must not answer.
    """
    mouth = _own.mouth
    return mouth if mouth is not None and mouth.acquire(blocking=False) else None


def start(server: grpc.Server) -> None:
    """Start the server with ears of ours, where this release of gRPC lets us."""
    try:
        hearing = _Hearing(server)
    except (AttributeError, TypeError):
        tell_unknown_release()
        server.start()
        return
    hearing.start()


@cache
def tell_unknown_release() -> None:
    """That not all that we know of gRPC is there; once."""
    log.warning("This release of gRPC is unknown: it serves, but more slowly.")


class _Hearing:
    """What `grpc._server` does to start and to serve, with more than one thread.

    All that it needs of gRPC's inside is looked at before anything is begun.
    """

    def __init__(self, server: Any) -> None:
        self._state = state = server._state
        self._lock, self._due = state.lock, state.due
        self._core, self._queue = state.server, state.completion_queue
        _ = state.stage, state.server_deallocated
        stages = _inside._ServerStage
        self._begun, self._over = stages.STARTED, stages.STOPPED
        self._call = _inside._REQUEST_CALL_TAG
        self._take = taking(_inside._process_event_and_continue, 2)
        self._ask = taking(_inside._request_call, 1)
        self._end = taking(_inside._begin_shutdown_once, 1)
        self._nothing = cygrpc.CompletionType.queue_timeout
        self._mouth = Lock()

    def start(self) -> None:
        with self._lock:
            self._core.start()
            self._state.stage = self._begun
            self._ask(self._state)
        for n in (1, 2):
            Thread(target=self._hear, name=f"ear-{n}", daemon=True).start()

    def _hear(self) -> None:
        """Until the server has stopped, whoever of us hears the last of it."""
        _own.mouth = self._mouth
        while self._state.stage is not self._over:
            try:
                self._hear_once()
            except Exception:  # of memory there may be none just now
                log.exception("What came could not be heard.")
                sleep(_PAUSE)

    def _hear_once(self) -> None:
        event = self._queue.poll(time() + _PATIENCE)
        if self._state.server_deallocated:
            self._end(self._state)
        if event.completion_type != self._nothing:
            self._heard(event)

    def _heard(self, event: Any) -> None:
        """gRPC's own thread would end by an error, and the server be deaf."""
        try:
            self._take(self._state, event)
        except Exception:  # there may be no room for one more thread
            log.exception("A call could not be taken in.")
            with self._lock:
                waits = self._call in self._due
                if self._state.stage is self._begun and not waits:
                    self._ask(self._state)


def taking(function: Any, count: int) -> Any:
    """The function, if it takes so many arguments."""
    if len(signature(function).parameters) != count:
        raise TypeError(f"{function} is another one")
    return function
