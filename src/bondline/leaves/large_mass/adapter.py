"""A FORCE_IN leaf as a MOTION_IN one, by large masses on its ports (liu)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from bondline.core import (
    Advance,
    Breaking,
    Capabilities,
    Causality,
    Correcting,
    Deformed,
    Effort,
    Energy,
    Matrix,
    Motion,
    Observation,
    Observing,
    Output,
    Parameter,
    Port,
    Pressing,
    Rejected,
    Showing,
    Signal,
    SignalPort,
    Skin,
    Skinned,
    Trial,
    Vector,
    Window,
)
from bondline.core.remarks import remark
from bondline.errors import SettingError, did_you_mean
from bondline.leaves.guard import finite
from bondline.leaves.large_mass.compliance import dynamic_compliance
from bondline.leaves.large_mass.free_body import FreeBody
from bondline.leaves.large_mass.masses import Masses
from bondline.leaves.large_mass.pressing import pressed
from bondline.leaves.large_mass.pursuit import Pursuit, Reached
from bondline.leaves.large_mass.state import MassState, dump, load
from bondline.leaves.large_mass.told import accelerations, behind, largest, told
from bondline.leaves.large_mass.weights import Weights

Compliance: TypeAlias = Literal["diagonal", "full"]
_EPS = float(np.finfo(np.float64).eps)
_HEARD = 1e-6  # of the largest force: round-off above this is told


@dataclass(frozen=True, eq=False)
class LargeMass:
    """A leaf that shows its corrector, told motion at some of its ports.

    Each of these ports carries a large mass; loads f_e on the masses are corrected
    together with the structure, one correction of each a time, until the ports follow:
    φ = w₁ (q'' − r'') + w₂ (q' − r') + w₃ (q − r) = 0. The effort is f_i, the force
    that a mass exerts on the structure, from its free body, liu (5). Converged results
    do not depend on the masses: they are a preconditioner, and multibody models know
    nothing of them.

    Without `led` all ports are told motion. `tolerance` is that of the leaf's residual,
    over structural forces; `following` that of φ, over accelerations (of the motion, or
    of the part by the largest force so far): what is left of it is made good in the
    next window. `compliance` "full" probes all of C in the first
    window and keeps it, for comparison. `publish` names forces of led ports that are
    seen: the port and the number of its dof, as the structure pushes what leads it.
    """

    leaf: Any  # Correcting, Pressing: a Model
    led: tuple[str, ...] = ()
    masses: Masses = Masses()  # noqa: RUF009 - a frozen value
    weights: Weights = Weights()  # noqa: RUF009
    tolerance: float = 1e-10
    following: float = 1e-5
    patience: int = 30
    compliance: Compliance = "diagonal"
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    publish: Mapping[str, tuple[str, int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        shows = isinstance(self.leaf, Correcting) and isinstance(self.leaf, Pressing)
        if not shows:
            raise SettingError(
                f"{self.name}: large mass",
                f"{type(self.leaf).__name__} does not show its corrector.",
                "Give a leaf with predict, correct, accept, ballasted and press.",
            )
        ways = get_args(Compliance)
        for what, word, known in (
            *(("led", port, self._ports) for port in self.led),
            *(("publish", port, self.pieces) for port, _ in self.publish.values()),
            ("compliance", self.compliance, ways),
        ):
            if word not in known:
                raise SettingError(
                    f"{self.name}: {what}",
                    f"no such choice {word!r}.",
                    did_you_mean(word, known),
                )

    @property
    def _ports(self) -> Mapping[str, Port]:
        """The mechanical ones."""
        ports: Mapping[str, Port | SignalPort] = self.leaf.ports
        return {n: p for n, p in ports.items() if isinstance(p, Port)}

    @property
    def name(self) -> str:
        """That of the leaf."""
        return str(self.leaf.name)

    @cached_property
    def ports(self) -> Mapping[str, Port | SignalPort]:
        """Those of the leaf; the led ones take motion."""
        takes, every = Causality.MOTION_IN, dict(self.leaf.ports)
        for n in self.pieces:
            every[n] = replace(every[n], causality=takes)
        return every

    @property
    def capabilities(self) -> Capabilities:
        """Follows a weighted sum of what it is told."""
        own: Capabilities = self.leaf.capabilities
        return Capabilities(
            repeatable=own.repeatable, serialises=own.serialises, weighs=True
        )

    @cached_property
    def pieces(self) -> Mapping[str, slice]:
        """Where each led port is among all led dofs."""
        ports = self._ports
        led = self.led or tuple(ports)
        at = np.cumsum([0, *(ports[p].size for p in led)]).tolist()
        return {p: slice(at[k], at[k + 1]) for k, p in enumerate(led)}

    @cached_property
    def mass(self) -> Vector:
        """M_L or J_L of each led dof."""
        own, ports = float(self.leaf.mass), self._ports
        return np.concatenate([self.masses.on(ports[p], own) for p in self.pieces])

    @cached_property
    def _body(self) -> FreeBody:
        return FreeBody(self.mass, self.leaf.balance)

    @cached_property
    def loaded(self) -> Any:
        """The leaf with its large masses."""
        return self.leaf.ballasted({p: self.mass[w] for p, w in self.pieces.items()})

    def start(self, t0: float) -> Advance[MassState]:
        """The leaf's start, its led ports not accelerating."""
        first: Advance[Any] = self.loaded.start(t0)
        still = np.zeros(len(self.mass))
        return self.press(MassState(first.state, *(still,) * 5), t0, {})

    def press(
        self, state: MassState, t: float, forces: Mapping[str, Vector]
    ) -> Advance[MassState]:
        """The same instant; led ports are given accelerations, or keep theirs."""
        aim = state.a.copy()
        for port, where in self.pieces.items():
            if port in forces:
                aim[where] = forces[port]
        others = {p: f for p, f in forces.items() if p not in self.pieces}
        masses = self.pieces, self.mass
        got = pressed(self.loaded, state.inside, t, aim, masses, others)
        f_i = got.f_e - self.mass * got.a  # liu (5); no weight on M_L
        after = state._replace(
            inside=got.at.state,
            f_e=got.f_e,
            f_i=f_i,
            v=self._velocities(got.at.outputs),
            a=got.a,
            rate=np.zeros_like(f_i),
            largest=max(state.largest, largest([f_i])),
        )
        return self._report(after, got.at, 0.0)

    def advance(
        self, state: MassState, window: Window, inputs: Mapping[str, Signal]
    ) -> Advance[MassState] | Rejected:
        """One step of the leaf, its loads corrected until it follows."""
        trial = self.loaded.predict(state.inside, window)
        if isinstance(trial, Rejected):
            return trial
        felt = state.largest / float(self.leaf.mass or 1.0)
        pursuit = replace(self.pursuit(window), felt=felt)
        aim = self._aim(state, window, inputs)
        others = {
            p: inputs[p].end if p in inputs else np.zeros(self._ports[p].size)
            for p in self._free
        }
        first = self._guess(state, pursuit, pursuit.phi(aim, trial), trial)
        C = self._compliance(state, pursuit, trial, first)
        got = pursuit.follow(trial, aim, first, C, others)
        if isinstance(got, Rejected):
            return replace(got, model=self.name)
        return finite(self.name, window, self._arrive(state, pursuit, aim, got))

    def weighing(self, h: float) -> Vector:
        """w₃, w₂ and w₁ over windows of `h`."""
        return self.weights.over(h)

    def pursuit(self, window: Window) -> Pursuit:
        """What is to be reached in a window like this."""
        return Pursuit(
            self.loaded,
            self.pieces,
            self.mass,
            self.weighing(window.h),
            window,
            (self.tolerance, self.following),
            self.patience,
            self.compliance == "full",
        )

    @cached_property
    def _free(self) -> Sequence[str]:
        """The ports that still take force."""
        return [p for p in self._ports if p not in self.pieces]

    def _aim(
        self, state: MassState, window: Window, inputs: Mapping[str, Signal]
    ) -> dict[str, Motion]:
        """Where the led ports are to be at t₁; without a path, where they are."""
        silent = [p for p in self.pieces if p not in inputs]
        now: Mapping[str, Output] = {}
        if silent:
            loads = {p: state.f_e[w] for p, w in self.pieces.items()}
            now = self.loaded.press(state.inside, window.t0, loads).outputs
        return {p: told(inputs.get(p), now.get(p), window.h) for p in self.pieces}

    def _guess(
        self, state: MassState, pursuit: Pursuit, phi: Vector, trial: Trial
    ) -> Vector:
        """Loads under which the masses would follow if f_i went on along a line."""
        a = accelerations(trial, self.pieces)
        aim = a + phi / float(pursuit.weights @ pursuit.reach)
        f_i = state.f_i + pursuit.window.h * state.rate
        return self._body.load(state, f_i, aim)

    def _compliance(
        self, state: MassState, pursuit: Pursuit, trial: Trial, first: Vector
    ) -> Vector:
        """C as it was learned; all of it is probed once, where that is asked for."""
        if state.share is not None:
            return state.share * pursuit.alone
        if self.compliance == "full":
            return dynamic_compliance(pursuit, trial, first, self.mass)
        return pursuit.alone

    def _arrive(
        self,
        state: MassState,
        pursuit: Pursuit,
        aim: Mapping[str, Motion],
        got: Reached,
    ) -> Advance[MassState]:
        done = self.loaded.accept(got.trial)
        a, v = accelerations(got.trial, self.pieces), self._velocities(done.outputs)
        f_i = self._body.force(state, got.f_e, a)
        off = [behind(aim[p], got.trial.motions[p])[0] for p in self.pieces]
        peak = max(state.largest, largest([f_i]))
        rate, share = (f_i - state.f_i) / pursuit.window.h, got.C / pursuit.alone
        after = MassState(
            done.state, got.f_e, f_i, v, a, rate, share, peak, largest(off)
        )
        lost = self._body.lost(state, after, pursuit.window.h)
        return self._report(after, done, lost, got.stalled)

    def _velocities(self, outputs: Mapping[str, Output]) -> Vector:
        return np.concatenate([_motion(outputs[p]).v for p in self.pieces])

    def _report(
        self, state: MassState, done: Advance[Any], lost: float, stalled: bool = False
    ) -> Advance[MassState]:
        outputs, energy = dict(done.outputs), done.energy
        for port, where in self.pieces.items():
            outputs[port] = Effort(state.f_i[where], _motion(outputs[port]))
        if energy is not None:  # that of the structure, not of the large masses
            kinetic = self._body.kinetic(state.v)
            energy = Energy(
                energy.stored - kinetic, energy.dissipated - lost, energy.supplied
            )
        notes = (*done.notes, *self._notes(state, stalled))
        return Advance(state, outputs, energy, done.stats, notes)

    def _notes(self, state: MassState, stalled: bool) -> tuple[str, ...]:
        """Where round-off of M_L r'' can be heard in the forces."""
        floor = _EPS * largest([self.mass * state.a])
        if not (stalled or floor > _HEARD * state.largest > 0.0):
            return ()
        sound = self.masses.times <= 1e4  # then no better ratio can be advised
        small = "its forces are still small, or the tolerance is too tight"
        told = (
            f"large mass: with {self.masses.times:.3g} times the mass of the "
            "part on each node, round-off keeps its forces from the tolerance of "
            f"{self.tolerance:g}; {small if sound else 'take a ratio of 1e3 to 1e4'}."
        )
        return (remark(told) if sound else told,)

    def breaks(self, window: Window) -> Sequence[float]:
        """The kinks of the leaf."""
        return self.leaf.breaks(window) if isinstance(self.leaf, Breaking) else ()

    def observe(self, state: MassState) -> Mapping[str, Observation]:
        """What the leaf publishes, how far its ports are off, and forces of them."""
        drift = {"drift": Observation(state.drift, "m")}
        forces = {name: self._push(state, *at) for name, at in self.publish.items()}
        if not isinstance(self.leaf, Observing):
            return {**forces, **drift}
        return {**self.loaded.observe(state.inside), **forces, **drift}

    def _push(self, state: MassState, port: str, k: int) -> Observation:
        dofs = self._ports[port].dofs
        unit = "N.m" if dofs[k % len(dofs)].startswith("r") else "N"
        return Observation(-float(state.f_i[self.pieces[port]][k]), unit)

    def shapes(self, state: MassState) -> Mapping[str, Matrix]:
        """What the leaf shows."""
        able = isinstance(self.leaf, Showing)
        return self.loaded.shapes(state.inside) if able else {}

    def skins(self) -> Mapping[str, Skin]:
        """What the leaf shows of its surface."""
        return self.leaf.skins() if isinstance(self.leaf, Skinned) else {}

    def deformed(
        self, state: MassState, t: float | None, share: float = 1.0
    ) -> Mapping[str, Deformed]:
        """Where the leaf's surface is."""
        able = isinstance(self.leaf, Skinned)
        return self.loaded.deformed(state.inside, t, share) if able else {}

    def dump(self, state: MassState) -> bytes:
        """The leaf's state, and the last step of the masses."""
        return dump(self.loaded, state)

    def load(self, data: bytes) -> MassState:
        """The state that `dump` wrote."""
        return load(self.loaded, data)


def _motion(shown: Output) -> Motion:
    assert isinstance(shown, Motion), "a force port shows its motion"
    return shown
