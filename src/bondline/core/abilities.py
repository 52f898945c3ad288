"""What a model can do beyond `Subsystem`: one small optional protocol each.

Found by `isinstance`, declared in the passport, exercised by the conformance kit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from bondline.core.arrays import Matrix, Vector
from bondline.core.motion import Motion
from bondline.core.signal import Signal
from bondline.core.skin import Deformed
from bondline.core.subsystem import Advance, Rejected
from bondline.core.window import Window

S = TypeVar("S")
S_in = TypeVar("S_in", contravariant=True)


@runtime_checkable
class Vibrating(Protocol):
    """Linear, and shows its surfaces while its ports swing."""

    def swinging(
        self, omega: float, ports: Mapping[str, Vector]
    ) -> Mapping[str, Deformed]:
        """All skins, undamped, at ω in rad/s, with those amplitudes at force ports."""
        ...


@dataclass(frozen=True, slots=True)
class Flexibility:
    """G of wang2003 (14), over all levels of motion and all coefficients of force.

    `blocks[out, in][l, :, k, :]` is ∂(level l of port `out` at t₁)/∂(coefficient k of
    the force on port `in`), levels in the order x, v, a. `solves` is its price.
    """

    blocks: Mapping[tuple[str, str], NDArray[np.float64]]
    solves: int


@runtime_checkable
class Linearising(Protocol[S_in]):
    """Computes its own G, on the owner's side, in one round trip."""

    def linearise(
        self, state: S_in, window: Window, inputs: Mapping[str, Signal]
    ) -> Flexibility | Rejected: ...


@dataclass(frozen=True, slots=True)
class Response:
    """Response of an affine model to known inputs, and to a unit of each force.

    For windows of one length `G` is the same object. `inside` is the model's own.
    """

    free: Advance[Any]
    G: Flexibility
    inside: Any = None


@runtime_checkable
class Affine(Protocol[S]):
    """One solve a window: a free response, then a rank-m update."""

    def respond(
        self, state: S, window: Window, inputs: Mapping[str, Signal]
    ) -> Response | Rejected: ...

    def realise(
        self, response: Response, inputs: Mapping[str, Signal]
    ) -> Advance[S] | Rejected: ...


@runtime_checkable
class Trying(Protocol[S_in]):
    """Tries several inputs over one window at once: for whoever is far away.

    What each gives is what `advance` gives, up to the first that is rejected. Their
    states are not for going on.
    """

    def advance_each(
        self, state: S_in, window: Window, cases: Sequence[Mapping[str, Signal]]
    ) -> Sequence[Advance[Any] | Rejected]: ...


@runtime_checkable
class Weighing(Protocol):
    """Meets a weighted sum of the motion it is told: `Capabilities.weighs`."""

    def weighing(self, h: float) -> Vector:
        """Weights of x, v and a at the end of a window of `h`."""
        ...


@runtime_checkable
class Static(Protocol[S]):
    """Finds its equilibrium under port forces and interface springs (Robin)."""

    def equilibrium(
        self,
        state: S,
        load_factor: float,
        inputs: Mapping[str, Vector],
        springs: Mapping[str, Vector],
    ) -> Advance[S] | Rejected: ...


@runtime_checkable
class Yielding(Protocol[S_in]):
    """Knows what a unit of every port input does to its equilibrium, at once.

    The blocks have one level and one power: the position at a port that takes force,
    the effort at a port that takes motion.
    """

    def compliance(
        self, state: S_in, springs: Mapping[str, Vector]
    ) -> Flexibility | Rejected: ...


@dataclass(frozen=True, slots=True)
class Receptance:
    """Displacements of the ports per unit of force on them, at one frequency.

    `blocks[out, in]` is complex. `below` counts the model's own undamped
    eigenfrequencies below that frequency, with its force ports free; it is None where
    damping was asked for.
    """

    blocks: Mapping[tuple[str, str], NDArray[np.complex128]]
    below: int | None


@runtime_checkable
class Harmonic(Protocol):
    """Linear, and knows its interface dynamics in frequency: never a matrix inside."""

    def receptance(self, omega: float, damped: bool = True) -> Receptance:
        """H(ω) over all force ports, ω in rad/s; without damping it is real."""
        ...


@runtime_checkable
class Serialising(Protocol[S]):
    """Turns a state into bytes and back, to the same bits.

    Without it a run resumes by replaying from its start, and says so.
    """

    def dump(self, state: S) -> bytes: ...

    def load(self, data: bytes) -> S: ...


@runtime_checkable
class Placing(Protocol[S]):
    """Can be put somewhere else before the start, as a whole.

    `place` returns a start at which `port` has the given position and velocity; what
    the model was told about itself (its angle, its spin) stays.
    """

    def place(self, state: S, port: str, at: Motion) -> Advance[S]: ...


@runtime_checkable
class Pressing(Protocol[S]):
    """Can say how it would accelerate under forces, without moving.

    `press` returns the same instant with the given forces on its ports: positions and
    velocities stay, accelerations follow. A port that takes motion is given its
    acceleration instead, and answers with the effort. Used at the start, and where a
    load jumps.
    """

    def press(self, state: S, t: float, forces: Mapping[str, Vector]) -> Advance[S]: ...


@runtime_checkable
class Mobile(Protocol[S_in]):
    """Knows what a unit of force on every port does to accelerations, all at once.

    It is what `press` does, over the ports that take force: `blocks[out, in]` is
    ∂(acceleration of port `out`)/∂(force on port `in`). None where it is not known;
    then every port is pressed.
    """

    def mobility(
        self, state: S_in, t: float
    ) -> Mapping[tuple[str, str], Matrix] | None: ...


@runtime_checkable
class Guarding(Protocol[S_in]):
    """Knows beforehand which windows its method cannot serve.

    Asked once, before the first window of a run.
    """

    def guard(self, state: S_in, window: Window) -> Sequence[str]:
        """What to note about windows like this one; raises `SettingError` if unfit."""
        ...


@runtime_checkable
class Waiting(Protocol):
    """May have to wait for others far away, and lets its caller go on meanwhile."""

    @property
    def waits(self) -> bool:
        """Whether all of its work is done elsewhere; that never changes."""
        ...


@runtime_checkable
class Impulsive(Protocol[S]):
    """Can be struck: velocities change at once, positions stay.

    `kick` returns the same instant after the given impulses (force times time) on
    ports that take force. Used once, at the start.
    """

    def kick(
        self, state: S, t: float, impulses: Mapping[str, Vector]
    ) -> Advance[S]: ...


@runtime_checkable
class Breaking(Protocol):
    """Knows instants at which its own loads or laws have a kink.

    Windows end there: a polynomial over a kink is no good approximation.
    """

    def breaks(self, window: Window) -> Sequence[float]:
        """Instants strictly inside `window`, in order."""
        ...
