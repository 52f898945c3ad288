"""Eigenvalues of S where it is smooth: each rises, and is a mode where it is zero.

Between poles S(ω) grows in every direction: D = S(high) − S(low) is positive. Its own
eigenvalues crowd at zero, so those of the pencil are followed that have measured each
direction by how far it moves and how large it is,

    S(ω) x = θ W x,   W = D + |S(high)|                                           (1)

There are as many positive θ as positive eigenvalues of S (Sylvester), and one that
becomes positive crosses zero with a slope that is like that of a straight line.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from bondline.core import Matrix, Vector
from bondline.gluing.frequency.level import Level

_LEAST = 1e-15  # of the largest: round-off of W
_ROUGH, _EXACT = 1e-5, 1e-13  # relative: how well a frequency is looked for


@dataclass(frozen=True, eq=False)
class Rising:
    """A band without a pole of any part, and what has been seen inside.

    `nullity` conditions repeat others; they are left out.
    """

    level: Callable[[float], Level]
    low: float
    high: float
    nullity: int
    _seen: dict[float, Vector] = field(default_factory=dict)
    _closer: dict[tuple[float, float], Rising] = field(default_factory=dict)

    @cached_property
    def _measured(self) -> Matrix:
        """Directions with xᵀ W x = 1."""
        S, start = self._scaled(self.high), self._scaled(self.low)
        values, vectors = np.linalg.eigh(S)
        kept = np.argsort(np.abs(values), kind="stable")[self.nullity :]
        V = vectors[:, kept]
        W = V.T @ (S - start) @ V + np.diag(np.abs(values[kept]))
        sizes, U = np.linalg.eigh(0.5 * (W + W.T))
        least = _LEAST * sizes.max(initial=0.0)
        return np.asarray(V @ U / np.sqrt(np.maximum(sizes, least)))

    def _scaled(self, omega: float) -> Any:
        scale = self.level(self.high).scale
        S = self.level(omega).S.real / np.outer(scale, scale)
        return 0.5 * (S + S.T)

    def values(self, omega: float) -> Vector:
        """θ of (1), ascending."""
        if omega not in self._seen:
            T = self._measured
            self._seen[omega] = np.linalg.eigvalsh(T.T @ self._scaled(omega) @ T)
        return self._seen[omega]

    def root(self, k: int) -> float | None:
        """ω where the k-th θ becomes zero; None where round-off hides it.

        By (4) of `interface` it is mode below − k, counted from 1. Next to an end S may
        be so large that θ has few digits: the mode is looked for roughly first, and
        then measured by what is close to it.
        """
        if self._solved(k, _ROUGH) is None:
            return None
        low, high = self._around(k)
        if (low, high) not in self._closer:
            self._closer[low, high] = Rising(self.level, low, high, self.nullity)
        return self._closer[low, high]._solved(k, _EXACT)

    def _around(self, k: int) -> tuple[float, float]:
        """The narrowest band that has been seen to hold the zero."""
        low = max(w for w, v in self._seen.items() if v[k] <= 0.0)
        return low, min(w for w, v in self._seen.items() if v[k] > 0.0 and w > low)

    def _solved(self, k: int, width: float) -> float | None:
        from scipy.optimize import brentq

        if self.values(self.low)[k] > 0.0 or self.values(self.high)[k] <= 0.0:
            return None

        def value(omega: float) -> float:
            return float(self.values(omega)[k])

        return float(
            brentq(value, *self._around(k), xtol=width * self.high, rtol=1e-14)
        )
