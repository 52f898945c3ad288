"""Linear structures advanced by Newmark's method, wang2003 section 3."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from bondline.core import (
    Advance,
    Capabilities,
    Energy,
    Flexibility,
    Matrix,
    Motion,
    Observation,
    Parameter,
    Port,
    Signal,
    Vector,
    Window,
)
from bondline.leaves.raw import from_bytes, to_bytes
from bondline.numerics import Kinematics, LinearSystem, Newmark


@dataclass(frozen=True, eq=False)
class Structure:
    """M a + C v + K u = f(t) + Σ Lᵀ f_port, wang2003 (32); L selects a port's dofs.

    With `steps=1` a window is one Newmark step, which sees port forces at t₁ only.
    With more it follows the forces inside the window. The state stacks u, v, a.
    """

    name: str
    system: LinearSystem
    select: Mapping[str, Matrix]
    ports: Mapping[str, Port]
    external: Callable[[float], Vector] | None = None
    steps: int = 1
    start_at: Kinematics | None = None
    publish: Mapping[str, int] = field(default_factory=dict)  # name -> dof
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    rest: Vector | None = None  # positions along x, for drawing

    @cached_property
    def _factored(self) -> dict[float, Newmark]:
        return {}

    def method(self, h: float) -> Newmark:
        """Newmark's method for steps of `h`, factored once.

        t₁ − t₀ wobbles in its last digits along a uniform grid; one factor for all.
        """
        nominal = float(f"{h:.12g}")
        if nominal not in self._factored:
            if len(self._factored) >= 16:  # adaptive windows must not fill the memory
                self._factored.clear()
            self._factored[nominal] = Newmark(self.system, nominal)
        return self._factored[nominal]

    @property
    def capabilities(self) -> Capabilities:
        """Linear; one implicit step a window when `steps` is 1."""
        return Capabilities(linear=True, one_step=self.steps == 1)

    def start(self, t0: float) -> Advance[Vector]:
        """At rest unless told otherwise, accelerations from the equations."""
        n = len(self.system.M)
        rest = Kinematics(np.zeros(n), np.zeros(n), np.zeros(n))
        return self.press(np.concatenate(self.start_at or rest), t0, {})

    def press(
        self, state: Vector, t: float, forces: Mapping[str, Vector]
    ) -> Advance[Vector]:
        """The same instant under forces: M a = f − C v − K u."""
        (_, C, K), (u, v, _) = self.system, Kinematics(*state.reshape(3, -1))
        f = self._load(t) - C @ v - K @ u
        for port, force in forces.items():
            f = f + force @ self.select[port]
        return self._report(Kinematics(u, v, self.method(0.0).solve(f)), Energy(0.0))

    def advance(
        self, state: Vector, window: Window, inputs: Mapping[str, Signal]
    ) -> Advance[Vector]:
        """Take `steps` Newmark steps, Eqs. (33)-(36)."""
        now, flows = Kinematics(*state.reshape(3, -1)), Energy(0.0)
        method = self.method(window.h / self.steps)
        for k, w in enumerate(window.split(self.steps), start=1):
            own = self._load(w.t1)
            f = own.copy()
            for port, signal in inputs.items():
                f += signal.at(k / self.steps) @ self.select[port]
            after = method.step(now, f)
            flows += self._flow(now, after, 0.5 * (self._load(w.t0) + own))
            now = after
        return self._report(now, flows)

    def linearise(
        self, state: Vector, window: Window, inputs: Mapping[str, Signal]
    ) -> Flexibility:
        """G from unit responses, exact: Algorithm 1 with all unit forces at once."""
        powers = max((s.degree for s in inputs.values()), default=0) + 1
        if self.steps > 1:
            return self._follow(window, powers)
        method = self.method(window.h)
        columns = {p: method.solve(L.T) for p, L in self.select.items()}
        levels = np.array(method.response)[:, None, None, None]
        blocks = {
            (out, port): levels
            * (self.select[out] @ U)[None, :, None, :].repeat(powers, axis=2)
            for port, U in columns.items()
            for out in self.select
        }
        return Flexibility(blocks, sum(U.shape[1] for U in columns.values()))

    def _follow(self, window: Window, powers: int) -> Flexibility:
        """Unit responses over several steps: advance from rest under each sᵏ."""
        quiet = Structure(
            self.name, self.system, self.select, self.ports, steps=self.steps
        )
        zero = np.zeros(3 * len(self.system.M))
        blocks = {
            (out, port): np.zeros((3, Lo.shape[0], powers, Li.shape[0]))
            for port, Li in self.select.items()
            for out, Lo in self.select.items()
        }
        for port, L in self.select.items():
            for k in range(powers):
                for j in range(L.shape[0]):
                    unit = np.zeros((powers, L.shape[0]))
                    unit[k, j] = 1.0
                    moved = quiet.advance(zero, window, {port: Signal(unit)}).outputs
                    for out in self.select:
                        motion = moved[out]
                        assert isinstance(motion, Motion)
                        assert motion.a is not None
                        levels = np.stack([motion.x, motion.v, motion.a])
                        blocks[out, port][:, :, k, j] = levels
        return Flexibility(blocks, powers * sum(len(L) for L in self.select.values()))

    def _load(self, t: float) -> Vector:
        return self.external(t) if self.external else np.zeros(len(self.system.M))

    def _flow(self, now: Kinematics, after: Kinematics, own: Vector) -> Energy:
        """What one trapezoidal step supplied and dissipated, exactly."""
        du, v_mid = after.u - now.u, 0.5 * (now.v + after.v)
        dissipated = float(du @ (self.system.C @ v_mid))
        return Energy(0.0, dissipated, float(du @ own))

    def _report(self, now: Kinematics, flows: Energy) -> Advance[Vector]:
        (M, _, K), (u, v, _) = self.system, now
        stored = 0.5 * float(v @ (M @ v) + u @ (K @ u))
        outputs = {p: Motion(*(L @ y for y in now)) for p, L in self.select.items()}
        energy = Energy(stored, flows.dissipated, flows.supplied)
        return Advance(np.concatenate(now), outputs, energy)

    def observe(self, state: Vector) -> Mapping[str, Observation]:
        """Displacements of the published dofs."""
        return {n: Observation(float(state[j]), "m") for n, j in self.publish.items()}

    def shapes(self, state: Vector) -> Mapping[str, Matrix]:
        """The masses in a row, where a rest position is known."""
        if self.rest is None:
            return {}
        x = self.rest + state[: len(self.rest)]
        return {"": np.stack([x, np.zeros_like(x)], axis=1)}

    def dump(self, state: Vector) -> bytes:
        """u, v, a as raw doubles."""
        return to_bytes(state)

    def load(self, data: bytes) -> Vector:
        """The state that `dump` wrote."""
        return from_bytes(data)
