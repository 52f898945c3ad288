"""Whether many windows at once are what they are one by one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from bondline.core import (
    Advance,
    Block,
    Blocked,
    Breaking,
    Inputs,
    Rejected,
    Settling,
    Window,
    Windowed,
)
from bondline.testing.report import Finding, judged
from bondline.testing.shown import apart, label, largest, values
from bondline.testing.trial import Refusal, Trial, go

ALLOWED = 1e-8  # of the largest value
COUNT = 4  # windows


def blocks(trial: Trial) -> Iterator[Finding]:
    """`settle_block` against `advance`, and H against differences of `advance`."""
    leaf = trial.leaf
    if not isinstance(leaf, Blocked) or not leaf.capabilities.repeatable:
        yield Finding("blocks", "skipped", "the leaf goes window by window")
        return
    if len(trial.driven) < len(leaf.ports):
        yield Finding("blocks", "skipped", "a port does not take force")
        return
    windows = [trial.window(trial.last + k) for k in range(COUNT)]
    if isinstance(leaf, Breaking) and any(leaf.breaks(w) for w in windows):
        yield Finding("blocks", "skipped", "a load kinks in these windows")
        return
    more = [trial.loads(trial.path[-1], w, k) for k, w in enumerate(windows)]
    yield _settled(trial, leaf, windows, more)
    if leaf.capabilities.linear:
        yield _rings(trial, leaf, windows)


def _settled(
    trial: Trial, leaf: Blocked[Any], windows: Sequence[Window], more: Sequence[Inputs]
) -> Finding:
    now, first = trial.path[-1], windows[0]
    response = leaf.respond_block(now.state, Block(windows))
    if isinstance(response, Rejected):
        raise Refusal(response, first)
    tried = leaf.try_block(response, more)
    if isinstance(tried, Rejected):
        raise Refusal(tried, first)
    done = leaf.settle_block(Settling(tried, more))
    if isinstance(done, Rejected):
        raise Refusal(done, first)
    found = {("", ""): 0.0}
    for window, load, got in zip(windows, more, done.advances, strict=True):
        now = go(trial.leaf, now, window, load)
        _compare(found, got, now)
    key = max(found, key=lambda name: found[name])
    words = "a block is its windows one by one"
    if not found[key] <= ALLOWED:
        words = "a block gives another answer than its windows one by one."
    return judged("blocks", label(key), found[key], ALLOWED, words)


def _compare(
    found: dict[tuple[str, str], float], got: Advance[Any], wanted: Advance[Any]
) -> None:
    one, two = values(got), values(wanted)
    for key, right in two.items():
        off = apart(one.get(key), right) / max(largest(right), 1e-300)
        found[key] = max(found.get(key, 0.0), off)


def _rings(trial: Trial, leaf: Blocked[Any], windows: Sequence[Window]) -> Finding:
    state, block = trial.path[-1].state, Block(windows)
    own = leaf.impulse(state, block, 2)
    seen = Windowed(trial.leaf).impulse(state, block, 2)
    if isinstance(own, Rejected) or isinstance(seen, Rejected):
        no = own if isinstance(own, Rejected) else seen
        assert isinstance(no, Rejected)
        raise Refusal(no, windows[0])
    off = 0.0
    for key, right in seen.blocks.items():
        size = np.abs(right).max(axis=(0, 2, 3, 4), keepdims=True) + 1e-300
        off = max(off, float((np.abs(own.blocks[key] - right) / size).max()))
    words = "H agrees with differences" if off <= 1e-4 else "H is off the differences."
    return judged("blocks", "impulse", off, 1e-4, words)
