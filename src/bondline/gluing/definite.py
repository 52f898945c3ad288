"""Large interface matrices that are positive definite beyond doubt."""

from __future__ import annotations

import numpy as np

from bondline.core import Matrix
from bondline.gluing.solvers.forms import Factors, factorised

_MANY = 150  # conditions from which singular values cost more than all else
_SYMMETRIC = 1e-9
_SOUND = 1e6  # condition, estimated: no rank that anyone asks about is near


def definite(J: Matrix) -> Factors | None:
    """Its factors; None where it is small, or where a closer look is worth its price.

    Singular values of 2,000 conditions take twenty times as long as these factors.
    """
    diagonal = J.diagonal()
    if len(J) < _MANY or not (diagonal > 0.0).all():
        return None
    size = np.sqrt(diagonal)
    S = J / size[:, None] / size
    if not np.abs(S - S.T).max() <= _SYMMETRIC:
        return None
    found = factorised(S, size, size, True)
    if found is None:
        return None
    factors, condition = found
    return factors if factors.pivots is None and condition < _SOUND else None
