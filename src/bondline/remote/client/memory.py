"""How the states that a client names came about, so that they can be made again.

When a server is started again its sessions are gone, but every state follows from a
start or a checkpoint and from the requests since then. The same requests give the same
bits: that is the contract of `advance`.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import Any

from bondline.remote import bondline_pb2 as pb

MOST = 20_000  # requests that are remembered without a checkpoint between them
LARGEST = 64 * 2**20  # bytes of them


_PARTS = ("ahead", "before", "settle")
_MAKING = frozenset(
    (
        *("start", "advance", "respond", "realise", "press", "place", "kick"),
        *("equilibrium", "restore", "respond_block", "try_block", "settle_block"),
        *("ballasted", "predict", "correct", "accept"),
    )
)


class Memory:
    """Requests that made something, in order, since the last checkpoint.

    As bytes: a message that has been filled in takes ten times as much.
    """

    def __init__(self) -> None:
        self._log: list[bytes] = []
        self._size = 0

    def add(self, request: pb.Request, raw: bytes) -> None:
        """Remember a request that was served, and its bytes."""
        if request.WhichOneof("ask") in _MAKING:
            self._log.append(raw)
            self._size += len(raw)
            if len(self._log) > MOST or self._size > LARGEST:
                self._replace(len(self._log) // 2, [])

    def _replace(self, count: int, others: list[pb.Request]) -> None:
        """Others instead of the first so many."""
        self._log[:count] = [other.SerializeToString() for other in others]
        self._size = sum(map(len, self._log))

    def kept(self, state: int, handle: str, digest: str) -> None:
        """A state is on its owner's disk: nothing before it is needed any more."""
        for k in range(len(self._log) - 1, -1, -1):
            request = pb.Request.FromString(self._log[k])
            if state in made(request) and not request.HasField("try_block"):
                restore = pb.Restore(handle=handle, digest=digest, result=state)
                every = map(pb.Request.FromString, self._log[: k + 1])
                stays = [r for r in every if r.HasField("ballasted")]
                new = [*stays, pb.Request(restore=restore), *_ahead(request, state)]
                self._replace(k + 1, new)
                return

    def needed(self, request: pb.Request, held: Iterable[int] = ()) -> list[pb.Request]:
        """What must be asked again before `request` makes sense; KeyError: too old.

        So that it makes all that the client holds, as far as that can be made. Each
        releases what nobody needs any more: a server has room for some states only.
        """
        every = [_bare(pb.Request.FromString(raw)) for raw in self._log]
        maker = {name: k for k, one in enumerate(every) for name in made(one)}
        wanted, found = set(used(request)), set[int]()
        for name in wanted:
            found |= _chain(name, maker, every)
        for name in held:
            with contextlib.suppress(KeyError):
                found |= _chain(name, maker, every)
        again = [every[k] for k in sorted(found)]
        _tidily(again, wanted.union(held))
        return again


def _bare(request: pb.Request) -> pb.Request:
    """Without what came along: nobody looks at a state, or keeps it, a second time."""
    for part in _parts(request):
        if getattr(part, "look", False):
            part.look = False
    if request.HasField("settle_block"):
        request.settle_block.ClearField("keep")
    return request


def _chain(
    name: int, maker: Mapping[int, int], every: Sequence[pb.Request]
) -> set[int]:
    """Which requests lead to a name."""
    found, open_names = set[int](), [name]
    while open_names:
        k = maker[open_names.pop()]
        if k not in found:
            found.add(k)
            open_names += used(every[k])
    return found


def _tidily(requests: Sequence[pb.Request], kept: Set[int]) -> None:
    """Each releases the names that were used for the last time before it."""
    last = {
        name: k for k, one in enumerate(requests) for name in (*made(one), *used(one))
    }
    for one in requests:
        del one.release[:]
    for name, k in last.items():
        if name not in kept and k + 1 < len(requests):
            requests[k + 1].release.append(name)


def made(request: pb.Request) -> Iterator[int]:
    """Names that a request gives."""
    ask = getattr(request, request.WhichOneof("ask") or "", None)
    for part in (ask, *(getattr(ask, field, None) for field in _PARTS)):
        for field in ("result", "ahead_result"):
            name = getattr(part, field, 0)
            if name:
                yield name


def used(request: pb.Request) -> Iterator[int]:
    """Names that a request refers to."""
    if request.ballast:
        yield request.ballast
    for part in _parts(request):
        for field in ("state", "response", "trial"):
            name = getattr(part, field, 0)
            if name:
                yield name


def _parts(request: pb.Request) -> tuple[Any, ...]:
    """What is asked, and the settling in it."""
    ask = getattr(request, request.WhichOneof("ask") or "", None)
    return ask, getattr(ask, "before", None), getattr(ask, "settle", None)


def _ahead(request: pb.Request, state: int) -> list[pb.Request]:
    """What came with a state, as a request of its own."""
    what = request.WhichOneof("ask")
    if what == "accept" and request.accept.ahead.result:
        predict = pb.Predict()
        predict.CopyFrom(request.accept.ahead)
        predict.state = state
        return [pb.Request(predict=predict, ballast=request.ballast)]
    if what == "realise" and request.realise.ahead.result:
        ahead, t0 = request.realise.ahead, request.realise.t1
        respond = pb.Respond(state=state, t0=t0, t1=ahead.t1, result=ahead.result)
        return [pb.Request(respond=respond)]
    if what == "settle_block" and request.settle_block.ahead_result:
        ask = request.settle_block
        block = pb.RespondBlock(state=state, block=ask.ahead, result=ask.ahead_result)
        return [pb.Request(respond_block=block)]
    return []
