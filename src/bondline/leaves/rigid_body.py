"""A rigid body in space: Newton's and Euler's equations, integrated by its owner."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import isfinite, sqrt
from typing import ClassVar, TypeAlias

import numpy as np

from bondline.core import (
    FRAME_DOFS,
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
from bondline.leaves.body_data import inertia_tensor, marker, triple, unit, weighed
from bondline.leaves.guard import guarded
from bondline.leaves.kinks import inside, one_sided
from bondline.leaves.loads import Force, polynomial
from bondline.leaves.raw import from_bytes, to_bytes
from bondline.leaves.spatial import (
    Nine,
    Triple,
    Turn,
    conjugate,
    cross,
    dot,
    minus,
    plus,
    product,
    rotation,
    spun,
    turned,
    turned_back,
)
from bondline.numerics import FixedStep, Integrator

Load: TypeAlias = Callable[[float], Sequence[float]]
Parts: TypeAlias = tuple[Triple, Turn, Triple, Triple]
Felt: TypeAlias = Sequence[tuple[Triple, tuple[float, ...]]]
_DRIFT = 1e-6  # of the quaternion's length over a window: the inner steps are too long


@dataclass(frozen=True)
class RigidBody:
    """A body that nothing holds, with frames and points on it that take forces.

    `inertia` is about the centre of mass in body axes: three principal moments, or a
    3 x 3 tensor. `position`, `velocity` and `spin` are those of the centre at the
    start, in world axes; `turn` is the quaternion (w, x, y, z) from body to world
    axes. `markers` are frames: where in the body, and a quaternion if their axes are
    not the body's. `points` are ports without rotation. `force` and `torque` act on
    the centre, in world axes; `kinks` are instants at which they are not smooth.

    The state is (position, turn, velocity, spin in body axes); the turn is brought
    back to unit length at the end of every window.
    """

    name: str
    mass: float
    inertia: Sequence[float] | Sequence[Sequence[float]] | Matrix
    position: Sequence[float] = (0.0, 0.0, 0.0)
    turn: Sequence[float] = (1.0, 0.0, 0.0, 0.0)
    velocity: Sequence[float] = (0.0, 0.0, 0.0)
    spin: Sequence[float] = (0.0, 0.0, 0.0)
    gravity: Sequence[float] = (0.0, 0.0, 0.0)
    markers: Mapping[str, Sequence[float | Sequence[float]]] = field(
        default_factory=dict
    )
    points: Mapping[str, Sequence[float]] = field(default_factory=dict)
    force: Load | None = None
    torque: Load | None = None
    kinks: Sequence[float] = ()
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    integrate: Integrator = field(default_factory=lambda: FixedStep(6))

    capabilities: ClassVar[Capabilities] = Capabilities()

    def __post_init__(self) -> None:
        weighed(self.name, self.mass)
        _ = self._tensor, self._begin, self._weight, self._places  # refused here

    @cached_property
    def ports(self) -> Mapping[str, Port]:
        """A frame for every marker, then the points."""
        frames = {n: Port(n, FRAME_DOFS, frame=True) for n in self.markers}
        return {**frames, **{n: Port(n, ("x", "y", "z")) for n in self.points}}

    @cached_property
    def _places(self) -> Mapping[str, tuple[Triple, Turn]]:
        """Where each port is in the body, and how it is turned there."""
        found = {n: marker(self.name, n, given) for n, given in self.markers.items()}
        for n, given in self.points.items():
            found[n] = marker(self.name, n, given, taken=found)
        return found

    @cached_property
    def _tensor(self) -> tuple[Nine, Nine]:
        """I and its inverse, in body axes."""
        return inertia_tensor(self.name, self.inertia)

    @cached_property
    def _weight(self) -> Triple:
        g = triple(f"{self.name}.gravity", self.gravity)
        return self.mass * g[0], self.mass * g[1], self.mass * g[2]

    @cached_property
    def _begin(self) -> Vector:
        q = unit(f"{self.name}.turn", self.turn)
        spin = triple(f"{self.name}.spin", self.spin)
        x = triple(f"{self.name}.position", self.position)
        v = triple(f"{self.name}.velocity", self.velocity)
        return np.array([*x, *q, *v, *turned_back(rotation(*q), spin)])

    def start(self, t0: float) -> Advance[Vector]:
        """As it was told to start."""
        return self._report(t0, self._begin.copy(), [], 0.0)

    def place(self, state: Vector, port: str, at: Motion) -> Advance[Vector]:
        """The port where `at` says: a whole pose and twist, or a point's.

        Told where a point is, the body keeps its turn and its spin.
        """
        (arm, local), (_, q, _, spin) = self._places[port], _parts(state.tolist())
        if at.turn is not None and self.ports[port].frame:
            q = product(_turn(at.turn.tolist()), conjugate(local))
            spin = turned_back(rotation(*q), _triple(at.v[3:6].tolist()))
        R = rotation(*q)
        r, w = turned(R, arm), turned(R, spin)
        x = minus(_triple(at.x[:3].tolist()), r)
        v = minus(_triple(at.v[:3].tolist()), cross(w, r))
        return self._report(0.0, np.array([*x, *q, *v, *spin]), [], 0.0)

    def press(
        self, state: Vector, t: float, forces: Mapping[str, Vector]
    ) -> Advance[Vector]:
        """The same instant under forces and moments."""
        return self._report(t, state, self._felt(forces), 0.0)

    def kick(
        self, state: Vector, t: float, impulses: Mapping[str, Vector]
    ) -> Advance[Vector]:
        """The same instant after impulses and impulsive moments."""
        now, after = _parts(state.tolist()), state.copy()
        a, alpha, _ = self._accelerations(t, now, self._felt(impulses))
        b, beta, _ = self._accelerations(t, now, [])
        after[7:] += [*minus(a, b), *minus(alpha, beta)]
        return self._report(t, after, [], 0.0)

    def _felt(self, forces: Mapping[str, Vector]) -> Felt:
        return [
            (arm, tuple(forces[n].tolist()))
            for n, (arm, _) in self._places.items()
            if n in forces
        ]

    def breaks(self, window: Window) -> Sequence[float]:
        """Kinks of its own loads."""
        return inside(window, self.kinks)

    def advance(
        self, state: Vector, window: Window, inputs: Mapping[str, Signal]
    ) -> Advance[Vector] | Rejected:
        """Integrate over the window, and the work of its own loads beside it."""
        acting = [
            (arm, polynomial(inputs[n], window, self.ports[n].size))
            for n, (arm, _) in self._places.items()
            if n in inputs
        ]
        return guarded(self.name, window, lambda: self._fly(state, window, acting))

    def _fly(
        self, state: Vector, window: Window, acting: Sequence[tuple[Triple, Force]]
    ) -> Advance[Vector]:
        at = one_sided(window, self.kinks)

        def rate(t: float, y: list[float]) -> list[float]:
            now = _parts(y)
            felt = [(arm, load(t)) for arm, load in acting]
            a, alpha, power = self._accelerations(at(t), now, felt)
            return [*now[2], *spun(now[1], now[3]), *a, *alpha, power]

        y, t = [*state.tolist(), 0.0], window.t0
        for end in (*self.breaks(window), window.t1):
            at = one_sided(Window(t, end), self.kinks)
            y, t = self.integrate(rate, t, end, y), end
        *now, work = _unit_turn(y)
        felt = [(arm, load(t)) for arm, load in acting]
        return self._report(at(t), np.array(now), felt, work)

    def _accelerations(
        self, t: float, now: Parts, felt: Felt
    ) -> tuple[Triple, Triple, float]:
        """x'' in world axes, ω' in body axes, and the power of its own loads."""
        _, q, _, spin = now
        R, (inertia, inverse), m = rotation(*q), self._tensor, self.mass
        (fx, fy, fz), (mx, my, mz), power = self._own(t, now, R)
        for arm, load in felt:
            x, y, z = turned(R, arm)
            u, v, w = load[0], load[1], load[2]
            fx, fy, fz = fx + u, fy + v, fz + w
            mx, my, mz = mx + y * w - z * v, my + z * u - x * w, mz + x * v - y * u
            if len(load) == 6:
                mx, my, mz = mx + load[3], my + load[4], mz + load[5]
        gyroscopic = cross(spin, turned(inertia, spin))
        alpha = turned(inverse, minus(turned_back(R, (mx, my, mz)), gyroscopic))
        return (fx / m, fy / m, fz / m), alpha, power

    def _own(self, t: float, now: Parts, R: Nine) -> tuple[Triple, Triple, float]:
        """Weight and own loads: force, moment about the centre, and their power."""
        (_, _, v, spin), total = now, self._weight
        moment, power = (0.0, 0.0, 0.0), 0.0
        if self.force is not None:
            own = _triple(self.force(t))
            total, power = plus(total, own), dot(own, v)
        if self.torque is not None:
            moment = _triple(self.torque(t))
            power += dot(moment, turned(R, spin))
        return total, moment, power

    def _report(
        self, t: float, state: Vector, felt: Felt, work: float
    ) -> Advance[Vector]:
        now = x, q, v, spin = _parts(state.tolist())
        a, alpha, _ = self._accelerations(t, now, felt)
        kinetic = self.mass * dot(v, v) + dot(spin, turned(self._tensor[0], spin))
        stored = 0.5 * kinetic - dot(self._weight, x)
        R = rotation(*q)
        w, dw = turned(R, spin), turned(R, alpha)
        outputs = {n: self._motion(n, now, R, (a, w, dw)) for n in self._places}
        return Advance(state, outputs, Energy(stored, supplied=work))

    def _motion(
        self, port: str, now: Parts, R: Nine, rates: tuple[Triple, Triple, Triple]
    ) -> Motion:
        (x, q, v, _), (a, w, dw), (arm, local) = now, rates, self._places[port]
        r = turned(R, arm)
        at, moving = plus(x, r), plus(v, cross(w, r))
        bent = plus(a, cross(dw, r), cross(w, cross(w, r)))
        if not self.ports[port].frame:
            return Motion(np.array(at), np.array(moving), np.array(bent))
        turn = np.array(product(q, local))
        twist, twist_rate = np.array([*moving, *w]), np.array([*bent, *dw])
        return Motion(np.array(at), twist, twist_rate, turn)

    def observe(self, state: Vector) -> Mapping[str, Observation]:
        """The centre, where it goes, its turn, and its spin in world axes."""
        x, q, v, spin = _parts(state.tolist())
        w = turned(rotation(*q), spin)
        found = {f"com.{d}": Observation(u, "m") for d, u in zip("xyz", x, strict=True)}
        for d, speed, turning in zip("xyz", v, w, strict=True):
            found[f"com.v{d}"] = Observation(speed, "m/s")
            found[f"spin.{d}"] = Observation(turning, "rad/s")
        for d, part in zip("wxyz", q, strict=True):
            found[f"turn.{d}"] = Observation(part, "1")
        return found

    def shapes(self, state: Vector) -> Mapping[str, Matrix]:
        """A line from port to port, by way of the centre."""
        x, q, _, _ = _parts(state.tolist())
        R, line = rotation(*q), [x]
        for arm, _ in self._places.values():
            line += [plus(x, turned(R, arm)), x]
        return {"": np.array(line[1:-1] or line)}

    def dump(self, state: Vector) -> bytes:
        """Thirteen raw doubles."""
        return to_bytes(state)

    def load(self, data: bytes) -> Vector:
        """The state that `dump` wrote."""
        return from_bytes(data)


def _parts(y: list[float]) -> Parts:
    """Position, turn, velocity, spin in body axes."""
    return (
        (y[0], y[1], y[2]),
        (y[3], y[4], y[5], y[6]),
        (y[7], y[8], y[9]),
        (y[10], y[11], y[12]),
    )


def _unit_turn(y: list[float]) -> list[float]:
    size = sqrt(sum(u * u for u in y[3:7]))
    if not abs(size - 1.0) < _DRIFT or not all(map(isfinite, y)):
        raise ArithmeticError(
            "it turns too far in one inner step; shorten the window, or give "
            "`integrate` more steps"
        )
    return [*y[:3], *(u / size for u in y[3:7]), *y[7:]]


def _triple(values: Sequence[float]) -> Triple:
    return float(values[0]), float(values[1]), float(values[2])


def _turn(values: Sequence[float]) -> Turn:
    return float(values[0]), float(values[1]), float(values[2]), float(values[3])
