"""How the axial force of a beam's own motion stiffens it against bending.

A point of the axis at s = p + x e is accelerated along the axis by e·a, with a linear
in twelve numbers γ, in body axes: the acceleration of the origin (less gravity), the
angular acceleration, and the products of ω:

    e·a = e·A + e·(ω' × s) + (e·ω)(s·ω) − (e·s) ω·ω = Σ γᵣ (bᵣ + cᵣ x)          (1)

The axial force follows from N' = μ e·a and from where the beam is held, and adds
Σ γᵣ Gᵣ with Gᵣ = ∫ Nᵣ φₖ' φₗ' dx to the stiffness.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bondline.core import Matrix, Vector
from bondline.errors import SettingError, did_you_mean

# The products of ω in their order, as `Modes` has them.
PRODUCTS = ((0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0))
HELD = ("left", "right", "both")


@dataclass(frozen=True, eq=False)
class Strut:
    """A straight uniform beam in its body: length, mass by length, left end, axis."""

    length: float
    mu: float
    p: Vector
    e: Vector
    held: str = "left"


def stiffening(strut: Strut, x: Vector, w: Vector, slopes: Matrix) -> Matrix:
    """The twelve matrices: 12 × modes × modes.

    `x` and `w` are points and weights along the beam, `slopes` (modes × points × 2)
    those of the axis.
    """
    if strut.held not in HELD:
        raise SettingError(
            f"held {strut.held!r}", "unknown.", did_you_mean(strut.held, HELD)
        )
    b, c = _along(strut, strut.p), _along(strut, strut.e) - _along(strut, 0 * strut.e)
    N = np.array([_tension(strut, *each, x) for each in zip(b, c, strict=True)])
    made = np.einsum("rn,kni,lni->rkl", N * w, slopes, slopes, optimize=True)
    return np.asarray(made)


def _along(strut: Strut, s: Vector) -> Vector:
    """The twelve factors of (1) at a place."""
    e = strut.e
    turning = [e @ np.cross(axis, s) for axis in np.eye(3)]
    squares = [_square(e, s, i, j) for i, j in PRODUCTS]
    return np.array([*e, *turning, *squares])


def _square(e: Vector, s: Vector, i: int, j: int) -> float:
    """The factor of ωᵢ ωⱼ in (e·ω)(s·ω) − (e·s) ω·ω."""
    both = e[i] * s[j]
    return float(both - e @ s) if i == j else float(both + e[j] * s[i])


def _tension(strut: Strut, b: float, c: float, x: Vector) -> Vector:
    """N of N' = μ (b + c x): none at a free end; held at both, no stretch in all."""
    L, mu = strut.length, strut.mu

    def grown(x: Vector) -> Vector:
        return np.asarray(mu * (b * x + 0.5 * c * x * x))

    if strut.held == "right":
        return grown(x)
    if strut.held == "left":
        return grown(x) - grown(np.array([L]))
    return grown(x) - mu * (b * L / 2 + c * L * L / 6)
