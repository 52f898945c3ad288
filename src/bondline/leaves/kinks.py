"""Instants at which a load has a kink or jumps: inside a window, and at its ends."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import inf, nextafter, ulp

from bondline.core import Window

_SLIVER = 1e-9  # of a window: nearer to its ends than that is at its ends


def inside(window: Window, instants: Iterable[float]) -> list[float]:
    """Those strictly inside the window, in order, each once.

    >>> inside(Window(0.0, 1.0), (2.0, 0.5, 0.0, 0.5))
    [0.5]
    """
    near = _SLIVER * window.h
    first, last = window.t0 + near, window.t1 - near
    return sorted({t for t in instants if first < t < last})


def one_sided(window: Window, instants: Iterable[float]) -> Callable[[float], float]:
    """Maps times of the window to times at which to ask for a load that may jump.

    Where the window ends at one of the instants, its end is asked for just before the
    jump; where it starts at one, its start is asked for just after. So it does not
    matter whether the load is written with > or with >=, nor that the ends of windows
    carry round-off.

    >>> ask = one_sided(Window(0.0, 0.5), [0.5])
    >>> ask(0.25), ask(0.5) < 0.5
    (0.25, True)
    """
    near = max(_SLIVER * window.h, 4.0 * ulp(max(abs(window.t0), abs(window.t1))))
    first, last = -inf, inf
    for t in instants:
        if abs(t - window.t0) <= near:
            first = max(first, nextafter(t, inf))
        if abs(t - window.t1) <= near:
            last = min(last, nextafter(t, -inf))
    return lambda t: min(max(t, first), last)
