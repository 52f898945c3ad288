"""Improving a gluing matrix by what a correction showed, without a probe."""

from __future__ import annotations

from bondline.core import Vector
from bondline.gluing.solvers.gluing_matrix import GluingMatrix

_LEAST = 1e-8  # below this cosine the update would be nearly singular


def broyden(Lam: GluingMatrix, dz: Vector, dr: Vector) -> GluingMatrix:
    """Broyden's good update: the Λ nearest to this one that maps `dr` to `dz`."""
    predicted = Lam.form.times(dr)
    scale = float(dz @ predicted)
    if abs(scale) < _LEAST * float(dz @ dz):
        return Lam
    return Lam.plus((dz - predicted) / scale, Lam.form.along(dz))


def bfgs(Lam: GluingMatrix, dz: Vector, dr: Vector) -> GluingMatrix:
    """The symmetric update: Λ stays positive definite and maps `dr` to `dz`.

    Λ ← Λ + dz uᵀ − (ρ Λ dr) dzᵀ with u = ρ ((1 + ρ drᵀΛ dr) dz − drᵀΛ), ρ = 1/(dz·dr)
    """
    work = float(dz @ dr)
    if work <= _LEAST * float(dz @ dz) ** 0.5 * float(dr @ dr) ** 0.5:
        return Lam  # no curvature to learn from
    rho, right, left = 1.0 / work, Lam.form.times(dr), Lam.form.along(dr)
    u = rho * ((1.0 + rho * float(dr @ right)) * dz - left)
    return Lam.plus(dz, u).plus(-rho * right, dz)
