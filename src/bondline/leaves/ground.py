"""The ground: a frame that stays where it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar

import numpy as np

from bondline.core import (
    FRAME_DOFS,
    Advance,
    Capabilities,
    Energy,
    Flexibility,
    Matrix,
    Motion,
    Parameter,
    Port,
    Receptance,
    Signal,
    Vector,
    Window,
)
from bondline.leaves.declared import as_set
from bondline.numerics import rotations as rot

DECLARED: Mapping[str, Parameter] = {
    **{d: Parameter(d, 0.0, "m", f"where the frame is, {d}") for d in "xyz"},
    **{
        f"r{d}": Parameter(f"r{d}", 0.0, "rad", f"rotation vector of the frame, {d}")
        for d in "xyz"
    },
}


@dataclass(frozen=True)
class Ground:
    """One frame, `a`, that no force moves; to hang other parts from.

    Its flexibility is zero, which gluing allows: only the sum over the parts of a
    joint must be regular.
    """

    name: str
    parameters: Mapping[str, Parameter] = field(default_factory=lambda: dict(DECLARED))

    ports: ClassVar[Mapping[str, Port]] = {"a": Port("a", FRAME_DOFS, frame=True)}
    capabilities: ClassVar[Capabilities] = Capabilities(linear=True)

    @cached_property
    def _motion(self) -> Motion:
        at = np.array([self.parameters[d].value for d in FRAME_DOFS])
        return Motion(at[:3], np.zeros(6), np.zeros(6), rot.exp(at[3:]))

    def start(self, t0: float) -> Advance[None]:
        """At rest."""
        return Advance(None, {"a": self._motion}, Energy(0.0))

    def press(
        self, state: None, t: float, forces: Mapping[str, Vector]
    ) -> Advance[None]:
        """At rest."""
        return self.start(t)

    def advance(
        self, state: None, window: Window, inputs: Mapping[str, Signal]
    ) -> Advance[None]:
        """At rest, whatever the forces."""
        return self.start(window.t1)

    def linearise(
        self, state: None, window: Window, inputs: Mapping[str, Signal]
    ) -> Flexibility:
        """Nothing gives way."""
        powers = max((s.degree for s in inputs.values()), default=0) + 1
        return Flexibility({("a", "a"): np.zeros((3, 6, powers, 6))}, 0)

    def equilibrium(
        self,
        state: None,
        load_factor: float,
        inputs: Mapping[str, Vector],
        springs: Mapping[str, Vector],
    ) -> Advance[None]:
        """At rest, whatever pulls."""
        return self.start(0.0)

    def shapes(self, state: None) -> Mapping[str, Matrix]:
        """The point of the frame."""
        return {"": self._motion.x[None, :]}

    def dump(self, state: None) -> bytes:
        """Nothing to keep."""
        return b""

    def load(self, data: bytes) -> None:
        """Nothing was kept."""

    def receptance(self, omega: float, damped: bool = True) -> Receptance:
        """Zero."""
        still = np.zeros((6, 6), dtype=np.complex128)
        return Receptance({("a", "a"): still}, None if damped else 0)


def ground(name: str, **values: float) -> Ground:
    """A frame at rest; `values` set what `DECLARED` lists."""
    return Ground(name, as_set(name, DECLARED, values))
