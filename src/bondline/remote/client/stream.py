"""One conversation over gRPC: a request, its reply, and so on, until it ends."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from queue import SimpleQueue
from threading import Lock
from typing import Any, Protocol

import grpc

try:
    from grpc._cython import cygrpc  # type: ignore[attr-defined]
except ImportError:  # another release of gRPC: the public way serves
    cygrpc = None

_NO_FLAGS = 0
_STATUS = {code.value[0]: code for code in grpc.StatusCode}


class Ended(Exception):
    """The conversation is over; `code` is OK where the other end just ended it."""

    def __init__(self, code: grpc.StatusCode, text: str) -> None:
        super().__init__(f"{code.name}: {text}")
        self.code, self.text = code, text


class Stream(Protocol):
    """One request at a time; after `Ended` there is nothing more to ask."""

    def ask(self, raw: bytes) -> None:
        """Send a request; does not wait."""
        ...

    def hear(self) -> bytes:
        """Wait for the reply; raises `Ended`."""
        ...

    def cancel(self) -> None:
        """End it now, from any thread: whoever waits for a reply hears of it."""
        ...

    def close(self) -> None:
        """The same, and give back what it holds, once nobody waits."""
        ...


def converse(channel: grpc.Channel, method: str) -> Stream:
    """The quicker of both, where this release of gRPC has it."""
    try:
        return Direct(channel, method)
    except (AttributeError, TypeError):
        return Iterated(channel, method)


class Direct:
    """Who asks also sends, and waits for what the network brings.

    gRPC's public streams hand every request to a thread of theirs, and every reply
    back from another one: a third of a round trip on one machine. The call beneath is
    the one that its blocking calls use. Its queue is this conversation's own, so no
    other thread needs to run for it; it is not among what gRPC promises to keep.

    A call and its queue are given back when everything that was begun is heard of.
    """

    def __init__(self, channel: Any, method: str) -> None:
        begin = (
            cygrpc.SendInitialMetadataOperation(None, _NO_FLAGS),
            cygrpc.ReceiveInitialMetadataOperation(_NO_FLAGS),
        )
        end = (cygrpc.ReceiveStatusOnClientOperation(_NO_FLAGS),)
        host = deadline = metadata = credentials = registered = None
        call = channel._channel.segregated_call(
            cygrpc.PropagationConstants.GRPC_PROPAGATE_DEFAULTS,
            method.encode(),
            host,
            deadline,
            metadata,
            credentials,
            ((begin, "begin"), (end, "end")),
            cygrpc.build_census_context(),
            registered,
        )
        self._operate, self._next_event = call.operate, call.next_event
        self._cancel = call.cancel
        self._channel = channel  # which ends its calls when nobody holds it
        self._begun = {"begin", "end"}  # and not heard of yet
        self._over: Ended | None = None
        self._hearing = Lock()

    def ask(self, raw: bytes) -> None:
        """One batch: send, and receive."""
        batch = (
            cygrpc.SendMessageOperation(raw, _NO_FLAGS),
            cygrpc.ReceiveMessageOperation(_NO_FLAGS),
        )
        with self._hearing:
            if self._over is None and self._operate(batch, "trip"):
                self._begun.add("trip")

    def hear(self) -> bytes:
        """The reply, or the end of it all."""
        with self._hearing:
            while "trip" in self._begun:
                event = self._next()
                if event.tag == "trip" and event.success:
                    reply: bytes | None = event.batch_operations[1].message()
                    if reply is not None:
                        return reply
            raise self._ended()

    def _next(self) -> Any:
        """The next of what was begun that comes to its end.

        After a signal in the middle of it nobody knows what was taken, and gRPC may
        have given back the call with its queue: nothing more is asked of them.
        """
        try:
            event = self._next_event()
            self._begun.discard(event.tag)  # a signal may come before a trip is noted
        except BaseException:
            self._begun.clear()
            self._over = Ended(grpc.StatusCode.CANCELLED, "interrupted")
            raise
        if event.tag == "end":
            (status,) = event.batch_operations
            self._over = Ended(_STATUS[status.code()], status.details() or "")
        return event

    def _ended(self) -> Ended:
        """Why; what was begun comes to its end first, in any order."""
        while self._begun:
            self._next()
        assert self._over is not None
        return self._over

    def cancel(self) -> None:
        """End it; harmless where it is over."""
        code = grpc.StatusCode.CANCELLED.value[0]
        self._cancel(code, "Locally cancelled by application!")

    def close(self) -> None:
        """End it, and hear the end; of a trip that a signal hid, gRPC knows nothing."""
        self.cancel()
        with self._hearing, contextlib.suppress(KeyError):
            self._ended()


class Iterated:
    """The same by gRPC's public streams, through two threads of theirs."""

    def __init__(self, channel: grpc.Channel, method: str) -> None:
        self._outbox: SimpleQueue[bytes | None] = SimpleQueue()
        make: Callable[..., Any] = channel.stream_stream(method, None, None)
        self._replies = make(iter(self._outbox.get, None))

    def ask(self, raw: bytes) -> None:
        """Leave it to them."""
        self._outbox.put(raw)

    def hear(self) -> bytes:
        """The reply, or the end."""
        try:
            reply: bytes = next(self._replies)
            return reply
        except StopIteration:
            raise Ended(grpc.StatusCode.OK, "") from None
        except grpc.RpcError as error:
            raise Ended(error.code(), error.details() or "") from None

    def cancel(self) -> None:
        """End it."""
        self._outbox.put(None)
        with contextlib.suppress(Exception):
            self._replies.cancel()

    close = cancel
