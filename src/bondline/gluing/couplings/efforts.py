"""Efforts of the motion-driven ports: their size, and what of it is round-off."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from math import ceil, log2, sqrt
from typing import Any

import numpy as np

from bondline.core import (
    Advance,
    Assembly,
    Effort,
    Motion,
    PortRef,
    Signal,
    Vector,
    Window,
)
from bondline.errors import SettingError

FLOOR = 1.0  # N
_EPS = float(np.finfo(np.float64).eps)
_SUDDEN = 1e-12  # of forces that no window before has seen, what may be left over


def effort_of(advances: Mapping[str, Advance[Any]], end: PortRef) -> Vector:
    """The force that a port needs to follow its motion."""
    shown = advances[end.part].outputs[end.port]
    assert isinstance(shown, Effort), f"{end} must answer with effort"
    return shown.f


def force_scale(effort: float) -> float:
    """A power of two about as large, so that dividing by it changes no digit."""
    return float(2.0 ** ceil(log2(max(effort, FLOOR))))


def largest(vectors: Iterable[Vector]) -> float:
    """Of all entries, in size; 0 where there are none."""
    return max((float(np.abs(v).max(initial=0.0)) for v in vectors), default=0.0)


@dataclass
class Seen:
    """What the sweeps of one window have shown: for the noise, and nothing else.

    `inertia` is the largest ∂effort/∂acceleration known. A part that is told positions
    finds accelerations as differences over h², so the last place of a position comes
    back as an effort 4/h² times larger.

    From rest, or after a blow, forces may be larger than the scale by any number of
    digits. Such a window is measured by the forces of its last sweep: a part loses
    digits inside that nobody sees from here, and 1e-12 of them is never asked too much.
    """

    inertia: float
    effort: float = 0.0
    last: float = 0.0
    entries: int = 1

    def see(self, efforts: Collection[Vector]) -> None:
        """Another sweep."""
        self.last = largest(efforts)
        self.effort = max(self.effort, self.last)
        self.entries = max([self.entries, *map(len, efforts)])

    def noise(self, scale: float, h: float, motions: Iterable[Motion]) -> float:
        """Size of a residual that is round-off, as a part of `scale`."""
        told = 4.0 / h**2 * self.inertia * largest(m.x for m in motions)
        # residuals are norms: round-off of many entries adds up like a random walk
        round_off = 16.0 * _EPS * sqrt(self.entries) * max(self.effort, told)
        sudden = _SUDDEN * self.last if self.last > scale else 0.0
        return max(round_off, sudden) / scale


def require_followed(
    assembly: Assembly,
    advances: Mapping[str, Advance[Any]],
    told: Mapping[PortRef, Signal],
    window: Window,
) -> None:
    """A part that integrates inside must arrive as it was told: x, v and a.

    One that finds accelerations as differences of the positions it is told, step by
    step, sees them ring, and its efforts with them. Frames are left to themselves.
    """
    for end, path in told.items():
        part = assembly.parts[end.part]
        shown = advances[end.part].outputs[end.port]
        can = part.capabilities
        if can.one_step or can.weighs or path.origin is not None:
            continue
        if isinstance(shown, Effort) and _astray(path, shown.at, window.h):
            raise SettingError(
                f"{end}, window to t = {window.t1:.6g} s",
                "it does not arrive with the acceleration it was told: it finds its "
                "own from positions, which rings.",
                "Let the part take one step a window, let it read the velocity and "
                "acceleration of the motion it is told, or let the port take force.",
            )


def _astray(path: Signal, at: Motion, h: float) -> bool:
    if at.a is None:
        return False
    c = path.coefficients
    k = np.arange(len(c))
    a = (k * (k - 1.0)) @ c
    bend = 2.0 * c[2] if len(c) > 2 else np.zeros_like(a)
    round_off = 1e4 * _EPS * float(np.abs(c).max())
    allowed = 1e-6 * largest([a, bend]) + round_off
    return largest([h * h * at.a - a]) > allowed
