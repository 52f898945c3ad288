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

from collections.abc import Iterable, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from bondline.core import Matrix, Vector

SAMPLES = 16
LIMIT = 0.5
_SETTLED = 12  # inputs after which a start is no impulse any more
_INSIDE = 1e-2  # of (1): sequences that count as inside

_Window = tuple[float, float, dict[str, Vector]]  # start, length, inputs at its end


@dataclass(frozen=True, slots=True)
class Alarm:
    """A port that was moved outside the band: which, when, how much of the energy."""

    port: str
    t: float
    outside: float


@dataclass
class Monitor:
    """What one session did to the ports of a model.

    An input counts when a later window begins: until then it may be taken back. So
    every window counts once, in order, with the inputs that it had in the end. What a
    block tries is judged at once all the same: its answer is a whole record.
    """

    band: float
    _ports: dict[str, _Channel] = field(default_factory=dict)
    _now: Sequence[_Window] = ()

    def see(self, t0: float, h: float, inputs: dict[str, Vector]) -> Alarm | None:
        """Take in the inputs of the window at `t0`; those of the one before count."""
        return self.see_all([(t0, h, inputs)])

    def see_all(self, windows: Sequence[_Window]) -> Alarm | None:
        """Take in the inputs of windows in a row; those of earlier ones count."""
        before, self._now = self._now, windows
        past = [w for w in before if w[0] < windows[0][0]]  # others are taken back
        found = _moved(self._ports, past, self.band)
        if found is not None or len(windows) == 1:
            return found
        return self.judge(windows)

    def judge(self, windows: Sequence[_Window]) -> Alarm | None:
        """What would be said if these came next; nothing is taken in."""
        return _moved(deepcopy(self._ports), windows, self.band)

    def guessed(self, windows: Sequence[_Window]) -> Alarm | None:
        """What would be said of these alone, from rest and then held.

        They are known inputs without the forces of joints, which are still to come:
        left away, or guessed as constant. That they do not go on from what was before
        is no excitation; an impulse among them is.
        """
        t0, h, inputs = windows[-1]
        held = [(t0 + k * h, h, inputs) for k in range(1, SAMPLES)]
        return _moved({}, [*windows, *held], self.band)


def _moved(
    ports: dict[str, _Channel], windows: Iterable[_Window], band: float
) -> Alarm | None:
    """The first port that was moved outside the band."""
    found = None
    for t0, h, inputs in windows:
        for port in sorted({*ports, *inputs}):
            if port not in ports:
                ports[port] = _Channel(np.zeros((SAMPLES, len(inputs[port]))))
            outside = ports[port].add(inputs.get(port), h, band)
            if outside > LIMIT and found is None:
                found = Alarm(port, t0 + h, outside)
    return found


@dataclass
class _Channel:
    """The last inputs of one port, before which it was at rest."""

    past: Matrix  # oldest first
    peak: float = 0.0  # largest energy of 16 inputs
    seen: int = 0

    def add(self, value: Vector | None, h: float, band: float) -> float:
        """The share outside the band after one more input; None is no force."""
        u = self.past
        u[:-1] = u[1:]
        u[-1] = 0.0 if value is None else value
        self.seen += 1
        energy = float(np.vdot(u, u))
        if energy > self.peak:
            self.peak = energy
        if self.seen < _SETTLED or self.peak == 0.0:
            return 0.0
        inside = _inside(round(band * h, 9)).T @ u
        return (energy - float(np.vdot(inside, inside))) / self.peak


@lru_cache(maxsize=64)
def _inside(share: float) -> Matrix:
    """Orthonormal columns that span what is inside; `share` of the sampling rate."""
    if share >= 0.5:  # windows too long to tell anything: all is inside
        return np.eye(SAMPLES)
    i = np.arange(SAMPLES)
    sizes, columns = np.linalg.eigh(2 * share * np.sinc(2 * share * (i[:, None] - i)))
    made: Matrix = columns[:, sizes > _INSIDE]
    return made
