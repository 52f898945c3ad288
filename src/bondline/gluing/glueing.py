"""One window of an integrated model: pose the problem, solve it, take stock."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bondline.core import (
    Advance,
    Answered,
    Assembly,
    Breaking,
    Coupling,
    Energy,
    InterfaceProblem,
    InterfaceSolution,
    InterfaceSolver,
    Motion,
    Motions,
    Output,
    Port,
    PortRef,
    Rejected,
    Signal,
    SignalPort,
    Situation,
    There,
    Vector,
    Window,
    in_one_array,
)
from bondline.errors import NotAllowed
from bondline.gluing import ledger
from bondline.gluing.divergence import no_shorter, rejection
from bondline.gluing.gaps import look, motion_of
from bondline.gluing.restarting import (
    agree,
    at_start,
    press_all,
    restart_at,
    unmoved,
)
from bondline.gluing.sides import Over, Sides
from bondline.gluing.signals.outputs import signals_of
from bondline.gluing.solvers.as_posed import PosedOnce
from bondline.gluing.state import GluedState


@dataclass(frozen=True)
class Glueing:
    """How the parts of one integrated model are carried over a window."""

    name: str
    assembly: Assembly
    coupling: Coupling[Any]
    solver: InterfaceSolver[Any]
    exports: Mapping[str, PortRef]
    halvings: int
    watched: tuple[PortRef, ...] = ()  # ports whose motion somebody wants to know

    @cached_property
    def _seen(self) -> tuple[PortRef, ...]:
        """Glued, exported and watched ports, each once."""
        parts = self.assembly.parts
        shown = [
            r
            for r in self.exports.values()
            if isinstance(parts[r.part].ports[r.port], Port)
        ]
        return tuple(dict.fromkeys([*self.assembly.ends, *shown, *self.watched]))

    def _signals(self, advances: Mapping[str, Advance[Any]]) -> Mapping[PortRef, float]:
        return signals_of(advances) if self._signalling else {}

    @cached_property
    def _signalling(self) -> bool:
        every = (
            port for p in self.assembly.parts.values() for port in p.ports.values()
        )
        return any(isinstance(port, SignalPort) for port in every)

    def settled(
        self,
        starts: Mapping[str, Advance[Any]],
        t0: float,
        outside: Mapping[PortRef, Vector],
        memory: Any,
    ) -> Advance[GluedState]:
        """The state at the start, under consistent joint forces."""
        starts, history, forces = self.coupling.start(
            self.assembly, starts, t0, outside
        )
        now = GluedState(
            {n: a.state for n, a in starts.items()},
            {r: motion_of(starts, r) for r in self._seen},
            forces,
            history,
            memory,
            signals=self._signals(starts),
        )
        springs = ledger.springs(self.assembly, self._look(now.motions).gap[0])
        return self._report(now, starts, {}, springs)

    def restarted(
        self, state: GluedState, window: Window, outside: Mapping[PortRef, Signal]
    ) -> GluedState:
        """The state from which a window starts: settled anew where a load jumps there.

        Positions and velocities stay, and what the solver has learned. Where a part
        cannot be pressed, or no forces make accelerations agree, all stays.
        """
        t = restart_at(self._breaking, window) if self._breaking else None
        free = None if t is None else press_all(self.assembly, state, t)
        if t is None or free is None or unmoved(state, free):
            return state
        known = at_start(self.assembly, outside, window.h)
        now = self.settled(free, t, known, state.memory).state
        return replace(now, pace=state.pace) if agree(self.assembly, now) else state

    def restarts(self, window: Window) -> bool:
        """Whether a load jumps where a window starts."""
        return bool(self._breaking) and restart_at(self._breaking, window) is not None

    @cached_property
    def _breaking(self) -> Sequence[Breaking]:
        return [p for p in self.assembly.parts.values() if isinstance(p, Breaking)]

    def problem(
        self, state: GluedState, window: Window, outside: Mapping[PortRef, Signal]
    ) -> InterfaceProblem:
        """What must vanish on `window`."""
        situation = Situation(state.parts, state.motions, outside)
        return self.coupling.problem(self.assembly, situation, window, state.history)

    def glue_all(
        self,
        state: GluedState,
        window: Window,
        outside: Mapping[PortRef, Signal],
        cuts: Sequence[float],
        halvings: int | None = None,
    ) -> Advance[GluedState] | Rejected:
        """One window after the other; `cuts` are fractions of the whole."""
        total: Advance[GluedState] | None = None
        for s0, s1 in pairwise([0.0, *cuts, 1.0]):
            own = {r: signal.part(s0, s1) for r, signal in outside.items()}
            piece = Window(window.at(s0), window.at(s1))
            now = state
            if total is not None:
                now = self.restarted(total.state, piece, own)
            done = self.glue(now, piece, own, halvings)
            if isinstance(done, Rejected):
                return done
            if total is not None:
                both = (total.state.forces, done.state.forces)
                forces = self.coupling.join(both, s0 / s1)
                done = ledger.one_after_another(total, done, forces)
            total = done
        assert total is not None
        return total

    def glue(
        self,
        state: GluedState,
        window: Window,
        outside: Mapping[PortRef, Signal],
        halvings: int | None = None,
    ) -> Advance[GluedState] | Rejected:
        """The interface problem of one window, halved where it has no solution."""
        left = self.halvings if halvings is None else halvings
        problem = self.problem(state, window, outside)
        found = self.solved(problem, state, window)
        if not isinstance(found, Rejected) and found.converged:
            self._latest[:] = [(state, window, outside, problem, found)]
            return self.accept(state, window, found)
        if not (left and self._repeats):
            return self._rejected(problem, window, found)
        try:
            done = self.glue_all(state, window, outside, [0.5], left - 1)
        except NotAllowed as refused:
            return no_shorter(self._rejected(problem, window, found), window, refused)
        return done if isinstance(done, Rejected) else ledger.after_halving(done, found)

    def _rejected(
        self,
        problem: InterfaceProblem,
        window: Window,
        found: InterfaceSolution[Any] | Rejected,
    ) -> Rejected:
        once = self._repeats and isinstance(problem, PosedOnce) and problem.once
        return rejection(self.name, window, problem.labels, found, self.solver, once)

    @cached_property
    def _repeats(self) -> bool:
        """Whether a window that failed may be tried again in pieces."""
        return all(p.capabilities.repeatable for p in self.assembly.parts.values())

    def once(
        self, state: GluedState, window: Window, outside: Mapping[PortRef, Signal]
    ) -> Advance[GluedState] | Rejected:
        """One window as it is: whoever chose it may choose another."""
        return self.glue(state, window, outside, 0)

    @cached_property
    def _latest(self) -> list[tuple[Any, ...]]:
        """The last solution, for `recall`: remembered, never relied upon."""
        return []

    def recall(
        self, state: GluedState, window: Window, outside: Mapping[PortRef, Signal]
    ) -> tuple[InterfaceProblem, InterfaceSolution[Any] | Rejected]:
        """The problem of a window and its solution, found anew if it was not the last.

        A model that glues this one asks for G right after an advance.
        """
        for old, when, told, problem, found in self._latest:
            if old is state and when == window and _same(told, outside):
                return problem, replace(found, solves=0)
        problem = self.problem(state, window, outside)
        return problem, self.solved(problem, state, window)

    def solved(
        self, problem: InterfaceProblem, state: GluedState, window: Window
    ) -> InterfaceSolution[Any] | Rejected:
        """The solver's answer from the coupling's guess."""
        guess = self.coupling.guess(self.assembly, window, state.history)
        return self.solver.solve(problem, guess, state.memory)

    def accept(
        self, state: GluedState, window: Window, found: InterfaceSolution[Any]
    ) -> Advance[GluedState]:
        """The state after a window, and what the window did."""
        coupling, advances = self.coupling, found.sweep.advances
        history, forces = coupling.accept(self.assembly, window, found, state.history)
        motions = self._motions(advances, found.sweep.there)
        before = self._look(state.motions)
        after = self._look(motions, found.sweep.there)
        over = Over((state.motions, motions), (before, after), window.h)
        each, sides = self._sides.work((state.forces, forces), over)
        ends = before.gap[0], after.gap[0]
        work, springs = ledger.joint_work(self.assembly, each, *ends)
        now = GluedState(
            ledger.states(advances),
            motions,
            forces,
            history,
            found.memory,
            signals=self._signals(advances),
        )
        rigid = ledger.rigid(self.assembly, after.gap)
        counts = ledger.counts(found, rigid, motions, work) | sides
        paid = found.sweep.spent
        return self._report(now, advances, counts, springs, found.warnings, paid)

    def listen(self, ear: Callable[[Sequence[float]], None]) -> None:
        """Have `ear` told the residuals of each window that is accepted from now on."""
        accept = self.accept

        def heard(
            state: GluedState, window: Window, found: InterfaceSolution[Any]
        ) -> Advance[GluedState]:
            ear(found.history)
            return accept(state, window, found)

        vars(self)["accept"] = heard  # who is not asked does not even look for an ear

    def _motions(
        self, advances: Mapping[str, Advance[Any]], there: There | None
    ) -> Mapping[PortRef, Motion]:
        """Of all ports that are seen; as they are, where they are in one array."""
        if there is not None and there.motions is not None and self.sees_all:
            return there.motions
        return {r: motion_of(advances, r) for r in self._seen}

    @cached_property
    def sees_all(self) -> bool:
        """Whether what is seen is what all joints are stacked from."""
        stack = self.assembly.stack
        return stack is not None and stack.places.keys() == set(self._seen)

    @cached_property
    def _sides(self) -> Sides:
        return Sides(self.assembly, self.coupling)

    def _look(
        self, motions: Mapping[PortRef, Motion], swept: There | None = None
    ) -> There:
        """Where a window starts, what was found where the last one ended."""
        for known, there in self._ended:
            if known is motions:
                return there
        there = swept or look(self.assembly, motions)
        self._ended[:] = [(motions, there)]
        return there

    @cached_property
    def _ended(self) -> list[tuple[Mapping[PortRef, Motion], There]]:
        """The last look: remembered, never relied upon."""
        return []

    def _report(
        self,
        now: GluedState,
        advances: Mapping[str, Advance[Any]],
        counts: Mapping[str, float],
        springs: Energy,
        notes: tuple[str, ...] = (),
        paid: Mapping[str, float] | None = None,
    ) -> Advance[GluedState]:
        stats = {**counts, **ledger.inner_counts(advances), **(paid or {})}
        energy = ledger.energy(advances, springs)
        silent = ledger.silent(advances) if energy is None else ()
        heard = ledger.heard(notes, advances)
        return Advance(now, self.exported(advances), energy, stats, heard, silent)

    def exported(self, advances: Mapping[str, Advance[Any]]) -> Mapping[str, Output]:
        """What the exported ports show; in one array, where they are of points."""
        if isinstance(advances, Answered) and self._columns is not None:
            places, columns = self._columns
            return Motions(places, advances.shown.levels.take(columns, axis=1))
        every = {n: advances[r.part].outputs[r.port] for n, r in self.exports.items()}
        return in_one_array(every)

    @cached_property
    def _columns(self) -> tuple[Mapping[str, slice], NDArray[np.intp]] | None:
        """Where exports are in one array, and in that of all ports; if they are."""
        stack = self.assembly.stack
        if stack is None or not all(r in stack.places for r in self.exports.values()):
            return None
        spans = [stack.places[r] for r in self.exports.values()]
        ends = np.cumsum([0, *(at.stop - at.start for at in spans)]).tolist()
        places = {n: slice(*ends[k : k + 2]) for k, n in enumerate(self.exports)}
        every = [np.arange(at.start, at.stop) for at in spans]
        return places, np.concatenate([np.arange(0), *every])


def _same(one: Mapping[PortRef, Signal], two: Mapping[PortRef, Signal]) -> bool:
    return one.keys() == two.keys() and all(
        s.origin is two[r].origin
        and np.array_equal(s.coefficients, two[r].coefficients)
        for r, s in one.items()
    )
