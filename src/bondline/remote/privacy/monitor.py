"""The excitation monitor: does a partner move a port as a run would, or as a probe?

The last 16 inputs of a port are split into what lies inside the band of the contract
and what does not. For that the sequences of 16 samples that are inside are spanned by
those that concentrate best there, eigenvectors of

    A_ij = sin(2π f h (i − j)) / (π (i − j))     (slepian1978)                  (1)

Flagged is a port whose energy outside exceeds half of the largest energy that 16 of
its inputs ever had. An impulse has 0.8 of it outside and a chirp that has left the
band 0.9; forces of glued parts that ring after sudden loads had at most 0.36. The order
of persistent excitation does not tell them apart: ringing has the full order, too.

Looked at is what led to a state (its trail), whatever else was asked in between. The
inputs of a window count when somebody goes on from where it ends: until then it may be
taken back. What a block tries is judged at once all the same: its answer is a whole
record.

Not flagged: a partner who stays inside the band, or is patient, or hides an impulse in
a motion that is more than a third as large.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import isfinite

import numpy as np

from bondline.core import Matrix, Vector
from bondline.remote.owner.trail import Channel, Channels, Moved, Trail

SAMPLES = 16
LIMIT = 0.5
_SETTLED = 12  # inputs after which a start is no impulse any more
_INSIDE = 1e-2  # of (1): sequences that count as inside


@dataclass(frozen=True, slots=True)
class Alarm:
    """A port that was moved outside the band: which, when, how much of the energy."""

    port: str
    t: float
    outside: float


def gone_on(trail: Trail, band: float) -> Alarm | None:
    """What is said of the windows that led to a state, once; they are taken in."""
    due, found = trail.due(), None
    first = due[0].before if due else None
    channels: Channels = (first.channels if first is not None else None) or {}
    for each in due:
        channels, alarm = _moved(channels, each.moved, band)
        each.take_in(channels)
        found = found or alarm
    return found


def at_once(trail: Trail, windows: Sequence[Moved], band: float) -> Alarm | None:
    """What would be said if these came next; nothing is taken in."""
    return _moved(trail.channels or {}, windows, band)[1]


def guessed(windows: Sequence[Moved], band: float) -> Alarm | None:
    """What would be said of these alone, from rest and then held.

    They are known inputs without the forces of joints, which are still to come: left
    away, or guessed as constant. That they do not go on from what was before is no
    excitation; an impulse among them is.
    """
    t0, h, inputs = windows[-1]
    held = [Moved(t0 + k * h, h, inputs) for k in range(1, SAMPLES)]
    return _moved({}, [*windows, *held], band)[1]


def _moved(
    before: Channels, windows: Iterable[Moved], band: float
) -> tuple[Channels, Alarm | None]:
    """What is known after these, and the first port that was moved outside the band."""
    known, found = dict(before), None
    for t0, h, inputs in windows:
        for port in sorted({*known, *inputs}):
            told = inputs.get(port)
            if port not in known:
                known[port] = Channel(np.zeros((SAMPLES, len(inputs[port].end))))
            value = None if told is None else told.end
            known[port], outside = _after(known[port], value, h, band)
            if outside > LIMIT and found is None:
                found = Alarm(port, t0 + h, outside)
    return known, found


def _after(
    old: Channel, value: Vector | None, h: float, band: float
) -> tuple[Channel, float]:
    """After one more input, and the share outside the band; None is no force."""
    u = np.empty_like(old.past)
    u[:-1] = old.past[1:]
    u[-1] = 0.0 if value is None else value
    largest = float(np.abs(u).max())
    if largest == 0.0:
        return Channel(u, old.peak, old.seen + 1), 0.0
    unit = u / largest  # squares of very small and of very large forces are no numbers
    with np.errstate(over="ignore"):
        norm = largest * np.linalg.norm(unit)
    if not isfinite(norm):  # nobody glues with such forces
        return old, 1.0
    new = Channel(u, max(old.peak, float(norm)), old.seen + 1)
    if new.seen < _SETTLED:
        return new, 0.0
    inside = _inside(round(band * h, 9)).T @ unit
    left = np.vdot(unit, unit) - np.vdot(inside, inside)
    return new, float(left) * (largest / new.peak) ** 2


@lru_cache(maxsize=64)
def _inside(share: float) -> Matrix:
    """Orthonormal columns that span what is inside; `share` of the sampling rate."""
    if share >= 0.5:  # windows too long to tell anything: all is inside
        return np.eye(SAMPLES)
    i = np.arange(SAMPLES)
    sizes, columns = np.linalg.eigh(2 * share * np.sinc(2 * share * (i[:, None] - i)))
    made: Matrix = columns[:, sizes > _INSIDE]
    return made
