"""A planar flexible bar: a floating frame and assumed modes, wang2003 (51).

The angle is measured from the x axis, counter-clockwise, y up.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import ceil, cos, isfinite, pi, sin, sqrt
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
from bondline.errors import SettingError
from bondline.leaves.declared import declare, of_fields
from bondline.leaves.guard import guarded
from bondline.leaves.loads import Force, polynomial, pressed
from bondline.leaves.modes import Modes, Rates
from bondline.leaves.raw import from_bytes, to_bytes
from bondline.numerics import FixedStep

_DRAWN = 17  # points along the bar


@dataclass(frozen=True)
class FlexibleBar:
    """A uniform bar hinged at its root to the ground; port `C` at its other end.

    Its frame turns with the straight line from the root to the tip. In that frame it
    stretches by sin(πx/2l) q¹ and bends by Σ sin(kπx/l) q^(k+1): one longitudinal
    mode and `bending` transverse ones, damped by the same ratio each. Deflections are
    small in the frame; bending does not shorten the bar, and pulling does not stiffen
    it. The state is (θ, q, θ', q').

    The steps inside a window follow from its length and the highest frequency only,
    so probing sees a smooth function of the force.
    """

    name: str
    mass: float = 1.0
    length: float = 1.0
    axial: float = 1e7
    flexural: float = 1e3
    damping: float = 0.0
    bending: float = 2.0
    angle: float = 0.0
    spin: float = 0.0
    gravity: float = 0.0
    pivot_x: float = 0.0
    pivot_y: float = 0.0
    radians: float = 0.5  # turn of the highest mode in one inner step, at most

    ports: ClassVar[Mapping[str, Port]] = {"C": Port("C", ("x", "y"))}
    capabilities: ClassVar[Capabilities] = Capabilities()
    declared: ClassVar[Mapping[str, Parameter]] = declare(
        Parameter("mass", 1.0, "kg", "mass of the uniform bar", positive=True),
        Parameter("length", 1.0, "m", "length of the bar", positive=True),
        Parameter("axial", 1e7, "N", "axial stiffness EA", positive=True),
        Parameter("flexural", 1e3, "N*m**2", "bending stiffness EI", positive=True),
        Parameter("damping", 0.0, "1", "damping ratio of every mode"),
        Parameter("bending", 2.0, "1", "number of bending modes", positive=True),
        Parameter("angle", 0.0, "rad", "start angle from the x axis"),
        Parameter("spin", 0.0, "rad/s", "angular velocity at the start"),
        Parameter("gravity", 0.0, "m/s**2", "gravity, acting along -y"),
        Parameter("pivot_x", 0.0, "m", "x of the hinge"),
        Parameter("pivot_y", 0.0, "m", "y of the hinge"),
    )

    def __post_init__(self) -> None:
        _ = self.parameters  # nonsense is refused here
        if self.bending != round(self.bending):
            raise SettingError(
                f"{self.name}.bending",
                f"{self.bending:g} is not a whole number.",
                f"Give {max(1, round(self.bending))}, for example.",
            )
        if not 0.0 <= self.damping < 1.0:
            raise SettingError(
                f"{self.name}.damping",
                f"a ratio of {self.damping:g} is no damped oscillation.",
                "Give a ratio from 0 to below 1; 0.1 is strong damping.",
            )

    @cached_property
    def parameters(self) -> Mapping[str, Parameter]:
        """The settable numbers, as they are set."""
        return of_fields(self)

    @cached_property
    def modes(self) -> Modes:
        """Shapes, stiffness and damping, and the equations of motion they give."""
        return Modes(
            self.mass,
            self.length,
            (self.axial, self.flexural),
            self.damping,
            round(self.bending),
            self.gravity,
        )

    @cached_property
    def frequencies(self) -> tuple[float, ...]:
        """ω of each mode with the frame held, in rad/s: stretching first."""
        return tuple(sqrt(2.0 * k / self.mass) for k in self.modes.stiffness)

    def steps(self, h: float) -> int:
        """Inner steps in a window of `h`."""
        nominal = float(f"{h:.9g}")  # t₁ − t₀ wobbles in its last digits
        return max(2, ceil(self.modes.fastest * nominal / self.radians))

    def start(self, t0: float) -> Advance[Vector]:
        """Straight, at the given angle and spin."""
        n = self.modes.count
        state = np.zeros(2 * n + 2)
        state[0], state[n + 1] = self.angle, self.spin
        return self._report(state, (0.0, 0.0), 0.0)

    def press(
        self, state: Vector, t: float, forces: Mapping[str, Vector]
    ) -> Advance[Vector]:
        """The same instant under a force."""
        return self._report(state, pressed(forces.get("C"), 2), 0.0)

    def advance(
        self, state: Vector, window: Window, inputs: Mapping[str, Signal]
    ) -> Advance[Vector] | Rejected:
        """Integrate θ and q over the window, and the dissipation beside them."""
        force = polynomial(inputs.get("C"), window, 2)
        return guarded(self.name, window, lambda: self._move(state, window, force))

    def _move(self, state: Vector, window: Window, force: Force) -> Advance[Vector]:
        rates, t0 = self.modes.rates, window.t0
        integrate = FixedStep(self.steps(window.h))
        *now, lost = integrate(
            lambda t, y: rates(y, *force(t)), t0, window.t1, [*state.tolist(), 0.0]
        )
        if not isfinite(sum(now)):
            raise ArithmeticError("its deflections grow beyond all numbers")
        return self._report(np.array(now), force(window.t1), lost)

    def _report(
        self, state: Vector, force: tuple[float, ...], lost: float
    ) -> Advance[Vector]:
        y = [*state.tolist(), 0.0]
        stored = self.modes.energy(y) + self.mass * self.gravity * self.pivot_y
        tip = self._tip(y, self.modes.rates(y, *force))
        return Advance(state, {"C": tip}, Energy(stored, dissipated=lost))

    def _tip(self, y: list[float], rates: Rates) -> Motion:
        """r = R(θ) (l + q¹, 0), and its rates."""
        n = self.modes.count + 1
        theta, r, w, r1 = y[0], self.length + y[1], y[n], y[n + 1]
        alpha, r2 = rates[n], rates[n + 1]
        c, s = cos(theta), sin(theta)
        along, across = r2 - r * w * w, r * alpha + 2.0 * r1 * w
        return Motion(
            np.array([self.pivot_x + r * c, self.pivot_y + r * s]),
            np.array([r1 * c - r * w * s, r1 * s + r * w * c]),
            np.array([along * c - across * s, along * s + across * c]),
        )

    def observe(self, state: Vector) -> Mapping[str, Observation]:
        """The angle, the modes, where the tip is and goes."""
        tip = self._report(state, (0.0, 0.0), 0.0).outputs["C"]
        assert isinstance(tip, Motion)
        modes = {
            f"q{k}": Observation(float(state[k]), "m")
            for k in range(1, self.modes.count + 1)
        }
        return {
            "angle": Observation(float(state[0]), "rad"),
            **modes,
            "C.x": Observation(float(tip.x[0]), "m"),
            "C.y": Observation(float(tip.x[1]), "m"),
            "C.vx": Observation(float(tip.v[0]), "m/s"),
            "C.vy": Observation(float(tip.v[1]), "m/s"),
        }

    def shapes(self, state: Vector) -> Mapping[str, Matrix]:
        """The bent line from the hinge to the tip, deflections as they are."""
        x = np.linspace(0.0, 1.0, _DRAWN)
        k = np.arange(1, self.modes.count)
        u = self.length * x + np.sin(pi / 2 * x) * state[1]
        v = np.sin(pi * np.outer(x, k)) @ state[2 : self.modes.count + 1]
        c, s = cos(state[0]), sin(state[0])
        line = np.stack([self.pivot_x + c * u - s * v, self.pivot_y + s * u + c * v])
        return {"": line.T}

    def dump(self, state: Vector) -> bytes:
        """The state as raw doubles."""
        return to_bytes(state)

    def load(self, data: bytes) -> Vector:
        """The state that `dump` wrote."""
        return from_bytes(data)
