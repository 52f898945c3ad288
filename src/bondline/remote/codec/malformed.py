"""What does not fit the description, and how that is found."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from bondline.core import Matrix


class Malformed(ValueError):
    """A message that does not fit the description; its text may be shown."""


class NoPort(Malformed):
    """It speaks of a port that is not in the description."""


def array(values: Sequence[float], shape: tuple[int, ...], what: str) -> Matrix:
    """Numbers in a shape, if there are as many."""
    if len(values) != math.prod(shape):
        raise Malformed(
            f"{what}: {len(values)} numbers came, {math.prod(shape)} were expected"
        )
    return np.array(values[:], dtype=np.float64).reshape(shape)
