"""Factors over time, for loads and enforced motion."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import cos, isfinite, pi, sin
from typing import Protocol

import numpy as np

from bondline.core import Matrix
from bondline.errors import SettingError


class History(Protocol):
    """A number that depends on time.

    Obligations, each tested: `at` gives the value, its rate and its second rate, each
    the derivative of the one before between kinks; at a kink, the limits from the
    right. `kinks` are all instants where one of them jumps. Equal histories have
    equal hashes: loads that share one are added up once.
    """

    @property
    def kinks(self) -> tuple[float, ...]:
        """Instants at which the history jumps or is not smooth, in order."""
        ...

    def at(self, t: float) -> tuple[float, float, float]:
        """Value, rate, second rate."""
        ...


def _require_finite(place: str, numbers: Iterable[float]) -> None:
    if not all(isfinite(number) for number in numbers):
        raise SettingError(place, "a number is not finite.", "Give finite numbers.")


@dataclass(frozen=True, slots=True)
class Constant:
    """The same factor at all times."""

    value: float = 1.0

    def __post_init__(self) -> None:
        _require_finite("constant over time", (self.value,))

    @property
    def kinks(self) -> tuple[float, ...]:
        """None."""
        return ()

    def at(self, t: float) -> tuple[float, float, float]:
        """Value, rate, second rate."""
        return self.value, 0.0, 0.0


STEADY = Constant()


@dataclass(frozen=True, slots=True)
class Table:
    """Straight lines between points in time; constant before the first, after the last.

    Two points at one time are a jump. As the history of an enforced displacement it
    has velocities that jump at the points: let such a displacement be smooth.
    """

    times: tuple[float, ...]
    values: tuple[float, ...]

    def __post_init__(self) -> None:
        if not self.times or len(self.times) != len(self.values):
            raise SettingError(
                "table over time",
                f"it has {len(self.times)} times and {len(self.values)} values.",
                "Give one value for each time, and at least one.",
            )
        _require_finite("table over time", (*self.times, *self.values))
        for before, after in pairwise(self.times):
            if after < before:
                raise SettingError(
                    "table over time",
                    f"time {after:g} comes after {before:g}.",
                    "Give the times in ascending order.",
                )

    @property
    def kinks(self) -> tuple[float, ...]:
        """The times of the table."""
        return tuple(dict.fromkeys(self.times))

    def at(self, t: float) -> tuple[float, float, float]:
        """Value and slope; the second rate is zero between the points."""
        after = bisect_right(self.times, t)
        if after in (0, len(self.times)):
            return self.values[0 if after == 0 else -1], 0.0, 0.0
        (t0, t1), (y0, y1) = (
            pair[after - 1 : after + 1] for pair in (self.times, self.values)
        )
        slope = (y1 - y0) / (t1 - t0)
        return y0 + slope * (t - t0), slope, 0.0


@dataclass(frozen=True, slots=True)
class Harmonic:
    """a₀ + Σₙ aₙ cos nω(t − t₀) + bₙ sin nω(t − t₀) from t₀ on; a₀ before.

    Abaqus calls it a periodic amplitude. `Harmonic(b=(1.0,), omega=w)` is a sine.
    """

    a0: float = 0.0
    a: tuple[float, ...] = ()
    b: tuple[float, ...] = ()
    omega: float = 1.0
    t0: float = 0.0

    def __post_init__(self) -> None:
        own = (self.a0, *self.a, *self.b, self.omega, self.t0)
        _require_finite("harmonic over time", own)

    @property
    def kinks(self) -> tuple[float, ...]:
        """Where it starts."""
        return (self.t0,)

    def at(self, t: float) -> tuple[float, float, float]:
        """Value, rate, second rate."""
        total = [self.a0, 0.0, 0.0]
        if t < self.t0:
            return self.a0, 0.0, 0.0
        for n in range(max(len(self.a), len(self.b))):
            w = (n + 1) * self.omega
            a = self.a[n] if n < len(self.a) else 0.0
            b = self.b[n] if n < len(self.b) else 0.0
            c, s = cos(w * (t - self.t0)), sin(w * (t - self.t0))
            total[0] += a * c + b * s
            total[1] += w * (b * c - a * s)
            total[2] -= w * w * (a * c + b * s)
        return total[0], total[1], total[2]

    @property
    def peak(self) -> float:
        """The value farthest from zero in a period, the first if there are several.

        >>> Harmonic(b=(2.0,), omega=9.0).peak
        2.0
        """
        terms = max(len(self.a), len(self.b))
        if not self.omega or not terms:
            return self.at(self.t0)[0]
        c = np.zeros(2 * terms + 1, dtype=complex)  # of the rate, in z = exp iω(t − t₀)
        for n in range(1, terms + 1):
            a = self.a[n - 1] if n <= len(self.a) else 0.0
            b = self.b[n - 1] if n <= len(self.b) else 0.0
            c[terms + n], c[terms - n] = n * complex(a, -b), -n * complex(a, b)
        angles = np.sort(np.angle(np.roots(c[::-1])) % (2.0 * pi))
        period = [self.at(self.t0 + x / abs(self.omega))[0] for x in (0.0, *angles)]
        most = max(map(abs, period)) * (1.0 - 1e-9)
        return next(value for value in period if abs(value) >= most)


def at_rest(history: History) -> float:
    """What statics takes where no instant is told.

    The peak of what is periodic, the last value of a table; of others that at t = 0.
    """
    if isinstance(history, Harmonic):
        return history.peak
    if isinstance(history, Table):
        return history.values[-1]
    return history.at(0.0)[0]


def levels_of(histories: Sequence[History], t: float) -> Matrix:
    """Values, rates and second rates at one instant: 3 × histories."""
    each = [h.at(t) for h in histories]
    return np.array(each, dtype=np.float64).reshape(-1, 3).T


def kinks_of(histories: Sequence[History]) -> tuple[float, ...]:
    """Instants at which one of them is not smooth, in order."""
    return tuple(sorted({t for h in histories for t in h.kinks}))
