"""The dynamic compliance C = ∂φ/∂f_e, learned from the iteration itself, liu (4)."""

from __future__ import annotations

import numpy as np

from bondline.core import Matrix, Vector

_TINY = 1e-12  # of the load: a change below this teaches nothing
_RANGE = (0.2, 5.0)  # of the nominal compliance: outside, something else is to blame


def nominal(weights: Vector, reach: Vector, gain: float, mass: Vector) -> Vector:
    """C of the large masses alone: −(w₁ + w₂ γh + w₃ βh²)(1 − α_f)/(1 − α_m)/M_L."""
    found: Vector = -float(weights @ reach) * gain / mass
    return found


def improved(
    C: Vector, alone: Vector, loads: tuple[Vector, Vector], phis: tuple[Vector, Vector]
) -> Vector:
    """Each dof by itself, from two consecutive corrections; guarded.

    Where the load hardly changed, or the secant is far from nominal, C stays.
    """
    df, dphi = loads[1] - loads[0], phis[1] - phis[0]
    moved = np.abs(df) > _TINY * np.abs(loads[1])
    own = np.where(moved, dphi / np.where(moved, df, 1.0), C)
    share = own / alone
    return np.where((_RANGE[0] < share) & (share < _RANGE[1]), own, C)


def increment(C: Vector | Matrix, phi: Vector) -> Vector:
    """Δf with C Δf = −φ, liu (3)."""
    if C.ndim == 1:
        return -phi / C
    step: Vector = np.linalg.solve(C, -phi).astype(np.float64)
    return step
