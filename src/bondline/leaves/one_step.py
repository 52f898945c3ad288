"""Windows of one step of a sparse structure, in a few compiled calls.

What its ports show, and what they are told, is one array: nobody picks it apart.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bondline.core import (
    Advance,
    Energy,
    ForceRows,
    Forces,
    Matrix,
    Motions,
    Signal,
    Vector,
)
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


class Leaps(NamedTuple):
    """Steps in a row: all points, in rows u, v, a; own loads at the ends of each."""

    one_step: OneStep
    path: NDArray[np.float64]  # points × levels × dofs
    own: Sequence[Sequence[Vector]] | None

    @property
    def end(self) -> Vector:
        """The state after the last step; it does not keep the others alive."""
        last: Vector = self.path[-1].reshape(-1).copy()
        return last

    def plus(self, change: Leaps) -> Leaps:
        """Both together; a change has no loads of its own."""
        return self._replace(path=self.path + change.path)

    def shown(self) -> list[Advance[Vector]]:
        """The ends of all steps, without their energies."""
        return self._advances([None] * (len(self.path) - 1))

    def landed(self) -> list[Advance[Vector]]:
        """The same with them."""
        return self._advances(self.one_step.energies(self.path, self.own))

    def _advances(self, energies: Sequence[Energy | None]) -> list[Advance[Vector]]:
        places, levels = self.one_step.places, self.path.take(self.one_step.dofs, 2)
        states = [*(point.reshape(-1) for point in self.path[1:-1]), self.end]
        every = zip(states, levels[1:], energies, strict=True)
        return [Advance(s, Motions(places, y), e, {"solves": 1}) for s, y, e in every]


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

    def row(
        self,
        state: Vector,
        own: Sequence[Sequence[Vector]] | None,
        told: Matrix | None,
        windows: int,
        exact: bool,
    ) -> Leaps | None:
        """Steps in one call, under own loads and what all ports are told, a row each.

        None where single steps are no single call, either.
        """
        fused = self.newmark.fused
        if fused is None:
            return None
        path = np.empty((windows + 1, 3, len(state) // 3))
        path[0] = state.reshape(3, -1)
        f = None if own is None else np.array([ends[-1] for ends in own], np.float64)
        z = None if told is None else np.ascontiguousarray(told)
        assert z is None or z.shape == (windows, len(self.dofs)), "a kernel reads them"
        fused.row(path, f, z, self._rows, exact)
        return Leaps(self, path, own)

    @cached_property
    def _rows(self) -> NDArray[np.intp]:
        """Where the dofs of all ports are in the factor."""
        assert self.newmark.fused is not None
        return self.newmark.fused.band.rows(self.dofs)

    def energies(
        self, path: NDArray[np.float64], own: Sequence[Sequence[Vector]] | None
    ) -> list[Energy]:
        """After every step of a path."""
        each, h = self.halves.energies_along(path), self.newmark.h
        found = [self._flows.over((s, k, d), h) for s, k, d in each]
        if own is None:
            return found
        every = zip(found, pairwise(path), own, strict=True)
        return [self.loaded(energy, ends, loads) for energy, ends, loads in every]

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

    def told(self, each: Sequence[Mapping[str, Signal]]) -> Matrix | None:
        """The same in every window, a row each; None where nothing is told in any."""
        if isinstance(each, ForceRows) and self.knows(each):
            rows = each.coefficients
            one = rows.shape[1] == 1
            return rows[:, 0] if one else np.array([told.end for told in each])
        return np.array([self._told(inputs) for inputs in each]) if any(each) else None

    def knows(self, inputs: object) -> bool:
        """Whether all ports are told something, each as many numbers as it has."""
        return isinstance(inputs, Forces | ForceRows) and inputs.places == self.places

    def _told(self, inputs: Mapping[str, Signal]) -> Vector:
        """What all ports are told for t₁; nothing where they are not named."""
        if isinstance(inputs, Forces) and inputs.places == self.places:
            return inputs.end
        told = np.zeros(len(self.dofs))
        for port, signal in inputs.items():
            told[self.places[port]] = signal.end
        return told
