"""Whether a leaf knows what a unit of its inputs does to its equilibrium."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np

from bondline.core import Flexibility, Yielding
from bondline.testing.asking import Declined, ask
from bondline.testing.report import Finding, judged
from bondline.testing.shown import largest
from bondline.testing.statics import Rest, rest, soft
from bondline.testing.trial import Trial

ALLOWED = 1e-5  # of the largest entry of a block
RUNGS = 4  # the smaller the step, the closer to linear
MOST = 12  # inputs; more are sampled


def compliance(trial: Trial) -> Iterator[Finding]:
    """Its compliance against differences of its equilibrium, with and without springs.

    Without springs a part that floats has none, and says so.
    """
    leaf, found = trial.leaf, list[Finding]()
    if not isinstance(leaf, Yielding) or not trial.mechanical:
        words = "the leaf has no compliance, or no port"
        yield Finding("compliance", "skipped", words)
        return
    why = "it finds no equilibrium, even with springs on its ports"
    for springs in ({}, soft(trial)):
        at = rest(trial, springs)
        if at is None:
            continue
        try:
            C = ask(lambda: leaf.compliance(at.still.state, at.springs))  # noqa: B023
            found.append(_against_differences(at, C))
        except Declined as no:
            why = str(no)
    yield from found or [Finding("compliance", "skipped", why)]


def inputs(at: Rest) -> list[tuple[str, int]]:
    """Inputs to move: all, or some spread evenly over them."""
    every = [
        (name, j) for name, p in at.trial.mechanical.items() for j in range(p.size)
    ]
    picked = np.linspace(0, len(every) - 1, min(MOST, len(every))).round().astype(int)
    return [every[n] for n in dict.fromkeys(picked.tolist())]


def _against_differences(at: Rest, C: Flexibility) -> Finding:
    places = list(at.trial.mechanical)
    missing = [key for key in product(places, places) if key not in C.blocks]
    if missing:
        words = f"there is no block for {missing[0][0]} under {missing[0][1]}."
        return Finding("compliance", "failed", words, f"port {missing[0][0]}")
    best: Finding | None = None
    for rung in range(1 if at.trial.leaf.capabilities.linear else RUNGS):
        off = _off(at, C, 0.1**rung)
        worst = max(off, key=lambda name: off[name])
        words = "it agrees with differences"
        if not off[worst] <= ALLOWED:
            words = f"it is {100.0 * off[worst]:.3g} % off differences of equilibrium."
        made = judged("compliance", worst, off[worst], ALLOWED, words)
        if best is None or best.measured is None or off[worst] < best.measured:
            best = made
        if made.verdict == "passed":
            break
    assert best is not None
    return best


def _off(at: Rest, C: Flexibility, share: float) -> dict[str, float]:
    """Relative differences, by what is shown."""
    off: dict[tuple[str, bool], float] = {}
    size: dict[tuple[str, bool], float] = {}
    for name, j in inputs(at):
        for out, wanted in at.column(name, j, share).items():
            word = "position" if out in at.trial.driven else "effort"
            key = (f"port {out}: {word}", name in at.trial.driven)
            got = C.blocks[out, name][0, :, 0, j]
            gap = largest(got - wanted) if got.shape == wanted.shape else np.inf
            off[key] = max(off.get(key, 0.0), gap)
            size[key] = max(size.get(key, 0.0), largest(wanted))
    found: dict[str, float] = {}
    for key, gap in off.items():
        relative = gap / max(size[key], 1e-300) if gap else 0.0
        found[key[0]] = max(found.get(key[0], 0.0), relative)
    return found
