"""A realisation from impulse responses: Ho and Kalman's, as ERA (juang1985).

    H_k = C A^(k−1) B,   Hankel [H_1 H_2 …; H_2 H_3 …] = U S Vᵀ,
    A = S^(−1/2) Uᵀ [H_2 H_3 …; H_3 …] V S^(−1/2)                              (1)

The eigenvalues of A are those of one step of the model.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bondline.numerics.identify.poles import Found, from_step

Floats = NDArray[np.float64]


def era(responses: Floats, h: float, order: int) -> Found:
    """Modes from H_0 … H_K−1 (K × outputs × inputs), sampled every `h`.

    `order` is the number of states that is believed in, two a mode.
    """
    rows = len(responses) // 2 - 1
    if rows < 2:
        return Found(np.zeros(0), np.zeros(0))
    first, second = (_hankel(responses[k:], rows) for k in (1, 2))
    U, sizes, Vt = np.linalg.svd(first, full_matrices=False)
    r = min(order, int((sizes > 1e-14 * sizes[0]).sum()))
    scale = 1.0 / np.sqrt(sizes[:r])
    A = scale[:, None] * (U[:, :r].T @ second @ Vt[:r].T) * scale  # (1)
    return from_step(np.linalg.eigvals(A).astype(np.complex128), h)


def _hankel(blocks: Floats, rows: int) -> Floats:
    return np.block([[blocks[i + j] for j in range(rows)] for i in range(rows)])
