"""What a client holds of a partner's states: names that release themselves."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from bondline.core import Response, Window
from bondline.remote import bondline_pb2 as pb
from bondline.remote.codec.tables import Legend


class Name:
    """A name on the server; when nobody holds it, the next request releases it."""

    __slots__ = ("_released", "number")

    def __init__(self, number: int, released: deque[int]) -> None:
        self.number, self._released = number, released

    def __del__(self) -> None:
        self._released.append(self.number)


def nameless() -> Name:
    """Of a state that the server does not keep: it can only be looked at."""
    return Name(0, deque())


def kept(name: Name) -> bool:
    """Whether the server knows a state by that name."""
    return name.number != 0


@dataclass(frozen=True, slots=True)
class Foreseen:
    """What the partner answered before it was asked."""

    window: Window
    response: Response


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """How the surfaces have moved at an instant, before anybody looked."""

    t: float
    moved: pb.Moved


@dataclass(frozen=True, slots=True, eq=False)
class Held:
    """A state that stays with its owner, and what came with it."""

    name: Name
    view: pb.View
    legend: Legend  # of the session in which it came
    ahead: Foreseen | None = None
    seen: Seen | None = None
