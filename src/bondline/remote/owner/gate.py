"""What an owner's server asks before it serves a call, and tells after it.

The session knows no policy and no log: it is given a `Gate`.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from types import MappingProxyType
from typing import NamedTuple, Protocol, TypeAlias, runtime_checkable

from bondline.core import Signal, Vector
from bondline.remote.codec import heads
from bondline.remote.owner.trail import Moved, Trail

_NONE: Mapping[str, Signal] = MappingProxyType({})
log = logging.getLogger("bondline.leaf")


class Call(NamedTuple):
    """One request of one partner, in the words of the protocol."""

    identity: str  # of the client's certificate; "" on a pipe or a plain loopback
    model: str
    method: str  # open, start, advance, respond, realise, linearise, impulse, ...
    ports: tuple[str, ...] = ()  # with an input, or asked for
    step: float = 0.0  # length of the window, in seconds; 0 if there is none
    windows: int = 0  # that will be carried forward
    probes: int = 0  # unit responses that will be computed
    inputs: Mapping[str, Signal] = _NONE
    session: str = ""  # tells sessions of one partner apart
    t0: float | None = None  # where the window starts; None if there is none
    request: bytes = b""  # as it came
    block: Sequence[Moved] = ()  # every window of a call about many
    trail: Trail | None = None  # of the state from which it goes on

    @property
    def moved(self) -> Sequence[Moved]:
        """All windows that it is about; none if it is about no time."""
        if self.block or self.t0 is None:
            return self.block
        return (Moved(self.t0, self.step, self.inputs),)

    @property
    def digest(self) -> str:
        """SHA-256 of the request as it came, in hex; "" if there was none."""
        return sha256(self.request).hexdigest() if self.request else ""


# What the ports showed, flat: x, then v, then a; or the effort. Of a block, by windows.
Shown: TypeAlias = Mapping[str, Vector] | Sequence[Mapping[str, Vector]]
# A call that was answered, how many float64 numbers leave with it, and those of the
# ports, if the gate keeps them. A plain tuple: there are two of them in every window.
Told: TypeAlias = tuple[Call, int, Shown]


@dataclass(frozen=True, slots=True)
class Denied:
    """Why a call is refused: a code of the catalogue and a public sentence.

    `rule` and `why` are for the owner alone: which rule said no (a key of the policy,
    "certificate", "limits", ...), and what the partner is not told; "" if nothing is.
    """

    code: str
    reason: str
    rule: str = ""
    why: str = ""


class Gate(Protocol):
    """The owner's say in every call."""

    def admit(self, call: Call) -> Denied | None:
        """None: go on. Nothing has been computed yet."""
        ...

    def served(self, call: Call, numbers: int) -> None:
        """The call was answered, and that many float64 numbers left."""
        ...


@runtime_checkable
class Binding(Protocol):
    """A gate that takes all calls of one request, or none of them."""

    def admit_all(self, calls: Sequence[Call]) -> Denied | None:
        """None: go on with all. If one is refused, none of them is counted.

        They are of one partner, model and session.
        """
        ...


@runtime_checkable
class Gathering(Protocol):
    """A gate that is told of all calls of one request at once, before its reply leaves.

    Others are told of one after the other. It may keep the very numbers that leave:
    the owner's choice.
    """

    @property
    def keeps(self) -> bool:
        """Whether it does; else nobody needs to say them."""
        ...

    def served_all(self, told: Sequence[Told]) -> None:
        """All of them were answered; none, if the request came to nothing."""
        ...


@runtime_checkable
class Choosing(Protocol):
    """A gate that says which published values a partner may see."""

    def shown(self, call: Call, names: Iterable[str]) -> frozenset[str]:
        """Those of the names that may leave; the session drops the others."""
        ...


@runtime_checkable
class Hiding(Protocol):
    """A gate that says which ports of a model a partner may know of.

    Asked when a model is described or a session opens: to that partner the others do
    not exist. A gate that is not `Hiding` grants them all.
    """

    def visible(self, call: Call, ports: Iterable[str]) -> frozenset[str]:
        """Those of the ports that are granted."""
        ...


@runtime_checkable
class Knowing(Protocol):
    """A gate that knows who may ask at all; one that is none of these hears all."""

    def knows(self, identity: str) -> bool:
        """Whether anything is granted to this partner."""
        ...


@runtime_checkable
class Noting(Protocol):
    """A gate that writes down what was refused without asking it."""

    def turned_away(self, identity: str, reason: str) -> None:
        """The transport sent somebody away, before there was any call."""
        ...

    def refused(self, call: Call, denied: Denied) -> None:
        """The server said no: a limit, somebody else's session, no such port ..."""
        ...


@runtime_checkable
class Forgetting(Protocol):
    """A gate that remembers what sessions did, as long as they last."""

    def forget(self, identity: str, model: str, session: str) -> None:
        """It is over, in whatever way."""
        ...


@runtime_checkable
class Sealing(Protocol):
    """A gate with a log whose heads both sides exchange at checkpoints."""

    def head(self) -> tuple[int, str]:
        """Number and hash of the last record of this side's log."""
        ...

    def heard(self, call: Call, number: int, head: str) -> None:
        """The other side's head, to be kept in this side's log."""
        ...


def came_to_nothing(gate: Gate) -> None:
    """What was admitted last, in this thread: it is over, and paid up to here."""
    if isinstance(gate, Gathering):
        with _here("what came to nothing"):
            gate.served_all(())


def note(gate: Gate, call: Call, denied: Denied) -> None:
    """Tell the gate of a refusal that was not its own.

    The refusal stands, whether it can be written down or not, and nobody else hears
    why it cannot.
    """
    if isinstance(gate, Noting):
        with _here(f"a refusal of {call.method}"):
            gate.refused(call, denied)


def turned_away(gate: Gate, identity: str, reason: str) -> None:
    """The same of somebody whom a transport sent away."""
    if isinstance(gate, Noting):
        with _here("a refusal of a connection"):
            gate.turned_away(identity, reason)


@contextmanager
def _here(what: str) -> Iterator[None]:
    """What fails stays with the owner."""
    try:
        yield
    except Exception:
        log.exception("%s could not be written down", what)


def admitted(gate: Gate, calls: Sequence[Call]) -> Denied | None:
    """The gate's word on all calls of one request; a gate that counts binds them."""
    if isinstance(gate, Binding):
        return gate.admit_all(calls)
    return next((no for call in calls if (no := gate.admit(call))), None)


def visible(gate: Gate, call: Call, ports: Iterable[str]) -> frozenset[str]:
    """The ports that this partner may know of."""
    return gate.visible(call, ports) if isinstance(gate, Hiding) else frozenset(ports)


def exchange(
    gate: Gate, call: Call, head: tuple[int, str] | None, made: heads.Telling
) -> None:
    """Write the other side's head down, and tell the own one."""
    if isinstance(gate, Sealing):
        if head is not None:
            gate.heard(call, *head)
        heads.tell(gate.head(), made)
