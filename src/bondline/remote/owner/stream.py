"""The owner's end of one conversation: a request, its reply, and so on."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Iterable, Iterator
from functools import cache
from threading import Lock, Timer
from typing import Any, Protocol

import grpc

_active: Any = None
_finish: Any = None
try:
    from grpc._cython import cygrpc  # type: ignore[attr-defined]
    from grpc._server import _is_rpc_state_active, _possibly_finish_call

    _active, _finish = _is_rpc_state_active, _possibly_finish_call
except ImportError:  # another release of gRPC: the public way serves
    pass

log = logging.getLogger("bondline.leaf")
_NO_FLAGS = 0
_TRIP = "trip"
_FOR_EVER = -1.0


class Talk(Protocol):
    """Requests as they come, and one reply to each."""

    def __iter__(self) -> Iterator[bytes]:
        """Until the other end has no more."""
        ...

    def reply(self, raw: bytes) -> Iterable[bytes]:
        """Send it; what gRPC is to send itself comes back."""
        ...


def listen(
    requests: Iterator[bytes], context: grpc.ServicerContext, first: float
) -> Talk:
    """The quicker of both, where this release of gRPC has it.

    Who asks for nothing within `first` seconds gives the thread back to others.
    """
    if _finish is not None:
        with contextlib.suppress(AttributeError, TypeError):
            return Direct(context, first)
    _tell_once()
    return Iterated(requests, context, first)


@cache
def _tell_once() -> None:
    log.warning("This release of gRPC is unknown: it serves, but more slowly.")


class Direct:
    """A reply and the wait for the next request are one batch, and one wake-up.

    gRPC's iterators wait until a reply has left, then ask for the next request, and
    wait for that: each time a thread of theirs wakes ours, a fifth of the processor
    time of a small window. The calls beneath are theirs; so is the account of what is
    still due, by which gRPC knows when a conversation is over.
    """

    def __init__(self, context: Any, first: float) -> None:
        self._start = context._rpc_event.call.start_server_batch
        self._state = context._state
        self._event: Any = None
        self._heard = Lock()
        self._heard.acquire()
        self._greeted = not self._state.initial_metadata_allowed
        self._patience = first

    def __iter__(self) -> Iterator[bytes]:
        """Each after the reply to the one before."""
        self._begin(())
        while (raw := self._next()) is not None:
            self._patience = _FOR_EVER  # a lease ends sessions
            yield raw

    def reply(self, raw: bytes) -> Iterable[bytes]:
        """Sent at once: nothing is left for gRPC."""
        self._begin((*self._greeting(), cygrpc.SendMessageOperation(raw, _NO_FLAGS)))
        return ()

    def _greeting(self) -> tuple[Any, ...]:
        """What goes before the first reply."""
        if self._greeted:
            return ()
        self._greeted = True
        with self._state.condition:
            self._state.initial_metadata_allowed = False
        return (cygrpc.SendInitialMetadataOperation(None, _NO_FLAGS),)

    def _begin(self, before: tuple[Any, ...]) -> None:
        """These, and the wait for a request; `_done` is called at the end of both.

        Who left while we computed is told nothing: gRPC has closed its account of the
        conversation, and what is begun after that would end its thread, and the server.
        """
        batch = (*before, cygrpc.ReceiveMessageOperation(_NO_FLAGS))
        with self._state.condition:
            if _active(self._state):
                self._state.due.add(_TRIP)
                if not self._start(batch, self._done):
                    return
                self._state.due.discard(_TRIP)  # gRPC did not take it: nobody calls
        self._heard.release()

    def _done(self, event: Any) -> Any:
        """gRPC's thread calls it: a request is there, or none will come."""
        self._event = event
        with self._state.condition:
            finished, callbacks = _finish(self._state, _TRIP)
        self._heard.release()  # only now: the next one has the same name
        return finished, callbacks or ()

    def _next(self) -> bytes | None:
        """The request; None if there is no more."""
        if not self._heard.acquire(timeout=self._patience):
            return None
        event, self._event = self._event, None
        if event is None:
            return None
        request: bytes | None = event.batch_operations[-1].message()
        return request


class Iterated:
    """The same by gRPC's public iterators."""

    def __init__(
        self, requests: Iterator[bytes], context: grpc.ServicerContext, first: float
    ) -> None:
        self._requests = requests
        self._silence = Timer(first, context.cancel)
        self._silence.daemon = True

    def __iter__(self) -> Iterator[bytes]:
        """Theirs; their own wait for the first has no end."""
        self._silence.start()
        try:
            for raw in self._requests:
                self._silence.cancel()
                yield raw
        finally:
            self._silence.cancel()

    def reply(self, raw: bytes) -> Iterable[bytes]:
        """For gRPC to send."""
        return (raw,)
