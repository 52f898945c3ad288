"""Whether the ports answer with what they declare."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from bondline.core import (
    Advance,
    Causality,
    Effort,
    Motion,
    Output,
    Port,
    Signal,
    SignalPort,
    Vector,
)
from bondline.testing.report import Finding, judged
from bondline.testing.shown import apart, label, largest, rotation_between, values
from bondline.testing.trial import Trial, go

UNIT = 1e-9
TOLD = 1e-6
SAME = 1e-12
_SETTLED = 150  # windows until a weighing port has come to rest


def ports(trial: Trial) -> Iterator[Finding]:
    """Sizes, levels, finite numbers and unit quaternions, at the start and after."""
    for moment, advance in _moments(trial):
        wrong = next(_wrong(trial, advance), None)
        if wrong is not None:
            quantity, words = wrong
            yield Finding("ports", "failed", f"{moment} {words}", quantity)
            return
    yield from _followed(trial)
    count = len(trial.leaf.ports)
    yield Finding("ports", "passed", f"{count} answer with what they declare")


def _moments(trial: Trial) -> Iterator[tuple[str, Advance[Any]]]:
    start = trial.leaf.start(0.0)
    yield "at the start", start
    done = go(
        trial.leaf, start, trial.window(0), trial.loads(start, trial.window(0), 0)
    )
    yield "after window 1", done
    for k, advance in enumerate(trial.path[1:], start=1):
        yield f"after window {k}", advance


def _wrong(trial: Trial, advance: Advance[Any]) -> Iterator[tuple[str, str]]:
    for name, port in trial.leaf.ports.items():
        if isinstance(port, SignalPort) and port.incoming:
            continue
        if name not in advance.outputs:
            yield f"port {name}", "it gives no answer."
            return
        shown = advance.outputs[name]
        words = _kind(port, shown) or _missing(trial, shown)
        if words:
            yield f"port {name}", words
        elif isinstance(port, Port):
            yield from _sizes(name, port, shown)
    for key, numbers in values(advance, energy=True).items():
        if not np.isfinite(numbers).all():
            yield label(key), "it is not finite."


def _kind(port: Port | SignalPort, shown: Output) -> str:
    if isinstance(port, SignalPort):
        good, wanted = isinstance(shown, int | float | np.floating), "a number"
    elif port.causality is Causality.FORCE_IN:
        good, wanted = isinstance(shown, Motion), "a Motion, because it takes forces"
    else:
        good, wanted = isinstance(shown, Effort), "an Effort, because it takes motion"
    return "" if good else f"it answers with {type(shown).__name__}, not {wanted}."


def _missing(trial: Trial, shown: Output) -> str:
    declared = trial.leaf.capabilities.acceleration
    if not isinstance(shown, Motion) or declared == (shown.a is not None):
        return ""
    if declared:
        return "it gives no acceleration, but Capabilities(acceleration=True) says so."
    return "it gives an acceleration, but Capabilities(acceleration=False) denies it."


def _sizes(port_name: str, port: Port, shown: Output) -> Iterator[tuple[str, str]]:
    wanted = {"x": 3 if port.frame else port.size, "turn": 4 if port.frame else None}
    for level, value in _numbers(shown).items():
        size = wanted.get(level.removeprefix("at."), port.size)
        name = label((port_name, level))
        if size is None:
            yield name, "it shows an orientation, but is no frame."
        elif value.shape != (size,):
            yield name, f"it has the shape {value.shape}, not ({size},)."
        elif level.endswith("turn") and abs(np.linalg.norm(value) - 1.0) > UNIT:
            off = float(np.linalg.norm(value))
            yield name, f"its quaternion has the length {off:.9g}, not 1."
    if port.frame and not any(n.endswith("turn") for n in _numbers(shown)):
        yield f"port {port_name}: orientation", "a frame must show its quaternion."


def _numbers(shown: Output) -> Mapping[str, Vector]:
    found = values(Advance(None, {"": shown}))
    return {level: value for (_, level), value in found.items()}


def _followed(trial: Trial) -> Iterator[Finding]:
    """A port that takes motion must be where it was told to be.

    One that weighs what it is told must get there once the motion stops.
    """
    before = trial.path[-1]
    window = trial.window(trial.last)
    inputs = trial.loads(before, window, trial.last)
    if all(n in trial.driven or _signal(trial, n) for n in inputs):
        return
    ahead = [window]
    if trial.leaf.capabilities.weighs:
        ahead = [trial.window(trial.last + k) for k in range(_SETTLED)]
        inputs = {n: Signal(x.end[None], x.origin) for n, x in inputs.items()}
    after = trial.follow(trial.last, ahead, lambda *_: inputs)[-1]
    for name, shown in after.outputs.items():
        if isinstance(shown, Effort):
            yield from _told(name, shown.at, inputs[name])


def _signal(trial: Trial, name: str) -> bool:
    return isinstance(trial.leaf.ports[name], SignalPort)


def _told(name: str, at: Motion, signal: Signal) -> Iterator[Finding]:
    """Its velocity is another matter: that of its own step, if it is a rate at all."""
    pairs = {"at.x": (at.x, signal.end)}
    if signal.origin is not None:
        pairs["at.x"] = (at.x, signal.origin.x + signal.end[:3])
        if at.turn is not None:
            turned = rotation_between(signal.origin.turn, at.turn)
            pairs["at.turn"] = (turned, signal.end[3:])
    for level, (got, told) in pairs.items():
        off = apart(got, told) / max(largest(told), 1e-3)
        words = f"it was told {_brief(told)} and says {_brief(got)}"
        yield judged("ports", label((name, level)), off, TOLD, words)


def silence(trial: Trial) -> Iterator[Finding]:
    """A port without an input feels no force."""
    if not trial.driven:
        yield Finding("silence", "skipped", "no port takes forces")
        return
    before, window = trial.path[1], trial.window(1)
    loads = trial.loads(before, window, 1)
    others = {n: signal for n, signal in loads.items() if n not in trial.driven}
    zero = {n: Signal.hold(np.zeros(p.size)) for n, p in trial.driven.items()}
    told, free = (values(trial.step(1, x)) for x in ({**others, **zero}, others))
    for key, wanted in told.items():
        off = apart(wanted, free.get(key))
        if off > SAME * largest(wanted):
            words = f"without an input it is off by {off:.3g} from that under no force."
            yield Finding("silence", "failed", words, label(key), off, 0.0)
            return
    yield Finding("silence", "passed", "a port without an input feels no force")


def _brief(numbers: Vector) -> str:
    return "(" + ", ".join(f"{x:.4g}" for x in numbers[:6]) + ")"
