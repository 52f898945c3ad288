"""Linear structures that answer windows of one step together.

Every number is what each would give by itself: see `one_step`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from bondline.core import (
    Advance,
    Energy,
    Flexibility,
    Freed,
    Hands,
    Landed,
    Motions,
    PortRef,
    Response,
    States,
    Vector,
    Window,
)
from bondline.leaves.guard import numbers
from bondline.leaves.one_step import Leap, OneStep
from bondline.leaves.stepping import POWERS, Stepping
from bondline.numerics.fused import FusedLanding
from bondline.numerics.fused_team import FusedTeam

_LENGTHS = 8  # of windows that are kept: adaptive ones must not fill the memory


class Member(Protocol):
    """What a team must know of a structure."""

    @property
    def steps(self) -> int:
        """Of a window."""
        ...

    @property
    def external(self) -> Callable[[float], Vector] | None:
        """Loads of its own."""
        ...

    def stepping(self, h: float) -> Stepping:
        """Its steps of one length."""
        ...

    def own_loads(self, window: Window) -> Sequence[Vector]:
        """These where a window starts and after every step."""
        ...


class Way(NamedTuple):
    """How one part takes a window, and where its numbers, and its forces, begin."""

    stepping: Stepping
    one_step: OneStep
    place: int
    at: slice
    told: int


@dataclass(frozen=True, eq=False)
class StructureTeam:
    """All parts of an assembly; `places` has their ports, part by part."""

    parts: Mapping[str, Member]
    places: Mapping[PortRef, slice]

    def respond(
        self, states: Mapping[str, Any], window: Window, hands: Hands
    ) -> Freed | None:
        """One step of each, if all of them are one call."""
        together = self._together(window)
        if together is None:
            return None
        own = {n: part.own_loads(window) for n, part in self._loaded.items()}
        return together.leap(states, own, hands)

    def realise(self, answered: Freed, told: Vector, hands: Hands) -> Landed:
        """What the forces add: no step."""
        leapt: Leapt = answered.inside
        return leapt.together.land(leapt, told, hands)

    @cached_property
    def _loaded(self) -> Mapping[str, Member]:
        return {n: p for n, p in self.parts.items() if p.external is not None}

    @cached_property
    def _kept(self) -> dict[float, Together | None]:
        return {}

    def _together(self, window: Window) -> Together | None:
        """For windows of one length, found once."""
        kept, h = self._kept, window.nominal
        if h not in kept:
            if len(kept) >= _LENGTHS:
                kept.clear()
            kept[h] = self._found(h)
        return kept[h]

    def _found(self, h: float) -> Together | None:
        ways, at = dict[str, Way](), 0
        for place, (name, part) in enumerate(self.parts.items()):
            stepping = part.stepping(h / part.steps)
            one_step, told = stepping.one_step, self._begin(name)
            if one_step is None or told is None or one_step.newmark.fused is None:
                return None
            if self._from(name, told) != one_step.places:
                return None
            size = 3 * one_step.newmark.system.M.shape[0]
            own = slice(at, at + size)
            ways[name], at = Way(stepping, one_step, place, own, told), own.stop
        return Together(ways, self.places)

    def _begin(self, name: str) -> int | None:
        """Where the ports of a part begin; None if it has none."""
        own = [at.start for end, at in self.places.items() if end.part == name]
        return min(own, default=None)

    def _from(self, name: str, first: int) -> dict[str, slice]:
        """Where they are as the part itself counts, if they stand as they do there."""
        return {
            end.port: slice(at.start - first, at.stop - first)
            for end, at in self.places.items()
            if end.part == name
        }


class Leapt(NamedTuple):
    """Where all parts began and ended; and the loads of those that have some."""

    together: Together
    before: Vector
    after: Vector
    own: Mapping[str, Sequence[Vector]]

    def leap(self, name: str) -> Leap:
        """That of one part."""
        way = self.together.ways[name]
        before, after = (y[way.at].reshape(3, -1) for y in (self.before, self.after))
        return Leap(way.one_step, before, after, self.own.get(name))

    def response(self, name: str) -> Response:
        """What one part answers."""
        leap = self.leap(name)
        free = leap.one_step.shown(leap.after, 1)
        return Response(free, self.together.G[name], leap)


@dataclass(frozen=True, eq=False)
class Together:
    """Windows of one length of all parts."""

    ways: Mapping[str, Way]
    places: Mapping[PortRef, slice]

    @cached_property
    def G(self) -> Mapping[str, Flexibility]:
        """What a unit of each force does to each part."""
        return {n: w.stepping.flexibility(POWERS) for n, w in self.ways.items()}

    @cached_property
    def _names(self) -> tuple[str, ...]:
        return tuple(self.ways)

    @cached_property
    def _cuts(self) -> Mapping[str, slice]:
        return {n: way.at for n, way in self.ways.items()}

    @cached_property
    def _team(self) -> FusedTeam:
        ways = self.ways.values()
        fused = [way.one_step.newmark.fused for way in ways]
        steps = [step for step in fused if step is not None]

        def landings() -> Sequence[FusedLanding]:
            return [way.one_step.landing for way in ways]

        return FusedTeam(steps, landings, [way.told for way in ways])

    @cached_property
    def _levels(self) -> NDArray[np.intp]:
        """Where x, v and a of all ports are among the numbers of all parts."""
        width = max(at.stop for at in self.places.values())
        found = np.empty((3, width), dtype=np.intp)
        for way in self.ways.values():
            n, dofs = (way.at.stop - way.at.start) // 3, way.one_step.dofs
            rows = way.at.start + n * np.arange(3)[:, None] + dofs
            found[:, way.told : way.told + len(dofs)] = rows
        return found

    def _shown(self, now: Vector) -> Motions[PortRef]:
        return Motions(self.places, now.take(self._levels))

    def leap(
        self,
        states: Mapping[str, Any],
        own: Mapping[str, Sequence[Vector]],
        hands: Hands,
    ) -> Freed | None:
        """A step of each; None where one of them runs away."""
        before = self._gathered(states)
        loads = {
            self.ways[n].place: np.ascontiguousarray(f[-1], np.float64)
            for n, f in own.items()
        }
        after = self._team.step(before, loads, hands)
        if not numbers(after):
            return None
        leapt = Leapt(self, before, after, own)
        shown = self._shown(after)
        return Freed(self._names, leapt.response, shown, self.G, leapt)

    def _gathered(self, states: Mapping[str, Any]) -> Vector:
        """The states in one array; as they are, where they come from here."""
        if isinstance(states, States) and states.places == self._cuts:
            return states.whole
        return np.concatenate([states[n] for n in self._names])

    def land(self, leapt: Leapt, told: Vector, hands: Hands) -> Landed:
        """The ends of the steps under forces on all ports."""
        _, before, without, own = leapt
        after, forms = self._team.land(before, without, told, hands)
        strain, kinetic, damped = forms.T
        h = next(iter(self.ways.values())).one_step.newmark.h
        stored, lost = (strain + kinetic).tolist(), (2.0 * h * damped).tolist()
        supplied = [0.0] * len(stored)
        for n, loads in own.items():
            way, k = self.ways[n], self.ways[n].place
            ends = before[way.at].reshape(3, -1), after[way.at].reshape(3, -1)
            done = way.one_step.loaded(Energy(stored[k], lost[k]), ends, loads)
            lost[k], supplied[k] = done.dissipated, done.supplied
        states, energies = States(self._cuts, after), (stored, lost, supplied)

        def advance(name: str) -> Advance[Vector]:
            way = self.ways[name]
            energy = Energy(*(each[way.place] for each in energies))
            return way.one_step.shown(states[name].reshape(3, -1), 0, energy)

        shown = self._shown(after)
        return Landed(self._names, advance, shown, states, energies, self._stats)

    @cached_property
    def _stats(self) -> Mapping[str, float]:
        return {f"{n}.solves": 0 for n in self.ways}
