"""The double pendulum, cut at its middle joint, and a lower bar that is led there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from math import cos, sin
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

from bondline.core import (
    Advance,
    Capabilities,
    Causality,
    Effort,
    Model,
    Motion,
    Parameter,
    Port,
    Signal,
    Vector,
    Window,
)
from bondline.leaves import FreeBar, PinnedBar
from bondline.numerics import FixedStep, Integrator

G, TORQUE = 9.81, -200.0
_UP = np.array([0.0, G])
UPPER, LOWER = (10.0, 1.0), (20.0, 2.0)  # mass, length


@dataclass(frozen=True, eq=False)
class LedBar:
    """A uniform bar whose top `A` follows a path; it answers with the force there.

    θ'' = −3/(2 l) (a_x cos θ + (a_y + g) sin θ), θ from the downward vertical. The
    state is (θ, θ', x, y, x', y') with the position and velocity of its top.
    """

    name: str
    mass: float
    length: float
    integrate: Integrator = field(default_factory=FixedStep)

    ports = {"A": Port("A", ("x", "y"), causality=Causality.MOTION_IN)}  # noqa: RUF012
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    capabilities = Capabilities(serialises=False)

    def start(self, t0: float) -> Advance[Vector]:
        return self.press(np.zeros(6), t0, {})

    def place(self, state: Vector, port: str, at: Motion) -> Advance[Vector]:
        return self.press(np.concatenate([state[:2], at.x, at.v]), 0.0, {})

    def press(
        self, state: Vector, t: float, forces: Mapping[str, Vector]
    ) -> Advance[Vector]:
        return self._report(state, forces.get("A", np.zeros(2)))

    def advance(
        self, state: Vector, window: Window, inputs: Mapping[str, Signal]
    ) -> Advance[Vector]:
        h, paths = window.h, [inputs["A"].coefficients]
        for _ in range(2):
            power = np.arange(1, len(paths[-1]))
            paths.append(paths[-1][1:] * power[:, None] / h)
        bend = [row.tolist() for row in paths[2]]

        def rate(t: float, y: list[float]) -> list[float]:
            s, ax, ay = (t - window.t0) / h, 0.0, 0.0
            for x_k, y_k in reversed(bend):
                ax, ay = ax * s + x_k, ay * s + y_k
            return [y[1], self._spin_rate(y[0], ax, ay)]

        turned = self.integrate(rate, window.t0, window.t1, state[:2].tolist())
        x, v, a = (path.sum(axis=0) for path in paths)
        return self._report(np.concatenate([turned, x, v]), a)

    def _spin_rate(self, theta: float, ax: float, ay: float) -> float:
        return -1.5 / self.length * (ax * cos(theta) + (ay + G) * sin(theta))

    def _report(self, state: Vector, a: Vector) -> Advance[Vector]:
        theta, spin = state[:2].tolist()
        turn, half = self._spin_rate(theta, *a.tolist()), 0.5 * self.length
        along = np.array([cos(theta), sin(theta)]), np.array([-sin(theta), cos(theta)])
        centre = a + half * (turn * along[0] + spin**2 * along[1])
        force = self.mass * (centre + _UP)
        return Advance(state, {"A": Effort(force, Motion(state[2:4], state[4:], a))})


@dataclass(frozen=True)
class Pendulum:
    """wang2003, example 2, under gravity."""

    name: str = "double pendulum"
    m: int = 2
    h: float = 0.01
    windows: int = 100

    def parts(self, led: bool) -> list[Model]:
        """The two bars; `led`: the lower one takes the motion of the joint."""
        m, length = UPPER
        upper = PinnedBar("a", m, length, gravity=G, torque=TORQUE)
        bar = LedBar("b", *LOWER) if led else FreeBar("b", *LOWER, gravity=G)
        return [upper, bar]

    @cached_property
    def uncut(self) -> NDArray[np.float64]:
        """Position of the joint after every window, from Lagrange's equations."""
        t = self.h * np.arange(1, self.windows + 1)
        y0 = np.zeros(4)
        done = solve_ivp(_rate, (0.0, t[-1]), y0, "DOP853", t, rtol=1e-12, atol=1e-13)
        return UPPER[1] * np.stack([np.sin(done.y[0]), -np.cos(done.y[0])], axis=1)

    def watch(self, state: Any) -> Vector:
        """Position of the joint in a glued state."""
        end = next(end for end in state.motions if end.part == "a")
        x: Vector = state.motions[end].x
        return x


def _rate(t: float, y: Vector) -> list[float]:
    (m1, l1), (m2, l2), (a, b, p, q) = UPPER, LOWER, y
    M11, M22 = (m1 / 3 + m2) * l1**2, m2 * l2**2 / 3
    M12, k = 0.5 * m2 * l1 * l2 * np.array([cos(a - b), sin(a - b)])
    r1 = TORQUE * sin(2 * np.pi * t) - k * q**2 - (0.5 * m1 + m2) * G * l1 * sin(a)
    r2 = k * p**2 - 0.5 * m2 * G * l2 * sin(b)
    det = M11 * M22 - M12**2
    return [p, q, (M22 * r1 - M12 * r2) / det, (M11 * r2 - M12 * r1) / det]
