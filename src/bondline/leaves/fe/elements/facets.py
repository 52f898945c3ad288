"""Shape functions of the two flat shell facets, at their integration points."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bondline.leaves.fe.elements.element import Array


@dataclass(frozen=True, eq=False)
class Facet:
    """A triangle or quadrilateral in natural coordinates, at its points g.

    `at` (g × 2) are the points and `weights` (g) their weights; `N` (g × n) are the
    corners' shapes and `slopes` (g × 2 × n) their derivatives.
    """

    at: Array
    weights: Array
    N: Array
    slopes: Array

    @property
    def nodes(self) -> int:
        """How many corners there are."""
        return int(self.N.shape[1])

    @property
    def corners(self) -> Array:
        """Corners × g: extrapolates from the points, by the shapes N."""
        return np.asarray(np.linalg.pinv(self.N), dtype=np.float64)


def quadrilateral(order: int) -> Facet:
    """Return a quadrilateral with order × order Gauss points."""
    a, w = np.polynomial.legendre.leggauss(order)
    at = np.stack((np.repeat(a, order), np.tile(a, order)), axis=1)
    R, S = np.array([-1.0, 1.0, 1.0, -1.0]), np.array([-1.0, -1.0, 1.0, 1.0])
    rR, sS = 1.0 + np.outer(at[:, 0], R), 1.0 + np.outer(at[:, 1], S)
    dN = 0.25 * np.stack((R * sS, rR * S), axis=1)
    return Facet(at, np.outer(w, w).ravel(), 0.25 * rR * sS, dN)


def triangle() -> Facet:
    """Return a triangle with three points; its first corner is the origin."""
    at = np.array([[1.0, 1.0], [4.0, 1.0], [1.0, 4.0]]) / 6.0
    N = np.stack((1.0 - at.sum(axis=1), at[:, 0], at[:, 1]), axis=1)
    dN = np.tile([[-1.0, 1.0, 0.0], [-1.0, 0.0, 1.0]], (3, 1, 1))
    return Facet(at, np.full(3, 1.0 / 6.0), N, dN)


QUADRILATERAL = quadrilateral(2)
TRIANGLE = triangle()
