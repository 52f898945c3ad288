"""Numbers that run away are a rejection, not a crash, and not an answer."""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite
from typing import TypeVar

import numpy as np

from bondline.core import Advance, Effort, Motion, Output, Rejected, Vector, Window
from bondline.errors import NonFinite

S = TypeVar("S")


def guarded(
    name: str, window: Window, work: Callable[[], Advance[Vector]]
) -> Advance[Vector] | Rejected:
    """What `work` gives; a rejection where its arithmetic overflows or gives up."""
    try:
        done = work()
    except (ArithmeticError, ValueError) as error:
        return Rejected(name, f"its equations gave up: {error}", window.at(0.5))
    return finite(name, window, done)


def finite(name: str, window: Window, done: Advance[S]) -> Advance[S] | Rejected:
    """The advance, if it shows numbers only; else a rejection that says where."""
    for port, shown in done.outputs.items():
        if not _is_finite(shown):
            return _rejected(name, window, f"port {port} shows")
    state = done.state
    if isinstance(state, np.ndarray) and not numbers(state):
        return _rejected(name, window, "its state holds")
    return done


def _is_finite(shown: Output) -> bool:
    if isinstance(shown, Effort):
        return numbers(shown.f) and _is_finite(shown.at)
    if not isinstance(shown, Motion):
        return isfinite(shown)
    known = numbers(shown.x) and numbers(shown.v)
    known = known and (shown.a is None or numbers(shown.a))
    return known and (shown.turn is None or numbers(shown.turn))


def numbers(y: Vector) -> bool:
    """Whether all entries are finite; their squares tell, unless they are too large."""
    return isfinite(y.dot(y)) or bool(np.isfinite(y).all())


def _rejected(name: str, window: Window, where: str) -> Rejected:
    finding = f"{where} a number that is not finite."
    error = NonFinite(
        f"{name}, window to t = {window.t1:.6g} s",
        finding,
        "Shorten the window (--step), or look at the part: its own solver may have "
        "become unstable, or it was told a number that is not finite.",
    )
    return Rejected(name, finding, window.at(0.5), error)
