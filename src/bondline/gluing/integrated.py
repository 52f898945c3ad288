"""The integrated model: glued parts that are again one subsystem."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any, TypeVar

from bondline.core import (
    Advance,
    Alone,
    Assembly,
    Block,
    BlockAdvance,
    Blocked,
    BlockResponse,
    BlockTrial,
    Breaking,
    Capabilities,
    Connection,
    Coupling,
    Crew,
    Deformed,
    Flexibility,
    Impulse,
    Inputs,
    InterfaceSolver,
    Matrix,
    Model,
    Observation,
    Parameter,
    Port,
    PortRef,
    Reaction,
    Receptance,
    Rejected,
    Response,
    Settling,
    Signal,
    SignalPort,
    Skin,
    Vector,
    Window,
    Windowed,
)
from bondline.errors import WiringError, did_you_mean
from bondline.gluing import guarding, published
from bondline.gluing.blocks.blockwise import Blockwise
from bondline.gluing.blocks.fitness import check_block, obstacle
from bondline.gluing.crew import Turns
from bondline.gluing.frequency.inner import within
from bondline.gluing.frequency.interface import Interface, interface
from bondline.gluing.glueing import Glueing
from bondline.gluing.leverage import levers
from bondline.gluing.mobility import condensed, mobilities
from bondline.gluing.nesting import Nesting
from bondline.gluing.notebook import shown
from bondline.gluing.pacing import Pace, Paced
from bondline.gluing.rates.two_rates import TwoRates
from bondline.gluing.restarting import press_all
from bondline.gluing.signals import Carried, Wire, Wires, check_signals
from bondline.gluing.starting import begin, check_start
from bondline.gluing.state import GluedState, dump_state, load_state
from bondline.gluing.statics.glued import GluedStatics
from bondline.gluing.statics.statics import Statics
from bondline.gluing.striking import kicked
from bondline.gluing.wiring import check_counts, check_wiring

T = TypeVar("T")


@dataclass(frozen=True)
class IntegratedModel:
    """A `Subsystem` made of `Subsystem`s: children and a gluing strategy.

    `exports` names the ports that the outside may see; inner interfaces are private.
    `outputs` gives names of the model's own to values that parts publish.
    With `windows` > 1 the parts exchange that often within a window of the outside. A
    window that does not converge, or that a part rejects, is halved, and its halves
    again, `halvings` times at most. `wires` carry signals from part to part: held over
    a window and one window late, or iterated. Windows end where a part's own loads have
    a kink; under a `pace` they are as long as the error allows.
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
    why: str = ""  # this coupling, in words
    pace: Pace | None = None
    start_from: str = "given"  # or "projected", or "static"
    outputs: Mapping[str, PortRef] = field(default_factory=dict)
    block: int = 1  # windows an exchange, where a run drives this model
    waveform: bool = False  # iterate blocks of parts that are not linear
    wires: Sequence[Wire] = ()  # signals between parts
    signals: str = "hold"  # or "iterated": how they are exchanged

    def _repr_html_(self) -> str:
        return shown(self.name, self.parts, self.connections)

    def __post_init__(self) -> None:
        check_start(self.name, self.start_from)
        check_counts(self.name, self.windows, self.halvings)
        check_wiring(self.name, self.parts, self.connections, self.exports)
        check_signals(self.name, self._wires, self.signals, self._several)
        self.coupling.suits(self.name, self.assembly)
        if self._paced is not None:
            self._paced.check()
        if self.block != 1 or self.waveform:
            check_block(self._glueing, self.block, self.waveform, self._apart)

    @cached_property
    def assembly(self) -> Assembly:
        """Parts and connections."""
        return Assembly(dict(self.parts), tuple(self.connections), self.crew)

    @cached_property
    def waits(self) -> bool:
        """Whether all of its parts are elsewhere, and are asked in turns."""
        return isinstance(self.crew, Turns)

    @cached_property
    def ports(self) -> Mapping[str, Port | SignalPort]:
        """The exported ports, under the names that the outside knows."""
        parts = self.parts
        return {
            n: replace(parts[r.part].ports[r.port], name=n)
            for n, r in self.exports.items()
        }

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
        plain = self.windows == 1 and self.pace is None and not self.wires
        one_step = self.windows == 1 and all(c.one_step for c in each)
        return Capabilities(
            repeatable=all(c.repeatable for c in each),
            linear=self.assembly.affine and self.pace is None and not self.wires,
            serialises=all(c.serialises for c in each),
            acceleration=all(c.acceleration for c in each),
            one_step=one_step,
            mixed=not one_step and any(c.one_step or c.mixed for c in each),
            coarse=any(c.coarse for c in each),
            weighs=any(c.weighs for c in each),
            superposes=plain and self._nesting.superposes,
        )

    @cached_property
    def _glueing(self) -> Glueing:
        return Glueing(
            self.name,
            self.assembly,
            self.coupling,
            self.solver,
            self.exports,
            self.halvings,
            self._wires.watched,
        )

    @cached_property
    def _wires(self) -> Wires:
        return Wires(self.parts, tuple(self.wires))

    @property
    def _several(self) -> str:
        """What takes more than one window at a time; nothing if nothing does."""
        if isinstance(self.coupling, TwoRates):
            return "two rates"
        return "blocks of windows" if self.block != 1 or self.waveform else ""

    @cached_property
    def _nesting(self) -> Nesting:
        return Nesting(self._glueing)

    def _outside(self, given: Mapping[str, T]) -> dict[PortRef, T]:
        """What the outside gives to exported ports, by inner port."""
        for name in given:
            if name not in self.exports:
                raise WiringError(
                    f"{self.name}: input {name}",
                    "it is not an exported port.",
                    did_you_mean(name, self.exports),
                )
        return {self.exports[n]: value for n, value in given.items()}

    def start(self, t0: float) -> Advance[GluedState]:
        """Every part at its own start, made to fit its joints as `start_from` says."""
        starts = {n: s.start(t0) for n, s in self.parts.items()}
        fitting = begin(self._statics.statics, starts, t0, self.start_from)
        done = self._glueing.settled(fitting, t0, {}, self.solver.start())
        if not self.wires:
            return done
        return replace(done, state=self._carried.first(done.state, t0))

    @cached_property
    def _carried(self) -> Carried:
        return Carried(self._wires, self.signals)

    def kick(
        self, state: GluedState, t: float, impulses: Mapping[str, Vector]
    ) -> Advance[GluedState]:
        """The same instant after impulses from outside; inner joints pass them on."""
        outside = self._outside(impulses)
        starts, after = kicked(self.name, self.assembly, state, t, outside)
        shown = {n: starts[r.part].outputs[r.port] for n, r in self.exports.items()}
        return Advance(after, shown)

    def press(
        self, state: GluedState, t: float, forces: Mapping[str, Vector]
    ) -> Advance[GluedState]:
        """The same instant under forces from outside; inner joints settle anew.

        With a part that cannot be pressed nothing changes, and ports that take motion
        show nothing: their efforts at an instant are not known.
        """
        free = press_all(self.assembly, state, t)
        if free is None:
            return Advance(state, published.motions(self.ports, self.exports, state))
        outside = self._outside(forces)
        return self._glueing.settled(free, t, outside, state.memory)

    def mobility(
        self, state: GluedState, t: float
    ) -> Mapping[tuple[str, str], Matrix] | None:
        """What forces on the exports do at once, once the inner joints have answered.

        None where a part does not know, or joints repeat each other.
        """
        arms = levers(self.assembly, state.motions, 0.0, instant=True)
        known = mobilities(self.assembly, state.parts, t)
        return condensed(self.assembly, arms, known, self.exports)

    def advance(
        self, state: GluedState, window: Window, inputs: Mapping[str, Signal]
    ) -> Advance[GluedState] | Rejected:
        """Glue over the inner windows, Algorithms 2 and 3.

        Where a load of a part jumps, joint forces and accelerations settle anew before
        the next window. At t₀ that is up to whoever gives inputs: see `press`.
        """
        outside = self._outside(inputs)
        if not self.wires:
            return self._advanced(state, window, outside)
        go = partial(self._advanced, state, window)
        return self._carried.advance(self.name, state, outside, go)

    def _advanced(
        self, state: GluedState, window: Window, outside: Mapping[PortRef, Signal]
    ) -> Advance[GluedState] | Rejected:
        """A window under inputs from outside, and signals."""
        if not outside:
            state = self._glueing.restarted(state, window, {})
        stops = self.breaks(window)
        if self._paced is not None:
            return self._paced.advance(state, window, outside, stops)
        cuts = [k / self.windows for k in range(1, self.windows)]
        cuts += [(t - window.t0) / window.h for t in stops]
        if cuts:
            return self._glueing.glue_all(state, window, outside, sorted(set(cuts)))
        if self._nesting.superposes:
            return self._nesting.advance(state, window, outside)
        return self._glueing.glue(state, window, outside)

    @cached_property
    def _paced(self) -> Paced | None:
        if self.pace is None:
            return None
        superposes = self._nesting.superposes
        attempt = self._nesting.advance if superposes else self._glueing.once
        return Paced(self._glueing, self.pace, attempt)

    def breaks(self, window: Window) -> Sequence[float]:
        """The kinks of all parts."""
        return published.breaks(self._breaking, window) if self._breaking else ()

    @cached_property
    def _breaking(self) -> Sequence[Breaking]:
        return [p for p in self.parts.values() if isinstance(p, Breaking)]

    def guard(self, state: GluedState, window: Window) -> tuple[str, ...]:
        """What windows like this one do to the schemes, at every level."""
        own = next(window.split(self.windows))
        notes = guarding.guard(self._glueing, state, own, self.pace is not None)
        if self.block > 1:
            notes += guarding.blockless(self.parts)
        return notes + guarding.inner_notes(self.parts, state, own)

    def linearise(
        self, state: GluedState, window: Window, inputs: Mapping[str, Signal]
    ) -> Flexibility | Rejected:
        """G of the exports, condensed from what the parts know, never less exact."""
        plain = self.windows == 1 and self.pace is None and not self.breaks(window)
        plain = plain and not self.wires
        if not (plain and self._nesting.condenses):
            return self._nesting.probe(self, state, window, inputs)
        return self._nesting.linearise(state, window, inputs)

    def respond(
        self, state: GluedState, window: Window, inputs: Mapping[str, Signal]
    ) -> Response | Rejected:
        """The free response and the condensed G: one solve a leaf.

        A window with a kink inside is rejected: `advance` would cut it there.
        """
        kinks = self.breaks(window)
        if kinks:
            finding = f"a load has a kink at t = {kinks[0]:.9g} s"
            return Rejected(self.name, finding, kinks[0])
        return self._nesting.respond(state, window, inputs)

    def realise(
        self, response: Response, inputs: Mapping[str, Signal]
    ) -> Advance[GluedState] | Rejected:
        """The window under more loads from outside: no solve."""
        return self._nesting.realise(response, inputs)

    @cached_property
    def _blocks(self) -> Blocked[GluedState]:
        """Its windows glued together where they can be, else one after the other."""
        served = not self._apart and (self.assembly.affine or self.waveform)
        return Blockwise(self._glueing, self.block) if served else Windowed(self)

    @cached_property
    def _apart(self) -> str:
        """Why its windows must stay apart; nothing if they need not."""
        return obstacle(self._glueing, self.windows, self.pace is not None)

    def impulse(
        self, state: GluedState, block: Block, powers: int
    ) -> Impulse | Rejected:
        """H of the exports, condensed from those of the parts."""
        return self._blocks.impulse(state, block, powers)

    def respond_block(
        self, state: GluedState, block: Block
    ) -> BlockResponse | Rejected:
        """Many windows without more loads: one exchange with every part."""
        return self._blocks.respond_block(state, block)

    def try_block(
        self,
        response: BlockResponse,
        more: Sequence[Inputs],
        ahead: Block | None = None,
        before: Settling[GluedState] | None = None,
    ) -> BlockTrial[GluedState] | Rejected:
        """Those windows under more loads; one exchange with every part."""
        return self._blocks.try_block(response, more, ahead, before)

    def settle_block(
        self, settling: Settling[GluedState], ahead: Block | None = None
    ) -> BlockAdvance[GluedState] | Rejected:
        """The last word on a block: what the trial left of the gaps is corrected."""
        return self._blocks.settle_block(settling, ahead)

    def blockable(self, window: Window) -> bool:
        """Whether a window may be one of a block: no load of a part kinks there."""
        return not self.breaks(window) and not self._glueing.restarts(window)

    @cached_property
    def _statics(self) -> GluedStatics:
        return GluedStatics(Statics(self.name, self.assembly, self.exports))

    def equilibrium(
        self,
        state: GluedState,
        load_factor: float,
        inputs: Mapping[str, Vector],
        springs: Mapping[str, Vector],
    ) -> Advance[GluedState] | Rejected:
        """Every part at rest and every joint closed; springs act on exported ports."""
        return self._statics.rest(state, load_factor, inputs, springs)

    def compliance(
        self, state: GluedState, springs: Mapping[str, Vector]
    ) -> Flexibility | Rejected:
        """What a unit of each exported input does to the equilibrium."""
        return self._statics.compliance(state, springs)

    def observe(self, state: GluedState) -> Mapping[str, Observation]:
        """What the parts publish, by `part.name`, or as `outputs` name it."""
        every = published.values(self.assembly, state)
        return published.renamed(self.name, every, self.outputs)

    def reactions(self, state: GluedState) -> Mapping[str, Reaction]:
        """Joint forces over the last window: `joint.A`, and `part.joint.B` inside."""
        return published.reactions(self.assembly, self.coupling.sharp, state)

    def shapes(self, state: GluedState) -> Mapping[str, Matrix]:
        """What there is to draw of each part."""
        return published.shapes(self.assembly, state)

    def skins(self) -> Mapping[str, Skin]:
        """The surfaces that parts show."""
        return published.skins(self.parts)

    def deformed(
        self, state: GluedState, t: float | None, share: float = 1.0
    ) -> Mapping[str, Deformed]:
        """Where the surfaces of the parts are."""
        return published.deformed(self.parts, state, t, share)

    def swinging(
        self, omega: float, ports: Mapping[str, Vector]
    ) -> Mapping[str, Deformed]:
        """The surfaces of the parts while the exported ports swing."""
        return within(self._interface, omega, ports)

    @cached_property
    def _interface(self) -> Interface:
        return interface(self.name, self.assembly, self.exports)

    def receptance(self, omega: float, damped: bool = True) -> Receptance:
        """Condensed to the exports; `SettingError` where a part is not linear."""
        return self._interface.condensed(omega, damped)

    def listen(self, ear: Callable[[Sequence[float]], None]) -> None:
        """Have `ear` told the residuals of every window, one an iteration."""
        self._glueing.listen(ear)

    def settings(self) -> dict[str, Any]:
        """How the parts are glued, level by level: all that decides the bits."""
        inner = {n: s for n, s in self.parts.items() if isinstance(s, IntegratedModel)}
        blocks = {"block": self.block, "waveform": self.waveform}
        carried = {"wires": [str(w) for w in self.wires], "signals": self.signals}
        return {
            **(blocks if self.block > 1 else {}),
            "coupling": self.coupling.settings(),
            "solver": self.solver.settings(),
            "windows": self.windows,
            "halvings": self.halvings,
            "pace": self.pace.settings() if self.pace else None,
            "start_from": self.start_from,
            **(carried if self.wires else {}),
            "parts": {n: s.settings() for n, s in inner.items()},
        }

    def dump(self, state: GluedState) -> bytes:
        """Everything the next window depends on."""
        return dump_state(state, self.assembly, self.coupling, self.solver)

    def load(self, data: bytes) -> GluedState:
        """The state that `dump` wrote, to the same bits."""
        return load_state(data, self.assembly, self.coupling, self.solver)
