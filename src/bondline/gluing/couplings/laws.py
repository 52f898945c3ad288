"""Compliant joints: a law between force and gap where others have e = 0."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bondline.core import Assembly, Matrix, Vector
from bondline.gluing.couplings.schemes import Scheme

_GAUSS = {
    2: (0.5 - 3**-0.5 / 2, 0.5 + 3**-0.5 / 2),
    3: (0.5 - 0.15**0.5, 0.5, 0.5 + 0.15**0.5),
}


class Instants(NamedTuple):
    """Fractions of a window; e and h e' there from e₀, h e₀', e₁, h e₁'; and sᵏ."""

    s: Vector
    e: Matrix
    rate: Matrix
    powers: Matrix


@lru_cache
def instants(scheme: Scheme) -> Instants:
    """Where a compliant joint satisfies its law under `scheme`."""
    whole = scheme.shape == "discontinuous"
    s = np.array(_GAUSS.get(scheme.unknowns, (0.5,)) if whole else (1.0,))
    powers = np.vander(s, scheme.powers, increasing=True)
    if len(s) == 1 and whole:
        mean, rise = [[0.5, 0.0, 0.5, 0.0]], [[-1.0, 0.0, 1.0, 0.0]]
        return Instants(s, np.array(mean), np.array(rise), powers)
    s2, s3 = s**2, s**3
    e = [1 - 3 * s2 + 2 * s3, s - 2 * s2 + s3, 3 * s2 - 2 * s3, s3 - s2]
    rate = [6 * s2 - 6 * s, 1 - 4 * s + 3 * s2, 6 * s - 6 * s2, 3 * s2 - 2 * s]
    return Instants(s, np.stack(e, axis=1), np.stack(rate, axis=1), powers)


@dataclass(frozen=True)
class Laws:
    """F = −k e − c e' for the components `where` of the vector of all joint forces.

    As many instants of a window as the scheme has unknowns satisfy it (1): t₁ where
    the force is one at t₁; the mean of both ends for a constant force, so that the
    work of F on the gap is the change of k e²/2, to the last bit; Gauss points of the
    cubic through the gap and its rate at both ends otherwise. Divided by
    κ = max(k, c/h) the residual is a length.

        r = (k e(s) + c e'(s) + F(s)) / κ                                          (1)
    """

    where: NDArray[np.intp]
    k: Vector
    c: Vector
    scheme: Scheme

    @property
    def instants(self) -> Instants:
        """Where the law holds."""
        return instants(self.scheme)

    def scale(self, h: float) -> Vector:
        """κ."""
        size = np.maximum(self.k, self.c / h)
        return np.where(size > 0.0, size, 1.0)

    def residual(self, gap: Matrix, F: Matrix, h: float) -> Matrix:
        """(1), instants × components; the rows of `gap` are e₀, h e₀', e₁, h e₁'."""
        (_, e, rate, powers), own = self.instants, gap[:, self.where]
        pull = self.k * (e @ own) + self.c / h * (rate @ own)
        r: Matrix = (pull + powers @ F[:, self.where]) / self.scale(h)
        return r

    def weights(self, h: float) -> NDArray[np.float64]:
        """∂r/∂(e₁, e₁', e₁''), instants × levels × components."""
        (_, e, rate, _), size = self.instants, self.scale(h)
        k, c = self.k / size, self.c / h / size
        x = e[:, 2, None] * k + rate[:, 2, None] * c
        v = h * (e[:, 3, None] * k + rate[:, 3, None] * c)
        return np.stack([x, v, np.zeros_like(x)], axis=1)

    def slope(self, J: Matrix, h: float, m: int) -> None:
        """Add ∂r/∂z, the part that does not go through the motions."""
        direct = self.instants.powers @ self.scheme.B
        for r, u in np.ndindex(direct.shape):
            J[r * m + self.where, u * m + self.where] += direct[r, u] / self.scale(h)


def laws_of(assembly: Assembly, scheme: Scheme) -> Laws | None:
    """The compliant components of all joints, if there are any."""
    return None if assembly.compliant is None else Laws(*assembly.compliant, scheme)
