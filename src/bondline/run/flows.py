"""Flows: what the joints did to each side, and whether their gap drifts."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from bondline.run.tally import Tally

_SIDE = re.compile(r"^(?P<joint>(?:.*\.)?joint\.[^.]+)\.(?P<side>.+)\.work$")
_ENOUGH = 40  # windows, for a drift to be told from noise
_NOTHING = 1e-10  # m: a gap that nobody minds


@dataclass(frozen=True, slots=True)
class Side:
    """Work of one joint on one of its sides over a run; all sides add up to its error.

    `power` is the largest mean over a window, with its sign.
    """

    joint: str
    side: str
    work: float  # J
    power: float  # W
    power_at: float  # s


@dataclass(frozen=True, slots=True)
class Drift:
    """Mean gap in the first and in the last quarter of a run, and its growth."""

    first: float  # m
    last: float  # m
    rate: float  # m/s
    grows: bool


def sides(tally: Tally) -> tuple[Side, ...]:
    """Every side of every joint that was recorded."""
    h = np.diff(tally.t)
    found = []
    for name in tally.columns:
        match, work = _SIDE.match(name), None
        if match is not None:
            work = tally.stat(name)
        if match is None or work is None:
            continue
        power = work / h
        worst = int(np.argmax(np.abs(power)))
        total, top = float(work.sum()), float(power[worst])
        when = float(tally.t[worst + 1])
        found.append(Side(match["joint"], match["side"], total, top, when))
    return tuple(found)


def drift(tally: Tally, lengths: bool = True) -> Drift | None:
    """How the gap grew over the run; None for a short run, or if nobody knows.

    A gap within the solver's residual is held, however it comes and goes: only what
    the scheme's condition lets through can drift. That is so where residuals are
    `lengths`: shares of forces say nothing of a gap.
    """
    gap, residual = tally.stat("gap"), tally.stat("residual")
    if gap is None or len(gap) < _ENOUGH:
        return None
    t, quarter = tally.t[1:], len(gap) // 4
    first, last = float(gap[:quarter].mean()), float(gap[-quarter:].mean())
    apart = float(t[-quarter:].mean() - t[:quarter].mean())
    held = 0.0
    if lengths and residual is not None:
        held = 2.0 * float(np.abs(residual).max())
    grows = last > 4.0 * first and last > max(_NOTHING, held)
    return Drift(first, last, (last - first) / apart, grows)
