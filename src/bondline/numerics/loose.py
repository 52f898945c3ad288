"""Free motions: what a singular stiffness matrix does not hold.

A motion v is free where its energy is round-off of the terms that make it up:

    |vᵀKv| ≤ c ε |v|ᵀ|K||v|                                                   (1)

Free bodies of all shapes stay below c = 0.2, and held ones above 10, up to beams of
3,000 elements or sheets of 1 : 100,000. Their eigenvalues alone tell nothing: those of
bending may be 10²⁰ times smaller than the largest, and are no less real for that.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bondline.numerics.factor import Array, Factor, Form, combined, factor, product
from bondline.numerics.lowrank import Updated

_NOISE = 4.0 * float(np.finfo(np.float64).eps)  # c ε of (1)
_BLUR = 1e-14  # of a motion: what it is known to
_SUSPECT = 1e-9  # smaller pivots, as a share of the diagonal, are looked at closely
_LOW = 1e-6  # of the largest: eigenvalues that all others blur
_WHOLE = 1500  # up to so many rows all eigenvalues are found at once
_SHIFTS = (1e-13, 1e-11, 1e-9)
_MOST = 24


def unresisted(K: Form, shapes: Array) -> NDArray[np.bool_]:
    """Which columns are free motions: equation (1)."""
    energy = np.einsum("ik,ik->k", shapes, product(K, shapes))
    size: Any = abs(K.toarray() if isinstance(K, Updated) else K)
    terms = np.einsum("ik,ik->k", np.abs(shapes), size @ np.abs(shapes))
    # shapes are round-off themselves where K has nothing but zeros for a motion
    blur = _BLUR**2 * float(np.max(K.diagonal(), initial=0.0)) * (shapes**2).sum(axis=0)
    return np.asarray(np.abs(energy) <= _NOISE * terms + blur)


def sharpened(K: Form, M: Form, squares: Array, shapes: Array) -> tuple[Array, Array]:
    """Eigenvalues of K φ = λ M φ, ascending, each as exact as K is; the free ones 0.

    A dense solver knows every λ to round-off of the largest. What is low beside it is
    found again inside the space of the low ones, by Rayleigh and Ritz.
    """
    from scipy.linalg import eigh

    squares, shapes = squares.copy(), shapes.copy()
    few = len(squares)
    while True:
        top = float(np.abs(squares[:few]).max(initial=0.0))
        fewer = int(np.count_nonzero(squares[:few] < _LOW * top))
        if fewer in (0, few):
            break
        few, low = fewer, shapes[:, :fewer]
        small, heavy = (_even(low.T @ product(A, low)) for A in (K, M))
        squares[:few], turn = eigh(small, heavy)
        shapes[:, :few] = low @ turn
    squares[unresisted(K, shapes)] = 0.0
    return squares, shapes


def loose_motions(A: Form, factored: Callable[[], Factor]) -> Array:
    """As `loose_modes`, but none at once where the factors of `A` have sound pivots."""
    try:
        if factored().slack > _SUSPECT:
            return np.zeros((A.shape[0], 0))
    except np.linalg.LinAlgError:
        pass
    return loose_modes(A)


def loose_modes(A: Form) -> Array:
    """Columns that span the null space of a positive semi-definite `A`.

    The diagonal is scaled to one first, so that metres and radians count alike. Of a
    large matrix no more than 24 modes are found.
    """
    diagonal = np.asarray(A.diagonal())
    scale = 1.0 / np.sqrt(np.where(diagonal > 0.0, diagonal, 1.0))
    modes = _lowest(A, scale)
    found: Array = modes[:, unresisted(A, modes)]
    return found


def _lowest(A: Form, scale: Array) -> Array:
    """Eigenvectors of A v = λ D⁻² v for the lowest λ, with D = diag(scale)."""
    n = A.shape[0]
    if n <= _WHOLE:
        dense = A if isinstance(A, np.ndarray) else A.toarray()
        values, modes = np.linalg.eigh(scale[:, None] * dense * scale)
        return sharpened(A, np.diag(scale**-2), values, scale[:, None] * modes)[1]
    solve = _shifted(A, scale).solve
    V = np.random.default_rng(0).standard_normal((n, _MOST))
    for _ in range(4):
        V, _ = np.linalg.qr(solve(V / scale[:, None]) / scale[:, None])
    V = scale[:, None] * V
    _, turn = np.linalg.eigh(_even(V.T @ product(A, V)))
    found: Array = V @ turn
    return found


def _shifted(A: Form, scale: Array) -> Factor:
    """The factors of A + σ D⁻² with the least σ that makes it definite."""
    weight = _diagonal(A, scale**-2)
    for shift in _SHIFTS[:-1]:
        try:
            return factor(combined(((1.0, A), (shift, weight))))
        except np.linalg.LinAlgError:
            continue
    return factor(combined(((1.0, A), (_SHIFTS[-1], weight))))


def _even(A: Array) -> Array:
    return 0.5 * (A + A.T)


def _diagonal(A: Form, entries: Array) -> Form:
    if isinstance(A, np.ndarray):
        return np.diag(entries)
    from scipy.sparse import csr_array, diags_array

    made: Form = csr_array(diags_array(entries))
    return made
