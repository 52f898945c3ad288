"""How far a window may be off, from what is known at its end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol, TypeAlias

import numpy as np

from bondline.core import Assembly, Motion, PortRef, Vector
from bondline.gluing.couplings.schemes import Scheme
from bondline.gluing.foresee import displacement
from bondline.gluing.gaps import look
from bondline.gluing.ledger import rigid

Motions: TypeAlias = Mapping[PortRef, Motion]


class Estimate(Protocol):
    """A length for the error of one window, and the power of h it goes with."""

    order: int

    def __call__(
        self, assembly: Assembly, before: Motions, after: Motions, h: float
    ) -> float:
        """From the motions of all glued ports at both ends of a window."""
        ...


class RateGap:
    """h (e'₀ + e'₁), where positions agree and velocities need not; of order h³.

    The velocity gap of constant/e flips its sign in every window and does not decay:
    the sum of two is what this window has added.
    """

    order = 3

    def __call__(
        self, assembly: Assembly, before: Motions, after: Motions, h: float
    ) -> float:
        """The largest component."""
        return h * _largest(_gap(assembly, after, 1) + _gap(assembly, before, 1))


class BendGap:
    """h² e'' at t₁, where velocities agree and accelerations need not; of order h⁴."""

    order = 4

    def __call__(
        self, assembly: Assembly, before: Motions, after: Motions, h: float
    ) -> float:
        """The largest component."""
        return h * h * _largest(_gap(assembly, after, 2))


class TrapezoidBend:
    """h²/12 (a₁ − a₀), what a trapezoidal step leaves out; of order h³."""

    order = 3

    def __call__(
        self, assembly: Assembly, before: Motions, after: Motions, h: float
    ) -> float:
        """The largest component of all ports."""
        pairs = [(before[r].a, after[r].a) for r in after]
        changes = [_largest(b - a) for a, b in pairs if a is not None and b is not None]
        return h * h / 12.0 * max(changes, default=0.0)


def embedded(scheme: Scheme) -> Estimate | None:
    """The estimate that a scheme gives for nothing; None where it gives none."""
    if scheme.shape == "instant":
        return TrapezoidBend()
    if scheme.shape == "discontinuous" and scheme.unknowns == 1:
        return RateGap()
    if scheme.shape == "discontinuous" and scheme.unknowns == 2:
        return BendGap()
    return None


def apart(one: Motions, two: Motions, h: float) -> float:
    """How far two ideas of where the ports are, and go within `h`, lie apart."""
    x = [_largest(displacement(one[r], two[r])) for r in one]
    v = [h * _largest(two[r].v - one[r].v) for r in one]
    return max([*x, *v], default=0.0)


def _gap(assembly: Assembly, motions: Motions, level: int) -> Vector:
    gap = rigid(assembly, look(assembly, motions).gap)[level]
    return np.zeros(0) if gap is None else gap


def _largest(x: Vector) -> float:
    return float(np.abs(x).max(initial=0.0))
