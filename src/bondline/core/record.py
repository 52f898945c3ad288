"""Recording: what a run leaves behind."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from bondline.core.arrays import Matrix
from bondline.core.publishing import Observation, Reaction
from bondline.core.subsystem import Energy
from bondline.core.window import Window


@dataclass(frozen=True, slots=True)
class Frame:
    """Everything that may be known at the end of one accepted window.

    `values` are what the parts publish at t₁ (`upper.angle`), `forces` the joint
    forces over the window (`joint.A`), `shapes` what there is to draw. `stats` count
    what does not jitter: iterations, builds, solves, gap, interface work. `notes` are
    warnings that arose in the window, and remarks.
    """

    n: int
    window: Window | None  # None at the start, before the first window
    t: float
    values: Mapping[str, Observation]
    forces: Mapping[str, Reaction]
    shapes: Mapping[str, Matrix]
    energy: Energy | None
    stats: Mapping[str, float]
    notes: tuple[str, ...] = ()


class Recorder(Protocol):
    """Receives the start and one frame per accepted window; never a rejected one.

    `state` is the model's state at `frame.t`: a recorder that makes checkpoints may
    dump it, or drop it.
    """

    def write(self, frame: Frame, state: Any) -> None: ...
