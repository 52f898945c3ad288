"""Whether matrices are symmetric, and what to do about their last digits."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from bondline.numerics.factor import Form
from bondline.numerics.lowrank import Plain, Updated
from bondline.numerics.newmark import LinearSystem

LEAST = 1e-8  # of the largest entry: what files with nine digits lose


def asymmetry(A: Form) -> float:
    """By how much entries differ across the diagonal, where that is too much; or 0."""
    if isinstance(A, Updated):
        return asymmetry(A.base) if A.U is A.W else float("inf")
    apart = _apart(A)
    return apart if apart > LEAST * _largest(A) else 0.0


def symmetrised(system: LinearSystem) -> LinearSystem:
    """Every matrix A as (A + Aᵀ)/2; those that are symmetric to the last bit, as is."""
    M, C, K = system
    damping = replace(C, base=_half(C.base)) if isinstance(C, Updated) else _half(C)
    return LinearSystem(_half(M), damping, _half(K))


def _half(A: Plain) -> Plain:
    if _apart(A) == 0.0:
        return A
    either: Any = A
    half: Any = 0.5 * (either + either.T)
    made: Plain = half if isinstance(half, np.ndarray) else half.tocsr()
    return made


def _apart(A: Any) -> float:
    return _largest(A - A.T)


def _largest(A: Any) -> float:
    return float(abs(A).max()) if A.shape[0] else 0.0
