"""A step under correction, as others see it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from bondline.core import Motion, Window
from bondline.leaves.nonlinear.corrector import Step
from bondline.leaves.nonlinear.sockets import Sockets


@dataclass(frozen=True, eq=False)
class Trial:
    """A window under correction, as `core.Trial` says."""

    window: Window
    step: Step
    sockets: Sockets

    @property
    def residual(self) -> float:
        """Out of balance over structural forces."""
        return self.step.residual

    @property
    def corrections(self) -> int:
        """How many were made."""
        return self.step.corrections

    @cached_property
    def motions(self) -> Mapping[str, Motion]:
        """Of all ports at t₁."""
        u, v, turns, _ = self.step.place
        return self.sockets.motions(u, v, self.step.a, turns)
