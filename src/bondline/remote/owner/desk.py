"""Where a session works: the model, the names a client gave, the owner's gate."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from bondline.core import Effort, Flexibility, Model, Motion, Output, Vector, Window
from bondline.remote import bondline_pb2 as pb
from bondline.remote.codec.tables import Tables
from bondline.remote.failures import Refused
from bondline.remote.limits import REMEMBERED, Limits
from bondline.remote.owner.front import Front
from bondline.remote.owner.gate import Call, Denied, Gate, Gathering, Told, admitted
from bondline.remote.owner.served import Served
from bondline.remote.owner.shelf import Shelf
from bondline.remote.owner.trail import Trail

CODES = {
    "RESOURCE_EXHAUSTED": pb.CODE_RESOURCE_EXHAUSTED,
    "INVALID_ARGUMENT": pb.CODE_INVALID_ARGUMENT,
    "FAILED_PRECONDITION": pb.CODE_FAILED_PRECONDITION,
}

_OFF = 1e-6  # of a window, between where it begins and where its state is


@dataclass
class Desk:
    """Everything that requests of one session share."""

    served: Served
    front: Front
    model: Model
    gate: Gate
    identity: str
    shelf: Shelf | None
    limits: Limits
    known: list[tuple[int, Flexibility]] = field(default_factory=list)
    tables: Tables = field(default_factory=Tables)
    names: dict[int, tuple[str, Any, Trail]] = field(default_factory=dict)  # by kind
    session: str = ""  # its number
    request: bytes = b""  # the one that is being answered
    kept: list[str] = field(default_factory=list)  # handles of checkpoints
    rung: tuple[bytes, Any] = (b"", None)  # impulse responses that go out in pieces
    told: list[Told] = field(default_factory=list)  # what the gate does not know yet
    _count: int = 0
    _waste: list[int] = field(default_factory=list)  # names that were released
    _gathering: Gathering | None = None

    def __post_init__(self) -> None:
        # asked once: such a question takes longer than most answers
        self._gathering = self.gate if isinstance(self.gate, Gathering) else None

    def release(self, names: Iterable[int]) -> None:
        """The client does not need these any more; `tidy` forgets them."""
        self._waste.extend(names)

    def tidy(self) -> None:
        """Forget what was released: after the reply has left, while nobody waits."""
        for name in self._waste:
            self.names.pop(name, None)
        self._waste.clear()

    def take(self, name: int, kind: str = "state") -> Any:
        """The state, response, block or trial of that name."""
        found, thing, _ = self.names.get(name, ("", None, None))
        if found == kind:
            return thing
        if found:
            raise Refused(pb.CODE_INVALID_ARGUMENT, f"{name} is a {found}, no {kind}.")
        raise Refused(
            pb.CODE_FAILED_PRECONDITION, f"There is no {kind} {name} any more."
        )

    def trail(self, name: int) -> Trail:
        """How a state came about; or the one that a response, block or trial is of.

        To be asked for along with it: once there is `room`, it may be forgotten.
        """
        return self.names[name][2]

    def trail_to(self, name: int, window: Window) -> Trail:
        """The same, of a state that a window goes on from: it begins where that is."""
        trail = self.trail(name)
        self.follows(trail, window)
        return trail

    def follows(self, trail: Trail, window: Window) -> None:
        """Refuse a window that begins at another time than the state it goes on from.

        What counts by time, repetitions of a window, would count nothing.
        """
        t, t0 = trail.t, window.t0
        if t is not None and abs(t0 - t) > _OFF * window.h + 4.0 * math.ulp(t):
            raise Refused(
                pb.CODE_INVALID_ARGUMENT,
                f"The state is at t = {t:.9g} s: no window goes on from it at "
                f"{t0:.9g} s.",
            )

    def keep(self, name: int, thing: Any, trail: Trail, kind: str = "state") -> None:
        """Give it a name."""
        self.names[name] = (kind, thing, trail)

    def room(self, *names: int) -> None:
        """Refuse the names of a request before anything is computed for them."""
        if any(name in self._waste for name in names):  # they may be given again
            self.tidy()
        for k, name in enumerate(names):
            if name == 0 or name in self.names or name in names[:k]:
                raise Refused(
                    pb.CODE_INVALID_ARGUMENT, f"The name {name} is taken, or is none."
                )
        if len(self.names) + len(names) > self.limits.states:
            self.tidy()
        if len(self.names) + len(names) > self.limits.states:
            raise Refused(
                pb.CODE_RESOURCE_EXHAUSTED,
                f"{self.limits.states} states are kept already; release some.",
            )

    @contextmanager
    def carrying(self, heavier: Model) -> Iterator[None]:
        """One request is about the model with extra mass."""
        own, self.model = self.model, heavier
        try:
            yield
        finally:
            self.model = own

    def call(self, method: str, **more: Any) -> Call:
        """A request in the gate's words."""
        return Call(
            self.identity,
            self.served.name,
            method,
            session=self.session,
            request=self.request,
            **more,
        )

    def admit(self, call: Call) -> None:
        """Ask the owner; nothing has been computed yet."""
        denied = self.gate.admit(call)
        if denied is not None:
            raise refusal(denied)

    def admit_all(self, *calls: Call | None) -> None:
        """The same of all that one request asks for: it is served as a whole."""
        denied = admitted(self.gate, [call for call in calls if call is not None])
        if denied is not None:
            raise refusal(denied)

    def tell(self, call: Call, outputs: Mapping[str, Output], numbers: int) -> None:
        """The call is answered: so many numbers leave, those of the ports are these."""
        keeps = self._gathering is not None and self._gathering.keeps
        left = self._left(outputs) if keeps else {}
        self.told.append((call, numbers, left))

    def tell_each(
        self, call: Call, shown: Sequence[Mapping[str, Output]], numbers: int
    ) -> None:
        """The same of a block: what the ports show after every window."""
        keeps = self._gathering is not None and self._gathering.keeps
        left = [self._left(one) for one in shown] if keeps else ()
        self.told.append((call, numbers, left))

    def settle(self) -> None:
        """The gate hears of all that is answered, or of nothing, before a reply."""
        if self._gathering is not None:
            self._gathering.served_all(self.told)
        else:
            for call, numbers, _ in self.told:
                self.gate.served(call, numbers)
        self.told.clear()  # not before: what cannot be written down must not leave

    def counted(self, stats: Mapping[str, float]) -> Mapping[str, float]:
        """What the owner lets others count."""
        return stats if self.served.counts else {}

    def solved(self, told: int) -> int:
        """The same of one answer."""
        return told if self.served.counts else 0

    def _left(self, outputs: Mapping[str, Output]) -> dict[str, Vector]:
        """Of what the model shows, what leaves."""
        seen = self.front.numbers
        return {name: _flat(each) for name, each in outputs.items() if name in seen}

    def flexibility(self, G: Flexibility) -> tuple[int, bool]:
        """The name of G, and whether the client has yet to see it."""
        for name, old in self.known:
            if old is G:
                return name, False
        self._count += 1
        self.known.append((self._count, G))
        del self.known[:-REMEMBERED]
        return self._count, True


def refusal(denied: Denied) -> Refused:
    """The owner's no, in the words of the protocol."""
    code = CODES.get(denied.code, pb.CODE_PERMISSION_DENIED)
    return Refused(code, denied.reason, noted=True)


def _flat(output: Output) -> Vector:
    """Numbers of a port: x, v, a and the turn; or the effort."""
    if isinstance(output, Motion):
        every = (output.x, output.v, output.a, output.turn)
        return np.concatenate([part for part in every if part is not None])
    return output.f.copy() if isinstance(output, Effort) else np.array([output])
