"""A multibody mechanism as a leaf: compiled, integrated by its owner."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from math import ceil, ulp
from typing import ClassVar

import numpy as np

from bondline.core import (
    Advance,
    Capabilities,
    Energy,
    Flexibility,
    Matrix,
    Motion,
    Observation,
    Parameter,
    Port,
    Rejected,
    Signal,
    Vector,
    Window,
)
from bondline.errors import LeafFailed, UsageError
from bondline.leaves.kinks import inside
from bondline.leaves.loads import check_forces, check_inputs
from bondline.leaves.mbd.drawing import lines
from bondline.leaves.mbd.driving import (
    Spot,
    compiled,
    goes_on,
    loads_of,
    pressed,
    quickest,
    shortened,
    tried,
    unsuited,
)
from bondline.leaves.mbd.integration import NEAR, SPECTRUM, stepper
from bondline.leaves.mbd.pack import Packed, pack
from bondline.leaves.mbd.publishing import published
from bondline.leaves.mbd.sheet import Sheet, check_seen
from bondline.leaves.mbd.special import Special, Unsuited, special
from bondline.leaves.mbd.tangent import (
    Instant,
    differenced,
    flexibility,
    resolved,
    tangents,
)
from bondline.leaves.mbd.tree import NO_LOADS, Loads, Tree
from bondline.leaves.mbd.working import accountable, kinks_of, lossy, supplied
from bondline.leaves.raw import from_bytes, to_bytes
from bondline.numerics.coupled import vibrations
from bondline.numerics.judging import judged
from bondline.numerics.memory import HEAD, Counts
from bondline.numerics.multirate import Multirate
from bondline.numerics.nordsieck import Nordsieck

_SIDE = 1e-12  # of a piece: how far from a jump its side is asked for
_LOOKS = 16  # steps of a window after which losses are looked at


def shown_ports(sheet: Sheet) -> dict[str, Port]:
    """A frame for every outlet, or a point."""
    return {
        name: Port(name, outlet.dofs, causality=outlet.takes, frame=outlet.frame)
        for name, outlet in sheet.ports.items()
    }


@dataclass(frozen=True, eq=False)
class MultibodyLeaf:
    """A mechanism with frames that take wrenches, and points that take forces.

    The state is the integrator's memory, one array: time, step, positions, velocities
    and, where nothing acts from outside, the history that the next window goes on
    with. Where wrenches may jump between windows, or gaps of closed loops are taken
    away, each window starts its history anew.
    """

    name: str
    sheet: Sheet

    capabilities: ClassVar[Capabilities] = Capabilities()

    @cached_property
    def ports(self) -> Mapping[str, Port]:
        """Those of the sheet."""
        return shown_ports(self.sheet)

    @property
    def parameters(self) -> Mapping[str, Parameter]:
        """Those of the sheet."""
        return self.sheet.parameters

    @cached_property
    def packed(self) -> Packed:
        """The mechanism as the kernels read it."""
        how, made = self.sheet.integration, self.sheet.mechanism
        fast = quickest(made, how.solver) if how.fast == SPECTRUM else how.fast
        packed = pack(made, fast, how.solver)
        for name, seen in self.sheet.signals.items():
            check_seen(made, packed.layout, name, seen)
        return packed

    @cached_property
    def tree(self) -> Tree:
        """The mechanism in the hands of the kernels."""
        made = self._special
        return Tree(self.packed, made if isinstance(made, Special) else None)

    @cached_property
    def _special(self) -> Special | Unsuited | None:
        """Its own kernel where one is asked for, or why it has none."""
        how = self.sheet.integration
        if how.kernel == "general":
            return None
        ports = [spot.marker for spot in self.spots.values()]
        return special(self.name, self.packed, ports, how.ratio > 1)

    @cached_property
    def spots(self) -> Mapping[str, Spot]:
        """Where the ports are."""
        marker = self.packed.markers
        return {n: Spot(marker[o.at], o.rows) for n, o in self.sheet.ports.items()}

    @cached_property
    def kinks(self) -> tuple[float, ...]:
        """Instants at which its own loads are not smooth."""
        return kinks_of(self.sheet.mechanism)

    def halves(self, state: Vector) -> tuple[Vector, Vector]:
        """Positions and velocities of a state."""
        q = state[HEAD : HEAD + self.tree.n_q]
        u = state[HEAD + self.tree.n_q : HEAD + self.tree.n_q + self.tree.n_u]
        return q, u

    def start(self, t0: float) -> Advance[Vector]:
        """As its joints and modes start."""
        order = self.packed.layout
        return self.instant(t0, order.start, order.speed)

    def instant(self, t: float, q: Vector, u: Vector) -> Advance[Vector]:
        """A state without history, and what the ports show under no force."""
        return self._report(t, self.at(t, q, u), NO_LOADS)

    def at(self, t: float, q: Vector, u: Vector) -> Vector:
        """A state without history, closed loops brought together."""
        if self._held:
            q, u = self.tree.projected(q, u, t)
        how = self.sheet.integration
        method, y = stepper(how, how.step * how.ratio), np.concatenate([q, u])
        return method.begin(compiled(self.tree), t, y)

    def press(
        self, state: Vector, t: float, forces: Mapping[str, Vector]
    ) -> Advance[Vector]:
        """The same instant under wrenches."""
        check_forces(self.name, self.ports, forces)
        return self._report(t, state, pressed(self.spots, forces))

    def kick(
        self, state: Vector, t: float, impulses: Mapping[str, Vector]
    ) -> Advance[Vector]:
        """The same instant after impulses."""
        q, u = self.halves(state)
        jump = self._rate(t, q, u, pressed(self.spots, impulses))
        struck = u + jump - self._rate(t, q, u, NO_LOADS)
        return self.instant(t, q, struck)

    def mobility(self, state: Vector, t: float) -> Mapping[tuple[str, str], Matrix]:
        """∂(acceleration)/∂(wrench) of all ports."""
        q, u = self.halves(state)
        free = self._rates(q, u, self._rate(t, q, u, NO_LOADS))
        blocks = {}
        for port, (_, rows) in self.spots.items():
            columns = []
            for unit in np.eye(len(rows)):
                du = self._rate(t, q, u, pressed(self.spots, {port: unit}))
                columns.append(self._rates(q, u, du) - free)
            for i, (out, spot) in enumerate(self.spots.items()):
                blocks[out, port] = np.array(columns)[:, i, spot.rows].T
        return blocks

    def _rate(self, t: float, q: Vector, u: Vector, loads: Loads) -> Vector:
        return self.tree.rates(t, q, u, loads)[1]

    def _rates(self, q: Vector, u: Vector, du: Vector) -> Matrix:
        which = [spot.marker for spot in self.spots.values()]
        return self.tree.outputs(q, u, which, du)[2]

    def breaks(self, window: Window) -> Sequence[float]:
        """Kinks of its own loads."""
        return inside(window, self.kinks)

    def guard(self, state: Vector, window: Window) -> Sequence[str]:
        """A word on steps that are long for its vibrations; refused if unstable."""
        how = self.sheet.integration
        method = stepper(how, window.h)
        said = (*shortened(how, window), *unsuited(self._special))
        if not isinstance(method, Nordsieck | Multirate):
            return said
        y = np.concatenate(self.halves(state))
        try:
            found = vibrations(compiled(self.tree), window.t0, y)
        except ArithmeticError as error:
            raise LeafFailed(
                f"{self.name} at t = {window.t0:g} s",
                f"{error}.",
                "See whether every joint moves some mass or inertia, and whether the "
                "start is finite.",
            ) from error
        verdict = judged(method, found.highest).enforce()
        return (*said, verdict.words) if verdict.words else said

    def advance(
        self, state: Vector, window: Window, inputs: Mapping[str, Signal]
    ) -> Advance[Vector] | Rejected:
        """Integrate over the window, piece by piece between kinks."""
        check_inputs(self.name, self.ports, inputs)
        loads = loads_of(self.spots, inputs, window)
        return tried(self.name, window, lambda: self._go(state, window, loads))

    def linearise(
        self, state: Vector, window: Window, inputs: Mapping[str, Signal]
    ) -> Flexibility | Rejected:
        """G from the tangents at both ends of the window: `mbd/tangent.py`.

        By differences where loops or told motions hold the coordinates, or where fixed
        steps do not follow its vibrations: G is that of the steps, not of the model.
        """
        done = self.advance(state, window, inputs)
        if isinstance(done, Rejected):
            return done
        powers = max((s.degree for s in inputs.values()), default=0) + 1
        args = (state, window, inputs)
        if self._held:
            return differenced(self, args, done, powers)
        loads = loads_of(self.spots, inputs, window)
        inside = self.beside(window.t0, window.t1)
        ends = (
            Instant(inside.t0, *self.halves(state), loads),
            Instant(inside.t1, *self.halves(done.state), loads),
        )
        both, how = tangents(self.tree, ends, self.spots), self.sheet.integration
        if how.fixed and not resolved(both, min(how.step, window.h)):
            return differenced(self, args, done, powers)
        return flexibility(both, inside.h, self.spots, powers)

    def _go(self, state: Vector, window: Window, loads: Loads) -> Advance[Vector]:
        system, now, counts = compiled(self.tree, loads), state, Counts()
        cuts, way = [window.t0, *self.breaks(window), window.t1], [(window.t0, state)]
        for piece in (self.beside(a, b) for a, b in pairwise(cuts)):
            method = stepper(self.sheet.integration, piece.h)
            carried = not self.ports and goes_on(now, piece, method)
            y = np.concatenate(self.halves(now))
            now = now if carried else method.begin(system, piece.t0, y)
            for t in self._stops(piece):
                done = method.advance(system, now, t)
                now, counts = done.memory, counts + done.counts
                way.append((t, now))
        if self._held:
            now = self.at(window.t1, *self.halves(now))
        outputs = self._outputs(piece.t1, now, loads)
        stats = {"steps": counts.steps, "full": counts.full, "fast": counts.fast}
        told = counts.steps == len(way) - 1 or not self._lossy
        way[-1] = window.t1, now
        energy = self._over(way) if told else None
        return Advance(now, outputs, energy, stats)

    def _stops(self, piece: Window) -> Sequence[float]:
        """Where to look at the state: after every step, if that tells what is lost."""
        how = self.sheet.integration
        count = max(1, ceil(piece.h / (how.step * how.ratio) * (1.0 - NEAR)))
        seen = self._lossy and how.fixed and how.ratio == 1 and count <= _LOOKS
        if not seen:
            return (piece.t1,)
        inside = (piece.at(k / count) for k in range(1, count))
        return (*inside, piece.t1)

    def _over(self, way: Sequence[tuple[float, Vector]]) -> Energy | None:
        """The energy after a window that went this way."""
        (t0, before), (t1, after) = way[0], way[-1]
        told = self.energy(before, after, t1 - t0)
        if told is None or not self._lossy:
            return told
        powers = [self.tree.loss(*self.halves(state)) for _, state in way]
        lost = np.trapezoid(powers, [t for t, _ in way])
        return replace(told, dissipated=float(lost))

    def beside(self, t0: float, t1: float) -> Window:
        """A piece of time; where a load jumps at an end, just this side of it."""
        near = max(_SIDE * (t1 - t0), 4.0 * ulp(max(abs(t0), abs(t1))))
        first, last = (
            any(abs(t - end) <= near for t in self.kinks) for end in (t0, t1)
        )
        return Window(t0 + near * first, t1 - near * last)

    def _report(self, t: float, state: Vector, loads: Loads) -> Advance[Vector]:
        outputs = self._outputs(t, state, loads)
        return Advance(state, outputs, self.energy(state, state))

    def _outputs(self, t: float, state: Vector, loads: Loads) -> dict[str, Motion]:
        if not self.spots:
            return {}
        q, u = self.halves(state)
        return self.moving(q, u, self._rate(t, q, u, loads))

    def moving(self, q: Vector, u: Vector, du: Vector) -> dict[str, Motion]:
        """How the ports move."""
        which = [spot.marker for spot in self.spots.values()]
        each = zip(*self.tree.outputs(q, u, which, du), strict=True)
        return {
            port: Motion(pose[:3], twist, rate, pose[3:])
            if self.ports[port].frame
            else Motion(*(it[[*rows]] for it in (pose, twist, rate)))
            for (port, (_, rows)), (pose, twist, rate) in zip(
                self.spots.items(), each, strict=True
            )
        }

    def energy(self, before: Vector, after: Vector, h: float = 0.0) -> Energy | None:
        """Stored, lost in one step of `h`, and what constant loads did.

        None where more than that is at work.
        """
        if not self._counted or (self._lossy and h == 0.0 and before is not after):
            return None
        ends = [self.halves(state) for state in (before, after)]
        stored = float(self.tree.energy(*ends[1]).sum())
        lost = 0.5 * h * sum(self.tree.loss(*end) for end in ends) if self._lossy else 0
        places = [q for q, _ in ends]
        work = supplied(self.packed, self.sheet.mechanism, places)
        return Energy(stored, float(lost), work)

    @cached_property
    def _held(self) -> bool:
        """Whether conditions hold its coordinates: loops, or motions it is told."""
        return bool(self.sheet.mechanism.loops or self.sheet.mechanism.motions)

    @cached_property
    def _counted(self) -> bool:
        return accountable(self.sheet.mechanism)

    @cached_property
    def _lossy(self) -> bool:
        return lossy(self.sheet.mechanism)

    def observe(self, state: Vector) -> Mapping[str, Observation]:
        """What the sheet publishes."""
        return published(self.sheet, self.tree, *self.halves(state))

    def shapes(self, state: Vector) -> Mapping[str, Matrix]:
        """A line for every body."""
        return lines(self.sheet, self.tree, *self.halves(state))

    def dump(self, state: Vector) -> bytes:
        """Raw doubles."""
        return to_bytes(state)

    def load(self, data: bytes) -> Vector:
        """The state that `dump` wrote."""
        state = from_bytes(data)
        if state.size < HEAD + self.tree.n_q + self.tree.n_u:
            raise UsageError(
                f"{self.name}: state",
                f"it has {state.size} numbers.",
                "Give all that `dump` of this model wrote.",
            )
        return state
