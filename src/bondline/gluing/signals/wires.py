"""Wires: which number of one part goes into which input of another.

A source is a signal that comes out, a value that the part publishes, or a motion of a
port: `tip.r.x`, `tip.v.x`, `hinge.omega.z`. A target is a signal that goes in, or a
force on a port that takes force: `tip.F.x`, `hinge.M.z`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from bondline.core import (
    Causality,
    Model,
    Motion,
    Observing,
    Port,
    PortRef,
    Signal,
    SignalPort,
    Vector,
)
from bondline.errors import BondlineError, WiringError, did_you_mean
from bondline.gluing.state import GluedState

_LEVELS = {"r": "x", "v": "v", "a": "a", "phi": "x", "omega": "v", "alpha": "a"}
_UNITS = {
    **{"r": "m", "v": "m/s", "a": "m/s2", "F": "N"},
    **{"phi": "rad", "omega": "rad/s", "alpha": "rad/s2", "M": "N.m"},
}
_TURNING = ("M", "phi", "omega", "alpha")


class Wire(NamedTuple):
    """A signal from one part to another: (part, signal) each.

    The target gets factor · source + offset: a change of unit, for example.
    """

    source: PortRef
    target: PortRef
    factor: float = 1.0
    offset: float = 0.0

    @property
    def ends(self) -> tuple[PortRef, PortRef]:
        """Source and target."""
        return self.source, self.target

    def __str__(self) -> str:
        return f"{self.source} → {self.target}"


class Spot(NamedTuple):
    """One number of a port: its level or F, and which of its dofs."""

    port: str
    level: str
    dof: int


@dataclass(frozen=True)
class Wires:
    """All wires of a model, and the parts that they are between."""

    parts: Mapping[str, Model]
    every: Sequence[Wire]

    def check(self, name: str) -> None:
        """Raise `WiringError` where a wire does not start or end at a signal."""
        ends: set[PortRef] = set()
        for wire in self.every:
            place = f"{name}: signal {wire}"
            for end in wire.ends:
                if end.part not in self.parts:
                    hint = did_you_mean(end.part, self.parts)
                    raise WiringError(place, f"there is no part {end.part!r}.", hint)
            if not self._comes_out(wire.source):
                raise WiringError(
                    place, f"nothing named {wire.source} comes out.", self._out(wire)
                )
            if not self._goes_in(wire.target):
                raise WiringError(
                    place, f"nothing named {wire.target} goes in.", self._in(wire)
                )
            if wire.target in ends:
                finding = f"{wire.target} is driven twice."
                raise WiringError(place, finding, "An input takes one signal.")
            ends.add(wire.target)

    def _comes_out(self, end: PortRef) -> bool:
        part = self.parts[end.part]
        port = part.ports.get(end.port)
        if isinstance(port, SignalPort):
            return not port.incoming
        spot = spot_of(part, end.port)
        if spot is not None and spot.level in _LEVELS:
            return True
        return isinstance(part, Observing) and self._publishes(end, part)

    def _publishes(self, end: PortRef, part: Observing[Any]) -> bool:
        """True, or `WiringError`; what a part publishes shows at its start only."""
        try:
            shown = part.observe(self.parts[end.part].start(0.0).state)
        except BondlineError:
            return True  # told where the model starts
        if end.port not in shown:
            raise _unpublished(end, shown)
        return True

    def _goes_in(self, end: PortRef) -> bool:
        part = self.parts[end.part]
        port = part.ports.get(end.port)
        if isinstance(port, SignalPort):
            return port.incoming
        spot = spot_of(part, end.port)
        if spot is None or spot.level not in ("F", "M"):
            return False
        held = part.ports[spot.port]
        return isinstance(held, Port) and held.causality is Causality.FORCE_IN

    def _out(self, wire: Wire) -> str:
        known = self._signals(wire.source.part, incoming=False)
        return f"{did_you_mean(wire.source.port, known)} Motions: PORT.r.x, PORT.v.x."

    def _in(self, wire: Wire) -> str:
        known = self._signals(wire.target.part, incoming=True)
        return f"{did_you_mean(wire.target.port, known)} Forces: PORT.F.x, PORT.M.z."

    def _signals(self, part: str, incoming: bool) -> list[str]:
        ports = self.parts[part].ports
        return [
            n
            for n, p in ports.items()
            if isinstance(p, SignalPort) and p.incoming is incoming
        ]

    @cached_property
    def watched(self) -> tuple[PortRef, ...]:
        """Ports whose motion is a source."""
        found = (self._spot(w.source) for w in self.every)
        return tuple(dict.fromkeys(PortRef(n, s.port) for n, s in found if s))

    def _spot(self, end: PortRef) -> tuple[str, Spot | None]:
        part = self.parts[end.part]
        plain = end.port in part.ports
        return end.part, None if plain else spot_of(part, end.port)

    def read(self, state: GluedState) -> Vector:
        """What all wires carry, as it is in that state."""
        return np.array(
            [w.factor * self._value(w.source, state) + w.offset for w in self.every]
        )

    def _value(self, end: PortRef, state: GluedState) -> float:
        if end in state.signals:
            return state.signals[end]
        _, spot = self._spot(end)
        if spot is not None:
            return _level(state.motions[PortRef(end.part, spot.port)], spot)
        part = self.parts[end.part]
        shown = (
            part.observe(state.parts[end.part]) if isinstance(part, Observing) else {}
        )
        if end.port not in shown:
            raise _unpublished(end, shown)
        return shown[end.port].value

    def told(self, rows: Sequence[Vector]) -> Mapping[PortRef, Signal]:
        """Inputs of all targets: `rows` are coefficients of the powers of s."""
        C = np.stack(rows)
        found: dict[PortRef, Any] = {}
        for k, wire in enumerate(self.every):
            name, spot = self._spot(wire.target)
            if spot is None:
                found[wire.target] = C[:, k : k + 1]
            else:
                end, size = (
                    PortRef(name, spot.port),
                    self.parts[name].ports[spot.port].size,
                )
                force = found.setdefault(end, np.zeros((len(C), size)))
                force[:, spot.dof] = C[:, k]
        return {end: Signal(rows) for end, rows in found.items()}

    def into(self, part: str, values: Vector) -> Mapping[str, Vector]:
        """What the signals that go into a part are."""
        return {
            wire.target.port: values[k : k + 1]
            for k, wire in enumerate(self.every)
            if wire.target.part == part and wire.target.port in self.parts[part].ports
        }


def unit_of(part: Model, name: str) -> str:
    """The unit of a source or target of that part; "1" where nothing says it."""
    port = part.ports.get(name)
    if isinstance(port, SignalPort):
        return port.unit
    spot = spot_of(part, name)
    if spot is not None:
        return _UNITS[spot.level]
    if not isinstance(part, Observing):
        return "1"
    try:
        shown = part.observe(part.start(0.0).state)
    except BondlineError:
        return "1"  # told where the model starts
    return shown[name].unit if name in shown else "1"


def _unpublished(end: PortRef, shown: Mapping[str, Any]) -> WiringError:
    return WiringError(
        f"signal {end}",
        f"{end.part} does not publish {end.port}.",
        did_you_mean(end.port, shown),
    )


def spot_of(part: Model, name: str) -> Spot | None:
    """The number of a port that `tip.r.x` names, if there is one."""
    port, _, rest = name.rpartition(".")
    port, _, level = port.rpartition(".")
    held = part.ports.get(port)
    if not isinstance(held, Port) or level not in (*_LEVELS, "F", "M"):
        return None
    dof = f"r{rest}" if level in _TURNING else rest
    if dof not in held.dofs or held.nodes != 1:
        return None
    if held.frame and level == "phi":
        return None  # a frame turns by any amount
    return Spot(port, level, held.dofs.index(dof))


def _level(motion: Motion, spot: Spot) -> float:
    values = getattr(motion, _LEVELS[spot.level])
    if values is None:
        raise WiringError(
            f"signal {spot.port}.{spot.level}",
            "the part gives no accelerations.",
            "Take a velocity.",
        )
    return float(values[spot.dof])
