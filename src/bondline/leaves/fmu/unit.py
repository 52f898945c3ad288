"""What is known of an FMU before it runs: files, variables, ports."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from bondline.core import Capabilities, Parameter, Port, SignalPort, Tree


@dataclass(frozen=True, slots=True)
class Wire:
    """One number: the reference of its variable, and its kind as FMI 3 calls it.

    Of an array with `size` elements it is the one at `element`.
    """

    reference: int
    kind: str = "Float64"
    element: int = 0
    size: int = 1

    def plain(self) -> Tree:
        """For the process."""
        return [self.reference, self.kind, self.element, self.size]


@dataclass(frozen=True, slots=True)
class Plug:
    """A port and its variables, dof by dof; `turn` is the quaternion of a frame.

    `at` is where a port that takes motion starts: x, v and a, as far as it takes them.
    """

    port: Port
    force: tuple[Wire, ...]
    x: tuple[Wire, ...]
    v: tuple[Wire, ...]
    a: tuple[Wire, ...] = ()
    turn: tuple[Wire, ...] = ()
    at: tuple[float, ...] = ()

    @property
    def motion(self) -> tuple[Wire, ...]:
        """All that tells its motion."""
        return (*self.x, *self.v, *self.a, *self.turn)


@dataclass(frozen=True, slots=True)
class SignalPin:
    """A signal and its variable; `start` is what an input is while nobody says it."""

    port: SignalPort
    wire: Wire
    start: float = 0.0


@dataclass(frozen=True)
class Unit:
    """An unpacked FMU. Flags are as it declares them.

    `settings` are values of variables that are set before it starts.
    """

    version: int
    identifier: str
    token: str
    folder: Path
    library: str
    plugs: Mapping[str, Plug]
    signals: Mapping[str, SignalPin]
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    settings: tuple[tuple[Wire, float], ...] = ()
    saves: bool = False
    serialises: bool = False
    derivatives: bool = False
    interpolates: bool = False
    once: bool = False  # one instance a process
    steps: int = 1  # a window
    patience: float = 60.0

    @property
    def ports(self) -> Mapping[str, Port | SignalPort]:
        """The mechanical ones, then the signals."""
        found: dict[str, Port | SignalPort] = {n: p.port for n, p in self.plugs.items()}
        return found | {n: s.port for n, s in self.signals.items()}

    @property
    def capabilities(self) -> Capabilities:
        """As far as they can be known without a try."""
        return Capabilities(
            repeatable=self.saves,
            serialises=self.saves and self.serialises,
            acceleration=all(p.a for p in self.plugs.values() if p.force),
        )
