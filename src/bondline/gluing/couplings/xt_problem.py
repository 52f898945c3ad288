"""The interface problem of X-T coupling on one window."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import isfinite
from typing import Any

import numpy as np

from bondline.core import (
    Advance,
    Assembly,
    Matrix,
    PortRef,
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
from bondline.gluing.couplings.leading import Leading, ahead, lead, leads
from bondline.gluing.couplings.motion_schemes import ForceScheme
from bondline.gluing.couplings.probing import Probe
from bondline.gluing.couplings.tangents import Block, Tangents
from bondline.gluing.gaps import motion_of


@dataclass(frozen=True, eq=False)
class Chain:
    """Ranks of parts, and the joints between them with their rows."""

    ranks: Sequence[Sequence[str]]
    joints: Sequence[Leading]
    rows: Sequence[slice]

    def forces(self, advances: Mapping[str, Advance[Any]]) -> Vector:
        """The joint forces that the followers' efforts ask for."""
        return np.concatenate(
            [
                j.forces({p: effort_of(advances, p) for p in j.followers})
                for j in self.joints
            ]
            or [np.zeros(0)]
        )


@dataclass(frozen=True)
class XTProblem:
    """Find the force on the leaders that the followers' efforts bring forth.

    The residual is F − F*(F), with F* from the efforts: an iteration without any
    slope, F ← F*, contracts by the ratio of inertias. Unknown and residual are both
    divided by the force scale.
    """

    scheme: ForceScheme
    probe: Probe
    assembly: Assembly
    situation: Situation
    window: Window
    chain: Chain
    before: Vector | None  # force on the leaders at t₀, if it is known
    facts: tuple[float, float, float]  # force scale, inertia, ratio of inertias

    @property
    def size(self) -> int:
        """Joint forces in all."""
        return self.assembly.offsets[-1]

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
        motions = [
            self.situation.motions[p] for j in self.chain.joints for p in j.followers
        ]
        return self._seen.noise(self.facts[0], self.h, motions)

    @property
    def floor(self) -> float:
        """One newton over the scale."""
        return self.probe.floor / self.facts[0]

    @property
    def symmetric(self) -> bool:
        """I + M_F G_L is not."""
        return False

    @property
    def affine(self) -> bool:
        """Whether one correction is exact."""
        return self.assembly.affine

    @property
    def once(self) -> bool:
        """Whether one sweep is all: the force is extrapolated."""
        return bool(self.scheme.extrapolate)

    @property
    def labels(self) -> tuple[str, ...]:
        """`A.Fx` and so on."""
        return tuple(
            f"{c.name}.{f}" for c in self.assembly.connections for f in c.components
        )

    @property
    def warnings(self) -> tuple[str, ...]:
        """Where theory says that one pass is unstable."""
        ratio = self.facts[2]
        if not ratio > self.scheme.limit:
            return ()
        return (
            f"X-T coupling, {self.scheme.name}: the followers have {ratio:.3g} times "
            "the leaders' inertia, and one pass is unstable above "
            f"{self.scheme.limit:.3g}; iterate (newmark/f), or turn the joints round.",
        )

    def sweep(self, z: Vector) -> Sweep | Rejected:
        """Leaders under the force `z`, then followers along their motion."""
        answered = self._run(z)
        if isinstance(answered, Rejected):
            return answered
        advances, price = answered
        asked = self.chain.forces(advances)
        self._seen.see([asked, self.facts[0] * z])
        residual = z - asked / self.facts[0]
        if not isfinite(residual @ residual):
            return blame(self.assembly, advances, self.window)
        spent = self._answers.spent
        return Sweep(residual, advances, price, scheme=self.scheme.name, spent=spent)

    def lag(self, z: Vector, done: Sweep) -> tuple[float, float]:
        """How far the force the leaders felt is from the one asked for, in newtons."""
        off, asked = np.abs(done.residual), np.abs(z - done.residual)
        largest = max(np.abs(z).max(initial=0.0), asked.max(initial=0.0))
        return self.facts[0] * float(off.max(initial=0.0)), self.facts[0] * largest

    def _run(self, z: Vector) -> tuple[dict[str, Advance[Any]], int] | Rejected:
        inputs, advances, price = self._loads(z), dict[str, Advance[Any]](), 0
        for rank in self.chain.ranks:
            done = self._answers.ask(inputs, rank)
            if isinstance(done, Rejected):
                return done
            advances.update(done[0])
            price += done[1]
            self._lead(rank, advances, inputs)
        followers = [p for j in self.chain.joints for p in j.followers]
        told = {p: inputs[p.part][p.port] for p in followers}
        require_followed(self.assembly, advances, told, self.window)
        return {n: advances[n] for n in self.assembly.parts}, price

    def _loads(self, z: Vector) -> dict[str, dict[str, Signal]]:
        felt = self.facts[0] * z
        start = felt if self.before is None else self.before
        F = self.scheme.coefficients(start, felt)
        found: dict[str, dict[str, Signal]] = {n: {} for n in self.assembly.parts}
        for end, signal in self.situation.outside.items():
            found[end.part][end.port] = signal
        for joint, rows in zip(self.chain.joints, self.chain.rows, strict=True):
            over = _at_once(F[:, rows]) if self._instant(joint) else F[:, rows]
            for end, B in zip(joint.leaders, joint.loads, strict=True):
                load, ports = Signal(over @ B), found[end.part]
                known = ports.get(end.port)
                ports[end.port] = load if known is None else known + load
        return found

    def _lead(
        self,
        rank: Sequence[str],
        advances: Mapping[str, Advance[Any]],
        inputs: dict[str, dict[str, Signal]],
    ) -> None:
        """Tell the followers of the joints whose last leaders are in `rank`."""
        before = self.situation.motions
        for c, joint in zip(self.assembly.connections, self.chain.joints, strict=True):
            if not joint.completes(rank, advances):
                continue
            after = {e: motion_of(advances, e) for e in joint.leaders}
            gap = c.gap([before[end] for end in c.ends])
            back = ahead(joint, gap, self._one_step(joint), self.h)
            for end, path in lead(joint, before, after, back, self.h).items():
                inputs[end.part][end.port] = path

    def _instant(self, joint: Leading) -> bool:
        """Whether all its parts mean by a force the one of their step's balance."""
        ends, parts = (*joint.leaders, *joint.followers), self.assembly.parts
        return all(parts[e.part].capabilities.one_step for e in ends)

    def _one_step(self, joint: Leading) -> list[PortRef]:
        parts = self.assembly.parts
        return [p for p in joint.followers if parts[p.part].capabilities.one_step]

    def forecast(self, z: Vector) -> Vector:
        """Nothing to correct: the force of one pass is an extrapolation."""
        if not self.scheme.extrapolate:
            raise SettingError(
                f"X-T coupling, scheme {self.scheme.name}",
                "it must be iterated: in one pass its force would lag behind.",
                "Use linear/explicit or hold/explicit in one pass, or an iteration.",
            )
        return np.zeros(self.size)

    def slope(self, z: Vector, here: Sweep) -> Slope | Rejected:
        """∂residual/∂F, from leaders to followers."""
        inputs = self._loads(z)
        for rank in self.chain.ranks:
            self._lead(rank, here.advances, inputs)
        step = self.probe.epsilon * max(float(np.abs(z).max()), self.floor)
        asked = self.assembly, self.situation, self.window
        tangents = Tangents(*asked, step, self._answers.spent)
        shown: dict[PortRef, Block] = {}
        price = 0
        for name in (n for rank in self.chain.ranks for n in rank):
            moved = self._moved(name, shown, here.advances)
            if not moved:
                continue
            got = tangents.respond(name, inputs[name], here.advances[name], moved)
            if isinstance(got, Rejected):
                return got
            shown.update({PortRef(name, p): block for p, block in got[0].items()})
            price += got[1]
        return Slope(self._assemble(shown), price)

    def _moved(
        self,
        name: str,
        shown: Mapping[PortRef, Block],
        advances: Mapping[str, Advance[Any]],
    ) -> dict[str, Block]:
        """∂(inputs of one part)/∂F."""
        found: dict[str, Block] = {}
        shape = np.array(self.scheme.shape)
        rising = self.facts[0] * (
            shape.sum(axis=1) if self.before is None else shape[:, 1]
        )
        for joint, rows in zip(self.chain.joints, self.chain.rows, strict=True):
            ramp = _at_once(rising) if self._instant(joint) else rising
            for end, B in zip(joint.leaders, joint.loads, strict=True):
                if end.part == name:
                    change = np.zeros((len(ramp), B.shape[1], self.size))
                    change[:, :, rows] = ramp[:, None, None] * B.T
                    found[end.port] = found.get(end.port, 0.0) + change
            for end, where in joint.where.items():
                if end.part == name:
                    went = np.concatenate([shown[e] for e in joint.leaders], axis=1)
                    path = leads(self.h, self._sharp(joint, advances))
                    change = np.einsum("kl,ab,lbm->kam", path, joint.K[where], went)
                    found[end.port] = change
        return found

    def _sharp(self, joint: Leading, advances: Mapping[str, Advance[Any]]) -> bool:
        before, after = self.situation.motions, advances
        return all(
            before[e].a is not None and motion_of(after, e).a is not None
            for e in joint.leaders
        )

    def _assemble(self, shown: Mapping[PortRef, Block]) -> Matrix:
        J = np.eye(self.size)
        for joint, rows in zip(self.chain.joints, self.chain.rows, strict=True):
            df = np.concatenate([shown[e][0] for e in joint.followers])
            J[rows] -= joint.inverse.T @ df / self.facts[0]
        return J


def _at_once(coefficients: Matrix) -> Matrix:
    """What they add up to at t₁, over the whole window."""
    held = np.zeros_like(coefficients)
    held[0] = coefficients.sum(axis=0)
    return held
