"""Free motions: what a singular stiffness matrix does not hold."""

from __future__ import annotations

import numpy as np

from bondline.numerics.factor import Array, Form, combined, factor, product

_WHOLE = 1500  # up to so many rows all eigenvalues are found at once
_SHIFT = 1e-9
_MOST = 24


def loose_modes(A: Form) -> Array:
    """Columns that span the null space of a positive semi-definite `A`.

    The diagonal is scaled to one first, so that metres and radians count alike. Of a
    large matrix no more than 24 modes are found.
    """
    n = A.shape[0]
    diagonal = np.asarray(A.diagonal())
    scale = 1.0 / np.sqrt(np.where(diagonal > 0.0, diagonal, 1.0))
    values, modes = _lowest(A, scale)
    found: Array = scale[:, None] * modes[:, values < 8.0 * n * np.finfo(float).eps]
    return found


def _lowest(A: Form, scale: Array) -> tuple[Array, Array]:
    """Lowest eigenvalues of D A D with D = diag(scale), and their vectors."""
    n = A.shape[0]
    if n <= _WHOLE:
        dense = A if isinstance(A, np.ndarray) else A.toarray()
        return np.linalg.eigh(scale[:, None] * dense * scale)
    shifted = factor(combined(((1.0, A), (_SHIFT, _diagonal(A, scale**-2)))))
    V = np.random.default_rng(0).standard_normal((n, _MOST))
    for _ in range(4):
        V, _ = np.linalg.qr(shifted.solve(V / scale[:, None]) / scale[:, None])
    small = V.T @ (scale[:, None] * product(A, scale[:, None] * V))
    values, turn = np.linalg.eigh(small)
    return values, V @ turn


def _diagonal(A: Form, entries: Array) -> Form:
    if isinstance(A, np.ndarray):
        return np.diag(entries)
    from scipy.sparse import csr_array, diags_array

    made: Form = csr_array(diags_array(entries))
    return made
