"""Two forms of a gluing matrix Λ: multiplied out, or factors to solve with."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from bondline.core import Matrix, Vector

_LONGEST = 32  # rank-one changes before the factors are multiplied out
_MANY = 100  # unknowns: dpotrs takes thrice as long as dtrsv for one large column


@dataclass(frozen=True, slots=True, eq=False)
class Inverse:
    """Λ itself: quickest for a few unknowns, and the only form of a pseudo-inverse."""

    matrix: Matrix

    def times(self, r: Vector) -> Vector:
        """Λ r, for a vector or for columns."""
        return self.matrix @ r

    def along(self, dz: Vector) -> Vector:
        """Δzᵀ Λ."""
        return dz @ self.matrix

    def plus(self, u: Vector, v: Vector) -> Inverse:
        """Λ + u vᵀ."""
        return Inverse(self.matrix + u[:, None] * v)

    def scaled(self, share: float) -> Inverse:
        """Λ times a number."""
        return Inverse(share * self.matrix)


@dataclass(frozen=True, slots=True, eq=False)
class Factors:
    """Λ = C⁻¹ S⁻¹ R⁻¹ + Σ u vᵀ, with S = R⁻¹ J C⁻¹ as LU or as Cholesky factors."""

    factor: Matrix  # as LAPACK leaves it, by columns
    pivots: NDArray[np.int32] | None  # none: Cholesky
    rows: Vector
    columns: Vector
    U: Matrix  # one row a change
    V: Matrix

    def times(self, r: Vector) -> Vector:
        """Λ r, for a vector or for columns."""
        x: Vector = (self._solve((r.T / self.rows).T, False).T / self.columns).T
        return x + self.U.T @ (self.V @ r) if len(self.U) else x

    def along(self, dz: Vector) -> Vector:
        """Δzᵀ Λ."""
        x = self._solve(dz / self.columns, True) / self.rows
        return x + (dz @ self.U.T) @ self.V if len(self.U) else x

    def plus(self, u: Vector, v: Vector) -> Form:
        """Λ + u vᵀ; many changes are multiplied out, for good."""
        if len(self.U) >= _LONGEST:
            return Inverse(self.times(np.eye(len(u)))).plus(u, v)
        return replace(
            self, U=np.concatenate([self.U, [u]]), V=np.concatenate([self.V, [v]])
        )

    def scaled(self, share: float) -> Factors:
        """Λ times a number."""
        return replace(self, rows=self.rows / share, U=share * self.U)

    def _solve(self, b: Vector, transposed: bool) -> Vector:
        from scipy.linalg import blas, lapack  # 0.2 s to import: only where it pays

        if self.pivots is None and b.ndim == 1 and len(b) > _MANY:
            half = blas.dtrsv(self.factor, b, lower=1)
            x = blas.dtrsv(self.factor, half, lower=1, trans=1)
        elif self.pivots is None:
            x, _ = lapack.dpotrs(self.factor, b, lower=1)
        else:
            x, _ = lapack.dgetrs(self.factor, self.pivots, b, trans=int(transposed))
        return np.asarray(x, dtype=np.float64)


Form: TypeAlias = Inverse | Factors


def inverted(S: Matrix, rows: Vector, columns: Vector) -> tuple[Inverse, float] | None:
    """Λ and the condition of S; none if S is singular to the last bit."""
    try:
        inverse: Matrix = np.linalg.inv(S).astype(np.float64, copy=False)
    except np.linalg.LinAlgError:
        return None
    return Inverse(inverse / rows / columns[:, None]), _norm(S) * _norm(inverse)


def factorised(
    S: Matrix, rows: Vector, columns: Vector, symmetric: bool
) -> tuple[Factors, float] | None:
    """Cholesky factors if S is positive definite, else LU; and the condition of S."""
    from scipy.linalg import lapack

    size, none = float(np.abs(S).sum(axis=0).max()), np.zeros((0, len(S)))
    if symmetric:
        L, info = lapack.dpotrf(S, lower=1)
        if info == 0:
            r, _ = lapack.dpocon(L, size, uplo="L")
            return Factors(L, None, rows, columns, none, none), _reciprocal(r)
    LU, pivots, info = lapack.dgetrf(S)
    if info:
        return None
    r, _ = lapack.dgecon(LU, size)
    return Factors(LU, pivots, rows, columns, none, none), _reciprocal(r)


def _norm(A: Matrix) -> float:
    """Largest sum over a row: a tenth of the price of singular values."""
    return float(np.abs(A).sum(axis=1).max())


def _reciprocal(r: float) -> float:
    """LAPACK's estimate as a condition; its last bits depend on where arrays lie."""
    return float(f"{1.0 / r:.6g}") if r else float("inf")


def alike(one: Form, two: Form) -> bool:
    """Whether two gluing matrices are the same numbers; mostly the same object."""
    if one is two or type(one) is not type(two):
        return one is two
    names = [f.name for f in fields(one)]
    return all(np.array_equal(getattr(one, n), getattr(two, n)) for n in names)
