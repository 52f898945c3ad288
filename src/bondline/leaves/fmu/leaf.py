"""FMUs as leaves: those that can be wound back, and those that only go forward."""

from __future__ import annotations

import weakref
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from weakref import WeakKeyDictionary

import numpy as np

from bondline.core import (
    Advance,
    Capabilities,
    Causality,
    Matrix,
    Observation,
    Parameter,
    Port,
    Rejected,
    Signal,
    SignalPort,
    Vector,
    Window,
)
from bondline.errors import LeafHung, LeafInconsistent, LeafLost
from bondline.leaves.fmu.exchange import Exchange
from bondline.leaves.fmu.machine import Held, Instance, Machine, Refused, failed
from bondline.leaves.fmu.unit import Unit
from bondline.leaves.guard import finite


@dataclass(frozen=True)
class ForwardFmu:
    """An FMU that cannot save its state: it goes forward, one window after the other.

    Every start is an instance of its own.
    """

    name: str
    unit: Unit
    notes: tuple[str, ...] = ()

    @cached_property
    def machine(self) -> Machine:
        """The process."""
        return self._process()

    def _process(self) -> Machine:
        wires = (self.exchange.inputs, self.exchange.outputs)
        return Machine(self.name, self.unit, wires)

    @cached_property
    def exchange(self) -> Exchange:
        """Which number is which."""
        return Exchange(self.unit)

    @property
    def ports(self) -> Mapping[str, Port | SignalPort]:
        """Mechanical ports and signals."""
        return self.unit.ports

    @property
    def parameters(self) -> Mapping[str, Parameter]:
        """As they are set."""
        return self.unit.parameters

    @property
    def capabilities(self) -> Capabilities:
        """Forward only."""
        return replace(self.unit.capabilities, repeatable=False, serialises=False)

    def start(self, t0: float) -> Advance[Held]:
        """A new instance, under no force.

        An FMU of which a process takes one instance gets a process for each.
        """
        alone = self.unit.once and self.machine.taken
        home = self._process() if alone else self.machine
        try:
            state = home.start(t0)
        except Refused as error:
            raise failed(self.name, error) from None
        self._homes[state.life] = home
        self._newest[state.life] = weakref.ref(state)
        outputs = self.exchange.read(state.y, None, {})
        return Advance(state, outputs, notes=self.notes)

    @cached_property
    def _homes(self) -> WeakKeyDictionary[Instance, Machine]:
        """The process of each instance."""
        return WeakKeyDictionary()

    def home(self, life: Instance) -> Machine:
        """The process that an instance lives in."""
        return self._homes[life]

    def advance(
        self, state: Held, window: Window, inputs: Mapping[str, Signal]
    ) -> Advance[Held] | Rejected:
        """Let the FMU go over the window; a state is spent by its first advance."""
        newest = self._newest.get(state.life)
        if newest is None or newest() is not state:
            return Rejected(self.name, "a window twice", error=self._twice(window))
        del self._newest[state.life]
        done = self.go(state, window, inputs)
        if isinstance(done, Advance):
            self._newest[state.life] = weakref.ref(done.state)
        return done

    def go(
        self, state: Held, window: Window, inputs: Mapping[str, Signal]
    ) -> Advance[Held] | Rejected:
        """Over the window from that state, for whoever knows that the FMU is there."""
        span, told = (window.t0, window.t1), self.exchange.told(window, inputs)
        try:
            now = self.home(state.life).advance(state, span, told)
        except Refused as error:
            reason = f"the FMU gives up: {error}"
            return Rejected(self.name, reason, window.at(0.5))
        except (LeafLost, LeafHung) as error:
            return Rejected(self.name, error.finding, error=error)
        outputs = self.exchange.read(now.y, window, inputs)
        return finite(self.name, window, Advance(now, outputs))

    @cached_property
    def _newest(self) -> WeakKeyDictionary[Instance, weakref.ref[Held]]:
        """Where each instance is; it cannot go on from anywhere else."""
        return WeakKeyDictionary()

    def _twice(self, window: Window) -> LeafInconsistent:
        return LeafInconsistent(
            f"FMU {self.name} at t = {window.t0:.9g} s",
            "it cannot save its state, and a window was asked for twice.",
            "Couple it in one pass (X-T with an explicit scheme), or take an FMU that "
            "can get and set its state.",
        )

    def observe(self, state: Held) -> Mapping[str, Observation]:
        """The signals that come out."""
        return {
            name: Observation(float(state.y[at]), self.unit.signals[name].port.unit)
            for name, at in self.exchange.signals_out.items()
        }


