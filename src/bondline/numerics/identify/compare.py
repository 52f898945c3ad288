"""How much of a model an attack found."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from bondline.numerics.identify.poles import Found

Floats = NDArray[np.float64]


def matched(found: Floats, truth: Floats, within: float) -> int:
    """How many of the true frequencies were found, to a share `within`.

    >>> matched(np.array([1.001, 7.0]), np.array([1.0, 2.0]), 0.01)
    1
    """
    return sum(_near(found, f, within) for f in truth)


def consecutive(found: Floats, truth: Floats, within: float) -> int:
    """How many true frequencies were found from the lowest on, without a hole."""
    hits = [_near(found, f, within) for f in truth]
    return hits.index(False) if False in hits else len(hits)


def agreeing(each: Sequence[Found], within: float, votes: int) -> Floats:
    """Frequencies that several identifications agree on, without knowing the truth.

    A model's own poles stay where they are when the order changes; those that noise
    makes wander.
    """
    every = np.concatenate([np.zeros(0), *(one.frequencies for one in each)])
    kept: list[float] = []
    for f in np.sort(every).tolist():
        told = sum(_near(one.frequencies, f, within) for one in each)
        if told >= votes and (not kept or f > kept[-1] * (1.0 + 2.0 * within)):
            kept.append(f)
    return np.array(kept)


def _near(found: Floats, f: float, within: float) -> bool:
    return bool((np.abs(found - f) < within * f).any())
