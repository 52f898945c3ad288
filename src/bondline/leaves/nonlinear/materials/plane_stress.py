"""Metals in plane stress: strain as xx yy and γ = 2 xy, stress as xx yy xy."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bondline.leaves.fe.elements.plane_stress import plane_stiffness
from bondline.leaves.fe.sections import Material
from bondline.leaves.nonlinear.materials.law import (
    Array,
    Law,
    Metal,
    Plastic,
    Point,
)

_P = np.array([[2.0, -1.0, 0.0], [-1.0, 2.0, 0.0], [0.0, 0.0, 6.0]]) / 3.0
_R = np.array([[1.0, 1.0, 0.0], [-1.0, 1.0, 0.0], [0.0, 0.0, np.sqrt(2.0)]])
_MODES = _R / np.sqrt(2.0)  # rows: eigenvectors of P and of the elasticity
_SHARES = np.array([1.0 / 3.0, 1.0, 2.0])  # eigenvalues of P
_TRIES, _EXACT = 60, 1e-14


@dataclass(frozen=True)
class ElasticPlane:
    """σ = C ε."""

    material: Material
    numbers: int = 0

    def respond(self, strain: Array, past: Array) -> Point:
        """Stress; nothing to remember."""
        C = plane_stiffness(self.material)
        stress = strain @ C
        tangent = np.broadcast_to(C, (*strain.shape, 3))
        stored = 0.5 * (stress * strain).sum(axis=-1)
        return Point(stress, tangent, past, stored, np.zeros_like(stored))


@dataclass(frozen=True)
class PlasticPlane:
    """J2 projected on plane stress: Simo and Taylor (1986); Simo and Hughes, box 3.3.

    Keeps p, plastic strain xx yy γ, and the reduced back stress. In the eigenvectors of
    P the trial ξ shrinks by 1/Γ each, Γ = 1 + Δγ (C λ + ⅔ H_k); one scalar equation is
    left: √(3/2) f̄(Δγ) = σ_y(p + √(2/3) Δγ f̄).
    """

    law: Plastic
    numbers: int = 7

    def respond(self, strain: Array, past: Array) -> Point:
        """Backward Euler; the tangent is that of the algorithm."""
        C, Hk = plane_stiffness(self.law.elastic), self.law.kinematic
        p, flow, back = past[..., 0], past[..., 1:4], past[..., 4:]
        trial = ((strain - flow) @ C - back) @ _MODES.T
        speeds = _SHARES * np.diag(_MODES @ C @ _MODES.T) + 2.0 / 3.0 * Hk
        stress, history = (strain - flow) @ C, past
        tangent = np.broadcast_to(C, (*strain.shape, 3))
        flows = np.sqrt((_SHARES * trial**2).sum(axis=-1)) > (
            np.sqrt(2.0 / 3.0) * self.law.hardening.at(p)[0]
        )
        if flows.any():
            history, tangent = past.copy(), tangent.copy()
            history[flows], tangent[flows] = self._returned(
                trial[flows], speeds, past[flows], C
            )
            stress = (strain - history[..., 1:4]) @ C
        return self._point(strain, stress, tangent, history)

    def _returned(
        self, trial: Array, speeds: Array, past: Array, C: Array
    ) -> tuple[Array, Array]:
        """History and tangent of points that flow."""
        gamma, size, H = self._flow(trial, speeds, past[:, 0])
        xi = (trial / (1.0 + gamma[:, None] * speeds)) @ _MODES
        normal, Hk = xi @ _P, self.law.kinematic
        more = [
            (np.sqrt(2.0 / 3.0) * gamma * size)[:, None],
            gamma[:, None] * normal,
            2.0 / 3.0 * Hk * gamma[:, None] * xi,
        ]
        tangent = self._tangent(C, normal, gamma, size, H)
        return past + np.concatenate(more, axis=1), tangent

    def _point(
        self, strain: Array, stress: Array, tangent: Array, history: Array
    ) -> Point:
        flow = history[..., 1:4]
        stored = 0.5 * (stress * (strain - flow)).sum(axis=-1)
        if self.law.kinematic:
            xx, yy, shear = np.moveaxis(flow, -1, 0)
            squares = xx**2 + yy**2 + (xx + yy) ** 2 + 0.5 * shear**2
            stored = stored + self.law.kinematic / 3.0 * squares
        plastic = self.law.hardening.work(history[..., 0])
        return Point(stress, tangent, history, stored, plastic)

    def _flow(
        self, trial: Array, speeds: Array, p: Array
    ) -> tuple[Array, Array, Array]:
        """Δγ, f̄ and dσ_y/dp; Newton's steps come from the left."""
        squares, r = _SHARES * trial**2, np.sqrt(2.0 / 3.0)
        gamma, law = np.zeros_like(p), self.law.hardening
        for _ in range(_TRIES):
            shrink = 1.0 + gamma[..., None] * speeds
            size = np.sqrt((squares / shrink**2).sum(axis=-1))
            slope = -(squares * speeds / shrink**3).sum(axis=-1)
            slope = slope / size
            sigma, H = law.at(p + r * gamma * size)
            excess = size / r - sigma
            if not (np.abs(excess) > _EXACT * sigma).any():
                break
            fall = slope / r - H * r * (size + gamma * slope)
            gamma = np.maximum(gamma - excess / fall, 0.0)
        return gamma, size, H

    def _tangent(
        self, C: Array, normal: Array, gamma: Array, size: Array, H: Array
    ) -> Array:
        """Ξ − Ξn (Ξn)ᵀ/(n·Ξn + β̄), Ξ = (C⁻¹ + Δγ/θ₁ P)⁻¹."""
        Hk = self.law.kinematic
        one = 1.0 + 2.0 / 3.0 * Hk * gamma
        two = 1.0 - 2.0 / 3.0 * H * gamma
        Xi = np.linalg.inv(np.linalg.inv(C) + (gamma / one)[..., None, None] * _P)
        push = (Xi @ normal[..., None])[..., 0]
        slack = 2.0 / 3.0 * one * (H * one / two + Hk) * size**2
        below = (normal * push).sum(axis=-1) + slack
        less = push[..., :, None] * push[..., None, :] / below[..., None, None]
        return np.asarray(Xi - less)


def plane_law(metal: Metal) -> Law:
    """The law of a layer of this metal."""
    return PlasticPlane(metal) if isinstance(metal, Plastic) else ElasticPlane(metal)
