"""Damping of modal coordinates by ratios."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.linalg import eigh

from bondline.core import Matrix
from bondline.errors import SettingError


def ratios(M: Matrix, K: Matrix, zeta: float | Sequence[float]) -> Matrix:
    """D with the damping ratios `zeta` for the modes of (M, K), lowest first.

    One number goes for all; of a list, modes beyond its end have none.
    """
    given = np.atleast_1d(np.asarray(zeta, dtype=np.float64))
    if given.ndim != 1 or len(given) > len(M) or not (given >= 0).all():
        raise SettingError(
            "damping ratios",
            f"{np.array2string(given, threshold=8)} for {len(M)} modes.",
            "Give one number of 0 or more, or one for each mode.",
        )
    all_of_them = np.full(len(M), given[0] if np.ndim(zeta) == 0 else 0.0)
    if np.ndim(zeta):
        all_of_them[: len(given)] = given
    squares, shapes = eigh(K, M)
    across = M @ shapes
    two = 2.0 * all_of_them * np.sqrt(np.maximum(squares, 0.0))
    return np.asarray((across * two) @ across.T)
