"""Instants inside a window at which a load has a kink."""

from __future__ import annotations

from collections.abc import Iterable

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
