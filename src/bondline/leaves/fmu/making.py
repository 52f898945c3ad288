"""From an FMU to a leaf: what it declares is tried before it is believed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from bondline.core import Advance, Causality, Rejected, Signal, Window
from bondline.leaves.fmu.leaf import FmuLeaf, ForwardFmu
from bondline.leaves.fmu.machine import Held, Refused
from bondline.leaves.fmu.sandbox import missing
from bondline.leaves.fmu.unit import Unit

_STEP = 1e-3  # seconds; of the trial, where the FMU names no step


def fmu_leaf(name: str, unit: Unit, step: float | None = None) -> ForwardFmu | FmuLeaf:
    """The leaf: one that repeats windows, if the FMU really restores its state."""
    walls = (f"FMU {name} runs without a sandbox: {missing()}.",) if missing() else ()
    if not unit.saves:
        note = f"FMU {name} cannot save its state: every window is gone through once."
        return ForwardFmu(name, unit, (note, *walls))
    leaf = FmuLeaf(ForwardFmu(name, unit, walls))
    why = unfaithful(leaf, step or _STEP)
    if not why:
        return leaf
    note = (
        f"FMU {name} says that it restores its state, and {why}: it only goes forward."
    )
    return ForwardFmu(name, replace(unit, saves=False), (note, *walls))


def unfaithful(leaf: FmuLeaf, h: float) -> str:
    """What an FMU does wrong when it is wound back; nothing if it does it right.

    It goes two windows, is wound back, goes somewhere else, is wound back again, and
    must then find the same bits as the first time.
    """
    origin = leaf.start(0.0).state
    one, two = Window(0.0, h), Window(h, 2.0 * h)
    try:
        first = _gone(leaf, origin, one, 0.0)
        second = _gone(leaf, first, two, 0.0)
        _gone(leaf, _gone(leaf, origin, one, 1.0), two, -1.0)
        again = _gone(leaf, origin, one, 0.0)
        if not _same(first, again):
            return "a window from a restored state gives other numbers"
        if not _same(second, _gone(leaf, first, two, 0.0)):
            return "a state that was saved on the way is not the one that comes back"
        if leaf.unit.serialises:
            loaded = leaf.load(leaf.dump(first))
            if not _same(second, _gone(leaf, loaded, two, 0.0)):
                return "a state that was written down is not the one that is read"
    except Refused as error:
        return f"does not do it ({error})"
    return ""


def _gone(leaf: FmuLeaf, state: Held, window: Window, push: float) -> Held:
    done = leaf.advance(state, window, _pushes(leaf, push))
    if isinstance(done, Rejected):
        if done.error is not None:
            raise done.error
        raise Refused(done.reason)
    assert isinstance(done, Advance)
    return done.state


def _pushes(leaf: FmuLeaf, size: float) -> Mapping[str, Signal]:
    return {
        name: Signal.hold(np.full(plug.port.size, size))
        for name, plug in leaf.unit.plugs.items()
        if plug.port.causality is Causality.FORCE_IN
    }


def _same(one: Held, two: Held) -> bool:
    return one.y.tobytes() == two.y.tobytes()
