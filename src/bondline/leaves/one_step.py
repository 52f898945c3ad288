"""Windows of one step of a sparse structure, in a few compiled calls.

What its ports show, and what they are told, is one array: nobody picks it apart.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from bondline.core import Advance, Energy, Forces, Matrix, Motions, Signal, Vector
from bondline.leaves.flows import Flows
from bondline.leaves.selection import Dofs
from bondline.numerics import Kinematics, Newmark
from bondline.numerics.fused import FusedLanding
from bondline.numerics.halves import Halves


class Leap(NamedTuple):
    """Where a step began and ended, in rows u, v, a; and own loads at both ends."""

    one_step: OneStep
    before: Matrix
    after: Matrix
    own: Sequence[Vector] | None

    @property
    def end(self) -> Vector:
        """The state after the step."""
        return self.after.reshape(-1)

    def plus(self, change: Leap) -> Leap:
        """Both together; a change has no loads of its own."""
        before, after = self.before + change.before, self.after + change.after
        return self._replace(before=before, after=after)


@dataclass(frozen=True, eq=False)
class OneStep:
    """One step of the trapezoidal rule a window; all ports take force and show dofs.

    `places` says where the dofs of each port are in `dofs`; `units` finds what a unit
    of force on each of these does to accelerations.
    """

    newmark: Newmark
    halves: Halves
    places: Mapping[str, slice]
    dofs: Dofs
    units: Callable[[], Matrix]

    def leap(
        self,
        state: Vector,
        own: Sequence[Vector] | None,
        inputs: Mapping[str, Signal],
    ) -> Leap:
        """The step under own loads and inputs: the one solve of a window."""
        before = state.reshape(3, -1)
        f = None if own is None else np.ascontiguousarray(own[-1], np.float64)
        if inputs:
            f = np.zeros(before.shape[1]) if f is None else f.copy()
            np.add.at(f, self.dofs, self._told(inputs))  # ports may share dofs
        return Leap(self, before, self.newmark.leap(before, f), own)

    def land(
        self, leap: Leap, inputs: Mapping[str, Signal], solves: int
    ) -> Advance[Vector]:
        """The end of the step under additional inputs, with its energy: no step."""
        _, before, after, own = leap
        if inputs:
            after, forms = self.landing(before, after, self._told(inputs))
        else:
            forms = self.halves.energies(after[0], before[1], after[1])
        energy = self._flows.over(forms, self.newmark.h)
        if own is not None:
            energy = self.loaded(energy, (before, after), own)
        return self.shown(after, solves, energy)

    def loaded(
        self, energy: Energy, ends: tuple[Matrix, Matrix], own: Sequence[Vector]
    ) -> Energy:
        """With what loads of its own did between both ends."""
        before, after = ends
        points = Kinematics(*before), Kinematics(*after)
        return self._flows.loaded(energy, points, own)

    def shown(
        self, now: Matrix, solves: int, energy: Energy | None = None
    ) -> Advance[Vector]:
        """An end of a step."""
        outputs = Motions(self.places, now.take(self.dofs, axis=1))
        return Advance(now.reshape(-1), outputs, energy, {"solves": solves})

    @cached_property
    def _flows(self) -> Flows:
        return Flows(self.newmark.system, self.newmark.method, self.halves)

    @cached_property
    def landing(self) -> FusedLanding:
        """What forces on all ports add: by what reads less, the factor or the units."""
        to_u, to_v, _ = self.newmark.response
        step = self.newmark.fused
        if step is not None and step.band.reads < len(self.dofs):
            through = step.band, step.band.rows(self.dofs)
            return FusedLanding(self.halves, through, to_u, to_v)
        return FusedLanding(self.halves, np.asfortranarray(self.units()), to_u, to_v)

    def _told(self, inputs: Mapping[str, Signal]) -> Vector:
        """What all ports are told for t₁; nothing where they are not named."""
        if isinstance(inputs, Forces) and inputs.places == self.places:
            return inputs.end
        told = np.zeros(len(self.dofs))
        for port, signal in inputs.items():
            told[self.places[port]] = signal.end
        return told
