"""All modes of an assembly in a band, none missed, from its interfaces."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import sqrt

import numpy as np

from bondline.core import Matrix, Model, PortRef, Vector
from bondline.errors import UsageError
from bondline.gluing.frequency.interface import Interface
from bondline.gluing.frequency.level import Level
from bondline.gluing.frequency.rising import Rising
from bondline.gluing.frequency.whole import whole

_RIGID = 1e-5  # of the band: modes below may be rigid-body motions
_DEEPER = 1e-2  # they are, if they are still there so much further down
_HIGHEST = 1e9  # rad/s: where nothing is looked for
_NARROW = 1e-3  # relative: how close to a mode a band need not end
_WIDTH = 1e-12  # relative: where a bracket counts as a point


@dataclass(frozen=True, slots=True, eq=False)
class Mode:
    """One undamped mode: ω in rad/s, and how the ports of the parts move in it.

    Shapes have unit modal mass. One that no port can see is all zeros.
    """

    omega: float
    shape: Mapping[PortRef, Vector]


@dataclass(frozen=True, slots=True)
class Bracket:
    """Two frequencies, and how many modes lie below each."""

    low: float
    high: float
    below: int
    above: int

    @property
    def modes(self) -> int:
        """How many modes are inside."""
        return self.above - self.below

    @property
    def middle(self) -> float:
        """Half way."""
        return 0.5 * (self.low + self.high)

    @property
    def point(self) -> bool:
        """Whether it cannot be told from one frequency."""
        return self.high - self.low <= _WIDTH * self.high


def modes(model: Model, below: float) -> list[Mode]:
    """Every mode with ω < `below` (rad/s), rigid-body modes included, in order.

    Damping is left out. A repeated mode comes as often as it is there.
    """
    if not below > 0.0:
        raise UsageError(
            "modes", f"below = {below:g} rad/s.", "Give a frequency above 0."
        )
    search = _Search(whole(model), below)
    found = list(search.frequencies())
    return [mode for group in _groups(found) for mode in search.shapes(group, found)]


def lowest(model: Model, count: int) -> tuple[list[Mode], float]:
    """At least the `count` lowest modes, and a frequency (rad/s) above all of them.

    More than asked for, where they cannot be told apart.
    """
    search, high = _Search(whole(model), 1.0), 1.0
    while search.count(high) < count:
        high *= 4.0
        if high > _HIGHEST:
            raise UsageError(
                f"{model.name}: mode {count}",
                f"there are only {search.count(high)} modes below {high:.1g} rad/s.",
                "Ask for a lower one.",
            )
    low = 0.25 * high
    while search.count(high) > count and high - low > _NARROW * high:
        middle = 0.5 * (low + high)
        low, high = (middle, high) if search.count(middle) < count else (low, middle)
    return modes(model, high), high


@dataclass(frozen=True)
class _Search:
    interface: Interface
    band: float
    _seen: dict[float, Level] = field(default_factory=dict)

    def level(self, omega: float) -> Level:
        """The assembly at `omega`, asked once."""
        if omega not in self._seen:
            self._seen[omega] = self.interface.at(omega, damped=False)
        return self._seen[omega]

    def count(self, omega: float) -> int:
        """N(ω)."""
        return self.level(omega).count(self.interface.nullity)

    def _sharp(self, omega: float) -> bool:
        return self.level(omega).sharp(self.interface.nullity)

    def frequencies(self) -> Iterator[float]:
        """ω of every mode in the band, in order."""
        above = self.count(self.band)  # first: parts prepare for all that is below
        low, rigid = self._rigid()
        yield from [0.0] * rigid
        yield from self._inside(Bracket(low, self.band, rigid, above))

    def _rigid(self) -> tuple[float, int]:
        """A frequency with nothing but rigid-body modes below it, and their number.

        The band may be a million times wider than the first elastic mode; but not so
        far down that round-off is counted.
        """
        low = _RIGID * self.band
        while not self._sharp(low) and low < 0.01 * self.band:
            low *= 10.0
        rigid = self.count(low)
        while rigid and self._sharp(_DEEPER * low):
            fewer = self.count(_DEEPER * low)
            if fewer >= rigid:
                break
            low, rigid = _DEEPER * low, fewer
        return low, rigid

    def _inside(self, first: Bracket) -> Iterator[float]:
        waiting = [first]
        while waiting:
            b = waiting.pop()
            if b.modes <= 0:
                continue
            found = [b.middle] * b.modes if b.point else self._roots(b)
            if found:
                yield from found
            else:
                # round-off next to an eigenvalue of a part must not lose a mode
                n = min(max(self.count(b.middle), b.below), b.above)
                waiting.append(Bracket(b.middle, b.high, n, b.above))
                waiting.append(Bracket(b.low, b.middle, b.below, n))

    def _roots(self, b: Bracket) -> list[float]:
        """All modes inside, if no part has an eigenvalue of its own there."""
        low, high = self.level(b.low), self.level(b.high)
        if not len(low.inertia) or low.below != high.below:
            return []
        rising = Rising(self.level, b.low, b.high, self.interface.nullity)
        first = (low.below or 0) - b.above
        found = [rising.root(k) for k in range(first, first + b.modes)]
        return sorted(
            omega for omega in found if omega is not None and None not in found
        )

    def shapes(self, group: list[float], every: list[float]) -> Iterator[Mode]:
        """The modes of one frequency, from the residue of the receptance there."""
        omega = sum(group) / len(group)
        others = [abs(w - omega) for w in every if w not in group]
        near = min([*others, omega or 1.0])
        if omega:
            d = max(2.0 * omega * min(1e-3 * near, 1e-4 * omega), 1e-10 * omega**2)
            apart = self._glued(omega**2 - d) - self._glued(omega**2 + d)
            residue = 0.5 * d * apart
        else:
            d = (1e-3 * min([*others, self.band])) ** 2
            residue = 2.0 * d * (self._glued(2.0 * d) - self._glued(d))
        values, vectors = np.linalg.eigh(0.5 * (residue + residue.T))
        for k in range(1, len(group) + 1):
            visible = len(values) >= k and values[-k] > 0.0
            shape = sqrt(values[-k]) * vectors[:, -k] if visible else None
            yield Mode(omega, self._ports(shape))

    def _glued(self, square: float) -> Matrix:
        return np.asarray(self.interface.at(sqrt(square), damped=False).glued.real)

    def _ports(self, shape: Vector | None) -> dict[PortRef, Vector]:
        places = self.interface.places
        if shape is None:
            return {r: np.zeros(p.size) for r, p in self.interface.ports.items()}
        sign = np.sign(shape[np.argmax(np.abs(shape))]) or 1.0
        return {r: sign * shape[at] for r, at in places.items()}


def _groups(omegas: list[float]) -> Iterator[list[float]]:
    """Frequencies that cannot be told apart, together."""
    group: list[float] = []
    for omega in omegas:
        if group and omega - group[0] > 1e-9 * omega:
            yield group
            group = []
        group.append(omega)
    if group:
        yield group
