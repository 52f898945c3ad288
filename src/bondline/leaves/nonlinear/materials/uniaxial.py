"""Fibres: stress along one axis."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bondline.leaves.fe.sections import Material
from bondline.leaves.nonlinear.materials.hardening import multiplier
from bondline.leaves.nonlinear.materials.law import (
    Array,
    Law,
    Metal,
    Plastic,
    Point,
)


@dataclass(frozen=True)
class ElasticFibre:
    """σ = E ε."""

    material: Material
    numbers: int = 0

    def respond(self, strain: Array, past: Array) -> Point:
        """Stress; nothing to remember."""
        E = self.material.E
        stress = E * strain
        none = np.zeros_like(strain)
        return Point(stress, np.full_like(strain, E), past, 0.5 * stress * strain, none)


@dataclass(frozen=True)
class PlasticFibre:
    """Return mapping in one dimension; keeps (p, plastic strain, back stress)."""

    law: Plastic
    numbers: int = 3

    def respond(self, strain: Array, past: Array) -> Point:
        """Backward Euler; the tangent is that of the algorithm."""
        E, C = self.law.elastic.E, self.law.kinematic
        p, plastic, back = np.moveaxis(past, -1, 0)
        xi = E * (strain - plastic) - back
        sign, over = np.sign(xi), np.abs(xi)
        dp, H = self._multiplier(over, p)
        yields = dp > 0.0
        p, plastic, back = p + dp, plastic + sign * dp, back + C * sign * dp
        stress = E * (strain - plastic)
        tangent = np.where(yields, E * (H + C) / (E + H + C), E)
        stored = 0.5 * stress**2 / E
        if C:
            stored = stored + 0.5 * back**2 / C
        history = np.stack([p, plastic, back], axis=-1)
        return Point(stress, tangent, history, stored, self.law.hardening.work(p))

    def _multiplier(self, over: Array, p: Array) -> tuple[Array, Array]:
        """Δp with |ξ| − (E + C) Δp = σ_y(p + Δp), and the slope H there."""
        stiff = self.law.elastic.E + self.law.kinematic
        return multiplier(self.law.hardening, over, p, stiff)


def fibre_law(metal: Metal) -> Law:
    """The law of a fibre of this metal."""
    return PlasticFibre(metal) if isinstance(metal, Plastic) else ElasticFibre(metal)
