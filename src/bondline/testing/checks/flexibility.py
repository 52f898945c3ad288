"""Whether a leaf knows its own flexibility, and what that is like."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

import numpy as np

from bondline.core import (
    Affine,
    Flexibility,
    Linearising,
    Matrix,
    Rejected,
    Signal,
    Window,
)
from bondline.testing.checks.superposing import over_a_kink, realised
from bondline.testing.differences import LEVELS, columns, response, told_columns
from bondline.testing.report import Finding, judged
from bondline.testing.shown import largest
from bondline.testing.trial import Refusal, Trial

ALLOWED = 1e-4  # of the largest entry of the level
HINT = 1e-3
STILL = 1e-7  # of what the same level of other ports does
RUNGS = 4  # a response over a shorter window is closer to affine
MOST = 24  # dofs; more are sampled


def linearise(trial: Trial) -> Iterator[Finding]:
    """G of the leaf against differences of `advance`, all levels, all coefficients."""
    leaf = trial.leaf
    if not isinstance(leaf, Linearising) or not trial.mechanical:
        yield Finding("linearise", "skipped", "the leaf has no linearise")
        return
    found: list[Finding] = []
    for rung in range(1 if leaf.capabilities.linear else RUNGS):
        now, window = trial.path[-1], _shorter(trial, rung)
        inputs = trial.loads(now, window, trial.last)
        G = leaf.linearise(now.state, window, inputs)
        if isinstance(G, Rejected):
            raise Refusal(G, window)
        found.append(_against_differences(trial, G, window, "linearise"))
        if found[-1].verdict == "passed":
            break
    yield min(found, key=lambda f: np.inf if f.measured is None else f.measured)


def _shorter(trial: Trial, rung: int) -> Window:
    """A window after the path, h, h/4, h/16 … long."""
    t = trial.window(trial.last).t0
    return Window(t, t + trial.h * 4.0**-rung)


def _against_differences(
    trial: Trial, G: Flexibility, window: Window, check: str
) -> Finding:
    inputs = trial.loads(trial.path[-1], window, trial.last)
    off: dict[tuple[str, bool], float] = {}
    size: dict[tuple[str, bool], float] = {}
    for column in (*columns(trial, 2), *told_columns(trial, inputs)):
        port, k, j = column
        forced = port in trial.driven
        for out, levels in response(trial, window, inputs, column).items():
            if (out, port) not in G.blocks:
                what = "a force on" if forced else "a motion of"
                words = f"there is no block for {out} under {what} {port}."
                return Finding(check, "failed", words, f"port {out}")
            for level, wanted in enumerate(levels):
                shown = LEVELS[level] if out in trial.driven else "effort"
                name = (f"port {out}: {shown}", forced)  # their units differ
                got = G.blocks[out, port][level, :, k, j]
                off[name] = max(off.get(name, 0.0), largest(got - wanted))
                size[name] = max(size.get(name, 0.0), largest(wanted))
    floors = _floors(size)
    relative = {n: d / max(size[n], floors[_level(n)]) for n, d in off.items()}
    worst, _ = key = max(relative, key=lambda name: relative[name])
    words = "it agrees with differences"
    if not relative[key] <= ALLOWED:
        words = f"it is {100.0 * relative[key]:.3g} % off the differences of advance."
    return judged(check, worst, relative[key], ALLOWED, words)


def _level(name: tuple[str, bool]) -> tuple[str, bool]:
    """A level and what drives it, without the port."""
    return name[0].rpartition(" ")[2], name[1]


def _floors(sizes: Mapping[tuple[str, bool], float]) -> dict[tuple[str, bool], float]:
    """What a port that something inside holds still is measured by: the others."""
    floors: dict[tuple[str, bool], float] = {}
    for name, size in sizes.items():
        level = _level(name)
        floors[level] = max(floors.get(level, 1e-300), STILL * size)
    return floors


def superposition(trial: Trial) -> Iterator[Finding]:
    """What `realise` makes of `respond` is what `advance` gives, now and later."""
    leaf = trial.leaf
    if not leaf.capabilities.superposes:
        yield Finding("superposition", "skipped", "the leaf does not claim it")
        return
    if not isinstance(leaf, Affine):
        words = "Capabilities(superposes=True), but there is no respond and realise."
        yield Finding("superposition", "failed", words, "respond")
        return
    now, window = trial.path[-1], trial.window(trial.last)
    known = trial.loads(now, window, trial.last)
    answer = leaf.respond(now.state, window, known)
    if isinstance(answer, Rejected):
        raise Refusal(answer, window)
    yield realised(trial, leaf, now, window)
    if trial.mechanical:
        yield _against_differences(trial, answer.G, window, "superposition")
    yield from over_a_kink(trial, leaf)


def reciprocity(trial: Trial) -> Iterator[Finding]:
    """G is symmetric: a force here moves there what one there moves here."""
    yield from _property(
        trial,
        "reciprocity",
        lambda G: largest((G - G.T) / 2.0),
        (
            "G is symmetric",
            "G is not symmetric: follower loads and controllers are like "
            "that; otherwise force and motion of a port do not belong together.",
        ),
    )


def passivity(trial: Trial) -> Iterator[Finding]:
    """The symmetric part of G has no negative eigenvalue: a push does not pull."""
    yield from _property(
        trial,
        "passivity",
        lambda G: max(0.0, -float(np.linalg.eigvalsh((G + G.T) / 2.0).min())),
        (
            "no force pulls back",
            "a force moves its port against itself: look at the "
            "sign of the force, unless a drive inside does it.",
        ),
    )


def _property(
    trial: Trial,
    check: str,
    measure: Callable[[Matrix], float],
    words: tuple[str, str],
) -> Iterator[Finding]:
    if not trial.driven:
        yield Finding(check, "skipped", "no port takes forces")
        return
    off = np.inf
    for rung in range(RUNGS):
        try:
            G = flexibility(trial, _shorter(trial, rung))
        except Refusal:
            break
        off = min(off, measure(G))
        if off <= HINT:
            break
    found = judged(check, "flexibility G", off, HINT, words[off > HINT])
    yield replace(found, verdict="hint") if found.verdict == "failed" else found


def flexibility(trial: Trial, window: Window) -> Matrix:
    """∂x/∂F of the ports for forces held over a window, scaled to entries up to 1."""
    held = {
        name: Signal(signal.coefficients[:1]) if name in trial.driven else signal
        for name, signal in trial.loads(trial.path[-1], window, trial.last).items()
    }
    picked = columns(trial, 1, MOST)
    each = [response(trial, window, held, column) for column in picked]
    G = np.array([[r[out][0][j] for r in each] for out, _, j in picked])
    size = np.array([trial.scales[name][j] for name, _, j in picked])
    scaled: Matrix = G * np.outer(size, size)  # joules: moments and forces compare
    return scaled / max(largest(scaled), 1e-300)
