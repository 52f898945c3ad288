"""Nonlinear finite-element models as leaves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from bondline.core import (
    Advance,
    Balance,
    Capabilities,
    Deformed,
    Energy,
    Flexibility,
    Matrix,
    Observation,
    Parameter,
    Port,
    Rejected,
    Signal,
    Skin,
    Vector,
    Window,
)
from bondline.leaves.guard import finite
from bondline.leaves.kinks import inside, one_sided
from bondline.leaves.loads import check_forces, check_inputs
from bondline.leaves.nonlinear.corrector import Corrector, Newton, Step
from bondline.leaves.nonlinear.energies import Passed, passed, stored
from bondline.leaves.nonlinear.model import NonlinearModel, Place
from bondline.leaves.nonlinear.seen import Shown
from bondline.leaves.nonlinear.sensitivity import Sensitivity
from bondline.leaves.nonlinear.settling import settled
from bondline.leaves.nonlinear.skin import Surface
from bondline.leaves.nonlinear.sockets import Socket, Sockets
from bondline.leaves.nonlinear.state import Layout, Parts
from bondline.leaves.nonlinear.statics import Statics, Stuck
from bondline.leaves.nonlinear.trial import Trial
from bondline.leaves.nonlinear.unloaded import Bench
from bondline.leaves.raw import from_bytes, to_bytes
from bondline.leaves.wellformed import check_steps
from bondline.numerics import Method


@dataclass(frozen=True, eq=False)
class Nonlinear:
    """A nonlinear model that takes forces at its sockets; its state is one array.

    With `steps=1` a window is one step, which sees port forces at both its ends; with
    more it follows them inside the window. A window is rejected where Newton's method
    does not find the balance: half of it may work. It starts undeformed, or `settled`:
    at rest under its own loads, ports held; and moves along with `velocity` (m/s) then.
    `kinks` are instants at which own loads are not smooth. `publish` and `show` say
    what is seen besides the ports: see `Shown`.
    """

    model: NonlinearModel
    sockets: Mapping[str, Socket]
    steps: int = 1
    method: Method = field(default_factory=lambda: Method.generalized_alpha(0.8))
    newton: Newton = field(default_factory=Newton)
    ballast: Mapping[str, Vector] = field(default_factory=dict)
    kinks: tuple[float, ...] = ()
    velocity: tuple[float, float, float] = (0.0, 0.0, 0.0)
    settled: bool = False
    publish: Mapping[str, Any] = field(default_factory=dict)
    show: bool = False
    bench: Bench = Bench()  # noqa: RUF009 - a frozen value
    parameters: Mapping[str, Parameter] = field(default_factory=dict)

    def __post_init__(self) -> None:
        check_steps(self.name, self.steps)

    @property
    def name(self) -> str:
        """The model's."""
        return self.model.name

    @cached_property
    def _ends(self) -> Sockets:
        return Sockets(self.model, self.sockets)

    @cached_property
    def _layout(self) -> Layout:
        m = self.model
        return Layout(m.dofs.size, len(m.turning), m.numbers)

    @cached_property
    def _corrector(self) -> Corrector:
        extra = self._ends.load(self.ballast)
        return Corrector(self.model, self.method, self.newton, extra)

    @property
    def ports(self) -> Mapping[str, Port]:
        """Those of the sockets."""
        return self._ends.ports

    @property
    def capabilities(self) -> Capabilities:
        """Not linear; one implicit step a window when `steps` is 1."""
        return Capabilities(one_step=self.steps == 1, coarse=1 < self.steps < 4)

    @property
    def balance(self) -> Balance:
        """Where in a step its forces balance."""
        m = self.method
        return Balance(m.beta, m.gamma, m.alpha_m, m.alpha_f)

    @property
    def mass(self) -> float:
        """In kg, without ballast."""
        return self.model.weighs

    def ballasted(self, masses: Mapping[str, Vector]) -> Nonlinear:
        """The same with extra mass on its ports, without weight."""
        more = dict(self.ballast)
        for port, extra in masses.items():
            more[port] = more.get(port, 0.0) + np.asarray(extra, dtype=np.float64)
        return replace(self, ballast=more)

    def fields(self, state: Vector) -> Parts:
        """What a state is made of, as views; for tests and tools of the owner."""
        return self._layout.parts(state)

    def start(self, t0: float) -> Advance[Vector]:
        """Undeformed or settled, all of it moving with `velocity`."""
        six = np.array([*self.velocity, 0.0, 0.0, 0.0])
        moving = self._begin._replace(v=six[self.model.dofs.slots % 6])
        return self.press(self._layout.state(moving), t0, {})

    @cached_property
    def _begin(self) -> Parts:
        if not self.settled:
            return self._layout.rest()
        return settled(self._ends, self.newton)

    def press(
        self, state: Vector, t: float, forces: Mapping[str, Vector]
    ) -> Advance[Vector]:
        """The same instant under forces: (M + B) a = p + q − f."""
        check_forces(self.name, self.ports, forces)
        now, p = self._layout.parts(state), self._ends.load(forces)
        inner = self.model.balance(Place(now.u, now.v, now.turns), now.history)
        a = self._corrector.accelerate(p + self.model.load(t) - inner.force)
        # the history stays: at the same place it answers with the same forces
        strain = np.array([inner.stored])
        pressed = now._replace(a=a, p=p, f=inner.force, strain=strain)
        return self._report(pressed, Passed())

    def mobility(self, state: Vector, t: float) -> Mapping[tuple[str, str], Matrix]:
        """What a unit of force on each port does to accelerations: (M + B)⁻¹."""
        a = self._corrector.accelerate(self._ends.columns)
        found = self._ends.flexibility(a[None, :, None, :], 0)
        return {key: block[0, :, 0, :] for key, block in found.blocks.items()}

    def advance(
        self, state: Vector, window: Window, inputs: Mapping[str, Signal]
    ) -> Advance[Vector] | Rejected:
        """Take `steps` steps."""
        taken = self._travel(state, window, inputs)
        if isinstance(taken, Rejected):
            return taken
        return finite(self.name, window, self._arrive(taken))

    def linearise(
        self, state: Vector, window: Window, inputs: Mapping[str, Signal]
    ) -> Flexibility | Rejected:
        """G from the tangents of the steps of a window.

        Exact for one step, and for several unless histories move.
        """
        taken = self._travel(state, window, inputs)
        if isinstance(taken, Rejected):
            return taken
        powers = max((s.degree for s in inputs.values()), default=0) + 1
        return Sensitivity(self._corrector, self._ends).flexibility(taken, powers)

    def predict(self, state: Vector, window: Window) -> Trial | Rejected:
        """The window if accelerations and port loads stayed as they are."""
        now = self._layout.parts(state)
        step = self._corrector.predict(now, window.h, self._own(window)[0], now.p)
        return Trial(window, step, self._ends)

    def correct(self, trial: Trial, loads: Mapping[str, Vector]) -> Trial | Rejected:
        """One correction under these loads at t₁."""
        p = self._replaced(trial.step.p, loads)
        try:
            step = self._corrector.correct(trial.step, p)
        except np.linalg.LinAlgError:
            return self._rejected(trial.window, "its tangent is singular")
        if not np.isfinite(step.residual):
            return self._rejected(trial.window, "forces are not finite")
        return replace(trial, step=step)

    def accept(self, trial: Trial) -> Advance[Vector]:
        """The state at t₁, with its history; what is out of balance stays so."""
        return self._arrive([trial.step])

    def _replaced(self, p: Vector, loads: Mapping[str, Vector]) -> Vector:
        """Port loads per dof; dofs of ports that are not named keep theirs."""
        p = np.append(p, 0.0)  # the last takes what is held
        for name in loads:
            p[self._ends.dofs[name]] = 0.0
        for name, force in loads.items():  # two ports may be on one node
            np.add.at(p, self._ends.dofs[name], force)
        return p[:-1]

    def equilibrium(
        self,
        state: Vector,
        load_factor: float,
        inputs: Mapping[str, Vector],
        springs: Mapping[str, Vector],
    ) -> Advance[Vector] | Rejected:
        """Rest under a share of the own load, port forces and springs on ports."""
        p, k = self._ends.load(inputs), self._ends.load(springs)
        statics = Statics(self.model, self.newton, k)
        target = load_factor * self.model.load(0.0) + p
        found = statics.settle(self._layout.parts(state), target)
        if isinstance(found, Stuck):
            reason = f"at {100.0 * found.share:.3g} % of the load: {found.reason}"
            return Rejected(self.name, reason)
        return self._report(found.parts._replace(p=p), Passed(), found.solves)

    def breaks(self, window: Window) -> Sequence[float]:
        """The kinks of its own load inside a window."""
        return inside(window, self.kinks) if self.kinks else ()

    def _travel(
        self, state: Vector, window: Window, inputs: Mapping[str, Signal]
    ) -> list[Step] | Rejected:
        check_inputs(self.name, self.ports, inputs)
        now, h = self._layout.parts(state), window.h / self.steps
        taken = list[Step]()
        for k, own in enumerate(self._own(window)):
            first, last = (self._felt(inputs, (k + j) / self.steps) for j in (0, 1))
            now = now._replace(p=first)
            if self.steps > 1 and k == 0:  # forces may jump where a window starts
                a = self._corrector.accelerate(first + own[0] - now.f)
                now = now._replace(a=a)
            step = self._corrector.balanced(self._corrector.predict(now, h, own, last))
            if isinstance(step, str):
                return self._rejected(window, step)
            taken.append(step)
            now = self._corrector.accepted(step)
        return taken

    def _felt(self, inputs: Mapping[str, Signal], s: float) -> Vector:
        return self._ends.load({name: x.at(s) for name, x in inputs.items()})

    def _own(self, window: Window) -> list[tuple[Vector, Vector]]:
        """Own loads at both ends of every step."""
        at = one_sided(window, self.kinks)
        cuts = [window.t0, *(w.t1 for w in window.split(self.steps))]
        loads = [self.model.load(at(t)) for t in cuts]
        return list(pairwise(loads))

    def _arrive(self, taken: Sequence[Step]) -> Advance[Vector]:
        done = passed(self._corrector, taken)
        parts = self._corrector.accepted(taken[-1])
        solves = sum(step.corrections for step in taken)
        return self._report(parts, done, solves)

    def _report(self, parts: Parts, done: Passed, solves: int = 1) -> Advance[Vector]:
        held = stored(self._corrector, parts)
        energy = Energy(held, done.dissipated, done.supplied)
        outputs = self._ends.motions(parts.u, parts.v, parts.a, parts.turns)
        counts = {"solves": 1.0, "corrections": float(solves)}
        return Advance(self._layout.state(parts), outputs, energy, counts)

    def _rejected(self, window: Window, reason: str) -> Rejected:
        return Rejected(self.name, reason, window.at(0.5))

    @cached_property
    def _shown(self) -> Shown:
        return Shown(self.model, self.publish, self.show, self.bench)

    def observe(self, state: Vector) -> Mapping[str, Observation]:
        """What is published."""
        return self._shown.observe(self._layout.parts(state))

    def shapes(self, state: Vector) -> Mapping[str, Matrix]:
        """Lines of its beams and edges, where it is shown."""
        return self._shown.shapes(self._layout.parts(state))

    @cached_property
    def _surface(self) -> Surface:
        return Surface(self.model, self.sockets)

    def skins(self) -> Mapping[str, Skin]:
        """Its surface, where it is shown."""
        return {"": self._surface.rest} if self.show else {}

    def deformed(
        self, state: Vector, t: float | None, share: float = 1.0
    ) -> Mapping[str, Deformed]:
        """Where its surface is, with stress and plastic strain."""
        return {"": self._surface.at(self.fields(state))} if self.show else {}

    def dump(self, state: Vector) -> bytes:
        """The state as raw doubles."""
        return to_bytes(state)

    def load(self, data: bytes) -> Vector:
        """The state that `dump` wrote."""
        return from_bytes(data)
