"""The one protocol that leaf models, integrated models and remote models satisfy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

from bondline.core.motion import Output
from bondline.core.parameter import Capabilities, Parameter
from bondline.core.port import Port, SignalPort
from bondline.core.signal import Signal
from bondline.core.window import Window
from bondline.errors import BondlineError

S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Energy:
    """Energy at the end of a window, and what the window did to it, in joules.

    stored(t₁) − stored(t₀) = supplied − dissipated + work of the port forces.
    """

    stored: float  # kinetic, elastic and potential, at t₁
    dissipated: float = 0.0  # over the window
    supplied: float = 0.0  # over the window, by drives and loads of the model's own

    def __add__(self, other: Energy) -> Energy:
        return Energy(
            self.stored + other.stored,
            self.dissipated + other.dissipated,
            self.supplied + other.supplied,
        )


@dataclass(frozen=True, slots=True)
class Advance(Generic[S]):
    """What a model reports after a window: its new state and what its ports show.

    `notes` are warnings for the user, one sentence each, or a `remark`. `silent` are
    parts for whose sake there is no energy, inner ones by `part.name`.
    """

    state: S
    outputs: Mapping[str, Output]
    energy: Energy | None = None
    stats: Mapping[str, float] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    silent: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Rejected:
    """A model could not complete a window; `until` is an end that might work.

    `error` is what to raise when nobody can help: a value until the edge.
    """

    model: str
    reason: str
    until: float | None = None
    error: BondlineError | None = None
    solves: int = 0  # advances of leaves that were made in vain


class Subsystem(Protocol[S]):
    """A black box seen through its ports.

    Obligations, each with a property test of the same words:

    - `advance` is a function of its arguments: it does not remember the call.
    - A state is never changed in place: the caller may advance from it again.
    - The same arguments give the same bits.

    Rolling back is therefore not an operation. A code that can only go forward says
    `repeatable=False`, and its states are spent by their first advance.
    """

    @property
    def name(self) -> str: ...

    @property
    def ports(self) -> Mapping[str, Port | SignalPort]:
        """All that may be known about the inside."""
        ...

    @property
    def parameters(self) -> Mapping[str, Parameter]: ...

    @property
    def capabilities(self) -> Capabilities: ...

    def start(self, t0: float) -> Advance[S]:
        """The state at `t0`, and what the ports show there under no force."""
        ...

    def advance(
        self, state: S, window: Window, inputs: Mapping[str, Signal]
    ) -> Advance[S] | Rejected:
        """Carry `state` over `window`; a port without an input feels no force."""
        ...


Model: TypeAlias = Subsystem[Any]
