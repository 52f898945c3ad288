"""Scales: what a signal of a run is judged beside."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np

from bondline.run.results import Results

SMALL = 1e-5  # of the largest signal of its unit: what tolerances of parts leave
_FORCE, _MOMENT, _LENGTH = "N", "N.m", "m"


class Scale(NamedTuple):
    """`peak` is the largest value beside which a signal may be as good as zero.

    `whole` is the vector that it is a component of, `noise` a difference that says
    nothing, and `inner` tells that the ends of the run are not known as well.
    """

    peak: float
    whole: float = 0.0
    noise: float = 0.0
    inner: bool = False


def scales(results: Results, joints: Sequence[str]) -> Callable[[str], Scale]:
    """The scale of each signal; `joints` are the names of those that have forces."""
    units, peak = results.units, _Peaks(results)
    owner = {
        name: joint
        for joint in joints
        for name in results.signals
        if name.startswith(f"{joint}.") and units.get(name) in (_FORCE, _MOMENT)
    }
    forces = {u: peak(n for n in owner if units[n] == u) for u in (_FORCE, _MOMENT)}
    arm = peak(n for n in results.signals if units.get(n) == _LENGTH)
    forces[_MOMENT] = max(forces[_MOMENT], arm * forces[_FORCE])

    def scale(name: str) -> Scale:
        unit = units.get(name, "")
        if name not in owner:
            same = (n for n in results.signals if units.get(n, "") == unit)
            return Scale(peak(same))
        own = (n for n, j in owner.items() if (j, units[n]) == (owner[name], unit))
        top = forces[unit]
        return Scale(top, peak(own), SMALL * top, inner=True)

    return scale


class _Peaks:
    """The largest value among some signals."""

    def __init__(self, results: Results) -> None:
        self._of = {
            name: float(np.abs(values).max(initial=0.0))
            for name, values in results.signals.items()
        }

    def __call__(self, names: Iterable[str]) -> float:
        return max((self._of[name] for name in names), default=0.0)
