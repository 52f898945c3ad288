"""The interface problem of X-X coupling on one window."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import isfinite

import numpy as np

from bondline.core import (
    Assembly,
    Matrix,
    Motion,
    Port,
    PortRef,
    Pose,
    Rejected,
    Signal,
    Situation,
    Slope,
    Sweep,
    Vector,
    Window,
)
from bondline.errors import SettingError
from bondline.gluing.couplings.answers import Answers
from bondline.gluing.couplings.blame import blame
from bondline.gluing.couplings.efforts import Seen, effort_of, require_followed
from bondline.gluing.couplings.motion_schemes import MotionScheme, dead_beat
from bondline.gluing.couplings.probing import Probe
from bondline.gluing.couplings.shared_motion import SharedMotion
from bondline.gluing.couplings.tangents import Tangents
from bondline.gluing.gaps import gaps, motion_of


@dataclass(frozen=True)
class XXProblem:
    """Find the shared motion under which the efforts are in equilibrium at t₁.

    Unknown and residual are both divided by the force scale, so that the slope does
    not change when the scale does.
    """

    scheme: MotionScheme
    probe: Probe
    assembly: Assembly
    situation: Situation
    window: Window
    shared: SharedMotion
    facts: tuple[float, float, bool]  # force scale, inertia, whether `last` is known
    last: Vector

    @property
    def size(self) -> int:
        """Free dofs of all ends together."""
        return len(self.shared.free)

    @property
    def h(self) -> float:
        """Length of the window."""
        return self.window.h

    @cached_property
    def _seen(self) -> Seen:
        return Seen(self.facts[1])

    @cached_property
    def _answers(self) -> Answers:
        return Answers(self.assembly, self.situation, self.window)

    @property
    def noise(self) -> float:
        """Round-off of the efforts that were seen, and of the positions told."""
        motions = [self.situation.motions[p] for p in self.shared.ports]
        return self._seen.noise(self.facts[0], self.h, motions)

    @property
    def floor(self) -> float:
        """One unit of acceleration, or of velocity, over the scale."""
        return 1.0 / self.facts[0]

    @property
    def symmetric(self) -> bool:
        """Tᵀ (∂f/∂x) T is, for conservative parts."""
        return True

    @property
    def affine(self) -> bool:
        """Whether one correction is exact."""
        return self.assembly.affine

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """`part.port.x`: the dof whose motion is guessed."""
        return labels_of(self.assembly, self.shared)

    @cached_property
    def _weights(self) -> Matrix:
        return self.scheme.weights(self.h, self.facts[2])

    @cached_property
    def _lift(self) -> Matrix:
        """∂(accelerations of all ports)/∂z."""
        lift: Matrix = self.facts[0] * self.shared.T
        return lift

    @cached_property
    def _carried(self) -> Matrix:
        """sᵏ × dofs: the path of all ports as far as t₀ decides it."""
        motions, T = self.situation.motions, self.shared.T
        free = self.shared.free
        v = T @ self.shared.stack({p: m.v for p, m in motions.items()})[free]
        path = self._weights[:, 1:2] * v
        if self.facts[2]:
            path = path + self._weights[:, 2:3] * (T @ self._bend())
        x = {p: _place(motions[p]) for p in self.shared.ports}
        path[0] += self.shared.stack(x)
        path[1] += self._calming()
        return path

    def _calming(self) -> Vector:
        """What the dofs of one-step parts go besides, so that their rates agree."""
        motions, joints = self.situation.motions, self.assembly.connections
        ports, ways = self.shared.ports, np.zeros(len(self.shared.T))
        steady = [p for p in ports if self._one_step(p)]
        a = {p: m for p in ports if (m := motions[p].a) is not None}
        if not steady or len(a) < len(ports):
            return ways
        gap, _, _ = gaps([[motions[end] for end in c.ends] for c in joints], joints)
        v = {p: motions[p].v for p in ports}
        x = self.shared.apart(gap)
        rates = self.shared.ahead(v), self.shared.ahead(a)
        way = dead_beat(x, *rates, self.h) - x
        for p in steady:
            ways[self.shared.where[p]] = way[self.shared.where[p]]
        return ways

    def _one_step(self, end: PortRef) -> bool:
        return self.assembly.parts[end.part].capabilities.one_step

    def _bend(self) -> Vector:
        """Accelerations of the free dofs at t₀: as the parts have them, if they say."""
        motions = self.situation.motions
        known = {p: a for p in self.shared.ports if (a := motions[p].a) is not None}
        if len(known) < len(self.shared.ports):
            return self.last
        return self.shared.stack(known)[self.shared.free]

    def _inputs(self, z: Vector) -> dict[str, dict[str, Signal]]:
        path = self._carried + self._weights[:, 3:4] * (self._lift @ z)
        found: dict[str, dict[str, Signal]] = {n: {} for n in self.assembly.parts}
        for end, signal in self.situation.outside.items():
            found[end.part][end.port] = signal
        for p in self.shared.ports:
            m = self.situation.motions[p]
            origin = None if m.turn is None else Pose(m.x, m.turn)
            found[p.part][p.port] = Signal(path[:, self.shared.where[p]], origin)
        return found

    def sweep(self, z: Vector) -> Sweep | Rejected:
        """Lead every part along the motion `z`."""
        inputs = self._inputs(z)
        answered = self._answers.ask(inputs)
        if isinstance(answered, Rejected):
            return answered
        advances, price = answered
        told = {p: inputs[p.part][p.port] for p in self.shared.ports}
        require_followed(self.assembly, advances, told, self.window)
        efforts = {p: effort_of(advances, p) for p in self.shared.ports}
        self._seen.see(efforts.values())
        motions = {p: motion_of(advances, p) for p in self.shared.ports}
        pull = springs(self.assembly, motions) @ self.shared.B
        residual = (self.shared.stack(efforts) - pull) @ self.shared.T / self.facts[0]
        if not isfinite(residual @ residual):
            return blame(self.assembly, advances, self.window)
        return Sweep(residual, advances, price, spent=self._answers.spent)

    def forecast(self, z: Vector) -> Vector:
        """Refused: an imbalance would be answered a window late."""
        raise SettingError(
            "X-X coupling",
            "in one pass the motion is told before any effort is known, so an "
            "imbalance is answered a window late: that feeds energy in, ω²h/2 a "
            "second.",
            "Let one side take forces (X-T coupling, linear/explicit), or use parts "
            "that can repeat a window.",
        )

    def slope(self, z: Vector, here: Sweep) -> Slope | Rejected:
        """Tᵀ (∂f/∂x) T over the force scale, part by part."""
        step = self.probe.epsilon * max(float(np.abs(z).max()), self.floor)
        asked = self.assembly, self.situation, self.window
        tangents = Tangents(*asked, step, self._answers.spent)
        inputs, shared, price = self._inputs(z), self.shared, 0
        df = np.zeros_like(shared.T)
        for name in {p.part: None for p in shared.ports}:
            moved = {
                p.port: self._weights[:, 3, None, None] * self._lift[shared.where[p]]
                for p in shared.ports
                if p.part == name
            }
            got = tangents.respond(name, inputs[name], here.advances[name], moved)
            if isinstance(got, Rejected):
                return got
            for port, block in got[0].items():
                df[shared.where[PortRef(name, port)]] = block[0]
            price += got[1]
        return Slope(shared.T.T @ (df + self._give()) / self.facts[0], price)

    def _give(self) -> Matrix:
        """−∂(Bᵀ F)/∂z of the joints that follow a law."""
        law, shared = self.assembly.compliant, self.shared
        if law is None:
            return np.zeros_like(shared.T)
        where, k, c = law
        w = self._weights[:, 3]
        rate = w @ np.arange(len(w)) / self.h
        B = shared.B[where]
        pull: Matrix = B.T @ ((k * w.sum() + c * rate)[:, None] * (B @ self._lift))
        return pull


def labels_of(assembly: Assembly, shared: SharedMotion) -> tuple[str, ...]:
    """`part.port.x` of every free dof, with the node where there are several."""
    names = []
    for p in shared.ports:
        port = assembly.parts[p.part].ports[p.port]
        assert isinstance(port, Port), f"{p} must be mechanical"
        nodes = [f"{p}[{k}]" for k in range(port.nodes)] if port.nodes > 1 else [str(p)]
        names += [f"{node}.{dof}" for node in nodes for dof in port.dofs]
    return tuple(names[k] for k in shared.free)


def _place(m: Motion) -> Vector:
    """Where a path starts: a frame's is told from where it is."""
    return m.x if m.turn is None else np.zeros(6)


def springs(assembly: Assembly, motions: Mapping[PortRef, Motion]) -> Vector:
    """F = −k e − c e' of the joints that follow a law; zeros elsewhere."""
    F = np.zeros(assembly.offsets[-1])
    if assembly.compliant is None:
        return F
    where, k, c = assembly.compliant
    joints = assembly.connections
    e, rate, _ = gaps([[motions[end] for end in j.ends] for j in joints], joints)
    F[where] = -k * e[where] - c * rate[where]
    return F
