"""Port forces inside a window, quick to evaluate."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from bondline.core import Signal, Vector, Window

Force: TypeAlias = Callable[[float], tuple[float, ...]]


def polynomial(signal: Signal | None, window: Window, size: int) -> Force:
    """The force as a function of time, in plain floats; zero without a signal."""
    if signal is None:
        zero = (0.0,) * size
        return lambda t: zero
    rows = [tuple(row) for row in signal.coefficients.tolist()]
    if len(rows) == 1:
        only = rows[0]
        return lambda t: only

    def horner(t: float) -> tuple[float, ...]:
        s = (t - window.t0) / window.h
        value = rows[-1]
        for row in rows[-2::-1]:
            value = tuple(a * s + b for a, b in zip(value, row, strict=True))
        return value

    return horner


def pressed(force: Vector | None, size: int) -> tuple[float, ...]:
    """A force at one instant, in plain floats; zero without one."""
    return (0.0,) * size if force is None else tuple(force.tolist())
