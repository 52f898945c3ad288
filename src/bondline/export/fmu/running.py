"""A model that runs inside an FMU: what its variables are, step by step."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from bondline.core import (
    Advance,
    Causality,
    Effort,
    Model,
    Motion,
    Observing,
    Parameter,
    Port,
    Pressing,
    Rejected,
    Serialising,
    Signal,
    Vector,
    Window,
)
from bondline.export.fmu.layout import Spot, published, signals, spots
from bondline.wire import pack, unpack


@dataclass(frozen=True, eq=False)
class Saved:
    """All that an FMU remembers: a value, as every state of ours."""

    model: Model
    t: float
    last: Advance[Any]
    given: Mapping[str, Vector]
    before: Mapping[str, Vector]
    values: Mapping[str, float]

    def to_bytes(self) -> bytes:
        """For serialisation; the state of the model as it writes it itself."""
        assert isinstance(self.model, Serialising), "declared where it can"
        tree: Any = {
            "t": self.t,
            "state": self.model.dump(self.last.state),
            "given": dict(self.given),
            "before": dict(self.before),
            "values": dict(self.values),
            "shown": {n: _plain(shown) for n, shown in self.last.outputs.items()},
        }
        return pack(tree)


@dataclass(frozen=True, eq=False)
class Written:
    """The same as bytes: only an instance with its parameters can read them."""

    data: bytes

    def to_bytes(self) -> bytes:
        """As they are."""
        return self.data


@dataclass
class Running:
    """One instance: the model, its inputs, and where it is."""

    make: Callable[[Mapping[str, float]], Model]
    model: Model
    t: float = 0.0
    last: Advance[Any] | None = None
    given: dict[str, Vector] = field(default_factory=dict)
    before: dict[str, Vector] = field(default_factory=dict)  # motions told last
    values: dict[str, float] = field(default_factory=dict)  # parameters that are set
    shared: Mapping[str, Parameter] = field(default_factory=dict)
    why: str = ""  # the last step was rejected; empty if it was not
    _made: dict[str, float] = field(default_factory=dict)  # what the model has of them
    _fresh: dict[str, Any] | None = None  # outputs under inputs of now

    @cached_property
    def spots(self) -> Mapping[str, Spot]:
        """Numbers of ports by the names of variables."""
        return {spot.name: spot for spot in spots(self.model)}

    @cached_property
    def published(self) -> Mapping[str, tuple[str, str]]:
        """Values that the model publishes: by variable, name and unit."""
        return published(self.model)

    @cached_property
    def parameters(self) -> Mapping[str, Parameter]:
        """Those that a system shares among its parts first, then those of parts."""
        own = self.model.parameters
        taken = {*own, *(n for n, _ in (*self.inputs(), *self.outputs()))}
        free = {n: p for n, p in self.shared.items() if n not in taken}
        return {**free, **own}

    @property
    def units(self) -> dict[str, str]:
        """Of all variables, by name."""
        own = {name: p.unit for name, p in self.parameters.items()}
        return {**own, **dict(self.inputs()), **dict(self.outputs())}

    def parameter(self, name: str) -> float:
        """A parameter, as it was set or as it is without."""
        now = self.model.parameters.get(name, self.parameters[name])
        return self.values.get(name, now.value)

    def set_parameter(self, name: str, value: float) -> None:
        """For the next start; hosts repeat what they do not change, which says nothing.

        So a shared parameter is not undone by those of parts that stay as they were.
        """
        self.values.pop(name, None)
        if value != self.parameters[name].value:
            self.values[name] = value

    def inputs(self) -> list[tuple[str, str]]:
        """Names and units of all inputs."""
        own = [(s.name, s.unit) for s in self.spots.values() if s.incoming]
        return own + [(s.name, s.unit) for s in signals(self.model) if s.incoming]

    def outputs(self) -> list[tuple[str, str]]:
        """Names and units of all outputs."""
        own = [(s.name, s.unit) for s in self.spots.values() if not s.incoming]
        own += [(s.name, s.unit) for s in signals(self.model) if not s.incoming]
        return own + [(name, unit) for name, (_, unit) in self.published.items()]

    def begin(self, t0: float) -> None:
        """The start, with the parameters that were set."""
        self._remake()
        self.t, self.last, self._fresh = t0, self.model.start(t0), None
        self.before = {n: self._told(n) for n in self._led()}

    def _remake(self) -> None:
        """The model of this instance, with its own parameters."""
        if self._made != self.values:
            first = sorted(self.values, key=lambda name: name not in self.shared)
            told = {name: self.values[name] for name in first}
            self.model, self._made = self.make(told), dict(self.values)

    def step(self, t: float, h: float) -> bool:
        """One step under the inputs of now; False, and `why`, if it cannot be."""
        last, window = self._last(), Window(t, t + h)
        done = self.model.advance(last.state, window, self._signals(h))
        self.why = ""
        if isinstance(done, Rejected):
            self.why = f"{done.model}: {done.error or done.reason}"
            return False
        self.t, self.last, self._fresh = t + h, done, None
        self.before = {n: self._told(n) for n in self._led()}
        return True

    def _last(self) -> Advance[Any]:
        if self.last is None:
            self.begin(0.0)
        assert self.last is not None
        return self.last

    def set(self, name: str, value: float) -> None:
        """An input."""
        spot = self.spots.get(name)
        if spot is None:
            self.given[name] = np.array([float(value)])
        else:
            key = spot.port if spot.level == "force" else f"{spot.port} {spot.level}"
            held = self.given.get(key)
            row = np.zeros(self._port(spot.port).size) if held is None else held.copy()
            row[spot.at] = value
            self.given[key] = row
        self._fresh = None

    def get(self, name: str) -> float:
        """An input or an output, as it is now."""
        spot = self.spots.get(name)
        if spot is None:
            return self._signal(name)
        if spot.incoming:
            key = spot.port if spot.level == "force" else f"{spot.port} {spot.level}"
            held = self.given.get(key)
            return 0.0 if held is None else float(held[spot.at])
        shown = self._shown()[spot.port]
        if isinstance(shown, Effort):
            return float(shown.f[spot.at])
        assert isinstance(shown, Motion)
        level = getattr(shown, spot.level)
        return 0.0 if level is None else float(level[spot.at])

    def _signal(self, name: str) -> float:
        if name in self.given:
            return float(self.given[name][0])
        if name in self.published and isinstance(self.model, Observing):
            seen = self.model.observe(self._last().state)
            return seen[self.published[name][0]].value
        shown = self._shown().get(name, 0.0)
        assert isinstance(shown, float)
        return shown

    def _shown(self) -> Mapping[str, Any]:
        """Outputs under the inputs of now: accelerations follow forces at once."""
        if self._fresh is None:
            shown = dict(self._last().outputs)
            forces = {n: f for n, f in self.given.items() if self._pushed(n)}
            if forces and isinstance(self.model, Pressing) and not self._led():
                state = self._last().state
                shown |= self.model.press(state, self.t, forces).outputs
            self._fresh = shown
        return self._fresh

    def _port(self, name: str) -> Port:
        port = self.model.ports[name]
        assert isinstance(port, Port)
        return port

    def _pushed(self, name: str) -> bool:
        port = self.model.ports.get(name)
        return isinstance(port, Port) and port.causality is Causality.FORCE_IN

    def _led(self) -> list[str]:
        ports = self.model.ports.items()
        return [
            n
            for n, p in ports
            if isinstance(p, Port) and p.causality is Causality.MOTION_IN
        ]

    def _told(self, name: str) -> Vector:
        """Position and velocity that a port is told now, one after the other."""
        zero = np.zeros(self._port(name).size)
        levels = [self.given.get(f"{name} {level}", zero) for level in ("x", "v")]
        return np.concatenate(levels)

    def _signals(self, h: float) -> Mapping[str, Signal]:
        """What every port is told over a step: forces held, motions as cubics."""
        told = {
            n: Signal.hold(f) for n, f in self.given.items() if n in self.model.ports
        }
        for name in self._led():
            (x0, v0), (x1, v1) = (
                y.reshape(2, -1) for y in (self.before[name], self._told(name))
            )
            way = x1 - x0
            curve = [x0, h * v0, 3.0 * way - h * (2.0 * v0 + v1)]
            told[name] = Signal(np.stack([*curve, h * (v0 + v1) - 2.0 * way]))
        return told

    def save(self) -> Saved:
        """Everything; nothing of it is ever changed in place."""
        now = (self.t, self._last(), dict(self.given), dict(self.before))
        return Saved(self.model, *now, dict(self._made))

    def restore(self, state: Saved | Written) -> None:
        """Back to what was saved, with the parameters that it was saved with."""
        saved = self._read(state.data) if isinstance(state, Written) else state
        self.values = dict(saved.values)
        self._remake()
        self.t, self.last, self._fresh = saved.t, saved.last, None
        self.given, self.before = dict(saved.given), dict(saved.before)

    def _read(self, data: bytes) -> Saved:
        """What `to_bytes` wrote."""
        tree: Any = unpack(data)
        self.values = dict(tree["values"])
        self._remake()
        assert isinstance(self.model, Serialising), "declared where it can"
        shown = {n: _shown(told) for n, told in tree["shown"].items()}
        last = Advance(self.model.load(tree["state"]), shown)
        told = (tree["given"], tree["before"], tree["values"])
        return Saved(self.model, tree["t"], last, *told)


def _plain(shown: Any) -> Any:
    if isinstance(shown, Effort):
        return ["effort", shown.f, *_plain(shown.at)]
    if isinstance(shown, Motion):
        return ["motion", shown.x, shown.v, shown.a, shown.turn]
    return ["signal", float(shown)]


def _shown(told: Any) -> Any:
    kind, *rest = told
    if kind == "effort":
        return Effort(rest[0], _shown(rest[1:]))
    return Motion(*rest) if kind == "motion" else rest[0]
