"""Statics of an integrated model: a composite rests as a leaf does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from bondline.core import (
    Advance,
    Energy,
    Flexibility,
    PortRef,
    Rejected,
    Vector,
)
from bondline.errors import SettingError
from bondline.gluing import ledger
from bondline.gluing.gaps import motion_of
from bondline.gluing.state import GluedState
from bondline.gluing.statics.asking import Load
from bondline.gluing.statics.dofs import Here
from bondline.gluing.statics.statics import Equilibrium, Statics


@dataclass(frozen=True, eq=False)
class GluedStatics:
    """Equilibria of a model, from and to its states; ports by their exported names."""

    statics: Statics

    def rest(
        self,
        state: GluedState,
        load_factor: float,
        inputs: Mapping[str, Vector],
        springs: Mapping[str, Vector],
    ) -> Advance[GluedState] | Rejected:
        """At rest under loads from inside and outside, and springs on exports."""
        try:
            acting = self._acting(load_factor, inputs, springs)
        except SettingError as error:
            return Rejected(self.statics.name, error.finding, error=error)
        found = self.statics.rest(self._here(state), acting)
        return found if isinstance(found, Rejected) else self.report(state, found)

    def compliance(
        self, state: GluedState, springs: Mapping[str, Vector]
    ) -> Flexibility | Rejected:
        """What a unit of each exported input does."""
        try:
            here = self._here(state)
        except SettingError as error:
            return Rejected(self.statics.name, error.finding, error=error)
        return self.statics.compliance(here, self._outside(springs))

    def chosen(self, state: GluedState) -> tuple[str, str]:
        """The method that is used, and why."""
        held = self.statics.chosen(self._here(state))
        if isinstance(held, Rejected):
            return self.statics.method, held.reason
        return held.method, held.why

    def step(
        self, state: GluedState, factors: tuple[float, float]
    ) -> Equilibrium | Rejected:
        """From rest under one share of the loads to rest under another."""
        start, end = (self._acting(factor, {}, {}) for factor in factors)
        return self.statics.follow(self._here(state), start, end)

    def report(self, state: GluedState, found: Equilibrium) -> Advance[GluedState]:
        """The state at rest; what the coupling and the solver remember stays."""
        motions = {r: motion_of(found.advances, r) for r in state.motions}
        forces = np.zeros_like(state.forces)
        forces[0] = found.forces
        states = {n: a.state for n, a in found.advances.items()}
        now = replace(state, parts=states, motions=motions, forces=forces)
        shown = {
            n: found.advances[r.part].outputs[r.port]
            for n, r in self.statics.exports.items()
            if r.port in found.advances[r.part].outputs
        }
        return Advance(now, shown, self._energy(found), found.stats, found.notes)

    def _energy(self, found: Equilibrium) -> Energy | None:
        gap = self.statics.seen.gap(found.p)
        return ledger.energy(found.advances, ledger.springs(self.statics.assembly, gap))

    def _acting(
        self, factor: float, inputs: Mapping[str, Vector], springs: Mapping[str, Vector]
    ) -> Load:
        return self.statics.acting(
            factor, self._outside(inputs), self._outside(springs)
        )

    def _outside(self, values: Mapping[str, Vector]) -> dict[PortRef, Vector]:
        return {self.statics.exports[n]: value for n, value in values.items()}

    def _here(self, state: GluedState) -> Here:
        p = self.statics.seen.spread({r: m.x for r, m in state.motions.items()})
        return Here(state.parts, p, state.forces.sum(axis=0))
