"""Who answered with a number that is not finite."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf, isfinite
from typing import Any

import numpy as np

from bondline.core import (
    Advance,
    Assembly,
    Effort,
    Motion,
    Output,
    Rejected,
    Vector,
    Window,
)
from bondline.errors import NonFinite


def blame(
    assembly: Assembly, advances: Mapping[str, Advance[Any]], window: Window
) -> Rejected:
    """Which part answered with a number that is not finite, or all but."""
    ends = [end for c in assembly.connections for end in c.ends]
    sizes = {e: _size(advances[e.part].outputs[e.port]) for e in ends}
    worst = max(ends, key=lambda e: sizes[e])
    finding = f"port {worst.port} answered with a number that is not finite."
    error = NonFinite(
        f"{worst.part}, window to t = {window.t1:.6g} s",
        finding,
        "Shorten the window (--step), or look at the part: its own solver may have "
        "become unstable.",
    )
    return Rejected(worst.part, finding, window.at(0.5), error)


def _size(shown: Output) -> float:
    if isinstance(shown, Effort):
        return max(_largest(shown.f), _size(shown.at))
    assert isinstance(shown, Motion)
    levels = [x for x in (shown.x, shown.v, shown.a) if x is not None]
    return max(_largest(x) for x in levels)


def _largest(x: Vector) -> float:
    largest = float(np.abs(x).max())
    return largest if isfinite(largest) else inf
