"""How signals are exchanged: held, one window late; or iterated within the window."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from bondline.core import (
    Advance,
    Model,
    Port,
    PortRef,
    Pressing,
    Rejected,
    Signal,
    Vector,
    superposed,
)
from bondline.errors import CouplingDiverged, SettingError, did_you_mean
from bondline.gluing.signals.outputs import signals_of
from bondline.gluing.signals.wires import Wires
from bondline.gluing.solvers.learned import Learned
from bondline.gluing.solvers.secants import secant_step
from bondline.gluing.state import GluedState

EXCHANGES = ("hold", "iterated")
_TOLERANCE, _MOST = 1e-10, 50
_DEPTH, _FILTER = 8, 1e-8  # guesses that are remembered, and told apart
_Tried: TypeAlias = "tuple[Vector, Vector]"  # a guess, and what it was off by
Advancing = Callable[[Mapping[PortRef, Signal]], "Advance[GluedState] | Rejected"]


def check_signals(name: str, wires: Wires, exchange: str, apart: str) -> None:
    """Raise where signals cannot be exchanged like this, or beside what is `apart`."""
    place = f"{name}: signals"
    if exchange not in EXCHANGES:
        hint = did_you_mean(exchange, EXCHANGES)
        raise SettingError(place, f"no exchange {exchange!r}.", hint)
    wires.check(name)
    if wires.every and apart:
        raise SettingError(
            place,
            f"they are exchanged once a window, which does not go with {apart}.",
            "Leave that out, or put the parts that it is for into a nested model.",
        )
    once = [n for n, p in wires.parts.items() if not p.capabilities.repeatable]
    if exchange == "iterated" and wires.every and once:
        raise SettingError(
            place,
            f"iterated signals repeat windows, and {once[0]} cannot.",
            'Use signals="hold": each signal is held over a window, one window late.',
        )


@dataclass(frozen=True)
class Carried:
    """The exchange over one window."""

    wires: Wires
    exchange: str

    def advance(
        self,
        name: str,
        state: GluedState,
        outside: Mapping[PortRef, Signal],
        go: Advancing,
    ) -> Advance[GluedState] | Rejected:
        """The window under all signals; `go` advances the parts under inputs."""
        before = self.wires.read(state)
        if self.exchange == "hold":
            return go(superposed(outside, self.wires.told([before])))
        return self._iterated(name, before, outside, go)

    def _iterated(
        self,
        name: str,
        before: Vector,
        outside: Mapping[PortRef, Signal],
        go: Advancing,
    ) -> Advance[GluedState] | Rejected:
        """Lines from what signals were to what they become, until that is the same.

        Corrected by secants: a sensor, a controller and a force are two hops, and a
        stiff loop gains little by each.
        """
        guess, left, tried = before, float("inf"), list[_Tried]()
        for count in range(1, _MOST + 1):
            told = self.wires.told([before, guess - before])
            done = go(superposed(outside, told))
            if isinstance(done, Rejected):
                return done
            after = self.wires.read(done.state)
            left = float(np.abs(after - guess).max())
            if left <= _TOLERANCE * (1.0 + float(np.abs(after).max())):
                return replace(done, stats={**done.stats, "signals.sweeps": count})
            tried.insert(0, (guess, guess - after))
            guess = guess + _correction(tried)
        return Rejected(name, "signals run in a circle", error=_circle(name, left))

    def first(self, start: GluedState, t0: float) -> GluedState:
        """The start, with parts that have only signals knowing those of the others."""
        state = start
        for _ in self.wires.parts:
            values = self.wires.read(state)
            parts, signals = dict(state.parts), dict(state.signals)
            for name, part in self.wires.parts.items():
                told = self.wires.into(name, values)
                if told and not _mechanical(part) and isinstance(part, Pressing):
                    pressed = part.press(state.parts[name], t0, told)
                    parts[name] = pressed.state
                    signals |= signals_of({name: pressed})
            state = replace(state, parts=parts, signals=signals)
            if np.array_equal(self.wires.read(state), values):
                break
        return state


def _correction(tried: Sequence[_Tried]) -> Vector:
    """By the last few guesses and what each was off by, the newest first."""
    z, r = (np.array(rows) for rows in zip(*tried[: _DEPTH + 1], strict=True))
    one, dz, dr = np.ones(1), -np.diff(z, axis=0), -np.diff(r, axis=0)
    known = Learned(1.0, one, one, dz, dr, np.zeros(len(dz)))
    return secant_step(known, r[0], 1.0, _FILTER)


def _mechanical(part: Model) -> bool:
    return any(isinstance(port, Port) for port in part.ports.values())


def _circle(name: str, left: float) -> CouplingDiverged:
    return CouplingDiverged(
        f"{name}: signals",
        f"after {_MOST} exchanges they still change by {left:.3g} in a window.",
        'Shorten the step, or use signals="hold"; signals that run in a circle without '
        "a delay need one.",
    )
