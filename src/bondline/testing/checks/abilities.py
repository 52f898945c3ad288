"""Whether the optional abilities of a leaf do what they promise."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from bondline.core import (
    Advance,
    Breaking,
    Motion,
    Placing,
    Port,
    Pressing,
    Rejected,
    Signal,
    Static,
    Vector,
    Window,
)
from bondline.testing.asking import ask
from bondline.testing.report import Finding, judged
from bondline.testing.shown import EPS, apart, label, largest, values
from bondline.testing.statics import soft
from bondline.testing.trial import LADDER, PACE, Refusal, Trial, go

CLOSE = 1e-9
SHORT = 1e-2
REST = 1e-6
INSTANT = 2.0**-20  # of a window: own loads have no time to change


def press(trial: Trial) -> Iterator[Finding]:
    """Pressing changes accelerations only, to those that the force would make."""
    leaf = trial.leaf
    if not isinstance(leaf, Pressing) or not trial.driven or not _all_driven(trial):
        yield Finding("press", "skipped", "the leaf has no press, or takes motion")
        return
    now, t = trial.path[0], 0.0  # it is used at the start
    forces = {name: f for name, f in trial.scales.items() if name in trial.driven}
    pressed = ask(lambda: leaf.press(now.state, t, forces))
    before, after = values(now), values(pressed)
    for key in before:
        if key[1] in ("x", "turn", "v"):
            off = apart(before[key], after.get(key))
            if off > 16.0 * EPS * largest(before[key]):
                words = (
                    f"pressing moved it by {off:.3g}; only accelerations may change."
                )
                yield Finding("press", "failed", words, label(key), off, 0.0)
                return
    found = _accelerates(trial, pressed, forces)
    idle = all(apart(y, after.get(key)) == 0.0 for key, y in before.items())
    if found.verdict == "failed" and idle and pressed.state is now.state:
        # glued models do so where a part has no press
        words = "pressing changes nothing: forces are not felt before the first window."
        found = replace(found, verdict="hint", words=words)
    yield found


def _all_driven(trial: Trial) -> bool:
    return set(trial.driven) == set(trial.leaf.ports)


def _accelerates(
    trial: Trial, pressed: Advance[Any], forces: dict[str, Vector]
) -> Finding:
    """The acceleration under the forces is what a short window under them shows."""
    if not trial.leaf.capabilities.acceleration:
        return Finding("press", "passed", "positions and velocities stay")
    held = {name: Signal.hold(f) for name, f in forces.items()}
    off: dict[tuple[str, str], float] = {}
    for rung in range(LADDER):
        window = Window(0.0, trial.h * 4.0**-rung)
        try:
            shown = values(go(trial.leaf, pressed, window, held))
        except Refusal:
            break
        for key, a in values(pressed).items():
            if key[1] == "a":
                gap = apart(a, shown.get(key)) / max(largest(a), PACE)
                off[key] = min(gap, off.get(key, gap))
        if max(off.values()) <= SHORT:
            break
    key = max(off, key=lambda name: off[name])
    words = "accelerations are those under the forces"
    if not off[key] <= SHORT:
        words = (
            f"its acceleration is {100.0 * off[key]:.3g} % off that of a short window."
        )
    return judged("press", label(key), off[key], SHORT, words)


def place(trial: Trial) -> Iterator[Finding]:
    """A placed port is where it was told, and as fast."""
    leaf = trial.leaf
    if not isinstance(leaf, Placing) or not trial.driven:
        yield Finding("place", "skipped", "the leaf has no place")
        return
    start = leaf.start(0.0)
    for name, port in trial.driven.items():
        shown = start.outputs[name]
        assert isinstance(shown, Motion)
        told = _elsewhere(port, shown)
        moved = values(ask(partial(leaf.place, start.state, name, told)))
        for level, wanted in (("x", told.x), ("v", told.v)):
            off = apart(wanted, moved.get((name, level)))
            words = "it is where it was told"
            if not off <= CLOSE * max(1.0, largest(wanted)):
                words = f"it was placed, and is {off:.3g} away."
            allowed = CLOSE * max(1.0, largest(wanted))
            yield judged("place", label((name, level)), off, allowed, words)


def _elsewhere(port: Port, now: Motion) -> Motion:
    """Shifted, and on its way: the same for every node, nothing turned."""
    axes = {"x": 0.5, "y": -0.25, "z": 0.125}
    rates = np.array([axes.get(dof, 0.0) for dof in port.dofs] * port.nodes)
    shift = rates[:3] if port.frame else rates
    return Motion(now.x + shift, now.v - rates, now.a, now.turn)


def equilibrium(trial: Trial) -> Iterator[Finding]:
    """From its equilibrium under port forces the leaf does not move.

    With its own load, or without: what it calls that in statics need not act at t = 0.
    """
    leaf = trial.leaf
    if not isinstance(leaf, Static) or not trial.driven or not _all_driven(trial):
        words = "the leaf has no equilibrium, or not all ports take force"
        yield Finding("equilibrium", "skipped", words)
        return
    forces = {name: f for name, f in trial.scales.items() if name in trial.driven}
    drifts = [_drift(trial, leaf, forces, share) for share in (1.0, 0.0)]
    found = [drift for drift in drifts if not isinstance(drift, Rejected)]
    if not found:
        words = "it finds none, even with springs on its ports"
        yield Finding("equilibrium", "skipped", words)
        return
    drift = min(found, key=lambda each: max(each.values()))
    for name, off in drift.items():
        words = "it stays at rest" if off <= REST else "it sets off from there."
        yield judged("equilibrium", label((name, "v")), off, REST, words)


def _drift(
    trial: Trial, leaf: Static[Any], forces: dict[str, Vector], share: float
) -> dict[str, float] | Rejected:
    """Speed gained from equilibrium, as a part of that gained from the start."""
    start, springs = trial.path[0], dict[str, Vector]()
    still = leaf.equilibrium(start.state, share, forces, springs)
    if isinstance(still, Rejected):  # it floats: springs on its ports hold it
        springs = soft(trial)
        still = leaf.equilibrium(start.state, share, forces, springs)
    if isinstance(still, Rejected):
        return still
    window, at = Window(0.0, trial.h * INSTANT), values(still)
    push = {name: Signal.hold(f) for name, f in forces.items()}
    hold = {
        name: Signal.hold(f - springs[name] * at[name, "x"]) if springs else push[name]
        for name, f in forces.items()
    }
    moved = values(go(trial.leaf, start, window, push))
    rested = values(go(trial.leaf, still, window, hold))
    fast = max(largest(moved[name, "v"]) for name in forces) or 1.0
    return {name: largest(rested[name, "v"]) / fast for name in forces}


def breaks(trial: Trial) -> Iterator[Finding]:
    """Kinks are strictly inside the window they were asked for, in order."""
    leaf = trial.leaf
    if not isinstance(leaf, Breaking):
        yield Finding("breaks", "skipped", "the leaf names none")
        return
    count = 0
    for window in (
        trial.window(0),
        trial.window(trial.last),
        Window(0.0, 1e3 * trial.h),
    ):
        found = list(leaf.breaks(window))
        count += len(found)
        inside = all(window.t0 < t < window.t1 for t in found)
        if not inside or found != sorted(set(found)):
            words = f"{found} in the window from {window.t0:g} to {window.t1:g} s."
            yield Finding("breaks", "failed", words, "breaks")
            return
    yield Finding("breaks", "passed", f"{count} instants, all inside and in order")
