"""Two rigid bars in the plane, hinged to each other: a crank and its coupler.

Angles are measured from the x axis, counter-clockwise, y up.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import cos, sin
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
from bondline.leaves.kinks import inside, one_sided
from bondline.leaves.loads import Force, polynomial, pressed
from bondline.leaves.raw import from_bytes, to_bytes
from bondline.numerics import FixedStep, Integrator


@dataclass(frozen=True)
class Crank:
    """A crank hinged to the ground and driven there, and a coupler hinged to it.

    Port `C` is the free end of the coupler. The torque on the crank grows from zero at
    t = 0 to its full value at t = `ramp` and stays. Both bars are uniform and rigid;
    the state is (θ₁, θ₂, θ₁', θ₂'), as wang2003 reduces Bodies 1 and 2 of Example 3.
    """

    name: str
    crank_mass: float = 1.0
    coupler_mass: float = 1.0
    crank: float = 1.0
    coupler: float = 1.0
    crank_angle: float = 0.0
    coupler_angle: float = 0.0
    crank_spin: float = 0.0
    coupler_spin: float = 0.0
    torque: float = 0.0
    ramp: float = 0.0
    gravity: float = 0.0
    integrate: Integrator = field(default_factory=lambda: FixedStep(4))

    ports: ClassVar[Mapping[str, Port]] = {"C": Port("C", ("x", "y"))}
    capabilities: ClassVar[Capabilities] = Capabilities()
    declared: ClassVar[Mapping[str, Parameter]] = declare(
        Parameter("crank_mass", 1.0, "kg", "mass of the crank", positive=True),
        Parameter("coupler_mass", 1.0, "kg", "mass of the coupler", positive=True),
        Parameter("crank", 1.0, "m", "length of the crank", positive=True),
        Parameter("coupler", 1.0, "m", "length of the coupler", positive=True),
        Parameter("crank_angle", 0.0, "rad", "start angle from the x axis"),
        Parameter("coupler_angle", 0.0, "rad", "start angle from the x axis"),
        Parameter("crank_spin", 0.0, "rad/s", "angular velocity at the start"),
        Parameter("coupler_spin", 0.0, "rad/s", "angular velocity at the start"),
        Parameter("torque", 0.0, "N*m", "torque on the crank after the ramp"),
        Parameter("ramp", 0.0, "s", "time in which the torque grows from zero"),
        Parameter("gravity", 0.0, "m/s**2", "gravity, acting along -y"),
    )

    def __post_init__(self) -> None:
        _ = self.parameters  # nonsense is refused here
        if self.ramp < 0.0:
            raise SettingError(
                f"{self.name}.ramp",
                f"it is {self.ramp:g} s.",
                "Give 0 for a sudden torque, or the time in which it grows.",
            )

    @cached_property
    def parameters(self) -> Mapping[str, Parameter]:
        """The settable numbers, as they are set."""
        return of_fields(self)

    def start(self, t0: float) -> Advance[Vector]:
        """At the given angles and spins."""
        angles = [self.crank_angle, self.coupler_angle]
        state = np.array([*angles, self.crank_spin, self.coupler_spin])
        return self._report(t0, state, (0.0, 0.0), 0.0)

    def press(
        self, state: Vector, t: float, forces: Mapping[str, Vector]
    ) -> Advance[Vector]:
        """The same instant under a force."""
        return self._report(t, state, pressed(forces.get("C"), 2), 0.0)

    def breaks(self, window: Window) -> Sequence[float]:
        """Where the torque begins, and where it stops growing."""
        return inside(window, self._kinks)

    @property
    def _kinks(self) -> Sequence[float]:
        return 0.0, self.ramp

    def advance(
        self, state: Vector, window: Window, inputs: Mapping[str, Signal]
    ) -> Advance[Vector] | Rejected:
        """Integrate both angles over the window, and the work of the torque."""
        force = polynomial(inputs.get("C"), window, 2)
        return guarded(self.name, window, lambda: self._turn(state, window, force))

    def _turn(self, state: Vector, window: Window, force: Force) -> Advance[Vector]:
        y, t, last = [*state.tolist(), 0.0], window.t0, window.t1
        for end in (*self.breaks(window), window.t1):
            at = one_sided(Window(t, end), self._kinks)
            y = self.integrate(self._rate(force, at), t, end, y)
            t, last = end, at(end)
        *now, work = y
        return self._report(last, np.array(now), force(t), work)

    def _rate(
        self, force: Force, at: Callable[[float], float]
    ) -> Callable[[float, list[float]], list[float]]:
        """y' and the power of the torque, asked for at the times that `at` gives."""

        def rate(t: float, y: list[float]) -> list[float]:
            a, b, p, q, _ = y
            drive = self._drive(at(t))
            return [p, q, *self._accel((a, b, p, q), drive, *force(t)), drive * p]

        return rate

    def _drive(self, t: float) -> float:
        if t <= 0.0:
            return 0.0 if self.ramp or t < 0.0 else self.torque
        return self.torque * (t / self.ramp if t < self.ramp else 1.0)

    def _accel(
        self, y: tuple[float, float, float, float], drive: float, fx: float, fy: float
    ) -> tuple[float, float]:
        """Lagrange's equations of two bars in a row."""
        (a, b, p, q), m1, m2 = y, self.crank_mass, self.coupler_mass
        L1, L2, g = self.crank, self.coupler, self.gravity
        ca, sa, cb, sb = cos(a), sin(a), cos(b), sin(b)
        k = 0.5 * m2 * L1 * L2
        c, s = k * (ca * cb + sa * sb), k * (sa * cb - ca * sb)
        M11, M22 = (m1 / 3.0 + m2) * L1 * L1, m2 * L2 * L2 / 3.0
        r1 = drive - s * q * q + L1 * (fy * ca - fx * sa)
        r1 -= (0.5 * m1 + m2) * g * L1 * ca
        r2 = s * p * p + L2 * (fy * cb - fx * sb) - 0.5 * m2 * g * L2 * cb
        det = M11 * M22 - c * c
        return (M22 * r1 - c * r2) / det, (M11 * r2 - c * r1) / det

    def _report(
        self, t: float, state: Vector, force: tuple[float, ...], work: float
    ) -> Advance[Vector]:
        a, b, p, q = state.tolist()
        alpha, beta = self._accel((a, b, p, q), self._drive(t), *force)
        m1, m2, g = self.crank_mass, self.coupler_mass, self.gravity
        elbow = _link((a, p, alpha), self.crank, np.zeros((3, 2)))
        centre = _link((b, q, beta), self.coupler / 2, elbow)
        tip = _link((b, q, beta), self.coupler, elbow)
        kinetic = m1 / 6 * (self.crank * p) ** 2 + m2 / 24 * (self.coupler * q) ** 2
        kinetic += m2 / 2 * float(centre[1] @ centre[1])
        height = m1 / 2 * float(elbow[0, 1]) + m2 * float(centre[0, 1])
        energy = Energy(kinetic + g * height, supplied=work)
        return Advance(state, {"C": Motion(tip[0], tip[1], tip[2])}, energy)

    def observe(self, state: Vector) -> Mapping[str, Observation]:
        """Both angles."""
        return {
            "crank.angle": Observation(float(state[0]), "rad"),
            "coupler.angle": Observation(float(state[1]), "rad"),
        }

    def shapes(self, state: Vector) -> Mapping[str, Matrix]:
        """Both bars, from the hinge on the ground to the free end."""
        a, b = float(state[0]), float(state[1])
        elbow = self.crank * np.array([cos(a), sin(a)])
        tip = elbow + self.coupler * np.array([cos(b), sin(b)])
        return {"": np.stack([np.zeros(2), elbow, tip])}

    def dump(self, state: Vector) -> bytes:
        """Four raw doubles."""
        return to_bytes(state)

    def load(self, data: bytes) -> Vector:
        """The state that `dump` wrote."""
        return from_bytes(data)


def _link(turn: tuple[float, float, float], length: float, base: Matrix) -> Matrix:
    """Rows x, v, a of the end of a bar whose other end moves as `base`."""
    theta, spin, alpha = turn
    c, s = length * cos(theta), length * sin(theta)
    w2 = spin * spin
    arm = [[c, s], [-spin * s, spin * c], [-alpha * s - w2 * c, alpha * c - w2 * s]]
    moved: Matrix = base + np.array(arm)
    return moved
