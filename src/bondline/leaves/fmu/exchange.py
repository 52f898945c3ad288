"""Between ports and rows of numbers: what an FMU is told, and what it shows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import factorial

import numpy as np

from bondline.core import (
    Causality,
    Effort,
    Matrix,
    Motion,
    Output,
    Signal,
    Tree,
    Vector,
    Window,
)
from bondline.leaves.fmu.unit import Plug, Unit, Wire


@dataclass(frozen=True)
class Exchange:
    """The columns of all inputs, and of all outputs."""

    unit: Unit

    @cached_property
    def inputs(self) -> list[Wire]:
        """Forces, or motions, port by port; then the signals that go in."""
        taken = [w for p in self.unit.plugs.values() for w in _taken(p)]
        return taken + [s.wire for s in self.unit.signals.values() if s.port.incoming]

    @cached_property
    def outputs(self) -> list[Wire]:
        """Motions, or forces, port by port; then the signals that come out."""
        shown = [w for p in self.unit.plugs.values() for w in _shown(p)]
        own = self.unit.signals.values()
        return shown + [s.wire for s in own if not s.port.incoming]

    @cached_property
    def rest(self) -> Vector:
        """The inputs while nobody says anything: no force, the rest as it starts."""
        row = np.zeros(len(self.inputs))
        for name, plug in self.unit.plugs.items():
            if plug.at:
                row[self.taken[name]] = plug.at
        for name, at in self.signals_in.items():
            row[at] = self.unit.signals[name].start
        return row

    @cached_property
    def signals_in(self) -> Mapping[str, int]:
        """Column of each signal that goes in."""
        first = sum(len(_taken(p)) for p in self.unit.plugs.values())
        every = [n for n, s in self.unit.signals.items() if s.port.incoming]
        return {name: first + i for i, name in enumerate(every)}

    @cached_property
    def signals_out(self) -> Mapping[str, int]:
        """Column of each signal that comes out."""
        first = sum(len(_shown(p)) for p in self.unit.plugs.values())
        every = [n for n, s in self.unit.signals.items() if not s.port.incoming]
        return {name: first + i for i, name in enumerate(every)}

    @cached_property
    def taken(self) -> Mapping[str, slice]:
        """Columns of what each port takes in."""
        return _places({n: len(_taken(p)) for n, p in self.unit.plugs.items()})

    @cached_property
    def shown(self) -> Mapping[str, slice]:
        """Columns of what each port shows."""
        return _places({n: len(_shown(p)) for n, p in self.unit.plugs.items()})

    def told(self, window: Window, inputs: Mapping[str, Signal]) -> Tree:
        """A row of inputs for each step of a window, and one for its end.

        Forces are means over the steps, so that their impulse is right; where the FMU
        interpolates, they are values at the start of a step and derivatives in time.
        """
        steps, rows = self.unit.steps, list[Tree]()
        varied = any(s.degree > 0 for s in inputs.values())
        for k in range(steps):
            s0, s1 = k / steps, (k + 1) / steps
            if self._interpolated and varied:
                rows.append([*self._derived(window, inputs, s0)])
            else:
                rows.append([self._row(window, inputs, s0, s1)])
        rows.append([self._row(window, inputs, 1.0, 1.0)])
        return rows

    @cached_property
    def _interpolated(self) -> bool:
        led = (
            p.port.causality is Causality.MOTION_IN for p in self.unit.plugs.values()
        )
        real = all(w.kind == "Float64" for w in self.inputs)
        return self.unit.interpolates and real and not any(led)

    def _row(
        self, window: Window, inputs: Mapping[str, Signal], s0: float, s1: float
    ) -> Vector:
        row = self.rest.copy()
        for port, signal in inputs.items():
            if port in self.signals_in:
                row[self.signals_in[port]] = _mean(signal, s0, s1)[0]
            elif self.unit.plugs[port].port.causality is Causality.FORCE_IN:
                row[self.taken[port]] = _mean(signal, s0, s1)
            else:
                row[self.taken[port]] = _motion(
                    self.unit.plugs[port], signal, s1, window.h
                )
        return row

    def _derived(
        self, window: Window, inputs: Mapping[str, Signal], s: float
    ) -> list[Vector]:
        """Values at `s`, then derivatives in time of every order there is."""
        top = max(signal.degree for signal in inputs.values())
        rows = [self.rest.copy(), *(np.zeros(len(self.rest)) for _ in range(top))]
        for port, signal in inputs.items():
            alone = self.signals_in.get(port)
            at = self.taken[port] if alone is None else slice(alone, alone + 1)
            local = signal.part(s, 1.0).coefficients if s < 1.0 else signal.coefficients
            left = (1.0 - s) * window.h
            for k, row in enumerate(local):
                rows[k][at] = row * factorial(k) / left**k
        return rows

    def pressed(self, given: Mapping[str, Vector]) -> tuple[list[Wire], Vector]:
        """Variables and their values: all that ports take, and signals that are given.

        A port without a force feels none; a signal without a value stays as it is.
        """
        row, columns = self.rest.copy(), list[int]()
        for at in self.taken.values():
            columns += range(at.start, at.stop)
        for name, value in given.items():
            if name in self.signals_in:
                row[self.signals_in[name]] = value[0]
                columns.append(self.signals_in[name])
            else:
                row[self.taken[name]] = value
        return [self.inputs[k] for k in columns], row[columns]

    def read(
        self, y: Vector, window: Window | None, inputs: Mapping[str, Signal]
    ) -> Mapping[str, Output]:
        """What every port shows, and every signal that comes out."""
        found: dict[str, Output] = {}
        for name, plug in self.unit.plugs.items():
            own = y[self.shown[name]]
            if plug.port.causality is Causality.FORCE_IN:
                found[name] = _moved(plug, own)
            else:
                found[name] = Effort(own, _led(plug, inputs.get(name), window))
        return found | {name: float(y[at]) for name, at in self.signals_out.items()}


def _taken(plug: Plug) -> tuple[Wire, ...]:
    forced = plug.port.causality is Causality.FORCE_IN
    return plug.force if forced else plug.motion


def _shown(plug: Plug) -> tuple[Wire, ...]:
    forced = plug.port.causality is Causality.FORCE_IN
    return plug.motion if forced else plug.force


def _places(sizes: Mapping[str, int]) -> Mapping[str, slice]:
    found, at = dict[str, slice](), 0
    for name, size in sizes.items():
        found[name] = slice(at, at + size)
        at += size
    return found


def _mean(signal: Signal, s0: float, s1: float) -> Vector:
    """Of a polynomial between two fractions of the window."""
    if s0 == s1 or signal.degree == 0:
        return signal.at(s1)
    rows: Matrix = signal.part(s0, s1).coefficients
    weights = 1.0 / np.arange(1.0, len(rows) + 1.0)
    mean: Vector = weights @ rows
    return mean


def _motion(plug: Plug, signal: Signal, s: float, h: float) -> Vector:
    """Position, velocity and acceleration of a path, where the FMU takes them."""
    levels = _levels(signal, s, h)
    return np.concatenate(
        [x for x, w in zip(levels, (plug.x, plug.v, plug.a), strict=True) if w]
    )


def _levels(signal: Signal, s: float, h: float) -> list[Vector]:
    rows, levels = signal.coefficients, list[Vector]()
    for _ in range(3):
        levels.append(Signal(rows).at(s))
        powers = np.arange(1.0, len(rows))[:, None]
        rows = rows[1:] * powers / h if len(rows) > 1 else np.zeros_like(rows[:1])
    return levels


def _moved(plug: Plug, own: Vector) -> Motion:
    n, v, a = len(plug.x), len(plug.v), len(plug.a)
    turn = own[n + v + a :] if plug.turn else None
    if turn is not None:
        turn = turn / np.linalg.norm(turn)
    return Motion(own[:n], own[n : n + v], own[n + v : n + v + a] if a else None, turn)


def _led(plug: Plug, signal: Signal | None, window: Window | None) -> Motion:
    """Where a port that takes motion is: where it was told to be."""
    if signal is None or window is None:
        n = plug.port.size
        levels = np.zeros((3, n))
        known = np.array(plug.at).reshape(-1, n)
        levels[: len(known)] = known
        return Motion(*levels)
    return Motion(*_levels(signal, 1.0, window.h))
