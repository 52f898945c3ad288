"""Parts that answer a window together: in one call, and in one array.

Mappings as any other: what a single part answers is made when somebody asks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias, TypeVar, runtime_checkable

from bondline.core.abilities import Flexibility, Response
from bondline.core.arrays import Vector
from bondline.core.port import PortRef
from bondline.core.port_arrays import Motions
from bondline.core.subsystem import Advance, Model
from bondline.core.window import Window

T = TypeVar("T")
Hands: TypeAlias = Callable[[Callable[[], int]], Sequence[int]]
"""Does a job once on every thread that is to help, and gives what they returned."""


@dataclass(frozen=True, slots=True, eq=False)
class States(Mapping[str, Vector]):
    """States of several parts, one after the other."""

    places: Mapping[str, slice]
    whole: Vector

    def __getitem__(self, part: str) -> Vector:
        return self.whole[self.places[part]]

    def __iter__(self) -> Iterator[str]:
        return iter(self.places)

    def __len__(self) -> int:
        return len(self.places)


@dataclass(frozen=True, slots=True, eq=False)
class Answered(Mapping[str, T]):
    """What every part answers; `shown` has all ports, as a `Stack` places them."""

    parts: Sequence[str]
    make: Callable[[str], T]
    shown: Motions[PortRef]

    def __getitem__(self, part: str) -> T:
        return self.make(part)

    def __iter__(self) -> Iterator[str]:
        return iter(self.parts)

    def __len__(self) -> int:
        return len(self.parts)


@dataclass(frozen=True, slots=True, eq=False)
class Freed(Answered[Response]):
    """Parts without joint forces: one solve each.

    For windows of one length `G` is the same object. `inside` is the team's own.
    """

    G: Mapping[str, Flexibility]
    inside: Any

    @property
    def free(self) -> Answered[Advance[Any]]:
        """Where they end."""
        return Answered(self.parts, lambda part: self[part].free, self.shown)


@dataclass(frozen=True, slots=True, eq=False)
class Landed(Answered[Advance[Any]]):
    """Parts under joint forces: states, energies, counts. They have no notes.

    `energies` lists what is stored, dissipated and supplied, part by part.
    """

    states: States
    energies: tuple[Sequence[float], Sequence[float], Sequence[float]]
    stats: Mapping[str, float]  # by `part.name`


class Team(Protocol):
    """All parts of an assembly, if they are of a kind."""

    def respond(
        self, states: Mapping[str, Any], window: Window, hands: Hands
    ) -> Freed | None:
        """Every part without inputs; None where they must be asked one by one.

        So it is when one of them would reject the window: it knows why.
        """
        ...

    def realise(self, answered: Freed, told: Vector, hands: Hands) -> Landed:
        """Every part under forces for t₁ on all ports, placed as in `shown`."""
        ...


@runtime_checkable
class Joining(Protocol):
    """Can answer windows together with others of its kind, by superposition."""

    def team(
        self, parts: Mapping[str, Model], places: Mapping[PortRef, slice]
    ) -> Team | None:
        """A team of all these, itself among them; None where one does not fit in.

        `places` says where their ports are in one array, part by part.
        """
        ...
