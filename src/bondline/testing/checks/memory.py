"""Whether `advance` is a function of its arguments and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bondline.core import Advance, Window
from bondline.testing.report import Finding
from bondline.testing.shown import Difference, apart, label, unlike, values
from bondline.testing.trial import Inputs, Trial, go, march
from bondline.testing.values import changed, content

BRIEF = 2.0**-10  # of a window: levels that were forgotten show at once


def in_place(trial: Trial) -> Iterator[Finding]:
    """States, outputs and inputs are not changed by whoever gets them."""
    if not trial.leaf.capabilities.repeatable:
        yield _spent("in place")
        return
    leaf, before = trial.leaf, trial.path[1]
    window = trial.window(1)
    inputs = trial.loads(before, window, 1)
    things = {"state": before.state, "outputs": before.outputs, "inputs": inputs}
    kept = {name: content(thing, name) for name, thing in things.items()}
    after = go(leaf, before, window, inputs)
    kept["outputs after"] = content(after.outputs, "outputs")
    things["outputs after"] = after.outputs
    go(leaf, after, trial.window(2), trial.loads(after, trial.window(2), 2))
    for name, thing in things.items():
        lost = changed(kept[name], content(thing, name.removesuffix(" after")))
        if lost:
            words = "advance changed it in place; the caller still holds it."
            yield Finding("in place", "failed", words, lost)
            return
    yield Finding("in place", "passed", "states, outputs and inputs stay as they were")


def repeatability(trial: Trial) -> Iterator[Finding]:
    """One state, one window, the same loads, twice: the same bits."""
    if not trial.leaf.capabilities.repeatable:
        yield _spent("repeatability")
        return
    off = unlike(*_twice(trial, ahead=0))
    if off is None:
        yield Finding("repeatability", "passed", "a window twice gives the same bits")
        return
    quantity, words = _culprit(trial, 0, off)
    told = f"the same window from the same state, twice: {words}"
    yield Finding("repeatability", "failed", told, quantity, off.by, 0.0)


def rollback(trial: Trial) -> Iterator[Finding]:
    """Some windows ahead, back to an old state, and on: the same bits."""
    if not trial.leaf.capabilities.repeatable:
        yield _spent("rollback")
        return
    for ahead in range(1, trial.count + 1):
        _detour(trial, 1, ahead)
        windows = [trial.window(k) for k in range(1, trial.count)]
        again = march(trial.leaf, trial.path[1], windows, trial.rest(1))
        for k, (one, two) in enumerate(zip(trial.path[2:], again, strict=True), 1):
            off = unlike(one, two)
            if off is not None:
                quantity, words = _culprit(trial, ahead, off)
                told = (
                    f"{_windows(ahead)} ahead and back: {words} "
                    f"It shows after {_windows(k)}."
                )
                yield Finding("rollback", "failed", told, quantity, off.by, 0.0)
                return
    words = f"up to {_windows(trial.count)} ahead and back give the same bits"
    yield Finding("rollback", "passed", words)


def determinism(trial: Trial) -> Iterator[Finding]:
    """A second instance, or a second start, goes through the same bits."""
    again = trial.lead(trial.fresh(), trial.count)
    who = "a second instance" if trial.make else "a second start"
    for k, (one, two) in enumerate(zip(trial.path, again, strict=True)):
        off = unlike(one, two)
        if off is not None:
            when = f"after window {k}" if k else "at the start"
            words = f"{who} differs by {off.by:.3g} {when}."
            yield Finding("determinism", "failed", words, off.quantity, off.by, 0.0)
            return
    yield Finding("determinism", "passed", f"{who} gives the same bits")


def start(trial: Trial) -> Iterator[Finding]:
    """`start` gives the same every time, and disturbs no state in use."""
    leaf = trial.leaf
    one, two = leaf.start(0.0), leaf.start(0.0)
    off = unlike(one, two)
    if off is not None:
        words = f"two starts differ by {off.by:.3g}."
        yield Finding("start", "failed", words, off.quantity, off.by, 0.0)
        return
    if leaf.capabilities.repeatable:
        leaf.start(7.0)
        off = unlike(trial.path[2], _window(trial, 1))
        if off is not None:
            words = f"a start in between changes a state in use, by {off.by:.3g}."
            yield Finding("start", "failed", words, off.quantity, off.by, 0.0)
            return
    yield Finding("start", "passed", "it gives the same every time")


def _window(trial: Trial, k: int) -> Advance[Any]:
    before, window = trial.path[k], trial.window(k)
    return go(trial.leaf, before, window, trial.loads(before, window, k))


def _twice(
    trial: Trial, ahead: int, size: float = 1.0
) -> tuple[Advance[Any], Advance[Any]]:
    """The second window of the path, right after it was reached and after a detour."""
    before = trial.lead(trial.leaf, 1)[-1]
    whole = trial.window(1)
    window = Window(whole.t0, whole.t0 + size * whole.h)
    inputs = trial.loads(before, window, 1)
    clean = go(trial.leaf, before, window, inputs)
    _detour(trial, 1, ahead, before)
    return clean, go(trial.leaf, before, window, inputs)


def _detour(
    trial: Trial, k: int, ahead: int, before: Advance[Any] | None = None
) -> None:
    """Go elsewhere, under other loads."""

    def loads(now: Advance[Any], window: Window, j: int) -> Inputs:
        return trial.loads(now, window, j, stream=1)

    windows = [trial.window(k + j) for j in range(ahead)]
    march(trial.leaf, before or trial.path[k], windows, loads)


def _culprit(trial: Trial, ahead: int, off: Difference) -> tuple[str, str]:
    """Which level was not restored, and by how much it is off.

    In a window that is all but nothing, a level that was forgotten is off as much as
    in a long one; those that only follow from it are not. Noise is off without going
    anywhere.
    """
    far = max(ahead, 1)
    long, short = (_offsets(*_twice(trial, far, size)) for size in (1.0, BRIEF))
    still = _offsets(*_twice(trial, 0, BRIEF))
    for key, by in short.items():
        if by > 0.1 * long.get(key, 0.0):
            why = "it is not restored"
            if still[key] > 0.1 * by:
                why = "it changes from call to call"
            return label(key), f"{_level(key)} differs by {by:.3g}: {why}."
    words = f"differs by {off.by:.3g}: something that no port shows is remembered."
    return off.quantity, words


def _level(key: tuple[str, str]) -> str:
    return label(key).partition(": ")[2]


def _offsets(one: Advance[Any], two: Advance[Any]) -> dict[tuple[str, str], float]:
    a, b = values(one), values(two)
    return {key: apart(a[key], b.get(key)) for key in a}


def _windows(count: int) -> str:
    return "1 window" if count == 1 else f"{count} windows"


def _spent(check: str) -> Finding:
    return Finding(check, "skipped", "the leaf says that it cannot repeat a window")
