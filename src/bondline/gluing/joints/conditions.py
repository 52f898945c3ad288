"""Primitives of compatibility between two ends A and B: a joint is a few of them.

Each gives e, e', e'' and the rows of B by the twists (velocity, spin) of both ends.
Signs are such that a positive force acts on A in the direction of its name.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from bondline.core import Gap, Matrix, Vector
from bondline.gluing.joints.spots import Spot
from bondline.numerics import rotations as rot


class Condition(Protocol):
    """What must vanish, and who feels it."""

    @property
    def components(self) -> tuple[str, ...]:
        """Names of its forces and moments."""
        ...

    @property
    def turns(self) -> tuple[bool, bool]:
        """Whether it asks how A is turned, and B."""
        ...

    def gap(self, A: Spot, B: Spot) -> Gap:
        """e, e' and e''; no e'' without accelerations."""
        ...

    def rows(self, A: Spot, B: Spot) -> tuple[Matrix, Matrix]:
        """∂e'/∂twist of A and of B, six columns each."""
        ...


@dataclass(frozen=True)
class Coincide:
    """The points coincide: e = x_A − x_B, in world axes."""

    components = ("Fx", "Fy", "Fz")
    turns = (False, False)

    def gap(self, A: Spot, B: Spot) -> Gap:
        """Differences."""
        a = None if A.a is None or B.a is None else A.a - B.a
        return A.x - B.x, A.v - B.v, a

    def rows(self, A: Spot, B: Spot) -> tuple[Matrix, Matrix]:
        """Selectors: they never change."""
        return _SELECT, -_SELECT


_SELECT: Matrix = np.eye(3, 6)


@dataclass(frozen=True, eq=False)
class Slide:
    """B stays where directions fixed in A say: e = n · (x_A − x_B) for each n.

    One normal keeps B in a plane, two on a line; three are `Coincide` in the axes of A.
    """

    normals: Matrix
    components: tuple[str, ...]

    turns = (True, False)

    def gap(self, A: Spot, B: Spot) -> Gap:
        """Rates as seen from A, which turns."""
        n, d, d_rate = self.normals @ A.R.T, A.x - B.x, A.v - B.v
        r = d_rate - rot.cross(A.spin, d)
        if A.a is None or B.a is None or A.spin_rate is None:
            return n @ d, n @ r, None
        swept = rot.cross(A.spin_rate, d) + rot.cross(A.spin, d_rate + r)
        return n @ d, n @ r, n @ (A.a - B.a - swept)

    def rows(self, A: Spot, B: Spot) -> tuple[Matrix, Matrix]:
        """The force acts at B on both, so it has a moment about A."""
        n = self.normals @ A.R.T
        of_A, of_B = np.zeros((2, len(n), 6))
        of_A[:, :3], of_B[:, :3] = n, -n
        of_A[:, 3:] = n @ rot.skew(A.x - B.x)
        return of_A, of_B


@dataclass(frozen=True, eq=False)
class Perpendicular:
    """Directions a, fixed in A, stay perpendicular to b, fixed in B: e = a · b.

    The moment on A is about a × b.
    """

    a: Matrix
    b: Vector
    components: tuple[str, ...]

    turns = (True, True)

    def gap(self, A: Spot, B: Spot) -> Gap:
        """Rates of b as seen from A, against which it spins."""
        a, b, spin = self.a @ A.R.T, B.R @ self.b, B.spin - A.spin
        r = rot.cross(spin, b)
        if A.spin_rate is None or B.spin_rate is None:
            return a @ b, a @ r, None
        b_rate = rot.cross(B.spin, b)
        r_rate = rot.cross(B.spin_rate - A.spin_rate, b) + rot.cross(spin, b_rate)
        return a @ b, a @ r, a @ (r_rate - rot.cross(A.spin, r))

    def rows(self, A: Spot, B: Spot) -> tuple[Matrix, Matrix]:
        """(a × b) · (ω_A − ω_B)."""
        rows = _turning((self.a @ A.R.T) @ rot.skew(B.R @ self.b))
        return rows, -rows


