"""The excitation monitor: does a partner move a port as a run would, or as a probe?

The last 16 inputs of a port are split into what lies inside the band of the contract
and what does not. For that the sequences of 16 samples that are inside are spanned by
those that concentrate best there, eigenvectors of

    A_ij = sin(2π f h (i − j)) / (π (i − j))     (slepian1978)                  (1)

Flagged is a port whose energy outside exceeds half of the largest energy that 16 of
its inputs ever had. An impulse has 0.8 of it outside and a chirp that has left the
band 0.9; forces of glued parts that ring after sudden loads had at most 0.36. The order
of persistent excitation does not tell them apart: ringing has the full order, too.

Not flagged: a partner who stays inside the band, or is patient, or hides an impulse in
a motion that is more than a third as large.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from bondline.core import Matrix, Vector

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


@dataclass
class Monitor:
    """What one session did to the ports of a model.

    An input counts when the next window begins: until then it may be taken back.
    """

    band: float
    _ports: dict[str, _Channel] = field(default_factory=dict)
    _now: tuple[float, float, dict[str, Vector]] | None = None

    def see(self, t0: float, h: float, inputs: dict[str, Vector]) -> Alarm | None:
        """Take in the inputs of the window at `t0`; those of the one before count."""
        before, self._now = self._now, (t0, h, inputs)
        if before is None or t0 <= before[0]:
            return None  # the same window again, or an earlier one: taken back
        found = None
        for port in {*self._ports, *before[2]}:
            channel = self._ports.setdefault(port, _Channel())
            outside = channel.add(before[2].get(port), before[1], self.band)
            if outside > LIMIT:
                found = Alarm(port, before[0] + before[1], outside)
        return found


@dataclass
class _Channel:
    """The last inputs of one port, before which it was at rest."""

    past: deque[Vector] = field(default_factory=lambda: deque(maxlen=SAMPLES))
    peak: float = 0.0  # largest energy of 16 inputs
    seen: int = 0

    def add(self, value: Vector | None, h: float, band: float) -> float:
        """The share outside the band after one more input; None is no force."""
        size = len(value) if value is not None else len(self.past[-1])
        self.past.append(np.zeros(size) if value is None else value)
        self.seen += 1
        u = np.zeros((SAMPLES, size))
        u[SAMPLES - len(self.past) :] = self.past
        energy = float((u**2).sum())
        self.peak = max(self.peak, energy)
        if self.seen < _SETTLED or self.peak == 0.0:
            return 0.0
        inside = _inside(round(band * h, 9)).T @ u
        return (energy - float((inside**2).sum())) / self.peak


@lru_cache(maxsize=64)
def _inside(share: float) -> Matrix:
    """Orthonormal columns that span what is inside; `share` of the sampling rate."""
    if share >= 0.5:  # windows too long to tell anything: all is inside
        return np.eye(SAMPLES)
    i = np.arange(SAMPLES)
    sizes, columns = np.linalg.eigh(2 * share * np.sinc(2 * share * (i[:, None] - i)))
    made: Matrix = columns[:, sizes > _INSIDE]
    return made
