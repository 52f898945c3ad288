"""A mass on a spring and a damper to the ground."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import pi, sin
from typing import ClassVar

import numpy as np

from bondline.core import (
    Advance,
    Capabilities,
    Energy,
    Matrix,
    Motion,
    Observation,
    Parameter,
    Port,
    Rejected,
    Signal,
    Vector,
    Window,
)
from bondline.leaves.declared import declare, of_fields
from bondline.leaves.guard import guarded
from bondline.leaves.loads import Force, polynomial, pressed
from bondline.leaves.raw import from_bytes, to_bytes
from bondline.numerics import FixedStep


@dataclass(frozen=True)
class Oscillator:
    """m x'' + c x' + k x = force · sin(2π · frequency · t) − m g + f; port `p` feels f.

    The state is (x, x'). A window is one step of order 5: it should be short against
    the mass's own period.
    """

    name: str
    mass: float = 1.0
    stiffness: float = 0.0
    damping: float = 0.0
    force: float = 0.0
    frequency: float = 1.0
    gravity: float = 0.0
    origin: float = 0.0

    ports: ClassVar[Mapping[str, Port]] = {"p": Port("p", ("x",))}
    capabilities: ClassVar[Capabilities] = Capabilities()
    declared: ClassVar[Mapping[str, Parameter]] = declare(
        Parameter("mass", 1.0, "kg", "the mass", positive=True),
        Parameter("stiffness", 0.0, "N/m", "spring to the ground"),
        Parameter("damping", 0.0, "N*s/m", "damper to the ground"),
        Parameter("force", 0.0, "N", "amplitude of the load"),
        Parameter("frequency", 1.0, "Hz", "frequency of the load"),
        Parameter("gravity", 0.0, "m/s**2", "gravity, acting along -x"),
        Parameter("origin", 0.0, "m", "where it rests, for pictures"),
    )

    def __post_init__(self) -> None:
        _ = self.parameters  # nonsense is refused here

    @cached_property
    def parameters(self) -> Mapping[str, Parameter]:
        """The settable numbers, as they are set."""
        return of_fields(self)

    def start(self, t0: float) -> Advance[Vector]:
        """At rest where the spring has no force."""
        return self._report(t0, [0.0, 0.0, 0.0, 0.0], 0.0)

    def press(
        self, state: Vector, t: float, forces: Mapping[str, Vector]
    ) -> Advance[Vector]:
        """The same instant under a force."""
        y = [*state.tolist(), 0.0, 0.0]
        return self._report(t, y, pressed(forces.get("p"), 1)[0])

    def advance(
        self, state: Vector, window: Window, inputs: Mapping[str, Signal]
    ) -> Advance[Vector] | Rejected:
        """Integrate x over the window, and the work of load and damper beside it."""
        force = polynomial(inputs.get("p"), window, 1)
        return guarded(self.name, window, lambda: self._swing(state, window, force))

    def _swing(self, state: Vector, window: Window, force: Force) -> Advance[Vector]:
        def rate(t: float, y: list[float]) -> list[float]:
            x, v = y[0], y[1]
            a = self._accel(t, x, v, force(t)[0])
            return [v, a, self.damping * v * v, self._load(t) * v]

        first = [*state.tolist(), 0.0, 0.0]
        now = FixedStep(1)(rate, window.t0, window.t1, first)
        return self._report(window.t1, now, force(window.t1)[0])

    def _load(self, t: float) -> float:
        return self.force * sin(2.0 * pi * self.frequency * t)

    def _accel(self, t: float, x: float, v: float, f: float) -> float:
        pull = self._load(t) - self.stiffness * x - self.damping * v + f
        return pull / self.mass - self.gravity

    def _report(self, t: float, y: list[float], f: float) -> Advance[Vector]:
        x, v, lost, gained = y
        a = self._accel(t, x, v, f)
        stored = 0.5 * self.mass * v * v + 0.5 * self.stiffness * x * x
        energy = Energy(stored + self.mass * self.gravity * x, lost, gained)
        at = Motion(*(np.array([level]) for level in (x, v, a)))
        return Advance(np.array([x, v]), {"p": at}, energy)

    def observe(self, state: Vector) -> Mapping[str, Observation]:
        """Where it is and goes."""
        x, v = state.tolist()
        return {"x": Observation(x, "m"), "v": Observation(v, "m/s")}

    def shapes(self, state: Vector) -> Mapping[str, Matrix]:
        """A short line across its way."""
        x = self.origin + float(state[0])
        return {"": np.array([[x, -0.05], [x, 0.05]])}

    def dump(self, state: Vector) -> bytes:
        """Two raw doubles."""
        return to_bytes(state)

    def load(self, data: bytes) -> Vector:
        """The state that `dump` wrote."""
        return from_bytes(data)