@dataclass(frozen=True)
class FmuLeaf:
    """An FMU that saves and restores its state: a subsystem as any other.

    States are kept by its process, and forgotten there when nobody has them here.
    """

    forward: ForwardFmu

    @property
    def name(self) -> str:
        """The part's."""
        return self.forward.name

    @property
    def unit(self) -> Unit:
        """What is known of the FMU."""
        return self.forward.unit

    @property
    def notes(self) -> tuple[str, ...]:
        """What is told at the start."""
        return self.forward.notes

    @property
    def machine(self) -> Machine:
        """The process."""
        return self.forward.machine

    @property
    def exchange(self) -> Exchange:
        """Which number is which."""
        return self.forward.exchange

    @property
    def ports(self) -> Mapping[str, Port | SignalPort]:
        """Mechanical ports and signals."""
        return self.unit.ports

    @property
    def parameters(self) -> Mapping[str, Parameter]:
        """As they are set."""
        return self.unit.parameters

    @property
    def capabilities(self) -> Capabilities:
        """As declared; that it restores was tried when it was made."""
        return self.unit.capabilities

    def start(self, t0: float) -> Advance[Held]:
        """The one start at `t0`, however far the FMU has gone since."""
        known = self._starts.get(t0)
        if known is None or not self._home(known.state).lives(known.state.life):
            self._starts[t0] = known = self.forward.start(t0)
        return known

    @cached_property
    def _starts(self) -> dict[float, Advance[Held]]:
        return {}

    def advance(
        self, state: Held, window: Window, inputs: Mapping[str, Signal]
    ) -> Advance[Held] | Rejected:
        """Restore, step, save."""
        return self.forward.go(state, window, inputs)

    def observe(self, state: Held) -> Mapping[str, Observation]:
        """The signals that come out."""
        return self.forward.observe(state)

    def press(
        self, state: Held, t: float, forces: Mapping[str, Vector]
    ) -> Advance[Held]:
        """The same instant under forces: what is told anew shows in accelerations."""
        try:
            now = self._home(state).press(state, *self.exchange.pressed(forces))
        except Refused as error:
            raise failed(self.name, error) from None
        return Advance(now, self.exchange.read(now.y, None, {}))

    def mobility(
        self, state: Held, t: float
    ) -> Mapping[tuple[str, str], Matrix] | None:
        """∂a/∂F by the FMU's own directional derivatives, where it has them.

        For co-simulation these are taken at an instant, with the state frozen: right
        for accelerations, and zero for positions and velocities at the end of a window.
        """
        pushed = {
            n: p
            for n, p in self.unit.plugs.items()
            if p.port.causality is Causality.FORCE_IN and p.a
        }
        arrays = any(w.size > 1 for p in pushed.values() for w in (*p.a, *p.force))
        if not self.unit.derivatives or arrays or len(pushed) < len(self.unit.plugs):
            return None
        of = [w.reference for p in pushed.values() for w in p.a]
        by = [w.reference for p in pushed.values() for w in p.force]
        try:
            J = self._home(state).derive(state, of, by)
        except Refused:
            return None
        ends = np.cumsum([0, *(len(p.a) for p in pushed.values())]).tolist()
        at = {n: slice(ends[i], ends[i + 1]) for i, n in enumerate(pushed)}
        return {(o, p): J[at[o], at[p]] for o in at for p in at}

    def dump(self, state: Held) -> bytes:
        """As the FMU writes it."""
        return self._home(state).dump(state)

    def load(self, data: bytes) -> Held:
        """The state that `dump` wrote, in a process of now."""
        life = self.start(0.0).state.life
        return self.forward.home(life).load(life, data)

    def _home(self, state: Held) -> Machine:
        return self.forward.home(state.life)
