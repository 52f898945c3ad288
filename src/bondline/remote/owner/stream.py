"""The owner's end of one conversation: a request, its reply, and so on."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from queue import Empty, SimpleQueue
from threading import Timer
from typing import Any, Protocol

import grpc

from bondline.remote.owner import ears

_active: Any = None
_finish: Any = None
try:
    from grpc._cython import cygrpc  # type: ignore[attr-defined]
    from grpc._server import _is_rpc_state_active, _possibly_finish_call

    _active = ears.taking(_is_rpc_state_active, 1)
    _finish = ears.taking(_possibly_finish_call, 2)
except (ImportError, TypeError):  # another release of gRPC: the public way serves
    pass

_NO_FLAGS = 0
_TRIP = "trip"


class Answers(Protocol):
    """What is said in one conversation, whichever thread comes to say it."""

    def reply(self, raw: bytes) -> bytes | None:
        """To a request; None ends the conversation without one."""
        ...

    def over(self) -> bool:
        """Whether a reply that is about to leave is the last one."""
        ...

    def tidy(self) -> None:
        """It has left: what could wait is done now, and waits for nobody."""
        ...


class Talk(Protocol):
    """One way to hear requests, and to send replies."""

    def serve(self, answers: Answers) -> Iterator[bytes]:
        """Until the end; yields the replies that gRPC is to send itself."""
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
    ears.tell_unknown_release()
    return Iterated(requests, context, first)


class Direct:
    """A reply and the wait for the next request are one batch, and wake one thread.

    gRPC's iterators wait until a reply has left, then ask for the next request, and
    wait for that: each time a thread of theirs wakes ours, a fifth of the processor
    time of a small window. The calls beneath are theirs; so is the account of what is
    still due, by which gRPC knows when a conversation is over.

    Who hears a request answers it, if another ear is free (`owner/ears.py`); else the
    thread that gRPC gave to the conversation does. There is never more than one
    request: only when its reply leaves the next one is waited for.
    """

    def __init__(self, context: Any, first: float) -> None:
        self._start = context._rpc_event.call.start_server_batch
        self._state = context._state
        _ = self._state.condition, self._state.due
        self._answers: Answers | None = None  # until it is served
        self._greeted = not self._state.initial_metadata_allowed
        self._first = first
        self._inbox: SimpleQueue[bytes | BaseException | None] = SimpleQueue()
        self._heard = False  # anything yet
        self._closed = False  # nothing more is answered

    def serve(self, answers: Answers) -> Iterator[bytes]:
        """All is sent here: nothing is left for gRPC."""
        self._answers = answers
        self._begin(())
        try:
            while (raw := self._next()) is not None and self._turn(raw):
                pass
        except BaseException as error:  # gRPC ends what ends by an `Exception`
            raise RuntimeError("A request could not be answered.") from error
        yield from ()

    def _turn(self, raw: bytes) -> bool:
        """Answer, and wait for the next one; whether the conversation goes on."""
        assert self._answers is not None
        reply = self._answers.reply(raw)
        if reply is None:
            return False
        last = self._closed = self._answers.over()  # before anybody hears the next one
        self._begin((*self._greeting(), cygrpc.SendMessageOperation(reply, _NO_FLAGS)))
        self._answers.tidy()
        return not last

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
        self._inbox.put(None)

    def _done(self, event: Any) -> Any:
        """Whoever hears of it calls: a request is there, or none will come."""
        with self._state.condition:
            finished, callbacks = _finish(self._state, _TRIP)
            self._heard = True
            closed = self._closed
        try:
            raw = event.batch_operations[-1].message()
            if raw is None or closed:
                self._inbox.put(None)
            elif not self._answered(raw):
                self._inbox.put(raw)
        except BaseException as error:  # that thread must hear of it, this one goes on
            self._inbox.put(error)
        return finished, callbacks or ()

    def _answered(self, raw: bytes) -> bool:
        """Here and now, if somebody else listens meanwhile."""
        mouth = ears.taken()
        if mouth is None:
            return False
        try:
            if not self._turn(raw):
                self._inbox.put(None)
        finally:
            mouth.release()
        return True

    def _next(self) -> bytes | None:
        """What is left to this thread: a request; None if there is no more."""
        try:
            got = self._inbox.get(timeout=self._first)
        except Empty:
            got = self._inbox.get() if self._begun() else None
        if isinstance(got, BaseException):
            raise got
        return got

    def _begun(self) -> bool:
        """Whether a request came in time; after that a lease ends sessions."""
        with self._state.condition:
            if not self._heard:
                self._closed = True
            return self._heard


class Iterated:
    """The same by gRPC's public iterators."""

    def __init__(
        self, requests: Iterator[bytes], context: grpc.ServicerContext, first: float
    ) -> None:
        self._requests = requests
        self._silence = Timer(first, context.cancel)
        self._silence.daemon = True

    def serve(self, answers: Answers) -> Iterator[bytes]:
        """All is sent by gRPC."""
        for raw in self._each():
            reply = answers.reply(raw)
            if reply is None:
                return
            yield reply
            if answers.over():
                return
            answers.tidy()

    def _each(self) -> Iterator[bytes]:
        """Theirs; their own wait for the first has no end."""
        self._silence.start()
        try:
            for raw in self._requests:
                self._silence.cancel()
                yield raw
        finally:
            self._silence.cancel()
