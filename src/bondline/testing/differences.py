"""The flexibility of a leaf by central differences of `advance`."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any, TypeAlias

import numpy as np

from bondline.core import Advance, Motion, Output, Port, Signal, Vector, Window
from bondline.testing.shown import displaced
from bondline.testing.trial import Inputs, Trial

Column: TypeAlias = tuple[str, int, int]  # port, power of s, component
LEVELS = ("position", "velocity", "acceleration")


def columns(trial: Trial, powers: int, most: int = 12) -> Sequence[Column]:
    """Force coefficients to move: all, or some spread evenly over them."""
    every = [
        (name, k, j)
        for name, port in trial.driven.items()
        for k, j in product(range(powers), range(port.size))
    ]
    picked = np.linspace(0, len(every) - 1, min(most, len(every))).round().astype(int)
    return [every[n] for n in dict.fromkeys(picked.tolist())]


def response(
    trial: Trial, window: Window, inputs: Inputs, column: Column
) -> dict[str, list[Vector]]:
    """∂(x, v, a of each port at t₁)/∂(one force coefficient), from the path's end."""
    name, _, j = column
    share = 1.0 if trial.leaf.capabilities.linear else 1e-2
    step = share * float(trial.scales[name][j])
    up, down = (_moved(trial, window, inputs, (column, d)) for d in (step, -step))
    return {
        out: [
            y / (2.0 * step) for y in _between(port, down.outputs[out], up.outputs[out])
        ]
        for out, port in trial.driven.items()
    }


def _moved(
    trial: Trial, window: Window, inputs: Inputs, move: tuple[Column, float]
) -> Advance[Any]:
    (name, k, j), by = move
    f = inputs[name].coefficients.copy()
    f[k, j] += by
    changed = {**inputs, name: Signal(f)}
    return trial.follow(trial.last, [window], lambda *_: changed)[0]


def _between(port: Port, one: Output, two: Output) -> list[Vector]:
    """From one motion of a port to another, level by level."""
    assert isinstance(one, Motion)
    assert isinstance(two, Motion)
    levels = [displaced(port, one, two), two.v - one.v]
    return levels if one.a is None or two.a is None else [*levels, two.a - one.a]
