"""Signals: what a port is told over one window."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bondline.core.arrays import Matrix, Vector
from bondline.core.motion import Pose


@dataclass(frozen=True, slots=True)
class Signal:
    """A polynomial over one window: Σₖ c[k] sᵏ, s = (t − t₀)/h in [0, 1].

    Row k of `coefficients` belongs to sᵏ; columns are the port's dofs. A force, or
    the motion of points. The motion of a frame is told relative to its pose `origin`:
    three columns of translation, three of rotation vector, never a quaternion.

    >>> Signal(np.array([[1.0], [2.0]])).at(0.5)
    array([2.])
    """

    coefficients: Matrix
    origin: Pose | None = None

    @classmethod
    def hold(cls, value: Vector) -> Signal:
        """Constant over the window."""
        return cls(value[None, :])

    @classmethod
    def line(cls, start: Vector, end: Vector) -> Signal:
        """Linear from `start` to `end`."""
        return cls(np.stack([start, end - start]))

    @property
    def degree(self) -> int:
        """Highest power of s."""
        return len(self.coefficients) - 1

    def at(self, s: float) -> Vector:
        """Value at the fraction `s` of the window, by Horner's rule."""
        value: Vector = self.coefficients[-1]
        for row in self.coefficients[-2::-1]:
            value = value * s + row
        return value

    @property
    def start(self) -> Vector:
        """Value at t₀, as a limit from inside the window."""
        first: Vector = self.coefficients[0]
        return first

    @property
    def end(self) -> Vector:
        """Value at t₁, as a limit from inside the window."""
        return self.at(1.0)

    def part(self, s0: float, s1: float) -> Signal:
        """The same function on the fraction from `s0` to `s1`, as a window of its own.

        >>> Signal(np.array([[0.0], [0.0], [1.0]])).part(0.5, 1.0).at(0.0)
        array([0.25])
        """
        rows = np.zeros_like(self.coefficients)
        for row in self.coefficients[::-1]:  # Horner's rule on p(s0 + (s1 − s0) σ)
            shifted = np.zeros_like(rows)
            shifted[1:] = (s1 - s0) * rows[:-1]
            rows = s0 * rows + shifted
            rows[0] += row
        return Signal(rows, self.origin)

    def __add__(self, other: Signal) -> Signal:
        long, short = self.coefficients, other.coefficients
        if len(short) > len(long):
            long, short = short, long
        total = long.copy()
        total[: len(short)] += short
        return Signal(total, self.origin)
