"""Whether a leaf depends on its forces as it declares."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from bondline.core import Advance, Signal, Window
from bondline.testing.report import Finding, judged
from bondline.testing.shown import EPS, Key, Values, label, largest, values
from bondline.testing.trial import PACE, Inputs, Loads, Refusal, Trial

ALLOWED = 1e-8  # of the response
FAR = 1e3  # times the ordinary loads: a weak nonlinearity shows
SHIFT = 0.03  # m: how far leaves are pushed in a window that never said they are linear
SURE = 1e-10
FIRST, SECOND = 0.625, -1.75  # exact in binary


def affinity(trial: Trial) -> Iterator[Finding]:
    """Outputs are affine in the port forces: superposition over several windows."""
    if not trial.driven:
        yield Finding("affinity", "skipped", "no port takes forces")
    elif trial.leaf.capabilities.linear:
        found = [_superposed(trial, factor, trial.count) for factor in (1.0, FAR)]
        key, off = max((pair for pair in found), key=lambda pair: pair[1])
        words = (
            "responses to forces do not add up" if off > ALLOWED else "forces add up"
        )
        yield judged("affinity", label(key), off, ALLOWED, words)
    else:
        yield from _modest(trial)


def _modest(trial: Trial) -> Iterator[Finding]:
    """Not declared linear; perhaps it could be. Frames turn, so they never are."""
    frames = any(port.frame for port in trial.driven.values())
    factor = SHIFT / (PACE * trial.h**2)
    try:
        off = np.inf if frames else _superposed(trial, factor, 2)[1]
    except Refusal:
        off = np.inf
    if off > SURE:
        yield Finding("affinity", "skipped", "the leaf does not claim to be linear")
    else:
        words = "it looks linear: with Capabilities(linear=True) one correction a "
        yield Finding("affinity", "hint", f"{words}window is enough.", "", off, SURE)


def _superposed(trial: Trial, factor: float, count: int) -> tuple[Key, float]:
    """The quantity that is farthest from a combination of two responses."""
    windows = [trial.window(k) for k in range(count)]
    single = [(0.0, 0.0), (factor, 0.0), (0.0, factor)]
    ways = [*single, (FIRST * factor, SECOND * factor)]
    base, one, two, both = (
        [values(a) for a in trial.follow(0, windows, _mixed(trial, p, q))]
        for p, q in ways
    )
    worst: tuple[Key, float] = (("", ""), 0.0)
    for four in zip(base, one, two, both, strict=True):
        for key in four[0]:
            if not key[1].endswith("turn"):
                worst = max(worst, (key, _off(key, *four)), key=lambda pair: pair[1])
    return worst


def _off(key: Key, base: Values, one: Values, two: Values, both: Values) -> float:
    y0, y1, y2, y12 = base[key], one[key], two[key], both[key]
    forecast = y0 + FIRST * (y1 - y0) + SECOND * (y2 - y0)
    response = max(largest(y1 - y0), largest(y2 - y0))
    noise = 1e3 * EPS * max(map(largest, (y0, y1, y2, y12)))
    missed = largest(y12 - forecast)
    return 0.0 if missed <= noise else missed / max(response, 1e-300)


def _mixed(trial: Trial, p: float, q: float) -> Loads:
    """A combination of two histories of load; prescribed motions go on evenly."""

    def loads(before: Advance[Any], window: Window, k: int) -> Inputs:
        one = trial.loads(before, window, k)
        two = trial.loads(before, window, k, stream=1)
        return {
            name: Signal(p * one[name].coefficients + q * two[name].coefficients)
            if name in trial.driven
            else one[name]
            for name in one
        }

    return loads


def one_step(trial: Trial) -> Iterator[Finding]:
    """Whether only forces at the ends of a window count."""
    declared = trial.leaf.capabilities.one_step
    if not trial.driven:
        yield Finding("one step", "skipped", "no port takes forces")
        return
    key, off = _inside_counts(trial)
    if declared:
        words = (
            "a force with the same ends gives " + ("the same", "another")[off > 1e-9]
        )
        yield judged("one step", label(key), off, 1e-9, f"{words} answer")
    elif off <= 1e-9:
        words = "only ends of the force count: Capabilities(one_step=True) tells the "
        yield Finding("one step", "hint", f"{words}gluing.", "", off, 1e-9)
    else:
        yield Finding("one step", "passed", "forces inside a window count")


def _inside_counts(trial: Trial) -> tuple[Key, float]:
    k = min(1, trial.last)
    before, window = trial.path[k], trial.window(k)
    others = trial.loads(before, window, k)
    ends = {name: trial.scales[name] for name in trial.driven}
    held = {name: Signal.hold(f) for name, f in ends.items()}
    swell = np.array([[1.0], [4.0], [-4.0]])  # f at both ends, twice f in the middle
    swollen = {name: Signal(swell * f) for name, f in ends.items()}
    none = {name: Signal.hold(0.0 * f) for name, f in ends.items()}
    a, b, free = (values(trial.step(k, {**others, **x})) for x in (held, swollen, none))
    return _farthest(a, b, free)


def _farthest(a: Values, b: Values, free: Mapping[Key, Any]) -> tuple[Key, float]:
    """Where two answers differ most, as a part of the response."""
    found = {
        key: largest(a[key] - b[key]) / max(largest(a[key] - free[key]), 1e-300)
        for key in a
        if largest(a[key] - b[key]) > 1e3 * EPS * largest(a[key])
    }
    key = max(found, key=lambda name: found[name], default=("", ""))
    return key, found.get(key, 0.0)
