"""A row of masses and hardening springs that shows its corrector.

Element j between nodes j and j + 1 carries N = k d (1 + (d/d₀)²) + c d'. With
x_α = (1 − α) x₁ + α x₀ the balance of a step is

    M a_m + (1 − α_f) N(u₁, v₁) + α_f N(u₀, v₀) = (1 − α_f) f₁ + α_f f₀         (1)

and the accelerations at t₁ are what Newton's method corrects.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import ClassVar, NamedTuple

import numpy as np

from bondline.core import (
    Advance,
    Balance,
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
from bondline.leaves.guard import finite
from bondline.leaves.loads import check_forces, check_inputs
from bondline.leaves.raw import from_bytes, to_bytes
from bondline.numerics import Method

_PATIENCE = 25  # corrections a step


class _Evaluated(NamedTuple):
    """Where a trial is: kinematics, inner forces, what is out of balance."""

    u: Vector
    v: Vector
    inner: Vector
    out: Vector


@dataclass(frozen=True, slots=True, eq=False)
class ChainTrial:
    """A step under correction."""

    before: Vector  # the state at t₀
    window: Window
    a: Vector
    loads: Vector
    here: _Evaluated
    residual: float
    corrections: int

    @property
    def motions(self) -> Mapping[str, Motion]:
        """Both ends at t₁."""
        return _ends(self.here.u, self.here.v, self.a)


@dataclass(frozen=True)
class SpringChain:
    """`elements` springs in a row; ports `left` and `right` at its ends take force.

    All springs are alike, end nodes have half the mass of the others, gravity acts
    along −x. The state stacks u, v, a and the forces on both ports.
    """

    name: str
    elements: float = 10.0
    mass: float = 4.0
    stiffness: float = 4e5
    stiffening: float = 0.005
    damping: float = 10.0
    gravity: float = 0.0
    rho: float = 1.0
    tolerance: float = 1e-10
    ballast: tuple[float, float] = (0.0, 0.0)
    start_at: Matrix | None = field(default=None, compare=False)  # rows u, v

    ports: ClassVar[Mapping[str, Port]] = {
        p: Port(p, ("x",)) for p in ("left", "right")
    }
    capabilities: ClassVar[Capabilities] = Capabilities(one_step=True)
    declared: ClassVar[Mapping[str, Parameter]] = declare(
        Parameter("elements", 10.0, "1", "springs in the row", positive=True),
        Parameter("mass", 4.0, "kg", "mass of all nodes together", positive=True),
        Parameter("stiffness", 4e5, "N/m", "each spring, at first", positive=True),
        Parameter("stiffening", 0.005, "m", "stretch that doubles N/d; 0: never"),
        Parameter("damping", 10.0, "N*s/m", "each damper"),
        Parameter("gravity", 0.0, "m/s**2", "gravity, acting along -x"),
        Parameter("rho", 1.0, "1", "of generalized-alpha; 1: the trapezoidal rule"),
    )

    def __post_init__(self) -> None:
        _ = self.parameters, self.method  # nonsense is refused here
        if self.elements != round(self.elements):
            raise SettingError(
                f"{self.name}.elements",
                f"{self.elements:g} is not a whole number.",
                f"Give {max(1, round(self.elements))}, for example.",
            )

    @cached_property
    def parameters(self) -> Mapping[str, Parameter]:
        """The settable numbers, as they are set."""
        return of_fields(self)

    @cached_property
    def method(self) -> Method:
        """The trapezoidal rule, or generalized-α."""
        return Method() if self.rho == 1.0 else Method.generalized_alpha(self.rho)

    @cached_property
    def balance(self) -> Balance:
        """Where in a step forces balance."""
        way = self.method
        return Balance(way.beta, way.gamma, way.alpha_m, way.alpha_f)

    def ballasted(self, masses: Mapping[str, Vector]) -> SpringChain:
        """With extra mass at its ends, which has no weight."""
        more = tuple(
            own + float(masses[port][0]) if port in masses else own
            for port, own in zip(self.ports, self.ballast, strict=True)
        )
        return replace(self, ballast=(more[0], more[1]))

    @cached_property
    def _nodal(self) -> Vector:
        n = round(self.elements)
        m = np.full(n + 1, self.mass / n)
        m[[0, -1]] *= 0.5
        return m

    @cached_property
    def _inertia(self) -> Vector:
        m = self._nodal.copy()
        m[[0, -1]] += self.ballast
        return m

    def start(self, t0: float) -> Advance[Vector]:
        """At rest and undeformed unless told otherwise."""
        n = len(self._nodal)
        first = np.zeros((2, n)) if self.start_at is None else self.start_at
        return self.press(np.concatenate([*first, np.zeros(n + 2)]), t0, {})

    def press(
        self, state: Vector, t: float, forces: Mapping[str, Vector]
    ) -> Advance[Vector]:
        """The same instant under forces: M a = f − N."""
        check_forces(self.name, self.ports, forces)
        u, v, _, _ = self._levels(state)
        f = np.array([float(forces[p][0]) if p in forces else 0.0 for p in self.ports])
        a = (self._load(f) - self._inner(u, v)) / self._inertia
        return self._report(np.concatenate([u, v, a, f]), Energy(0.0), 0)

    def predict(self, state: Vector, window: Window) -> ChainTrial:
        """The acceleration and the loads of t₀."""
        _, _, a, f = self._levels(state)
        return self._tried(state, window, a, f, 0)

    def correct(
        self, trial: ChainTrial, loads: Mapping[str, Vector]
    ) -> ChainTrial | Rejected:
        """One Newton correction under these loads, and the balance there."""
        f = trial.loads.copy()
        for k, port in enumerate(self.ports):
            if port in loads:
                f[k] = loads[port][0]
        more = (1.0 - self.balance.alpha_f) * (self._load(f) - self._load(trial.loads))
        step = np.linalg.solve(self._slope(trial), trial.here.out + more)
        a = trial.a + step
        return self._tried(trial.before, trial.window, a, f, trial.corrections + 1)

    def accept(self, trial: ChainTrial) -> Advance[Vector]:
        """The trial as the new state."""
        u, v, *_ = trial.here
        state = np.concatenate([u, v, trial.a, trial.loads])
        flows = self._flows(trial.before, state, trial.window.h)
        return self._report(state, flows, trial.corrections)

    def advance(
        self, state: Vector, window: Window, inputs: Mapping[str, Signal]
    ) -> Advance[Vector] | Rejected:
        """One step under the forces at t₁, corrected until it balances."""
        check_inputs(self.name, self.ports, inputs)
        loads = {p: inputs[p].end if p in inputs else np.zeros(1) for p in self.ports}
        trial: ChainTrial | Rejected = self.predict(state, window)
        for _ in range(_PATIENCE):
            assert isinstance(trial, ChainTrial)
            trial = self.correct(trial, loads)
            if isinstance(trial, Rejected):
                return trial
            if trial.residual <= self.tolerance:
                return finite(self.name, window, self.accept(trial))
        finding = f"no balance after {_PATIENCE} corrections"
        return Rejected(self.name, finding, window.at(0.5))

    def _tried(
        self, before: Vector, window: Window, a: Vector, f: Vector, corrections: int
    ) -> ChainTrial:
        (u0, v0, a0, f0), way, h = self._levels(before), self.method, window.h
        u = u0 + h * v0 + h * h * ((0.5 - way.beta) * a0 + way.beta * a)
        v = v0 + h * ((1.0 - way.gamma) * a0 + way.gamma * a)
        inner, load, am = self._inner(u, v), self._load(f), a
        if not way.one_instant:
            early, late = way.alpha_f, 1.0 - way.alpha_f
            inner = late * inner + early * self._inner(u0, v0)
            load = late * load + early * self._load(f0)
            am = (1.0 - way.alpha_m) * a + way.alpha_m * a0
        out = load - inner - self._inertia * am  # (1)
        size = max(np.abs(inner).max(), np.abs(self._nodal * am).max())
        worst = float(np.abs(out).max())
        residual = worst / float(size) if worst else 0.0
        here = _Evaluated(u, v, inner, out)
        return ChainTrial(before, window, a, f, here, residual, corrections)

    def _slope(self, trial: ChainTrial) -> Matrix:
        """(1 − α_m) M + (1 − α_f) (γh C + βh² K) of the springs as they are."""
        way, h, d = self.method, trial.window.h, np.diff(trial.here.u)
        k = self.stiffness * (1.0 + 3.0 * (self._softness * d) ** 2)
        s = (1.0 - way.alpha_f) * h * (way.gamma * self.damping + way.beta * h * k)
        n = len(trial.a)
        S = np.zeros((n, n))
        at = np.arange(n)
        S[at, at] = (1.0 - way.alpha_m) * self._inertia
        S[at[:-1], at[:-1]] += s
        S[at[1:], at[1:]] += s
        S[at[:-1], at[1:]] = S[at[1:], at[:-1]] = -s
        return S

    @cached_property
    def _softness(self) -> float:
        return 1.0 / self.stiffening if self.stiffening else 0.0

    def _inner(self, u: Vector, v: Vector) -> Vector:
        d = u[1:] - u[:-1]
        N = self.stiffness * d * (1.0 + (self._softness * d) ** 2)
        N += self.damping * (v[1:] - v[:-1])
        f = np.zeros_like(u)
        f[:-1] -= N
        f[1:] += N
        return f

    def _load(self, f: Vector) -> Vector:
        load = -self.gravity * self._nodal
        load[[0, -1]] += f
        return load

    def _levels(self, state: Vector) -> tuple[Vector, Vector, Vector, Vector]:
        n = len(self._nodal)
        return state[:n], state[n : 2 * n], state[2 * n : 3 * n], state[3 * n :]

    def _flows(self, before: Vector, after: Vector, h: float) -> Energy:
        """What dampers and the method took: (1) times Δu, less what is stored.

        Where a step balances at its end, forces are the means of both ends.
        """
        (u0, v0, a0, _), (u1, v1, a1, _) = self._levels(before), self._levels(after)
        way = self.method
        f, m = (0.5, 0.5) if way.one_instant else (way.alpha_f, way.alpha_m)
        inner = (1.0 - f) * self._inner(u1, v1) + f * self._inner(u0, v0)
        pull = inner + self._inertia * ((1.0 - m) * a1 + m * a0)
        weight = self.gravity * self._nodal
        gained = self._stored(u1, v1) - self._stored(u0, v0)
        return Energy(0.0, dissipated=float((pull + weight) @ (u1 - u0)) - gained)

    def _report(
        self, state: Vector, flows: Energy, corrections: int
    ) -> Advance[Vector]:
        u, v, a, _ = self._levels(state)
        energy = Energy(self._stored(u, v), flows.dissipated)
        counts = {"solves": 1.0, "corrections": float(corrections)}
        return Advance(state, _ends(u, v, a), energy, counts)

    def _stored(self, u: Vector, v: Vector) -> float:
        d = np.diff(u)
        elastic = self.stiffness * (d**2 / 2 + self._softness**2 * d**4 / 4)
        kinetic = 0.5 * self._inertia * v**2
        height = self.gravity * self._nodal * u
        return float(elastic.sum() + kinetic.sum() + height.sum())

    def observe(self, state: Vector) -> Mapping[str, Observation]:
        """Its ends, its middle, and the largest stretch of a spring."""
        u = self._levels(state)[0]
        stretch = float(np.abs(np.diff(u)).max())
        middle = float(np.interp(0.5 * (len(u) - 1), np.arange(len(u)), u))
        return {
            "left.x": Observation(float(u[0]), "m"),
            "right.x": Observation(float(u[-1]), "m"),
            "middle.x": Observation(middle, "m"),
            "stretch.max": Observation(stretch, "m"),
        }

    def shapes(self, state: Vector) -> Mapping[str, Matrix]:
        """The nodes in a row, a tenth of a metre apart at rest."""
        u = self._levels(state)[0]
        return {"": np.stack([0.1 * np.arange(len(u)) + u, np.zeros_like(u)], axis=1)}

    def dump(self, state: Vector) -> bytes:
        """Raw doubles."""
        return to_bytes(state)

    def load(self, data: bytes) -> Vector:
        """The state that `dump` wrote."""
        return from_bytes(data)


def _ends(u: Vector, v: Vector, a: Vector) -> dict[str, Motion]:
    return {
        port: Motion(u[k : k + 1], v[k : k + 1], a[k : k + 1])
        for port, k in (("left", 0), ("right", len(u) - 1))
    }
