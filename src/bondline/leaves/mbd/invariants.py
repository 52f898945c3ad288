"""The constants of a flexible body in the form in which the kernels add them up.

With J(a) = J₀ + Σ aₖ P1ₖ + ½ ΣΣ aₖ aₗ P2ₖₗ, D_k(a) = dₖ + Σ aₗ d_lk and
c(a) = c₀ + Σ aₖ I0ₖ + ½ ΣΣ aₖ aₗ gₖₗ; docs/theory/multibody.md (10)-(14).
"""

from __future__ import annotations

import numpy as np

from bondline.core import Matrix, Vector
from bondline.leaves.mbd.modes import Modes

_PAIRS = ((0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0))


def six(J: Matrix) -> Matrix:
    """xx, yy, zz, xy, yz, zx of symmetric tensors in the last two axes."""
    return np.stack([J[..., i, j] for i, j in _PAIRS], axis=-1)


def axial(S: Matrix) -> Matrix:
    """∫ s × φ dm of S = ∫ s φᵀ dm."""
    pairs = ((1, 2), (2, 0), (0, 1))
    return np.stack([S[..., i, j] - S[..., j, i] for i, j in pairs], axis=-1)


def spread(S: Matrix) -> Matrix:
    """−∫ (s̃ φ̃ + φ̃ s̃) dm of S = ∫ s φᵀ dm: how J changes with a mode."""
    trace = np.trace(S, axis1=-2, axis2=-1)[..., None, None]
    change: Matrix = 2.0 * trace * np.eye(3) - S - np.swapaxes(S, -1, -2)
    return change


def constants(modes: Modes) -> list[Vector]:
    """What a flexible body's kernel reads, in its order (c/tree_open.c)."""
    P2 = six(spread(modes.S2))
    second: list[Matrix] = []
    if modes.stiffening is not None:
        G = np.moveaxis(modes.stiffening, 0, -1)
        # modal row −½ ω·P2 a ω, so that the products' matrices are −½ of it; the
        # off-diagonal ones stand for two entries of the tensor
        P2 = P2 - G[..., 6:] * np.array([2.0, 2.0, 2.0, 1.0, 1.0, 1.0])
        second = [G[..., 0:3], G[..., 3:6]]
    parts = (
        *(modes.I0, axial(modes.S1), six(spread(modes.S1))),
        *(axial(modes.S2), P2, modes.M, modes.K, modes.D, *second),
    )
    return [np.ascontiguousarray(part, dtype=np.float64).ravel() for part in parts]
