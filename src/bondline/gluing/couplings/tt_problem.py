"""The interface problem of T-T coupling on one window."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bondline.core import (
    Advance,
    Assembly,
    Flexibility,
    Gap,
    Matrix,
    Port,
    PortRef,
    Rejected,
    Signal,
    Situation,
    Slope,
    Sweep,
    There,
    Vector,
    Window,
)
from bondline.gluing.couplings.blame import blame
from bondline.gluing.couplings.laws import Laws
from bondline.gluing.couplings.probing import Probe, flexibility, solves
from bondline.gluing.couplings.schemes import Scheme
from bondline.gluing.couplings.spending import Spent, spend
from bondline.gluing.couplings.superposed import Superposed
from bondline.gluing.couplings.tt_slope import assemble
from bondline.gluing.crew import advance_all
from bondline.gluing.gaps import look, shown_at, utmost
from bondline.gluing.leverage import Levers
from bondline.gluing.loading import loads
from bondline.gluing.repeating import repeated

_EPS = float(np.finfo(np.float64).eps)


@dataclass(frozen=True)
class TTProblem:
    """e(F) = 0 over `window`; `last` is the force at its start.

    Where every part answers by superposition, each is advanced once, without joint
    forces; sweeps then only add what the forces do.
    """

    scheme: Scheme
    probe: Probe
    assembly: Assembly
    situation: Situation
    window: Window
    last: Vector
    levers: Levers
    laws: Laws | None

    @property
    def size(self) -> int:
        """Unknowns in all."""
        return self.scheme.unknowns * len(self.last)

    @cached_property
    def h(self) -> float:
        """Length of the window.

        t₁ − t₀ wobbles in its last digits along a uniform grid. What is found once for
        a length must not depend on the window that happened to ask first.
        """
        return self.window.nominal

    @cached_property
    def noise(self) -> float:
        """A few units in the last place of the positions at the joints."""
        return 16.0 * _EPS * self._distance

    @property
    def reach(self) -> float:
        """How far the joints are from where they rest, and go within the window."""
        return self._distance + self.h * utmost(self.situation.motions, 1)

    @cached_property
    def _distance(self) -> float:
        return utmost(self.situation.motions, 0)

    @property
    def floor(self) -> float:
        """One newton."""
        return self.probe.floor

    @property
    def stretch(self) -> int:
        """A force moves a free body by h² f / 2m, and all conditions are lengths."""
        return 2

    @property
    def symmetric(self) -> bool:
        """With one condition a joint, ∂e/∂F = Σ B G Bᵀ; where B turns, it is not."""
        constant = all(c.constant for c in self.assembly.connections)
        return constant and self.scheme.unknowns == 1 and self.laws is None

    @property
    def affine(self) -> bool:
        """Whether one correction is exact."""
        return self.assembly.affine

    @property
    def labels(self) -> tuple[str, ...]:
        """`A.Fx` and so on, once for each unknown vector."""
        names = [
            f"{c.name}.{f}" for c in self.assembly.connections for f in c.components
        ]
        return tuple(names * self.scheme.unknowns)

    def sweep(self, z: Vector) -> Sweep | Rejected:
        """Advance every part under the forces `z`, wang2003 Algorithm 3, step 4."""
        if self.assembly.superposes:
            return self._superpose(z)
        advances = advance_all(
            self.assembly, self.situation.states, self.window, self.inputs(z)
        )
        if isinstance(advances, Rejected):
            return advances
        price = sum(solves(a) for a in advances.values())
        for name, done in advances.items():
            spend(self.spent, name, done)
        return self.swept(z, advances, price)

    @cached_property
    def spent(self) -> Spent:
        """By parts that are advanced, in all sweeps and probes so far."""
        return {}

    def swept(
        self, z: Vector, advances: Mapping[str, Advance[Any]], price: int
    ) -> Sweep | Rejected:
        """The scheme's conditions on e, e', e'' at t₁; or whose answer is no number."""
        there = look(self.assembly, shown_at(self.assembly, advances))
        return self.judged(self._conditions(z, there.gap), advances, there, price)

    def judged(
        self,
        residual: Vector,
        advances: Mapping[str, Advance[Any]],
        there: There,
        price: int = 0,
    ) -> Sweep | Rejected:
        """A sweep that leaves such a residual; or whose answer is no number."""
        if not np.isfinite(residual @ residual):
            return blame(self.assembly, advances, self.window)
        return Sweep(residual, advances, price, there, spent=self.spent)

    def repeated(self) -> int | None:
        """Of all unknown vectors of the scheme."""
        motions = {end: self.situation.motions[end] for end in self.assembly.ends}
        states, t = self.situation.states, self.window.t0
        found = repeated(self.assembly, states, motions, t, self.h)
        return None if found is None else self.scheme.unknowns * found

    def forecast(self, z: Vector) -> Vector:
        """The conditions at t₁ if every acceleration stayed as it was at t₀."""
        e, v, a = self._gap_before
        bend = np.zeros_like(e) if a is None else self.h * a
        return self._conditions(z, (e + self.h * (v + 0.5 * bend), v + bend, a))

    def slope(self, z: Vector, here: Sweep) -> Slope | Rejected:
        """∂e/∂F = Σ Bᵢ Gⁱ Cᵢ, wang2003 (12)-(14), part by part."""
        G = self.flexibilities(z, here)
        if isinstance(G, Rejected):
            return G
        J = assemble(self.assembly, self.scheme, self.levers, G, self.weights)
        if self.laws is not None:
            self.laws.slope(J, self.h, len(self.last))
        return Slope(J, sum(g.solves for g in G.values()))

    @cached_property
    def weights(self) -> NDArray[np.float64]:
        """∂residual/∂(e, e', e''), as `assemble` wants them."""
        W = self.scheme.weights(self.h)
        if self.laws is None:
            return W
        every = np.repeat(W[:, :, None], len(self.last), axis=2)
        every[:, :, self.laws.where] = self.laws.weights(self.h)
        return every

    def flexibilities(
        self, z: Vector, here: Sweep
    ) -> Mapping[str, Flexibility] | Rejected:
        """Gⁱ of every part: from the part itself if it knows, else by probing."""
        if self.assembly.superposes:
            return self.superposed.flexibilities()
        known = self._memo.get(z.tobytes())
        if known is None:
            known = self._memo[z.tobytes()] = self._probe(z, here)
        return known

    @cached_property
    def _memo(self) -> dict[bytes, Mapping[str, Flexibility] | Rejected]:
        return {}

    def _probe(self, z: Vector, here: Sweep) -> Mapping[str, Flexibility] | Rejected:
        inputs = self.inputs(z)
        jobs = [
            partial(self._flexibility, n, inputs[n], here.advances[n])
            for n in self.assembly.parts
        ]
        done = self.assembly.crew.call(jobs)
        found = dict(zip(self.assembly.parts, done, strict=True))
        wrong = [G for G in found.values() if isinstance(G, Rejected)]
        if wrong:
            return wrong[0]
        return {n: G for n, G in found.items() if isinstance(G, Flexibility)}

    def _flexibility(
        self, name: str, inputs: Mapping[str, Signal], base: Advance[Any]
    ) -> Flexibility | Rejected:
        args = (self.situation.states[name], self.window, inputs)
        knows = self.assembly.linearising.get(name)
        if knows is not None:
            return knows.linearise(*args)
        ports = dict.fromkeys(p for p, _, _ in self.assembly.places[name])
        part = self.assembly.parts[name]
        pushed = {p: f for p, f in inputs.items() if isinstance(part.ports[p], Port)}
        ports |= dict.fromkeys(pushed)
        powers = max((len(f.coefficients) for f in pushed.values()), default=0)
        places = (tuple(ports), powers)
        return flexibility(part, args, base, places, self.probe, self.spent)

    def inputs(self, z: Vector) -> dict[str, Mapping[str, Signal]]:
        """What every port is told."""
        return loads(
            self.assembly, self.levers, self._forces(z), self.situation.outside
        )

    def _forces(self, z: Vector) -> Matrix:
        return self.scheme.coefficients(z, self.last)

    @cached_property
    def superposed(self) -> Superposed:
        """The parts, where all of them answer by superposition."""
        return Superposed(self.assembly, self.situation, self.window, self.levers)

    def free(self) -> Sweep | Rejected:
        """Every part without joint forces; their energy is not counted."""
        price = self.superposed.paid()
        if isinstance(price, Rejected):
            return price
        return self.swept(np.zeros(self.size), self.superposed.free(), price)

    def _superpose(self, z: Vector) -> Sweep | Rejected:
        price = self.superposed.paid()
        if isinstance(price, Rejected):
            return price
        advances = self.realise(z, {})
        if isinstance(advances, Rejected):
            return advances
        return self.swept(z, advances, price)

    def realise(
        self, z: Vector, more: Mapping[PortRef, Signal]
    ) -> Mapping[str, Advance[Any]] | Rejected:
        """Every part under the joint forces `z`, and more loads from outside."""
        return self.superposed.realise(self._forces(z), more)

    @cached_property
    def _gap_before(self) -> Gap:
        return look(self.assembly, self.situation.motions).gap

    def _conditions(self, z: Vector, gap: Gap) -> Vector:
        """One after the other."""
        (e, e_rate, e_rate2), scheme = gap, self.scheme
        if scheme.positions_only and self.laws is None:
            return e
        levels = [e, e_rate] if e_rate2 is None else [e, e_rate, e_rate2]
        W = scheme.weights(self.h) if self.laws is not None else self.weights
        residual = W[:, : len(levels)] @ np.array(levels)
        if self.laws is not None:
            e0, v0, _ = self._gap_before
            path = np.stack([e0, self.h * v0, e, self.h * e_rate])
            law = self.laws.residual(path, self._forces(z), self.h)
            residual[:, self.laws.where] = law
        flat: Vector = residual.ravel()
        return flat
