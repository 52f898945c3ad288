"""All ports in one array: what they show, and what they are told.

Mappings as any other, and made without picking the array apart. Who knows them takes
the array; who does not is given what it asks for, port by port.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TypeGuard, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from bondline.core.arrays import Matrix, Vector
from bondline.core.motion import Motion, Output
from bondline.core.signal import Signal

K = TypeVar("K", bound=Hashable)


@dataclass(frozen=True, slots=True, eq=False)
class Motions(Mapping[K, Motion]):
    """x, v and a of points, a row each; `places` has the columns of every port."""

    places: Mapping[K, slice]
    levels: Matrix

    def __getitem__(self, port: K) -> Motion:
        return Motion(*self.levels[:, self.places[port]])

    def __iter__(self) -> Iterator[K]:
        return iter(self.places)

    def __len__(self) -> int:
        return len(self.places)


@dataclass(frozen=True, slots=True, eq=False)
class Forces(Mapping[K, Signal]):
    """Forces over one window: row k goes with sᵏ; `places` as in `Motions`."""

    places: Mapping[K, slice]
    coefficients: Matrix

    @property
    def end(self) -> Vector:
        """All of them at t₁, as a limit from inside the window."""
        one = len(self.coefficients) == 1
        return self.coefficients[0] if one else Signal(self.coefficients).end

    def __getitem__(self, port: K) -> Signal:
        return Signal(self.coefficients[:, self.places[port]])

    def __iter__(self) -> Iterator[K]:
        return iter(self.places)

    def __len__(self) -> int:
        return len(self.places)


@dataclass(frozen=True, slots=True, eq=False)
class MotionRows(Sequence[Motions[K]]):
    """The same after every window: `levels` are windows × levels × dofs."""

    places: Mapping[K, slice]
    levels: NDArray[np.float64]

    @overload
    def __getitem__(self, k: int) -> Motions[K]: ...

    @overload
    def __getitem__(self, k: slice) -> MotionRows[K]: ...

    def __getitem__(self, k: int | slice) -> Motions[K] | MotionRows[K]:
        if isinstance(k, slice):
            return MotionRows(self.places, self.levels[k])
        return Motions(self.places, self.levels[k])

    def __len__(self) -> int:
        return len(self.levels)


@dataclass(frozen=True, slots=True, eq=False)
class ForceRows(Sequence[Forces[K]]):
    """Forces over every window: `coefficients` are windows × powers × dofs."""

    places: Mapping[K, slice]
    coefficients: NDArray[np.float64]

    @overload
    def __getitem__(self, k: int) -> Forces[K]: ...

    @overload
    def __getitem__(self, k: slice) -> ForceRows[K]: ...

    def __getitem__(self, k: int | slice) -> Forces[K] | ForceRows[K]:
        if isinstance(k, slice):
            return ForceRows(self.places, self.coefficients[k])
        return Forces(self.places, self.coefficients[k])

    def __len__(self) -> int:
        return len(self.coefficients)

    def like(self, other: object) -> TypeGuard[ForceRows[K]]:
        """Whether others have as many numbers, in the same places."""
        return (
            isinstance(other, ForceRows)
            and self.coefficients.shape == other.coefficients.shape
            and self.places == other.places
        )


def in_rows(shown: Sequence[Mapping[str, Output]]) -> MotionRows[str] | None:
    """What ports show after every window in one array, where it is in one each time."""
    if isinstance(shown, MotionRows):
        return shown
    each = [one for one in shown if isinstance(one, Motions)]
    if not each or len(each) < len(shown):
        return None
    first = each[0]
    if any(m.places != first.places for m in each):
        return None
    if any(len(m.levels) != len(first.levels) for m in each):
        return None
    return MotionRows(first.places, np.stack([m.levels for m in each]))


def in_one_array(shown: Mapping[str, Output]) -> Mapping[str, Output]:
    """The same in one array, where all are motions of points, with accelerations."""
    each = [m for m in shown.values() if isinstance(m, Motion) and m.turn is None]
    levels = [np.stack([m.x, m.v, m.a]) for m in each if m.a is not None]
    if not shown or len(levels) < len(shown):
        return shown
    cuts = list(accumulate((y.shape[1] for y in levels), initial=0))
    places = {port: slice(*cuts[k : k + 2]) for k, port in enumerate(shown)}
    return Motions(places, np.concatenate(levels, axis=1))


def superposed(one: Mapping[K, Signal], two: Mapping[K, Signal]) -> Mapping[K, Signal]:
    """Inputs that act together, port by port; in one array, where both are."""
    if not one or not two:
        return one or two
    if isinstance(one, Forces) and isinstance(two, Forces) and one.places == two.places:
        total = Signal(one.coefficients) + Signal(two.coefficients)
        return Forces(one.places, total.coefficients)
    return {
        port: one[port] + two[port] if port in one and port in two else signal
        for port, signal in {**one, **two}.items()
    }


def changed(since: Mapping[K, Signal], now: Mapping[K, Signal]) -> Mapping[K, Signal]:
    """What acts more than before; in one array, where both are."""
    less: Mapping[K, Signal]
    if isinstance(since, Forces):
        less = Forces(since.places, -since.coefficients)
    else:
        less = {port: Signal(-signal.coefficients) for port, signal in since.items()}
    return superposed(now, less)
