"""A mass on a hardening spring: what to replace by a model of your own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from typing import ClassVar

import numpy as np

from bondline.core import (
    Advance,
    Capabilities,
    Energy,
    Motion,
    Observation,
    Parameter,
    Port,
    Rejected,
    Signal,
    Window,
)
from bondline.errors import SettingError

STEPS = 20  # of the integrator in a window


@dataclass(frozen=True)
class MyLeaf:
    """m x'' + k x + k3 x^3 = f, by the rule of Runge and Kutta. The state is (x, v)."""

    name: str
    mass: float = 1.0
    stiffness: float = 40.0
    hardening: float = 100.0

    declared: ClassVar[Mapping[str, Parameter]] = {
        "mass": Parameter("mass", 1.0, "kg", "of the body", positive=True),
        "stiffness": Parameter("stiffness", 40.0, "N/m", "of the spring at rest"),
        "hardening": Parameter("hardening", 100.0, "N/m3", "what it grows by"),
    }
    ports: ClassVar[Mapping[str, Port]] = {"end": Port("end", ("x",))}
    capabilities: ClassVar[Capabilities] = Capabilities()

    def __post_init__(self) -> None:
        for key, p in self.declared.items():
            value = getattr(self, key)
            if not isfinite(value) or (p.positive and not value > 0.0):
                remedy = "Give one above 0." if p.positive else "Give a number."
                raise SettingError(f"{self.name}: {key}", f"it is {value:g}.", remedy)

    @property
    def parameters(self) -> Mapping[str, Parameter]:
        return self.declared

    def start(self, t0: float) -> Advance[np.ndarray]:
        """At rest. Ports show what they do under no force."""
        return self._report(np.zeros(2), 0.0)

    def advance(
        self, state: np.ndarray, window: Window, inputs: Mapping[str, Signal]
    ) -> Advance[np.ndarray] | Rejected:
        """Over one window; a port without an input feels no force."""
        force = inputs.get("end", Signal.hold(np.zeros(1)))
        h, y = window.h / STEPS, state
        with np.errstate(over="ignore", invalid="ignore"):
            for k in range(STEPS):
                a, b, c = (force.at((k + s) / STEPS)[0] for s in (0.0, 0.5, 1.0))
                k1 = self._rate(y, a)
                k2 = self._rate(y + 0.5 * h * k1, b)
                k3 = self._rate(y + 0.5 * h * k2, b)
                k4 = self._rate(y + h * k3, c)
                y = y + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)
        if not np.isfinite(y).all():  # a rejection is a value: a shorter window may do
            return Rejected(self.name, "it runs away", window.at(0.5))
        return self._report(y, float(force.end[0]))

    def press(
        self, state: np.ndarray, t: float, forces: Mapping[str, np.ndarray]
    ) -> Advance[np.ndarray]:
        """The same instant under forces: accelerations follow, nothing else moves."""
        return self._report(state, float(forces.get("end", np.zeros(1))[0]))

    def _rate(self, y: np.ndarray, f: float) -> np.ndarray:
        x, v = y
        return np.array(
            [v, (f - self.stiffness * x - self.hardening * x**3) / self.mass]
        )

    def _report(self, y: np.ndarray, f: float) -> Advance[np.ndarray]:
        x, v = y
        stored = 0.5 * self.mass * v**2 + 0.5 * self.stiffness * x**2
        stored += 0.25 * self.hardening * x**4
        motion = Motion(y[:1].copy(), y[1:].copy(), self._rate(y, f)[1:])
        return Advance(y, {"end": motion}, Energy(float(stored)))

    def observe(self, state: np.ndarray) -> Mapping[str, Observation]:
        """What the owner publishes."""
        return {"x": Observation(float(state[0]), "m")}

    def shapes(self, state: np.ndarray) -> Mapping[str, np.ndarray]:
        """What pictures draw: points in a plane; here the spring, 1 m at rest."""
        return {"": np.array([[0.0, 0.0], [1.0 + float(state[0]), 0.0]])}

    def dump(self, state: np.ndarray) -> bytes:
        """For checkpoints."""
        return state.astype("<f8").tobytes()

    def load(self, data: bytes) -> np.ndarray:
        """The state that `dump` wrote."""
        return np.frombuffer(data, "<f8").astype(np.float64)