@dataclass(frozen=True)
class SameTurn:
    """The frames are turned alike: e = log(R_A R_Bᵀ), in world axes.

    Rotations are never added: e is the rotation vector that takes B to A.
    """

    components = ("Mx", "My", "Mz")
    turns = (True, True)

    def gap(self, A: Spot, B: Spot) -> Gap:
        """The relative frame spins with ω_A − R ω_B."""
        q = rot.product(A.turn, rot.conjugate(B.turn))
        e, R = rot.log(q), rot.matrix(q)
        carried = R @ B.spin
        spin = A.spin - carried
        if A.spin_rate is None or B.spin_rate is None:
            return e, rot.left_jacobian_inverse(e) @ spin, None
        spin_rate = A.spin_rate - R @ B.spin_rate - rot.cross(spin, carried)
        return e, *rot.log_rates(e, spin, spin_rate)

    def rows(self, A: Spot, B: Spot) -> tuple[Matrix, Matrix]:
        """J⁻¹ and −J⁻ᵀ; the identities where the gap is closed."""
        e = rot.log(rot.product(A.turn, rot.conjugate(B.turn)))
        J = rot.left_jacobian_inverse(e)
        return _turning(J), _turning(-J.T)


@dataclass(frozen=True)
class SameTurnInA:
    """The same in the axes of A: e = log(R_Bᵀ R_A). Balanced for open gaps, too."""

    components = ("M1", "M2", "M3")
    turns = (True, True)

    def gap(self, A: Spot, B: Spot) -> Gap:
        """−e is the rotation vector of a frame that spins with −R_Aᵀ (ω_A − ω_B)."""
        back = -rot.log(rot.product(rot.conjugate(B.turn), A.turn))
        spin = (B.spin - A.spin) @ A.R
        if A.spin_rate is None or B.spin_rate is None:
            return -back, -(rot.left_jacobian_inverse(back) @ spin), None
        swept = rot.cross(A.spin, B.spin)
        spin_rate = (B.spin_rate - A.spin_rate - swept) @ A.R
        rate, rate2 = rot.log_rates(back, spin, spin_rate)
        return -back, -rate, -rate2

    def rows(self, A: Spot, B: Spot) -> tuple[Matrix, Matrix]:
        """Opposite to each other."""
        e = rot.log(rot.product(rot.conjugate(B.turn), A.turn))
        J = rot.left_jacobian_inverse(-e) @ A.R.T
        rows = _turning(J)
        return rows, -rows


@dataclass(frozen=True)
class Apart:
    """The points keep their distance: e = |x_A − x_B| − length.

    The force is positive where it pushes the ends apart.
    """

    length: float

    components = ("Fd",)
    turns = (False, False)

    def gap(self, A: Spot, B: Spot) -> Gap:
        """Rates along the line between the points, and what turning it adds."""
        d, d_rate = A.x - B.x, A.v - B.v
        u, size = _direction(d)
        e, e_rate = np.array([size - self.length]), np.array([u @ d_rate])
        if A.a is None or B.a is None:
            return e, e_rate, None
        across = d_rate @ d_rate - e_rate[0] ** 2
        return e, e_rate, np.array([u @ (A.a - B.a) + across / (size or 1.0)])

    def rows(self, A: Spot, B: Spot) -> tuple[Matrix, Matrix]:
        """Along the line on both ends; nothing where they coincide."""
        rows = np.zeros((1, 6))
        rows[0, :3] = _direction(A.x - B.x)[0]
        return rows, -rows


def _turning(rows: Matrix) -> Matrix:
    """Rows by twist that only spin matters to."""
    found = np.zeros((len(rows), 6))
    found[:, 3:] = rows
    return found


def _direction(d: Vector) -> tuple[Vector, float]:
    size = float(np.sqrt(d @ d))
    return (d / size if size else d), size
