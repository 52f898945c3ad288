"""What an owner's server asks before it serves a call, and tells after it.

The session knows no policy and no log: it is given a `Gate`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from bondline.core import Signal


@dataclass(frozen=True, slots=True)
class Call:
    """One request of one partner, in the words of the protocol."""

    identity: str  # of the client's certificate; "" on a pipe or a plain loopback
    model: str
    method: str  # open, start, advance, respond, realise, linearise, impulse, ...
    ports: tuple[str, ...] = ()  # with an input, or asked for
    step: float = 0.0  # length of the window, in seconds; 0 if there is none
    windows: int = 0  # that will be carried forward
    probes: int = 0  # unit responses that will be computed
    inputs: Mapping[str, Signal] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Denied:
    """Why a call is refused: a code of the catalogue and a public sentence."""

    code: str
    reason: str


class Gate(Protocol):
    """The owner's say in every call."""

    def admit(self, call: Call) -> Denied | None:
        """None: go on. Nothing has been computed yet."""
        ...

    def served(self, call: Call, numbers: int) -> None:
        """The call was answered, and that many float64 numbers left."""
        ...
