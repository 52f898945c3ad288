"""Linear structures advanced by Newmark's method, wang2003 section 3."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np

from bondline.core import (
    Advance,
    Capabilities,
    Causality,
    Effort,
    Energy,
    Flexibility,
    Matrix,
    Motion,
    Observation,
    Output,
    Parameter,
    Port,
    Receptance,
    Rejected,
    Response,
    Signal,
    Vector,
    Window,
)
from bondline.leaves.guard import finite
from bondline.leaves.kinks import inside, one_sided
from bondline.leaves.raw import from_bytes, to_bytes
from bondline.leaves.resting import Resting
from bondline.leaves.selection import Dofs, Selection
from bondline.leaves.stepping import POWERS, Path, Stepping
from bondline.leaves.wellformed import check_matrices, check_ports
from bondline.numerics import Kinematics, LinearSystem, Newmark
from bondline.numerics.factor import nowhere, slim, symmetric_product
from bondline.numerics.receptance import Vibration


class _Answered(NamedTuple):
    """What `realise` needs of the response it realises."""

    stepping: Stepping
    path: Path


@dataclass(frozen=True, eq=False)
class Structure:
    """M a + C v + K u = f(t) + Σ Lᵀ f_port, wang2003 (32); L selects a port's dofs.

    With `steps=1` a window is one Newmark step, which sees port inputs at t₁ only.
    With more it follows them inside the window. The state stacks u, v, a.

    `select` gives a port's dofs as a list, or as the rows of L. A port that takes
    motion answers with the effort, and stays where it is when it is told nothing. In
    one step its dofs go to the position told for t₁, and Newmark's method says how
    they arrive; in several they move along the path told, with its velocity and
    acceleration.

    `kinks` are the instants at which `external` jumps or is not smooth. Windows of a
    glued model end there; the one before sees the load's limit from the left, the one
    after that from the right.
    """

    name: str
    system: LinearSystem
    select: Mapping[str, Matrix | Dofs | Sequence[int]]
    ports: Mapping[str, Port]
    external: Callable[[float], Vector] | None = None
    steps: int = 1
    start_at: Kinematics | None = None
    publish: Mapping[str, int] = field(default_factory=dict)  # name -> dof
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    rest: Vector | None = None  # positions along x, for drawing
    static_load: Vector | None = None  # own load in statics; else that at t = 0
    kinks: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        check_matrices(self.name, self._slim)
        check_ports(self.name, self._slim.M.shape[0], self._picks, self.ports)

    @cached_property
    def _slim(self) -> LinearSystem:
        """The matrices as they are quick to multiply with."""
        return LinearSystem(*(slim(A) for A in self.system))

    @cached_property
    def _picks(self) -> Mapping[str, Selection]:
        return {port: Selection(np.asarray(L)) for port, L in self.select.items()}

    @cached_property
    def _led(self) -> tuple[str, ...]:
        """The ports that take motion."""
        moved = Causality.MOTION_IN
        return tuple(p for p in self.select if self.ports[p].causality is moved)

    @cached_property
    def _held(self) -> Dofs:
        dofs = [self._picks[p].dofs for p in self._led]
        return np.concatenate([nowhere(), *(d for d in dofs if d is not None)])

    @cached_property
    def _rows(self) -> Mapping[str, slice]:
        """Where the dofs of each port that takes motion are among those held."""
        ends = np.cumsum([0, *(self._picks[p].size for p in self._led)]).tolist()
        return {p: slice(ends[i], ends[i + 1]) for i, p in enumerate(self._led)}

    @cached_property
    def _resting(self) -> Resting:
        return Resting(self.name, self._slim.K, self._picks, self._rows, self._held)

    @cached_property
    def _still(self) -> Newmark:
        """A step of no length: M a = f."""
        return Newmark(self._slim, 0.0, held=self._held)

    @cached_property
    def _steppings(self) -> dict[float, Stepping]:
        return {}

    def stepping(self, h: float) -> Stepping:
        """Steps of `h`: factors and unit responses, found once.

        t₁ − t₀ wobbles in its last digits along a uniform grid; one factor for all.
        """
        kept, nominal = self._steppings, float(f"{h:.12g}")
        found = kept.pop(nominal, None)
        if found is None:
            for old in list(kept)[:-7]:  # adaptive windows must not fill the memory
                kept.pop(old, None)
            method = Newmark(self._slim, nominal, held=self._held)
            ports = (self._picks, self._rows)
            found = Stepping(method, self._still, *ports, self.steps)
        kept[nominal] = found  # the last one used goes to the end
        return found

    @property
    def capabilities(self) -> Capabilities:
        """Linear; one implicit step a window when `steps` is 1."""
        return Capabilities(
            linear=True,
            one_step=self.steps == 1,
            coarse=1 < self.steps < 4,
            superposes=True,
        )

    def start(self, t0: float) -> Advance[Vector]:
        """At rest unless told otherwise, accelerations from the equations."""
        n = self.system.M.shape[0]
        rest = Kinematics(np.zeros(n), np.zeros(n), np.zeros(n))
        return self.press(np.concatenate(self.start_at or rest), t0, {})

    def press(
        self, state: Vector, t: float, forces: Mapping[str, Vector]
    ) -> Advance[Vector]:
        """The same instant under forces: M a = f − C v − K u.

        Ports that take motion are given accelerations; without one they keep theirs.
        """
        (_, C, K), (u, v, a) = self._slim, Kinematics(*state.reshape(3, -1))
        f = self._load(t) - symmetric_product(C, v) - symmetric_product(K, u)
        told = a[self._held]
        for port, value in forces.items():
            self._give(f, told, port, value)
        a, efforts = self._still.accelerate(f, told)
        return self._report(Kinematics(u, v, a), efforts, Energy(0.0))

    def kick(
        self, state: Vector, t: float, impulses: Mapping[str, Vector]
    ) -> Advance[Vector]:
        """The same instant after impulses: M Δv = Σ Lᵀ p; ports that are led stay."""
        u, v, _ = Kinematics(*state.reshape(3, -1))
        f, told = np.zeros_like(u), np.zeros(len(self._held))
        for port, value in impulses.items():
            if port not in self._led:
                self._picks[port].add(f, value)
        more, _ = self._still.accelerate(f, told)
        return self.press(np.concatenate([u, v + more, np.zeros_like(u)]), t, {})

    def advance(
        self, state: Vector, window: Window, inputs: Mapping[str, Signal]
    ) -> Advance[Vector] | Rejected:
        """Take `steps` Newmark steps, Eqs. (33)-(36)."""
        done = self._arrive(self._travel(state, window, inputs).path)
        return finite(self.name, window, done)

    def respond(
        self, state: Vector, window: Window, inputs: Mapping[str, Signal]
    ) -> Response | Rejected:
        """The advance under `inputs`, and G; its energy is counted when realised."""
        answered = self._travel(state, window, inputs)
        now, efforts = answered.path.points[-1], answered.path.efforts
        shown = self._outputs(now, efforts)
        free = Advance(np.concatenate(now), shown, None, {"solves": 1})
        done = finite(self.name, window, free)
        if isinstance(done, Rejected):
            return done
        return Response(done, answered.stepping.flexibility(POWERS), answered)

    def realise(
        self, response: Response, inputs: Mapping[str, Signal]
    ) -> Advance[Vector]:
        """The advance under the inputs of `respond` plus these, without a solve."""
        stepping, path = response.inside
        return self._arrive(stepping.retrace(path, inputs) if inputs else path, 0)

    def linearise(
        self, state: Vector, window: Window, inputs: Mapping[str, Signal]
    ) -> Flexibility:
        """G from unit responses, exact: Algorithm 1 with all unit forces at once.

        A port that takes motion answers with one level, its effort.
        """
        powers = max((s.degree for s in inputs.values()), default=0) + 1
        return self.stepping(window.h / self.steps).flexibility(powers)

    def equilibrium(
        self,
        state: Vector,
        load_factor: float,
        inputs: Mapping[str, Vector],
        springs: Mapping[str, Vector],
    ) -> Advance[Vector] | Rejected:
        """Rest under a share of the own load, port forces, and springs to the ground.

        Springs act on the ports' dofs: K u + Σ Lᵀ k L u = load_factor f + Σ Lᵀ f_port.
        Ports that take motion are given positions; without one they stay where they
        are in `state`. Rejected where something moves without resistance.
        """
        solver = self._resting.factored(springs)
        if isinstance(solver, Rejected):
            return solver
        own = self._load(0.0) if self.static_load is None else self.static_load
        f, told = load_factor * own, state[self._held]
        for port, value in inputs.items():
            self._give(f, told, port, value)
        u, efforts = solver.solve(f, told)
        still = np.zeros_like(u)
        return self._report(Kinematics(u, still, still), efforts, Energy(0.0))

    def compliance(
        self, state: Vector, springs: Mapping[str, Vector]
    ) -> Flexibility | Rejected:
        """What a unit of every port input does to the equilibrium, all at once."""
        return self._resting.compliance(springs)

    def breaks(self, window: Window) -> Sequence[float]:
        """The kinks of its own load inside a window."""
        return inside(window, self.kinks)

    def _give(self, f: Vector, told: Vector, port: str, value: Vector) -> None:
        """Add a force to the loads, or say what a port that takes motion does."""
        if port in self._led:
            told[self._rows[port]] = value
        else:
            self._picks[port].add(f, value)

    def _travel(
        self, state: Vector, window: Window, inputs: Mapping[str, Signal]
    ) -> _Answered:
        stepping = self.stepping(window.h / self.steps)
        at = one_sided(window, self.kinks)
        own = [self._load(at(window.t0))]
        own += [self._load(at(w.t1)) for w in window.split(self.steps)]
        now = Kinematics(*state.reshape(3, -1))
        return _Answered(stepping, stepping.travel(now, own, inputs))

    def _arrive(self, path: Path, solves: int = 1) -> Advance[Vector]:
        """Report the end of a path, with what happened on the way."""
        dissipated = supplied = 0.0
        for k in range(self.steps):
            now, after = path.points[k], path.points[k + 1]
            du, v_mid = after.u - now.u, 0.5 * (now.v + after.v)
            # what one trapezoidal step dissipated and supplied, exactly
            dissipated += float(du @ symmetric_product(self._slim.C, v_mid))
            if self.external:
                supplied += float(du @ (0.5 * (path.own[k] + path.own[k + 1])))
        flows = Energy(0.0, dissipated, supplied)
        return self._report(path.points[-1], path.efforts, flows, solves)

    def _load(self, t: float) -> Vector:
        return self.external(t) if self.external else np.zeros(self.system.M.shape[0])

    def _report(
        self, now: Kinematics, efforts: Vector, flows: Energy, solves: int = 1
    ) -> Advance[Vector]:
        (M, _, K), (u, v, _) = self._slim, now
        stored = 0.5 * float(v @ symmetric_product(M, v) + u @ symmetric_product(K, u))
        energy = Energy(stored, flows.dissipated, flows.supplied)
        outputs = self._outputs(now, efforts)
        return Advance(np.concatenate(now), outputs, energy, {"solves": solves})

    def _outputs(self, now: Kinematics, efforts: Vector) -> dict[str, Output]:
        outputs, (u, v, a) = dict[str, Output](), now
        for port, pick in self._picks.items():
            motion = Motion(pick.show(u), pick.show(v), pick.show(a))
            led = self._rows.get(port)
            outputs[port] = motion if led is None else Effort(efforts[led], motion)
        return outputs

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

    @cached_property
    def _vibration(self) -> Vibration:
        shown = [p for p in self._picks if p not in self._led]
        rows = [self._picks[p].show(np.eye(self.system.M.shape[0])) for p in shown]
        return Vibration(self._slim, np.concatenate(rows), self._held)

    def receptance(self, omega: float, damped: bool = True) -> Receptance:
        """H(ω) over the ports that take force; ports that take motion are held."""
        H, below = self._vibration.at(omega, damped)
        shown = [p for p in self._picks if p not in self._led]
        ends = np.cumsum([0, *(self._picks[p].size for p in shown)]).tolist()
        at = {p: slice(ends[i], ends[i + 1]) for i, p in enumerate(shown)}
        return Receptance({(o, p): H[at[o], at[p]] for o in at for p in at}, below)
