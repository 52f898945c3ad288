"""Couplings: which interface quantities are guessed and which are compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from bondline.core.arrays import Matrix, Vector
from bondline.core.connection import Connection
from bondline.core.interface import InterfaceProblem, Tree
from bondline.core.motion import Motion
from bondline.core.port import PortRef
from bondline.core.signal import Signal
from bondline.core.subsystem import Model
from bondline.core.window import Window

H = TypeVar("H")


@dataclass(frozen=True, slots=True)
class Assembly:
    """What is glued: the parts and the connections between them."""

    parts: Mapping[str, Model]
    connections: Sequence[Connection]


@dataclass(frozen=True, slots=True)
class Situation:
    """Where a window starts: states, port motions, and loads from outside."""

    states: Mapping[str, Any]
    motions: Mapping[PortRef, Motion]
    outside: Mapping[PortRef, Signal]


class Coupling(Protocol[H]):
    """Poses the interface problem of one window; what it remembers is a value too."""

    def start(self, assembly: Assembly) -> H:
        """History before the first window."""
        ...

    def guess(self, assembly: Assembly, history: H) -> Vector:
        """First guess of the unknowns of the next window."""
        ...

    def problem(
        self, assembly: Assembly, situation: Situation, window: Window, history: H
    ) -> InterfaceProblem:
        """State what must vanish on `window`."""
        ...

    def forces(self, assembly: Assembly, z: Vector, history: H) -> Matrix:
        """Interface forces over the window: coefficients × components."""
        ...

    def accept(self, assembly: Assembly, z: Vector, history: H) -> H:
        """History after a window was accepted with `z`."""
        ...

    def dump(self, history: H) -> Tree: ...

    def load(self, data: Tree) -> H: ...
