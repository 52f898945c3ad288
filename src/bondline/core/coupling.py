"""Couplings: which interface quantities are guessed and which are compared."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from bondline.core.abilities import Affine, Linearising
from bondline.core.arrays import Matrix, Vector
from bondline.core.connection import Connection
from bondline.core.interface import InterfaceProblem, InterfaceSolution, Tree
from bondline.core.motion import Motion
from bondline.core.port import Causality, Port, PortRef, SignalPort
from bondline.core.publishing import Observing, Reacting, Showing
from bondline.core.signal import Signal
from bondline.core.stack import Stack, stacked
from bondline.core.subsystem import Advance, Model
from bondline.core.team import Hands, Joining, Team
from bondline.core.window import Window

H = TypeVar("H")
T = TypeVar("T")

_MANY = 32  # joint forces from which all joints at once are quicker than one by one


class Crew(Protocol):
    """Who does the work of the parts: one after the other, or side by side."""

    def call(self, jobs: Sequence[Callable[[], T]]) -> list[T]:
        """What each job returns, in the order of the jobs, whoever was first."""
        ...


@dataclass(frozen=True)
class Alone:
    """One job after the other."""

    def call(self, jobs: Sequence[Callable[[], T]]) -> list[T]:
        """What each job returns."""
        return [job() for job in jobs]


@dataclass(frozen=True)
class Assembly:
    """What is glued: the parts and the connections between them.

    What follows from them alone is found once, not in every window.
    """

    parts: Mapping[str, Model]
    connections: Sequence[Connection]
    crew: Crew = Alone()

    @cached_property
    def affine(self) -> bool:
        """Linear parts, and connections whose B never changes."""
        return all(c.constant for c in self.connections) and all(
            p.capabilities.linear for p in self.parts.values()
        )

    @cached_property
    def superposes(self) -> bool:
        """Whether every part answers a window by superposition (`Affine`)."""
        return self.affine and all(
            p.capabilities.superposes for p in self.parts.values()
        )

    @cached_property
    def superposing(self) -> Mapping[str, Affine[Any]]:
        """The parts that can answer by superposition."""
        return {n: p for n, p in self.parts.items() if isinstance(p, Affine)}

    @cached_property
    def observing(self) -> Mapping[str, Observing[Any]]:
        """The parts that publish values; asking all of them takes long."""
        return {n: p for n, p in self.parts.items() if isinstance(p, Observing)}

    @cached_property
    def reacting(self) -> Mapping[str, Reacting[Any]]:
        """The parts with forces in joints of their own."""
        return {n: p for n, p in self.parts.items() if isinstance(p, Reacting)}

    @cached_property
    def showing(self) -> Mapping[str, Showing[Any]]:
        """The parts that can be drawn."""
        return {n: p for n, p in self.parts.items() if isinstance(p, Showing)}

    @cached_property
    def components(self) -> Sequence[tuple[str, ...]]:
        """What the forces of each connection are called."""
        return [c.components for c in self.connections]

    @cached_property
    def compliant(self) -> tuple[NDArray[np.intp], Vector, Vector] | None:
        """Which joint forces follow a law, and its k and c; None where none does."""
        found = [
            (np.arange(self.offsets[j], self.offsets[j + 1]), *c.law)
            for j, c in enumerate(self.connections)
            if c.law is not None
        ]
        if not found:
            return None
        where, k, c = (np.concatenate(x) for x in zip(*found, strict=True))
        return where, k, c

    @cached_property
    def linearising(self) -> Mapping[str, Linearising[Any]]:
        """The parts that compute their own flexibility."""
        return {n: p for n, p in self.parts.items() if isinstance(p, Linearising)}

    @cached_property
    def places(self) -> Mapping[str, Sequence[tuple[str, int, int]]]:
        """By part: each glued port, its connection, and which end of it that is."""
        found: dict[str, list[tuple[str, int, int]]] = {n: [] for n in self.parts}
        for k, c in enumerate(self.connections):
            for i, end in enumerate(c.ends):
                found[end.part].append((end.port, k, i))
        return found

    @cached_property
    def ends(self) -> tuple[PortRef, ...]:
        """The ports at which parts are glued, each once."""
        return tuple(dict.fromkeys(end for c in self.connections for end in c.ends))

    @cached_property
    def stack(self) -> Stack | None:
        """All joints at once; none where B may change, or there are few of them."""
        ports = {end: self.parts[end.part].ports[end.port] for end in self.ends}
        plain = all(isinstance(p, Port) and not p.frame for p in ports.values())
        steady = all(c.constant for c in self.connections)
        if not (plain and steady and self.offsets[-1] >= _MANY):
            return None
        return stacked(self.connections, self._sizes)

    @cached_property
    def team(self) -> Team | None:
        """All parts as one that answers by superposition, where they can be that."""
        first, stack = next(iter(self.parts.values()), None), self.stack
        if stack is None or not self.superposes or not isinstance(first, Joining):
            return None
        glued = {end.part for end in stack.places}
        return first.team(self.parts, stack.places) if glued == {*self.parts} else None

    @cached_property
    def hands(self) -> Hands:
        """Every thread of the crew on one job, that they share."""
        count = min(getattr(self.crew, "count", 1), len(self.parts))
        return lambda job: self.crew.call([job] * count)

    @property
    def _sizes(self) -> Mapping[PortRef, int]:
        """Dofs of all ports of glued parts that are glued, or might be by forces."""
        return {
            end: port.size
            for n in dict.fromkeys(e.part for e in self.ends)
            for p, port in self.parts[n].ports.items()
            if (end := PortRef(n, p)) in self.ends or _pushed(port)
        }

    @cached_property
    def offsets(self) -> Sequence[int]:
        """Where the forces of each connection begin in the vector of all."""
        sizes = [len(c.components) for c in self.connections]
        return [sum(sizes[:k]) for k in range(len(sizes) + 1)]


def _pushed(port: Port | SignalPort) -> bool:
    """Whether it is of points, and takes force."""
    if not isinstance(port, Port) or port.frame:
        return False
    return port.causality is Causality.FORCE_IN


@dataclass(frozen=True, slots=True)
class Situation:
    """Where a window starts: states, port motions, and loads from outside."""

    states: Mapping[str, Any]
    motions: Mapping[PortRef, Motion]
    outside: Mapping[PortRef, Signal]


class Coupling(Protocol[H]):
    """Poses the interface problem of one window; what it remembers is a value too."""

    def start(
        self,
        assembly: Assembly,
        starts: Mapping[str, Advance[Any]],
        t0: float,
        outside: Mapping[PortRef, Vector],
    ) -> tuple[Mapping[str, Advance[Any]], H, Matrix]:
        """The starts under consistent joint forces, the history, and the forces."""
        ...

    def guess(self, assembly: Assembly, window: Window, history: H) -> Vector:
        """First guess of the unknowns of `window`."""
        ...

    def problem(
        self, assembly: Assembly, situation: Situation, window: Window, history: H
    ) -> InterfaceProblem:
        """State what must vanish on `window`."""
        ...

    def accept(
        self,
        assembly: Assembly,
        window: Window,
        found: InterfaceSolution[Any],
        history: H,
    ) -> tuple[H, Matrix]:
        """History after a window, and its forces: coefficients × components."""
        ...

    def settings(self) -> dict[str, Any]:
        """Everything that decides the bits, as plain data."""
        ...

    def suits(self, place: str, assembly: Assembly) -> None:
        """Raise `SettingError` where a part cannot be coupled this way."""
        ...

    @property
    def sharp(self) -> bool:
        """Whether the force at the end of a window is the force at t₁."""
        ...

    def work(self, forces: tuple[Matrix, Matrix], gap: Matrix) -> Vector:
        """Work of each joint force on its gap over a window, in joules.

        `forces` are those of the window before and of this one; the rows of `gap` are
        e₀, h e₀', e₁, h e₁', h² e₁''.
        """
        ...

    def join(self, forces: tuple[Matrix, Matrix], share: float) -> Matrix:
        """One force for two windows; the first has the given share of the length."""
        ...

    def dump(self, history: H) -> Tree: ...

    def load(self, data: Tree) -> H: ...
