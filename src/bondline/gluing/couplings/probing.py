"""The interface flexibility of a black box by finite differences, Algorithm 1."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from bondline.core import (
    Advance,
    Effort,
    Flexibility,
    Matrix,
    Model,
    Motion,
    Output,
    Port,
    Rejected,
    Signal,
    Trying,
    Window,
)
from bondline.errors import SettingError
from bondline.gluing.couplings.spending import Spent, spend
from bondline.gluing.foresee import displacement


@dataclass(frozen=True, slots=True)
class Probe:
    """How far a force is moved to see what it does, wang2003 (50) with a floor.

    Δf = ε max(|f|, floor), with the largest component of the port's force: the paper's
    ε fₙ is undefined at f = 0, which is how its Example 2 starts. The response of a
    window is nearly affine in the force, so ε may be large.
    """

    epsilon: float = 0.01
    floor: float = 1.0  # N

    def __post_init__(self) -> None:
        if not 1e-12 <= self.epsilon <= 1e6:
            raise SettingError(
                "epsilon",
                f"{self.epsilon:g} drowns in round-off or leaves the model's range.",
                "Take something between 1e-6 and 1e2; 0.01 does for most.",
            )

    def size(self, coefficients: Matrix) -> float:
        """Δf for a port under the given force."""
        return self.epsilon * max(float(np.abs(coefficients).max()), self.floor)


def flexibility(
    part: Model,
    args: tuple[Any, Window, Mapping[str, Signal]],
    base: Advance[Any],
    places: tuple[Sequence[str], int],
    probe: Probe,
    spent: Spent | None = None,
) -> Flexibility | Rejected:
    """G by moving each coefficient of each port's input in turn, Eqs. (29), (49).

    `places` are the ports, and how many coefficients of each are moved. A port that
    takes motion answers with one level, its effort; told nothing, it is not moved.
    What the probes cost is added to what was `spent`.
    """
    (state, window, inputs), (named, powers) = args, places
    ports = [p for p in named if isinstance(part.ports[p], Port)]  # no signals
    cost: Spent = {} if spent is None else spent
    sizes = {port: part.ports[port].size for port in ports}
    blocks: dict[tuple[str, str], Any] = {}
    price = 0
    for port in ports:
        told = inputs.get(port)
        if told is None and isinstance(base.outputs[port], Effort):
            continue
        f = np.zeros((powers, sizes[port]))
        if told is not None:
            f[: len(told.coefficients)] = told.coefficients
        led = isinstance(base.outputs[port], Effort) and not part.capabilities.linear
        df = probe.epsilon * _travel(f) if led else probe.size(f)
        origin = told.origin if told is not None else None
        for out in ports:
            levels = 1 if isinstance(base.outputs[out], Effort) else 3
            blocks[out, port] = np.empty((levels, sizes[out], powers, sizes[port]))
        spots = list(product(range(powers), range(f.shape[1])))
        cases = [{**inputs, port: Signal(_nudged(f, at, df), origin)} for at in spots]
        tried = advance_each(part, state, window, cases)
        for (k, j), done in zip(spots, tried, strict=False):
            if isinstance(done, Rejected):
                return done
            price += solves(done)
            spend(cost, part.name, done)
            for out in ports:
                change = change_of(base.outputs[out], done.outputs[out])
                blocks[out, port][:, :, k, j] = change / df
    return Flexibility(blocks, price)


def _nudged(f: Matrix, at: tuple[int, int], df: float) -> Matrix:
    moved = f.copy()
    moved[at] += df
    return moved


def advance_each(
    part: Model, state: Any, window: Window, cases: Sequence[Mapping[str, Signal]]
) -> Iterable[Advance[Any] | Rejected]:
    """A window under one input after the other; at once, if the part is far away."""
    if isinstance(part, Trying):
        return part.advance_each(state, window, cases)
    return (part.advance(state, window, inputs) for inputs in cases)


def _travel(path: Matrix) -> float:
    """How far a port goes: the measure of a change of its motion, never zero."""
    start, way = float(np.abs(path[0]).max()), float(np.abs(path[1:]).max(initial=0.0))
    return max(way, 1e-3 * start, 1e-3)


def solves(advance: Advance[Any]) -> int:
    """Advances of leaves behind one advance: 1, or what an integrated model counted."""
    return int(advance.stats.get("solves", 1))


def change_of(before: Output, after: Output) -> Matrix:
    """How far a port has gone from where it would have been, at three levels.

    Or what its effort has changed by.
    """
    if isinstance(before, Effort) and isinstance(after, Effort):
        return (after.f - before.f)[None]
    assert isinstance(before, Motion), "a port without effort answers with motion"
    assert isinstance(after, Motion), "a port answers as it did before"
    v = after.v - before.v
    a = np.zeros_like(v)  # nobody asks where one of them is missing
    if before.a is not None and after.a is not None:
        a = after.a - before.a
    return np.stack([displacement(before, after), v, a])
