"""Uniform planar rigid bars, wang2003 (38)-(42), each reduced to an ODE of its own.

Angles are measured from the downward vertical, counter-clockwise, y up. (The paper
interchanges sine and cosine in (40); see docs/theory/errata.md.)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import cos, pi, sin
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
from bondline.leaves.kinks import inside, one_sided
from bondline.leaves.loads import Force, polynomial, pressed
from bondline.leaves.raw import from_bytes, to_bytes
from bondline.numerics import FixedStep, Integrator

_PORTS = {"A": Port("A", ("x", "y"))}
_BODY = (
    Parameter("mass", 1.0, "kg", "mass of the uniform bar", positive=True),
    Parameter("length", 1.0, "m", "length of the bar", positive=True),
    Parameter("angle", 0.0, "rad", "start angle from the downward vertical"),
    Parameter("gravity", 0.0, "m/s**2", "acceleration of gravity, acting along -y"),
)


@dataclass(frozen=True)
class PinnedBar:
    """A bar pinned to the ground at its top, driven there; port `A` at its tip.

    One coordinate θ: m l²/3 θ'' = τ(t) + l (fx cos θ + fy sin θ) − m g l/2 sin θ with
    τ(t) = torque · sin(2π · frequency · t), and `jump` more from `jump_time` on. The
    state is (θ, θ').
    """

    name: str
    mass: float = 1.0
    length: float = 1.0
    angle: float = 0.0
    gravity: float = 0.0
    torque: float = 0.0
    frequency: float = 1.0
    jump: float = 0.0
    jump_time: float = 0.0
    pivot: tuple[float, float] = (0.0, 0.0)
    integrate: Integrator = field(default_factory=FixedStep)

    ports: ClassVar[Mapping[str, Port]] = _PORTS
    capabilities: ClassVar[Capabilities] = Capabilities()
    declared: ClassVar[Mapping[str, Parameter]] = declare(
        *_BODY,
        Parameter("torque", 0.0, "N*m", "amplitude of the driving torque"),
        Parameter("frequency", 1.0, "Hz", "frequency of the driving torque"),
        Parameter("jump", 0.0, "N*m", "torque that comes at once, and stays"),
        Parameter("jump_time", 0.0, "s", "when it comes"),
    )

    def __post_init__(self) -> None:
        _ = self.parameters  # nonsense is refused here

    @cached_property
    def parameters(self) -> Mapping[str, Parameter]:
        """The settable numbers, as they are set."""
        return of_fields(self)

    def start(self, t0: float) -> Advance[Vector]:
        """At rest at the given angle."""
        start = np.array([self.angle, 0.0])
        return self._report(self._drive(t0), start, (0.0, 0.0), 0.0)

    def breaks(self, window: Window) -> Sequence[float]:
        """When the torque jumps."""
        return inside(window, self._kinks)

    @property
    def _kinks(self) -> Sequence[float]:
        return [self.jump_time] if self.jump else []

    def press(
        self, state: Vector, t: float, forces: Mapping[str, Vector]
    ) -> Advance[Vector]:
        """The same instant under a force."""
        drive = self._drive(t)
        return self._report(drive, state, pressed(forces.get("A"), 2), 0.0)

    def kick(
        self, state: Vector, t: float, impulses: Mapping[str, Vector]
    ) -> Advance[Vector]:
        """The same instant after an impulse."""
        theta, spin = state.tolist()
        hit = self._accel(0.0, theta, *pressed(impulses.get("A"), 2))
        after = np.array([theta, spin + hit - self._accel(0.0, theta, 0.0, 0.0)])
        return self._report(self._drive(t), after, (0.0, 0.0), 0.0)

    def advance(
        self, state: Vector, window: Window, inputs: Mapping[str, Signal]
    ) -> Advance[Vector] | Rejected:
        """Integrate θ over the window, and the work of the torque beside it."""
        force = polynomial(inputs.get("A"), window, 2)
        return guarded(self.name, window, lambda: self._swing(state, window, force))

    def _swing(self, state: Vector, window: Window, force: Force) -> Advance[Vector]:
        at = one_sided(window, self._kinks)

        def rate(t: float, y: list[float]) -> list[float]:
            drive = self._drive(at(t))
            return [y[1], self._accel(drive, y[0], *force(t)), drive * y[1]]

        theta, spin, work = self.integrate(
            rate, window.t0, window.t1, [*state.tolist(), 0.0]
        )
        now = np.array([theta, spin])
        drive = self._drive(at(window.t1))
        return self._report(drive, now, force(window.t1), work)

    def _drive(self, t: float) -> float:
        swing = self.torque * sin(2.0 * pi * self.frequency * t)
        return swing + self.jump if t >= self.jump_time else swing

    def _accel(self, drive: float, theta: float, fx: float, fy: float) -> float:
        m, L = self.mass, self.length
        c, s = cos(theta), sin(theta)
        moment = drive + L * (fx * c + fy * s) - m * self.gravity * L / 2 * s
        return 3.0 * moment / (m * L**2)

    def _report(
        self, drive: float, state: Vector, force: tuple[float, ...], work: float
    ) -> Advance[Vector]:
        theta, spin = state.tolist()
        alpha = self._accel(drive, theta, *force)
        m, L, (x, y) = self.mass, self.length, self.pivot
        tip = _arm(theta, spin, alpha, L, np.array([[x, y], [0.0, 0.0], [0.0, 0.0]]))
        height = y - L / 2 * cos(theta)
        energy = m * L**2 / 6 * spin**2 + m * self.gravity * height
        return Advance(state, {"A": tip}, Energy(energy, supplied=work))

    def observe(self, state: Vector) -> Mapping[str, Observation]:
        """The angle."""
        return {"angle": Observation(float(state[0]), "rad")}

    def shapes(self, state: Vector) -> Mapping[str, Matrix]:
        """A line from the pivot to the tip."""
        return {"": _line(np.array(self.pivot), state[0], self.length)}

    def dump(self, state: Vector) -> bytes:
        """θ, θ' as raw doubles."""
        return to_bytes(state)

    def load(self, data: bytes) -> Vector:
        """The state that `dump` wrote."""
        return from_bytes(data)


@dataclass(frozen=True)
class FreeBar:
    """A bar that nothing holds; port `A` at its top.

    Coordinates (x, y, θ) of its centre: m x'' = fx, m y'' = fy − m g,
    m l²/12 θ'' = −l/2 (fx cos θ + fy sin θ). The state is (x, y, θ, x', y', θ').
    """

    name: str
    mass: float = 1.0
    length: float = 1.0
    angle: float = 0.0
    gravity: float = 0.0
    integrate: Integrator = field(default_factory=FixedStep)

    ports: ClassVar[Mapping[str, Port]] = _PORTS
    capabilities: ClassVar[Capabilities] = Capabilities()
    declared: ClassVar[Mapping[str, Parameter]] = declare(*_BODY)

    def __post_init__(self) -> None:
        _ = self.parameters  # nonsense is refused here

    @cached_property
    def parameters(self) -> Mapping[str, Parameter]:
        """The settable numbers, as they are set."""
        return of_fields(self)

    def start(self, t0: float) -> Advance[Vector]:
        """At rest at the given angle, its top at the origin until it is placed."""
        return self._put(np.zeros(2), np.zeros(2), self.angle, 0.0)

    def place(self, state: Vector, port: str, at: Motion) -> Advance[Vector]:
        """The same angle and spin, with the top where `at` says."""
        theta, spin = float(state[2]), float(state[5])
        return self._put(at.x, at.v, theta, spin)

    def press(
        self, state: Vector, t: float, forces: Mapping[str, Vector]
    ) -> Advance[Vector]:
        """The same instant under a force."""
        return self._report(state, pressed(forces.get("A"), 2))

    def kick(
        self, state: Vector, t: float, impulses: Mapping[str, Vector]
    ) -> Advance[Vector]:
        """The same instant after an impulse."""
        theta, after = float(state[2]), state.copy()
        after[3:] += self._accel(theta, *pressed(impulses.get("A"), 2))
        after[3:] -= self._accel(theta, 0.0, 0.0)
        return self._report(after, (0.0, 0.0))

    def advance(
        self, state: Vector, window: Window, inputs: Mapping[str, Signal]
    ) -> Advance[Vector] | Rejected:
        """Integrate x, y, θ over the window."""
        force = polynomial(inputs.get("A"), window, 2)
        return guarded(self.name, window, lambda: self._fly(state, window, force))

    def _fly(self, state: Vector, window: Window, force: Force) -> Advance[Vector]:
        def rate(t: float, q: list[float]) -> list[float]:
            return [*q[3:], *self._accel(q[2], *force(t))]

        now = self.integrate(rate, window.t0, window.t1, state.tolist())
        return self._report(np.array(now), force(window.t1))

    def _accel(self, theta: float, fx: float, fy: float) -> tuple[float, float, float]:
        m, L = self.mass, self.length
        moment = fx * cos(theta) + fy * sin(theta)
        return fx / m, fy / m - self.gravity, -6.0 * moment / (m * L)

    def _put(
        self, top: Vector, top_rate: Vector, theta: float, spin: float
    ) -> Advance[Vector]:
        carrier = np.array([top, top_rate, np.zeros(2)])
        centre = _arm(theta, spin, 0.0, self.length / 2, carrier)
        return self._report(np.array([*centre.x, theta, *centre.v, spin]), (0.0, 0.0))

    def _report(self, state: Vector, force: tuple[float, ...]) -> Advance[Vector]:
        x, y, theta, vx, vy, spin = state.tolist()
        ax, ay, alpha = self._accel(theta, *force)
        centre = np.array([[x, y], [vx, vy], [ax, ay]])
        top = _arm(theta, spin, alpha, -self.length / 2, centre)
        m, L = self.mass, self.length
        kinetic = m / 2 * (vx**2 + vy**2) + m * L**2 / 24 * spin**2
        return Advance(state, {"A": top}, Energy(kinetic + m * self.gravity * y))

    def observe(self, state: Vector) -> Mapping[str, Observation]:
        """The angle, and where the centre is and goes."""
        x, y, theta, vx, vy, _ = state.tolist()
        return {
            "angle": Observation(theta, "rad"),
            "com.x": Observation(x, "m"),
            "com.y": Observation(y, "m"),
            "com.vx": Observation(vx, "m/s"),
            "com.vy": Observation(vy, "m/s"),
        }

    def shapes(self, state: Vector) -> Mapping[str, Matrix]:
        """A line from the top to the lower end."""
        half = _line(np.zeros(2), state[2], self.length / 2)[1]
        return {"": np.stack([state[:2] - half, state[:2] + half])}

    def dump(self, state: Vector) -> bytes:
        """Six raw doubles."""
        return to_bytes(state)

    def load(self, data: bytes) -> Vector:
        """The state that `dump` wrote."""
        return from_bytes(data)


def _line(start: Vector, theta: float, length: float) -> Matrix:
    return np.stack([start, start + length * np.array([sin(theta), -cos(theta)])])


def _arm(
    theta: float, spin: float, alpha: float, length: float, carrier: Matrix
) -> Motion:
    """Motion of the point at `length` along a bar, from the motion of `carrier`."""
    s, c = length * sin(theta), length * cos(theta)
    x, v, a = carrier.tolist()
    return Motion(
        np.array([x[0] + s, x[1] - c]),
        np.array([v[0] + spin * c, v[1] + spin * s]),
        np.array([a[0] + alpha * c - spin**2 * s, a[1] + alpha * s + spin**2 * c]),
    )
