"""Metals in three dimensions: strain and stress as xx yy zz xy yz zx.

Shear strains are γ = 2 ε. With Green's strain and the second Piola-Kirchhoff stress
these are laws for small strains and any rotation.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bondline.leaves.fe.elements.checks import lame
from bondline.leaves.fe.sections import Material
from bondline.leaves.nonlinear.materials.hardening import multiplier
from bondline.leaves.nonlinear.materials.law import (
    Array,
    Law,
    Metal,
    Plastic,
    Point,
    elastic,
)

_M = np.array([1.0, 1.0, 1.0, 0.0, 0.0, 0.0])
_HALF = np.array([1.0, 1.0, 1.0, 0.5, 0.5, 0.5])  # γ to ε
_TWICE = np.array([1.0, 1.0, 1.0, 2.0, 2.0, 2.0])  # in inner products of stresses
_DEV = np.diag(_HALF) - np.outer(_M, _M) / 3.0  # deviator of strain, as a stress


def elasticity(material: Material) -> Array:
    """D, 6 × 6."""
    lam, mu = lame(material)
    return np.asarray(lam * np.outer(_M, _M) + 2.0 * mu * np.diag(_HALF))


@dataclass(frozen=True)
class ElasticSolid:
    """Saint-Venant's and Kirchhoff's law: S = D E."""

    material: Material
    numbers: int = 0

    def respond(self, strain: Array, past: Array) -> Point:
        """Stress; nothing to remember."""
        D = elasticity(self.material)
        stress = strain @ D
        tangent = np.broadcast_to(D, (*strain.shape, 6))
        stored = 0.5 * (stress * strain).sum(axis=-1)
        return Point(stress, tangent, past, stored, np.zeros_like(stored))


@dataclass(frozen=True)
class PlasticSolid:
    """J2 with isotropic and Prager's kinematic hardening, radial return.

    Keeps p, plastic strain (6, tensor components) and back stress (6). With the unit
    normal n, ξ = dev σ − back, Δγ = √(3/2) Δp: Simo and Hughes (1998), box 3.2, the
    scalar equation |ξ|√(3/2) − (3μ + C) Δp = σ_y(p + Δp) solved for any law.
    """

    law: Plastic
    numbers: int = 13

    def respond(self, strain: Array, past: Array) -> Point:
        """Backward Euler; the tangent is that of the algorithm."""
        _, mu = lame(self.law.elastic)
        C = self.law.kinematic
        p, flow, back = past[..., 0], past[..., 1:7], past[..., 7:]
        dev = (strain - flow * _TWICE) @ _DEV
        xi = 2.0 * mu * dev - back
        size = np.sqrt(np.maximum((xi * xi * _TWICE).sum(axis=-1), 1e-300))
        over = np.sqrt(1.5) * size
        dp, H = multiplier(self.law.hardening, over, p, 3.0 * mu + C)
        n = xi / size[..., None]
        step = np.sqrt(1.5) * dp[..., None] * n
        p, flow, back = p + dp, flow + step, back + 2.0 / 3.0 * C * step
        elastic_strain = strain - flow * _TWICE
        D = elasticity(self.law.elastic)
        stress = elastic_strain @ D
        tangent = self._tangent(D, n, over, dp, H)
        stored = 0.5 * (stress * elastic_strain).sum(axis=-1)
        if C:
            stored = stored + 0.75 / C * (back * back * _TWICE).sum(axis=-1)
        history = np.concatenate([p[..., None], flow, back], axis=-1)
        return Point(stress, tangent, history, stored, self.law.hardening.work(p))

    def _tangent(self, D: Array, n: Array, over: Array, dp: Array, H: Array) -> Array:
        """D − 3μ Δp/over 2μ (I_dev − n n) − 2μ 3μ/(3μ + C + H) n n, where it flows."""
        _, mu = lame(self.law.elastic)
        flows = dp > 0.0
        shrink = np.where(flows, 3.0 * mu * dp / over, 0.0)
        slope = np.where(flows, 3.0 * mu / (3.0 * mu + self.law.kinematic + H), 0.0)
        nn = n[..., :, None] * n[..., None, :]
        less = shrink[..., None, None] * _DEV + (slope - shrink)[..., None, None] * nn
        return np.asarray(D - 2.0 * mu * less)


@dataclass(frozen=True)
class Rubber:
    """Compressible neo-Hookean: ψ = μ/2 (tr C − 3) − μ ln J + λ/2 (ln J)².

    μ and λ are those of the material at rest; ν up to about 0.49.
    """

    material: Material
    numbers: int = 0

    def respond(self, strain: Array, past: Array) -> Point:
        """Second Piola-Kirchhoff stress from Green's strain."""
        lam, mu = lame(self.material)
        C = _tensor(2.0 * strain * _HALF) + np.eye(3)
        inverse: Array = np.linalg.inv(C).astype(np.float64)
        J2 = np.linalg.det(C)
        lnJ = 0.5 * np.log(np.where(J2 > 0.0, J2, np.nan))
        S = mu * (np.eye(3) - inverse) + (lam * lnJ)[..., None, None] * inverse
        i = _voigt(inverse)
        both = mu - lam * lnJ
        tangent = lam * i[..., :, None] * i[..., None, :]
        tangent = tangent + 2.0 * both[..., None, None] * _symmetric(inverse)
        trace = np.trace(C, axis1=-2, axis2=-1)
        stored = 0.5 * mu * (trace - 3.0) - mu * lnJ + 0.5 * lam * lnJ**2
        return Point(_voigt(S), tangent, past, stored, np.zeros_like(stored))


_I, _J = np.array([0, 1, 2, 0, 1, 2]), np.array([0, 1, 2, 1, 2, 0])
_PLACE = np.array([[0, 3, 5], [3, 1, 4], [5, 4, 2]])


def _tensor(v: Array) -> Array:
    return v[..., _PLACE]


def _voigt(A: Array) -> Array:
    return np.asarray(A[..., _I, _J])


def _symmetric(A: Array) -> Array:
    """½ (A_ik A_jl + A_il A_jk) over the six pairs: −∂A/∂C of A = C⁻¹."""
    (i, j), (k, m) = (_I[:, None], _J[:, None]), (_I[None, :], _J[None, :])
    return np.asarray(0.5 * (A[..., i, k] * A[..., j, m] + A[..., i, m] * A[..., j, k]))


def solid_law(metal: Metal | Rubber) -> Law:
    """The law of a point of this material in a solid."""
    if isinstance(metal, Rubber):
        return metal
    return PlasticSolid(metal) if isinstance(metal, Plastic) else ElasticSolid(metal)


def base(metal: Metal | Rubber) -> Material:
    """E, ν, ρ and Rayleigh damping."""
    return metal.material if isinstance(metal, Rubber) else elastic(metal)
