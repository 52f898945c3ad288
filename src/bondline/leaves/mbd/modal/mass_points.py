"""Invariants of a flexible body from points that carry its mass."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from bondline.core import Matrix, Vector


class Invariants(NamedTuple):
    """What never changes of a flexible body, about the body's origin.

    With s from the origin and modes φₖ(s): c0 = ∫ s dm, J0 = −∫ s̃ s̃ dm,
    I0ₖ = ∫ φₖ dm, S1ₖ = ∫ s φₖᵀ dm, S2ₖₗ = ∫ φₖ φₗᵀ dm, M the modal mass.
    """

    mass: float
    c0: Vector
    J0: Matrix
    I0: Matrix
    S1: Matrix
    S2: Matrix
    M: Matrix


def of_points(dm: Vector, s: Matrix, phi: Matrix) -> Invariants:
    """Sums over points: masses `dm` (n), places `s` (n × 3), `phi` (modes × n × 3)."""
    moved = phi * dm[:, None]
    second = np.einsum("n,ni,nj->ij", dm, s, s)
    S2 = np.einsum("kni,lnj->klij", moved, phi, optimize=True)
    return Invariants(
        float(dm.sum()),
        dm @ s,
        inertia_of(second),
        moved.sum(axis=1),
        np.einsum("ni,knj->kij", s, moved),
        S2,
        np.einsum("klii->kl", S2),
    )


def inertia_of(second: Matrix) -> Matrix:
    """−∫ s̃ s̃ dm from ∫ s sᵀ dm."""
    return np.asarray(np.trace(second) * np.eye(3) - second)
