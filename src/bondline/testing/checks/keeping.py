"""Whether a state survives being written and read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bondline.core import Advance, Serialising
from bondline.testing.report import Finding
from bondline.testing.shown import unlike
from bondline.testing.trial import Trial, march


def serialisation(trial: Trial) -> Iterator[Finding]:
    """Dump, load, dump: the same bytes; and every window after that, the same bits."""
    leaf, declared = trial.leaf, trial.leaf.capabilities.serialises
    if not declared:
        yield Finding("serialisation", "skipped", "the leaf does not claim it")
        return
    if not isinstance(leaf, Serialising):
        words = "Capabilities(serialises=True), but there is no dump and load."
        yield Finding("serialisation", "failed", words, "dump")
        return
    if not leaf.capabilities.repeatable:
        yield Finding("serialisation", "skipped", "states are spent when they are used")
        return
    yield from _kept(trial, leaf)


def _kept(trial: Trial, leaf: Serialising[Any]) -> Iterator[Finding]:
    other = trial.fresh()
    reader = other if isinstance(other, Serialising) else leaf
    for k, now in enumerate(trial.path[:-1]):
        data = leaf.dump(now.state)
        loaded = Advance(reader.load(data), now.outputs)
        if reader.dump(loaded.state) != data:
            words = f"dump(load(data)) is not data, after window {k}."
            yield Finding("serialisation", "failed", words, "dump")
            return
        windows = [trial.window(j) for j in range(k, trial.count)]
        again = march(other, loaded, windows, trial.rest(k))
        for j, (one, two) in enumerate(zip(trial.path[k + 1 :], again, strict=True)):
            off = unlike(one, two)
            if off is not None:
                words = (
                    f"a state kept at window {k} differs by {off.by:.3g} after {j + 1}."
                )
                yield Finding(
                    "serialisation", "failed", words, off.quantity, off.by, 0.0
                )
                return
    yield Finding("serialisation", "passed", "a loaded state gives the same bits")
