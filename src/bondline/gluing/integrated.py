"""The integrated model: glued parts that are again one subsystem."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from bondline.core import (
    Advance,
    Alone,
    Assembly,
    Capabilities,
    Connection,
    Coupling,
    Crew,
    InterfaceSolution,
    InterfaceSolver,
    Matrix,
    Model,
    Observation,
    Observing,
    Parameter,
    Port,
    PortRef,
    Pressing,
    Reacting,
    Reaction,
    Rejected,
    Showing,
    Signal,
    SignalPort,
    Situation,
    Vector,
    Window,
)
from bondline.gluing import ledger
from bondline.gluing.divergence import rejection
from bondline.gluing.gaps import gaps, motion_of
from bondline.gluing.placing import place_parts
from bondline.gluing.state import GluedState, dump_state, load_state
from bondline.gluing.wiring import check_wiring


@dataclass(frozen=True)
class IntegratedModel:
    """A `Subsystem` made of `Subsystem`s: children and a gluing strategy.

    `exports` names the ports that the outside may see; inner interfaces are private.
    With `windows` > 1 the parts exchange that often within a window of the outside. A
    window that does not converge, or that a part rejects, is halved, and its halves
    again, `halvings` times at most.
    """

    name: str
    parts: Mapping[str, Model]
    connections: Sequence[Connection]
    coupling: Coupling[Any]
    solver: InterfaceSolver[Any]
    exports: Mapping[str, PortRef] = field(default_factory=dict)
    windows: int = 1
    halvings: int = 6
    crew: Crew = Alone()  # noqa: RUF009 - a frozen value

    def __post_init__(self) -> None:
        check_wiring(self.name, self.parts, self.connections, self.exports)
        self.coupling.suits(self.name, self.assembly)

    @cached_property
    def assembly(self) -> Assembly:
        """Parts and connections."""
        return Assembly(dict(self.parts), tuple(self.connections), self.crew)

    @cached_property
    def ports(self) -> Mapping[str, Port | SignalPort]:
        """The exported ports."""
        return {n: self.parts[r.part].ports[r.port] for n, r in self.exports.items()}

    @cached_property
    def parameters(self) -> Mapping[str, Parameter]:
        """Those of the parts, by `part.parameter`."""
        return {
            f"{n}.{k}": p
            for n, s in self.parts.items()
            for k, p in s.parameters.items()
        }

    @cached_property
    def capabilities(self) -> Capabilities:
        """What all parts can do."""
        each = [s.capabilities for s in self.parts.values()]
        return Capabilities(
            repeatable=all(c.repeatable for c in each),
            linear=self.assembly.affine,
            serialises=all(c.serialises for c in each),
            acceleration=all(c.acceleration for c in each),
            one_step=self.windows == 1 and all(c.one_step for c in each),
        )

    @cached_property
    def _seen(self) -> tuple[PortRef, ...]:
        """Glued and exported ports, each once."""
        glued = [end for c in self.connections for end in c.ends]
        shown = [r for n, r in self.exports.items() if isinstance(self.ports[n], Port)]
        return tuple(dict.fromkeys([*glued, *shown]))

    def start(self, t0: float) -> Advance[GluedState]:
        """Every part at its own start, moved to where its joints are."""
        starts = {n: s.start(t0) for n, s in self.parts.items()}
        starts = place_parts(self.name, self.assembly, starts)
        return self._settled(starts, t0, {}, self.solver.start())

    def press(
        self, state: GluedState, t: float, forces: Mapping[str, Vector]
    ) -> Advance[GluedState]:
        """The same instant under forces from outside; inner joints settle anew.

        With a part that cannot be pressed nothing changes.
        """
        able = {n: p for n, p in self.parts.items() if isinstance(p, Pressing)}
        if len(able) < len(self.parts):
            shown = {n: state.motions[r] for n, r in self.exports.items()}
            return Advance(state, shown)
        free = {n: p.press(state.parts[n], t, {}) for n, p in able.items()}
        outside = {self.exports[n]: f for n, f in forces.items()}
        return self._settled(free, t, outside, state.memory)

    def _settled(
        self,
        starts: Mapping[str, Advance[Any]],
        t0: float,
        outside: Mapping[PortRef, Vector],
        memory: Any,
    ) -> Advance[GluedState]:
        starts, history, forces = self.coupling.start(
            self.assembly, starts, t0, outside
        )
        now = GluedState(
            {n: a.state for n, a in starts.items()},
            {r: motion_of(starts, r) for r in self._seen},
            forces,
            history,
            memory,
        )
        return self._report(now, starts, {})

    def advance(
        self, state: GluedState, window: Window, inputs: Mapping[str, Signal]
    ) -> Advance[GluedState] | Rejected:
        """Glue over the inner windows, Algorithms 2 and 3."""
        if self.windows == 1:
            return self._glue(state, window, inputs, self.halvings)
        return self._glue_all(state, window, inputs, self.halvings, self.windows)

    def _glue_all(
        self,
        state: GluedState,
        window: Window,
        inputs: Mapping[str, Signal],
        halvings: int,
        pieces: int,
    ) -> Advance[GluedState] | Rejected:
        total: Advance[GluedState] | None = None
        for k, w in enumerate(window.split(pieces)):
            own = {n: s.part(k / pieces, (k + 1) / pieces) for n, s in inputs.items()}
            now = state if total is None else total.state
            done = self._glue(now, w, own, halvings)
            if isinstance(done, Rejected):
                return done
            if total is not None:
                both = (total.state.forces, done.state.forces)
                forces = self.coupling.join(both, k / (k + 1))
                done = ledger.one_after_another(total, done, forces)
            total = done
        assert total is not None
        return total

    def _glue(
        self,
        state: GluedState,
        window: Window,
        inputs: Mapping[str, Signal],
        halvings: int,
    ) -> Advance[GluedState] | Rejected:
        outside = {self.exports[n]: signal for n, signal in inputs.items()}
        situation = Situation(state.parts, state.motions, outside)
        coupling, assembly, history = self.coupling, self.assembly, state.history
        problem = coupling.problem(assembly, situation, window, history)
        guess = coupling.guess(assembly, window, history)
        found = self.solver.solve(problem, guess, state.memory)
        if not isinstance(found, Rejected) and found.converged:
            return self._accept(state, window, found)
        if halvings:
            done = self._glue_all(state, window, inputs, halvings - 1, 2)
            if isinstance(done, Rejected):
                return done
            return ledger.after_halving(done, found)
        return rejection(self.name, window, problem.labels, found, self.solver)

    def _accept(
        self, state: GluedState, window: Window, found: InterfaceSolution[Any]
    ) -> Advance[GluedState]:
        coupling, advances = self.coupling, found.sweep.advances
        history, forces = coupling.accept(self.assembly, found, state.history)
        motions = {r: motion_of(advances, r) for r in self._seen}
        before, after = (
            gaps([[m[r] for r in c.ends] for c in self.connections], self.connections)
            for m in (state.motions, motions)
        )
        gap = ledger.gap_over(before, after, window.h)
        work = coupling.work((state.forces, forces), gap)
        now = GluedState(
            {n: a.state for n, a in advances.items()},
            motions,
            forces,
            history,
            found.memory,
        )
        counts = ledger.counts(found, after, motions.values(), work)
        return self._report(now, advances, counts)

    def _report(
        self,
        now: GluedState,
        advances: Mapping[str, Advance[Any]],
        counts: Mapping[str, float],
    ) -> Advance[GluedState]:
        outputs = {n: advances[r.part].outputs[r.port] for n, r in self.exports.items()}
        inner = {f"{n}.{k}": v for n, a in advances.items() for k, v in a.stats.items()}
        return Advance(now, outputs, ledger.energy(advances), {**counts, **inner})

    def observe(self, state: GluedState) -> Mapping[str, Observation]:
        """What the parts publish, by `part.name`."""
        return {
            f"{n}.{key}": value
            for n, s in self.parts.items()
            if isinstance(s, Observing)
            for key, value in s.observe(state.parts[n]).items()
        }

    def reactions(self, state: GluedState) -> Mapping[str, Reaction]:
        """Joint forces over the last window: `joint.A`, and `part.joint.B` inside."""
        at, sharp = self.assembly.offsets, self.coupling.sharp
        found = {
            f"joint.{c.name}": Reaction(
                c.components, state.forces[:, at[k] : at[k + 1]], sharp
            )
            for k, c in enumerate(self.connections)
        }
        for name, s in self.parts.items():
            if isinstance(s, Reacting):
                for key, inner in s.reactions(state.parts[name]).items():
                    found[f"{name}.{key}"] = inner
        return found

    def shapes(self, state: GluedState) -> Mapping[str, Matrix]:
        """What there is to draw of each part."""
        return {
            f"{n}.{key}" if key else n: points
            for n, s in self.parts.items()
            if isinstance(s, Showing)
            for key, points in s.shapes(state.parts[n]).items()
        }

    def settings(self) -> dict[str, Any]:
        """How the parts are glued, level by level: all that decides the bits."""
        inner = {n: s for n, s in self.parts.items() if isinstance(s, IntegratedModel)}
        return {
            "coupling": self.coupling.settings(),
            "solver": self.solver.settings(),
            "windows": self.windows,
            "halvings": self.halvings,
            "parts": {n: s.settings() for n, s in inner.items()},
        }

    def dump(self, state: GluedState) -> bytes:
        """Everything the next window depends on."""
        return dump_state(state, self.parts, self.coupling, self.solver)

    def load(self, data: bytes) -> GluedState:
        """The state that `dump` wrote, to the same bits."""
        return load_state(data, self.parts, self.coupling, self.solver)
