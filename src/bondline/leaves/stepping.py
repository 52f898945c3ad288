"""The windows of one length of a linear structure: paths and unit responses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bondline.core import Flexibility, Matrix, Signal, Vector
from bondline.leaves.one_step import Leap, OneStep
from bondline.leaves.selection import Selection
from bondline.leaves.terminals import Terminals
from bondline.numerics import Kinematics, Newmark

Block: TypeAlias = NDArray[np.float64]
"""Levels x, v, a × dofs, and columns where there are several cases."""

POWERS = 6  # coefficients of a signal that responses are prepared for: a quintic


class Path(NamedTuple):
    """Where a structure was at the start and after every step, and its last efforts.

    `own` are its own loads at the same instants.
    """

    points: Sequence[Kinematics]
    efforts: Vector
    own: Sequence[Vector]

    def plus(self, change: Path) -> Path:
        """Both together; a change has no loads of its own."""
        each = zip(self.points, change.points, strict=True)
        points = [Kinematics(*map(np.add, *both)) for both in each]
        return Path(points, self.efforts + change.efforts, self.own)


class Units(NamedTuple):
    """Responses to a unit of every coefficient: one column each."""

    first: Matrix | None  # accelerations where the window starts, if they are new
    accelerations: Sequence[Matrix]  # after every step
    efforts: Matrix
    end: Kinematics


@dataclass(frozen=True, eq=False)
class Stepping:
    """Newmark's method for one length of window, and what it is asked over and over.

    `still` is the method with steps of no length: M alone.
    """

    newmark: Newmark
    still: Newmark
    ends: Terminals
    steps: int
    _kept: dict[int, Units] = field(default_factory=dict)
    _shown: dict[int, Flexibility] = field(default_factory=dict)
    _known: dict[tuple[int, int], Matrix] = field(default_factory=dict)

    @property
    def picks(self) -> Mapping[str, Selection]:
        """All ports."""
        return self.ends.picks

    @property
    def led(self) -> Mapping[str, slice]:
        """Those that take motion, and where they are among the dofs that are held."""
        return self.ends.rows

    @cached_property
    def one_step(self) -> OneStep | None:
        """Its windows in a few compiled calls, where nothing stands against it."""
        halves, dofs = self.newmark.halves, self.ends.plain
        rule = self.steps == 1 and self.newmark.method.is_trapezoidal
        if halves is None or dofs is None or not rule:
            return None

        def units() -> Matrix:
            return self.units(1).accelerations[0]

        return OneStep(self.newmark, halves, self.ends.pushed, dofs, units)

    def walk(
        self, state: Vector, own: Sequence[Vector] | None, inputs: Mapping[str, Signal]
    ) -> Way:
        """Through a window, in one compiled step where that can be."""
        if self.one_step is not None:
            return self.one_step.leap(state, own, inputs)
        now = Kinematics(*state.reshape(3, -1))
        if own is None:
            own = [np.zeros_like(now.u)] * (self.steps + 1)
        return Travel(self, self.travel(now, own, inputs))

    def travel(
        self, now: Kinematics, own: Sequence[Vector], inputs: Mapping[str, Signal]
    ) -> Path:
        """Take all steps of a window under own loads and inputs."""
        if self.steps > 1:
            now = self._renew(now, *self._given(now, own, inputs, 0))
        points, efforts = [now], now.u[:0]
        for k in range(1, self.steps + 1):
            now, efforts = self._take(now, *self._given(points[0], own, inputs, k))
            points.append(now)
        return Path(points, efforts, own)

    def coast(self, now: Kinematics) -> Kinematics:
        """A window under no load, the held dofs at rest; columns are allowed."""
        none = np.zeros_like(now.u)
        told = np.zeros((3, len(self.newmark.held), *now.u.shape[1:]))
        if self.steps > 1:
            now = self._renew(now, none, told)
        for _ in range(self.steps):
            now, _efforts = self._take(now, none, told)
        return now

    def _given(
        self,
        start: Kinematics,
        own: Sequence[Vector],
        inputs: Mapping[str, Signal],
        k: int,
    ) -> tuple[Vector, Block]:
        """The loads after step k, and what the held dofs are told: to stay, if not."""
        f, told = self._own(own, k), np.zeros((3, len(self.newmark.held)))
        if told.size:
            told[0] = start.u[self.newmark.held]
        for port, signal in inputs.items():
            self._apply(f, told, port, self._felt(port, signal, k))
        return f, told

    def _own(self, own: Sequence[Vector], k: int) -> Vector:
        """The own load of step k at the instant of the method's balance."""
        late = self.newmark.method.alpha_f
        return (1.0 - late) * own[k] + late * own[k - 1] if late else own[k].copy()

    def _renew(self, now: Kinematics, f: Vector, told: Block) -> Kinematics:
        """Where a window starts, with the acceleration under the window's own forces.

        Forces may jump there. With the acceleration of the window before, errors of a
        joint would grow, by 1.9 in every window of two steps. One step a window keeps
        the old one: it sees forces at t₁ only.
        """
        u, v, _ = now
        f = f - self.newmark.inner(u, v)
        return Kinematics(u, v, self.still.accelerate(f, told[2])[0])

    def _take(
        self, now: Kinematics, f: Matrix, told: Block
    ) -> tuple[Kinematics, Matrix]:
        """One step; as the only one of a window it is told positions, else all."""
        if self.steps == 1:
            return self.newmark.follow(now, f, told[0])
        return self.newmark.lead(now, f, told)

    def _felt(self, port: str, signal: Signal, k: int) -> Block:
        """What a port feels after step k: a force or position, or x, v and a."""
        if self.steps == 1 and port not in self.led:
            return self._balanced(signal)[None]
        if self.steps == 1 or port not in self.led:
            return signal.at(k / self.steps)[None]
        c = signal.coefficients
        return self._rates(k, len(c)) @ c

    def _balanced(self, signal: Signal) -> Vector:
        """A force at the instant of the balance, on the line through both its ends.

        A joint that tells one number for the window means it there. One that goes on
        from F₀ means F₁ at t₁: felt too early, it would feed energy into springs.
        """
        late = self.newmark.method.alpha_f
        if not late or not signal.degree:
            return signal.end
        return (1.0 - late) * signal.end + late * signal.at(0.0)

    def _rates(self, k: int, powers: int) -> Matrix:
        """(x, v, a) × sⁱ after step k: turns coefficients into values."""
        found = self._known.get((k, powers))
        if found is None:
            s, i, h = k / self.steps, np.arange(powers), self.steps * self.newmark.h
            v = i * s ** np.maximum(i - 1, 0) / h
            a = i * (i - 1) * s ** np.maximum(i - 2, 0) / h**2
            found = self._known[k, powers] = np.stack([s**i, v, a])
        return found

    def _apply(self, f: Matrix, told: Block, port: str, levels: Block) -> None:
        """Add a force to the loads, or say how a port that takes motion moves."""
        if port in self.led:
            told[:, self.led[port]] = levels
        else:
            self.picks[port].add(f, levels[0])

    def retrace(self, path: Path, inputs: Mapping[str, Signal]) -> Path:
        """The path under additional inputs: a sum of unit responses, no solve."""
        if self.steps == 1:
            return self._shifted(path, inputs)
        powers = max([POWERS, *(s.degree + 1 for s in inputs.values())])
        units, z = self.units(powers), self._amounts(inputs, powers)
        now = path.points[0]
        if units.first is not None:
            now = now._replace(a=now.a + units.first @ z)
        points = [now]
        for k, A in enumerate(units.accelerations, start=1):
            before = path.points[k]
            now = self.newmark.correct(self.newmark.predict(now), before.a + A @ z)
            self._lead(now, before, k, inputs)
            points.append(now)
        return Path(points, path.efforts + units.efforts @ z, path.own)

    def _shifted(self, path: Path, inputs: Mapping[str, Signal]) -> Path:
        """The same for one step, which sees one value: (33) without ũ and ṽ."""
        units, (start, (u, v, a)) = self.units(1), path.points
        ends = [
            self._felt(port, inputs[port], 1)[0]
            if port in inputs
            else np.zeros(pick.size)
            for port, pick in self.picks.items()
        ]
        z = np.concatenate(ends)
        more, (to_u, to_v, _) = units.accelerations[0] @ z, self.newmark.response
        now = Kinematics(u + to_u * more, v + to_v * more, a + more)
        efforts = path.efforts
        if efforts.size:
            efforts = efforts + units.efforts @ z
        return Path((start, now), efforts, path.own)

    def _lead(
        self, now: Kinematics, before: Kinematics, k: int, inputs: Mapping[str, Signal]
    ) -> None:
        """Put the held dofs where they are told to be: Eq. (33) does not lead there."""
        for port in self.led:
            dofs = self.newmark.held[self.led[port]]
            more = self._felt(port, inputs[port], k) if port in inputs else np.zeros(3)
            for y, known, change in zip(now, before, more, strict=True):
                y[dofs] = known[dofs] + change

    def _amounts(self, inputs: Mapping[str, Signal], powers: int) -> Vector:
        """How much of each unit response: the coefficients, in the units' order."""
        z, at = np.zeros(powers * sum(p.size for p in self.picks.values())), 0
        for port, pick in self.picks.items():
            signal = inputs.get(port)
            if signal is not None:
                rows = signal.coefficients
                z[at : at + rows.size] = rows.ravel()
            at += powers * pick.size
        return z

    def units(self, powers: int) -> Units:
        """Responses to every sᵏ on every port dof, from rest, all at once.

        One step sees one value only: one column a dof serves all powers.
        """
        if self.steps == 1:
            powers = 1
        if powers not in self._kept:
            self._kept[powers] = self._respond(powers)
        return self._kept[powers]

    def _respond(self, powers: int) -> Units:
        n, held = self.newmark.system.M.shape[0], len(self.newmark.held)
        columns = powers * sum(pick.size for pick in self.picks.values())
        now, first = Kinematics(*np.zeros((3, n, columns))), None
        if self.steps > 1:
            f, told = self._unit_inputs(0, powers, columns)
            first, _ = self.still.accelerate(f, told[2])
            now = now._replace(a=first)
        accelerations, efforts = [], np.zeros((held, columns))
        for k in range(1, self.steps + 1):
            now, efforts = self._take(now, *self._unit_inputs(k, powers, columns))
            accelerations.append(now.a)
        return Units(first, accelerations, efforts, now)

    def _unit_inputs(self, k: int, powers: int, columns: int) -> tuple[Matrix, Block]:
        """A unit of every coefficient after step k: forces, and what dofs are told."""
        n, held = self.newmark.system.M.shape[0], len(self.newmark.held)
        f, told, at = np.zeros((n, columns)), np.zeros((3, held, columns)), 0
        rates = self._rates(k, powers)
        for port, pick in self.picks.items():
            for power in range(powers):
                here = slice(at, at + pick.size)
                unit = rates[:, power, None, None] * np.eye(pick.size)
                self._apply(f[:, here], told[:, :, here], port, unit)
                at += pick.size
        return f, told

    def flexibility(self, powers: int) -> Flexibility:
        """G over the first `powers` coefficients; asked again, the same object."""
        if powers not in self._shown:
            self._shown[powers] = self._flexibility(powers)
        return self._shown[powers]

    def _flexibility(self, powers: int) -> Flexibility:
        units, blocks = self.units(powers), {}
        each, at = 1 if self.steps == 1 else powers, 0
        for port, pick in self.picks.items():
            here = slice(at, at + each * pick.size)
            at = here.stop
            for out in self.picks:
                levels = self._levels(units, out, here)
                grid = levels.reshape(*levels.shape[:2], each, pick.size)
                wide = np.broadcast_to(grid, (*grid.shape[:2], powers, pick.size))
                blocks[out, port] = self.shared(wide, port)
        return Flexibility(blocks, at)

    def shared(self, wide: Matrix, port: str) -> Matrix:
        """With what is felt of each power by one step: of those that rise, less.

        The powers are the axis before the last one.
        """
        late = self.newmark.method.alpha_f if self.steps == 1 else 0.0
        if not late or port in self.led or wide.shape[-2] == 1:
            return wide
        share = np.full(wide.shape[-2], 1.0 - late)
        share[0] = 1.0
        return np.asarray(wide * share[:, None], dtype=np.float64)

    def _levels(self, units: Units, out: str, columns: slice) -> Matrix:
        """Levels x, v, a of a port; of one that takes motion, the effort alone."""
        if out in self.led:
            return units.efforts[self.led[out], columns][None]
        return np.stack([self.picks[out].show(y)[:, columns] for y in units.end])


class Travel(NamedTuple):
    """A window that was gone through, and with which steps."""

    stepping: Stepping
    path: Path

    @property
    def end(self) -> Vector:
        """The state after the last step."""
        return np.concatenate(self.path.points[-1])

    def plus(self, change: Travel) -> Travel:
        """Both together."""
        return self._replace(path=self.path.plus(change.path))


Way: TypeAlias = Leap | Travel
"""How a structure went through one window."""
