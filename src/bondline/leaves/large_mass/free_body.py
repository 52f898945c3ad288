"""The free body of the large masses, liu (5), at the instant where a step balances.

With x_α = (1 − α) x₁ + α x₀,

    M_L r''_m = (f_e − f_i)_f                                                    (1)

where f_i is the force that a mass exerts on the structure: the multibody side feels
−f_i. No weight acts on M_L, so there is no f_g. For Newmark's methods the instant is
t₁. For others f_e − M_L r'' at t₁ is *not* f_i: it rings, and diverges.
"""

from __future__ import annotations

from dataclasses import dataclass

from bondline.core import Balance, Vector
from bondline.leaves.large_mass.state import MassState


@dataclass(frozen=True, eq=False)
class FreeBody:
    """Large masses M_L (or J_L) and the method that moves them."""

    mass: Vector
    way: Balance

    def force(self, before: MassState, f_e: Vector, a: Vector) -> Vector:
        """f_i at t₁ from loads and accelerations there, (1)."""
        return f_e - self._apart(before, a)

    def load(self, before: MassState, f_i: Vector, a: Vector) -> Vector:
        """f_e at t₁ under which the masses accelerate so, (1)."""
        return f_i + self._apart(before, a)

    def _apart(self, before: MassState, a: Vector) -> Vector:
        """f_e − f_i at t₁."""
        early = self.way.alpha_f
        rest: Vector = self._inertia(before, a) - early * (before.f_e - before.f_i)
        return rest / (1.0 - early)

    def _inertia(self, before: MassState, a: Vector) -> Vector:
        """M_L r''_m."""
        early = self.way.alpha_m
        inertia: Vector = self.mass * ((1.0 - early) * a + early * before.a)
        return inertia

    def kinetic(self, v: Vector) -> float:
        """½ M_L v²."""
        return 0.5 * float(self.mass @ v**2)

    def lost(self, before: MassState, after: MassState, h: float) -> float:
        """What the method took from the large masses, and not from the structure.

        As the leaf counts work: with mean forces where a step balances at its end,
        else with those of its only balance.
        """
        way = self.way
        moved = before.v + h * ((0.5 - way.beta) * before.a + way.beta * after.a)
        pull = self._inertia(before, after.a)
        if way.alpha_m == way.alpha_f == 0.0:
            pull = 0.5 * self.mass * (before.a + after.a)
        return h * float(pull @ moved) - self.kinetic(after.v) + self.kinetic(before.v)
