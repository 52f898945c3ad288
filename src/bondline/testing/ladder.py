"""Shorter and shorter windows: what must vanish with them, does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from bondline.core import Advance, Window, uniform
from bondline.testing.trial import Refusal, Trial

Measure: TypeAlias = Callable[[Advance[Any], Advance[Any], Window], dict[str, float]]

RUNGS = 9
SETTLE = 3  # windows of one length, so that the last one follows another like it
ORDER = 0.5  # the least that counts as converging
CLOSE = 0.05  # the most that may be left then


@dataclass(frozen=True, slots=True)
class Defect:
    """A relative defect, and how large it may be."""

    measured: float
    allowed: float

    @property
    def excess(self) -> float:
        """Above 1 where it is too large."""
        return self.measured / self.allowed


def vanishing(trial: Trial, measure: Measure, allowed: float) -> dict[str, Defect]:
    """Relative defects that should vanish for short windows, and whether they do.

    A defect that comes from the length of the window falls below any bound; one that
    comes from a lie does not. Some leaves, glued ones among them, dislike a change of
    length and random loads: they get a second chance on even windows under steady
    loads, where converging is enough.
    """
    found = {n: Defect(d, allowed) for n, d in _best(trial, measure, allowed).items()}
    if all(d.excess <= 1.0 for d in found.values()):
        return found
    for pieces in (1, 4):
        coarse, fine = (_even(trial, measure, n) for n in (pieces, 16 * pieces))
        for name in [n for n, d in found.items() if d.excess > 1.0]:
            bound = max(allowed, min(CLOSE, coarse.get(name, 0.0) * 16.0**-ORDER))
            if fine.get(name, bound) < bound:
                found[name] = Defect(fine[name], bound)
        if all(d.excess <= 1.0 for d in found.values()):
            break
    return found


def _best(trial: Trial, measure: Measure, allowed: float) -> dict[str, float]:
    """The smallest defect of each quantity on windows of h, h/4, h/16 …"""
    found: dict[str, float] = {}
    for rung in range(RUNGS):
        h = trial.h * 4.0**-rung
        t = trial.window(trial.last).t0
        windows = [Window(t + k * h, t + (k + 1) * h) for k in range(SETTLE)]
        try:
            *_, before, after = trial.follow(trial.last, windows, trial.steady)
        except Refusal:
            if found:
                break  # the leaf does not like windows as short as that
            raise
        for name, defect in measure(before, after, windows[-1]).items():
            found[name] = min(defect, found.get(name, defect))
        if all(defect <= allowed for defect in found.values()):
            break
    return found


def _even(trial: Trial, measure: Measure, pieces: int) -> dict[str, float]:
    """The defect at the end of the path, on even windows from the start."""
    h, count = trial.h / pieces, trial.count * pieces
    windows = [uniform(0.0, h, k) for k in range(count)]
    try:
        *_, before, after = trial.follow(0, windows, trial.steady)
    except Refusal:
        return {}
    return measure(before, after, windows[-1])
