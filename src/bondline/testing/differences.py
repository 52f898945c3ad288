"""The flexibility of a leaf by central differences of `advance`."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any, TypeAlias

import numpy as np

from bondline.core import (
    Advance,
    Effort,
    Motion,
    Output,
    Port,
    Signal,
    Vector,
    Window,
)
from bondline.testing.shown import displaced
from bondline.testing.trial import PACE, Inputs, Trial

Column: TypeAlias = tuple[str, int, int]  # port, power of s, component
LEVELS = ("position", "velocity", "acceleration")
JOINED = 2  # coefficients of a motion that say where it starts, and how fast


def columns(trial: Trial, powers: int, most: int = 12) -> Sequence[Column]:
    """Force coefficients to move: all, or some spread evenly over them."""
    every = [
        (name, k, j)
        for name, port in trial.driven.items()
        for k, j in product(range(powers), range(port.size))
    ]
    return _some(every, most)


def told_columns(trial: Trial, inputs: Inputs, most: int = 12) -> Sequence[Column]:
    """The same of motions: those that let a motion go on smoothly.

    A linear leaf answers to the others, too.
    """
    first = 0 if trial.leaf.capabilities.linear else JOINED
    every = [
        (name, k, j)
        for name, port in trial.mechanical.items()
        if name not in trial.driven and name in inputs
        for k, j in product(range(first, inputs[name].degree + 1), range(port.size))
    ]
    return _some(every, most)


def _some(every: Sequence[Column], most: int) -> Sequence[Column]:
    picked = np.linspace(0, len(every) - 1, min(most, len(every))).round().astype(int)
    return [every[n] for n in dict.fromkeys(picked.tolist())]


def step_of(trial: Trial, window: Window, column: Column) -> float:
    """How far to move a coefficient: a force, or the motion that a force makes."""
    name, _, j = column
    share = 1.0 if trial.leaf.capabilities.linear else 1e-2
    if name in trial.driven:
        return share * float(trial.scales[name][j])
    return share * PACE * window.h**2 / 2.0


def response(
    trial: Trial, window: Window, inputs: Inputs, column: Column
) -> dict[str, list[Vector]]:
    """∂(x, v, a of each port at t₁)/∂(one coefficient), from the path's end.

    A port that takes motion shows one level, its effort.
    """
    step = step_of(trial, window, column)
    up, down = (_moved(trial, window, inputs, (column, d)) for d in (step, -step))
    return {
        out: [
            y / (2.0 * step) for y in between(port, down.outputs[out], up.outputs[out])
        ]
        for out, port in trial.mechanical.items()
    }


def _moved(
    trial: Trial, window: Window, inputs: Inputs, move: tuple[Column, float]
) -> Advance[Any]:
    (name, k, j), by = move
    f = inputs[name].coefficients.copy()
    f[k, j] += by
    changed = {**inputs, name: Signal(f, inputs[name].origin)}
    return trial.follow(trial.last, [window], lambda *_: changed)[0]


def between(port: Port, one: Output, two: Output) -> list[Vector]:
    """From one motion of a port to another, level by level; or of efforts."""
    if isinstance(one, Effort) and isinstance(two, Effort):
        return [two.f - one.f]
    assert isinstance(one, Motion)
    assert isinstance(two, Motion)
    levels = [displaced(port, one, two), two.v - one.v]
    return levels if one.a is None or two.a is None else [*levels, two.a - one.a]
