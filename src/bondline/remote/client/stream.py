"""One conversation over gRPC: a request, its reply, and so on, until it ends."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from queue import SimpleQueue
from threading import Lock
from typing import Any, Protocol

import grpc
from grpc._cython import cygrpc  # type: ignore[attr-defined]

from bondline.wire.turns import others_first

_NO_FLAGS = 0
_STATUS = {code.value[0]: code for code in grpc.StatusCode}


class Ended(Exception):
    """The conversation is over; `code` is OK where the other end just ended it."""

    def __init__(self, code: grpc.StatusCode, text: str) -> None:
        super().__init__(f"{code.name}: {text}")
        self.code, self.text = code, text


class Stream(Protocol):
    """One request at a time; after `Ended` there is nothing more to ask."""

    def exchange(self, raw: bytes) -> bytes:
        """The reply; raises `Ended`."""
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
    """

    def __init__(self, channel: Any, method: str) -> None:
        begin = (
            cygrpc.SendInitialMetadataOperation(None, _NO_FLAGS),
            cygrpc.ReceiveInitialMetadataOperation(_NO_FLAGS),
        )
        end = (cygrpc.ReceiveStatusOnClientOperation(_NO_FLAGS),)
        self._call = channel._channel.segregated_call(
            cygrpc.PropagationConstants.GRPC_PROPAGATE_DEFAULTS,
            method.encode(),
            *(None, None, None, None),  # host, deadline, metadata, credentials
            ((begin, "begin"), (end, "end")),
            cygrpc.build_census_context(),
            None,  # of a method that was registered: none was
        )
        self._channel = channel  # which ends its calls when nobody holds it
        self._asked = Lock()
        self._over: Ended | None = None

    def exchange(self, raw: bytes) -> bytes:
        """One batch: send, and receive."""
        with self._asked:
            if self._over is None:
                self._call.operate(
                    (
                        cygrpc.SendMessageOperation(raw, _NO_FLAGS),
                        cygrpc.ReceiveMessageOperation(_NO_FLAGS),
                    ),
                    "trip",
                )
                others_first()
                reply = self._reply()
                if reply is not None:
                    return reply
            raise self._ended()

    def _reply(self) -> bytes | None:
        """What comes next; None: nothing will."""
        while self._over is None:
            event = self._next()
            if event.tag == "trip":
                reply: bytes | None = event.batch_operations[1].message()
                return reply if event.success else None
        return None

    def _next(self) -> Any:
        event = self._call.next_event()
        if event.tag == "end":
            (status,) = event.batch_operations
            self._over = Ended(_STATUS[status.code()], status.details() or "")
        return event

    def _ended(self) -> Ended:
        """Why; hears all that is still to come, so that nothing is left behind."""
        while self._over is None:
            self._next()
        return self._over

    def cancel(self) -> None:
        """End it; harmless where it is over."""
        code = grpc.StatusCode.CANCELLED.value[0]
        self._call.cancel(code, "Locally cancelled by application!")

    def close(self) -> None:
        """End it, and hear the end."""
        self.cancel()
        with self._asked:
            self._ended()


class Iterated:
    """The same by gRPC's public streams."""

    def __init__(self, channel: grpc.Channel, method: str) -> None:
        self._outbox: SimpleQueue[bytes | None] = SimpleQueue()
        make: Callable[..., Any] = channel.stream_stream(method, None, None)
        self._replies = make(iter(self._outbox.get, None))

    def exchange(self, raw: bytes) -> bytes:
        """Through two threads of gRPC."""
        try:
            self._outbox.put(raw)
            others_first()
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
