"""Whether `respond` and `realise` give what `advance` gives, over kinks, too."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from bondline.core import (
    Advance,
    Affine,
    Breaking,
    Rejected,
    Signal,
    Window,
)
from bondline.testing.differences import JOINED
from bondline.testing.report import Finding, judged
from bondline.testing.shown import EPS, apart, label, largest, values
from bondline.testing.trial import Refusal, Trial, go

SUPERPOSED = 1e-8  # of the response
NOISE = 64.0 * EPS  # rounding, of the value itself
FAR = 1e3  # windows: how far to look for a kink


def realised(
    trial: Trial, leaf: Affine[Any], now: Advance[Any], window: Window
) -> Finding:
    """Free and loaded, and one window later; `Refusal` where the leaf rejects."""
    known, more = trial.loads(now, window, trial.last), _more(trial, now, window)
    total = {n: s + more[n] if n in more else s for n, s in known.items()}
    answer = leaf.respond(now.state, window, known)
    if isinstance(answer, Rejected):
        raise Refusal(answer, window)
    made, wanted = leaf.realise(answer, more), go(trial.leaf, now, window, total)
    if isinstance(made, Rejected):
        raise Refusal(made, window)
    free = go(trial.leaf, now, window, known)
    later = Window(window.t1, window.t1 + window.h)
    pairs = [(answer.free, free, now), (made, wanted, free)]
    then = [go(trial.leaf, each, later, {}) for each in (made, wanted)]
    return _same([*pairs, (then[0], then[1], wanted)])


def _more(trial: Trial, now: Advance[Any], window: Window) -> dict[str, Signal]:
    """Other forces, and changes of motion that start with nothing."""
    more = {}
    for name, signal in trial.loads(now, window, trial.last, stream=1).items():
        rows = signal.coefficients.copy()
        if name in trial.mechanical and name not in trial.driven:
            rows[:JOINED] = 0.0
        if name in trial.mechanical:
            more[name] = Signal(rows)
    return more


def over_a_kink(trial: Trial, leaf: Affine[Any]) -> Iterator[Finding]:
    """A window with a kink inside: the same as `advance`, or rejected."""
    if not isinstance(leaf, Breaking):
        return
    kinks = leaf.breaks(Window(0.0, FAR * trial.h))
    if not kinks:
        return
    t0 = max(0.0, kinks[0] - 0.4 * trial.h)
    now, window = trial.fresh().start(t0), Window(t0, t0 + trial.h)
    try:
        found = realised(trial, leaf, now, window)
    except Refusal:
        words = "a window with a kink inside is rejected"
        yield Finding("superposition", "passed", words, "kink")
        return
    yield found


def _same(pairs: Sequence[tuple[Advance[Any], Advance[Any], Advance[Any]]]) -> Finding:
    found = {("", ""): 0.0}
    for got, wanted, other in pairs:
        a, b, c = values(got), values(wanted), values(other)
        for key in b:
            scale, off = (
                max(largest(b[key] - c[key]), 1e-300),
                apart(a.get(key), b[key]),
            )
            if off > NOISE * largest(b[key]):
                found[key] = max(found.get(key, 0.0), off / scale)
    key = max(found, key=lambda name: found[name])
    words = "respond and realise give what advance gives"
    if not found[key] <= SUPERPOSED:
        words = "respond and realise give another answer than advance."
    return judged("superposition", label(key), found[key], SUPERPOSED, words)
