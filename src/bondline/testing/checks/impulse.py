"""Whether a leaf that can be struck moves as the impulse says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from bondline.core import Advance, Impulsive, Pressing, Signal, Vector, Window
from bondline.testing.asking import ask
from bondline.testing.report import Finding, judged
from bondline.testing.shown import EPS, Values, apart, label, largest, values
from bondline.testing.trial import (
    LADDER,
    PACE,
    Inputs,
    Refusal,
    Trial,
    go,
    going_on,
    march,
)

ALLOWED = 1e-6  # of the change of velocity
SHORT = 1e-2  # the same, where it comes from short windows


def kick(trial: Trial) -> Iterator[Finding]:
    """An impulse changes velocities as M⁻¹ says, and nothing moves.

    The same numbers as forces change accelerations by as much: v(p) − v = a(p) − a(0).
    """
    leaf = trial.leaf
    if not isinstance(leaf, Impulsive) or not trial.driven:
        yield Finding("kick", "skipped", "the leaf has no kick, or no port")
        return
    now, hits = trial.path[0], _hits(trial)  # it is used at the start
    struck = ask(lambda: leaf.kick(now.state, 0.0, hits))
    before, after = values(now), values(struck)
    for key in before:
        if key[1] in ("x", "turn"):
            off = apart(before[key], after.get(key))
            if off > 16.0 * EPS * largest(before[key]):
                words = f"a kick moved it by {off:.3g}; only velocities may change."
                yield Finding("kick", "failed", words, label(key), off, 0.0)
                return
    yield _as_pressed(trial, after, hits)
    if leaf.capabilities.repeatable:
        yield _goes_on(trial, struck)


def _hits(trial: Trial) -> dict[str, Vector]:
    """Impulses that change velocities by about `PACE` times h."""
    rng = np.random.default_rng([trial.seed, 2000])
    return {
        name: trial.h * trial.scales[name] * rng.uniform(0.5, 1.0, port.size)
        for name, port in trial.driven.items()
    }


def _as_pressed(trial: Trial, after: Values, hits: dict[str, Vector]) -> Finding:
    before, wanted, allowed = values(trial.path[0]), _pressed(trial, hits), ALLOWED
    if not wanted:
        wanted, allowed = _pushed(trial, hits), SHORT
    if not wanted:
        return Finding("kick", "passed", "positions stay; nothing to compare with")
    off = {}
    for key, change in wanted.items():
        got = after.get(key, np.full_like(change, np.inf)) - before[key]
        off[key] = apart(got, change) / max(largest(change), 1e-3 * PACE * trial.h)
    key = max(off, key=lambda name: off[name])
    words = "velocities change as the impulses say"
    if not off[key] <= allowed:
        words = f"its change is {100.0 * off[key]:.3g} % off that of the impulses."
    return judged("kick", label(key), off[key], allowed, words)


def _pressed(trial: Trial, hits: dict[str, Vector]) -> Values:
    """Changes of velocity, from accelerations; nothing where pressing shows none."""
    leaf, state = trial.leaf, trial.path[0].state
    if not isinstance(leaf, Pressing) or not leaf.capabilities.acceleration:
        return {}
    loaded, free = (values(leaf.press(state, 0.0, f)) for f in (hits, {}))
    if all(
        free.get(k) is not None and largest(a - free[k]) == 0.0
        for k, a in loaded.items()
    ):
        return {}
    return {(n, "v"): loaded[n, "a"] - free[n, "a"] for n in hits}


def _pushed(trial: Trial, hits: dict[str, Vector]) -> Values:
    """The same from strong forces over short windows.

    A window without force follows: one implicit step sees the force at t₁ only, and
    gives half of the impulse after that.
    """
    found: Values = {}
    for rung in range(LADDER if trial.leaf.capabilities.repeatable else 0):
        h = trial.h * 4.0**-rung
        push = {n: Signal.hold(p / h) for n, p in hits.items()}
        try:
            hit, free = (_after(trial, h, force) for force in (push, {}))
        except Refusal:
            break
        found = {(n, "v"): hit[n, "v"] - free[n, "v"] for n in hits}
    return found


def _after(trial: Trial, h: float, push: dict[str, Signal]) -> Values:
    """What the ports show after a window under forces, and one without."""

    def loads(before: Advance[Any], window: Window, k: int) -> Inputs:
        return {**_still(trial, before, h), **(push if k == 0 else {})}

    windows = [Window(0.0, h), Window(h, 2.0 * h)]
    return values(march(trial.leaf, trial.path[0], windows, loads)[-1])


def _still(trial: Trial, before: Advance[Any], h: float) -> dict[str, Signal]:
    """Ports that take motion go on as they do."""
    return {
        name: going_on(port, before.outputs[name], h, np.zeros((1, port.size)))
        for name, port in trial.mechanical.items()
        if name not in trial.driven
    }


def _goes_on(trial: Trial, struck: Advance[Any]) -> Finding:
    """The next window starts with the new velocities: the state knows them, too."""
    told, off = values(struck), dict[tuple[str, str], float]()
    for rung in range(LADDER):
        window = Window(0.0, trial.h * 4.0**-rung)
        try:
            still = _still(trial, trial.path[0], window.h)
            shown = values(go(trial.leaf, struck, window, still))
        except Refusal:
            break
        for name in trial.driven:
            key, fast = (name, "v"), max(largest(told[name, "v"]), PACE * trial.h)
            gap = apart(told[key], shown.get(key)) / fast
            off[key] = min(gap, off.get(key, gap))
        if max(off.values()) <= SHORT:
            break
    if not off:
        return Finding("kick", "skipped", "it rejects the window after a kick")
    key = max(off, key=lambda name: off[name])
    words = "the next window starts with the new velocities"
    if not off[key] <= SHORT:
        words = f"the next window starts {100.0 * off[key]:.3g} % off its velocity."
    return judged("kick", label(key), off[key], SHORT, words)
