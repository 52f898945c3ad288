"""Symmetric positive definite systems, dense or sparse, with some unknowns told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias, overload

import numpy as np

from bondline.numerics.lowrank import Plain, Updated, factor_updated
from bondline.numerics.sparse import Array, Factor, Indices, Solve, factorize

__all__ = ["Array", "Factor", "Form", "Indices", "Operator", "Solve"]

Operator: TypeAlias = "Plain"
Form: TypeAlias = "Plain | Updated"

_LARGE = 200


def nowhere() -> Indices:
    """No index at all."""
    return np.zeros(0, dtype=np.intp)


@overload
def slim(A: Operator, rows: int = ..., filled: float = ...) -> Operator: ...
@overload
def slim(A: Form, rows: int = ..., filled: float = ...) -> Form: ...
def slim(A: Form, rows: int = 100, filled: float = 0.1) -> Form:
    """`A` in the form that is quick to multiply with.

    Sparse input becomes CSR. A dense matrix becomes sparse where it has at least
    `rows` rows and no more than the given share of entries that are not zero.
    """
    if isinstance(A, np.ndarray) and (
        len(A) < rows or np.count_nonzero(A) > filled * A.size
    ):
        return A
    if isinstance(A, Updated):
        return A
    from scipy.sparse import csr_array

    any_form: Any = A
    made: Operator = csr_array(any_form, dtype=np.float64)
    return made


def product(A: Form, x: Array) -> Array:
    """A x, for one vector or several columns."""
    return np.asarray(A @ x, dtype=np.float64)


def symmetric_product(A: Form, x: Array) -> Array:
    """A x for a symmetric `A`; of a large dense one only half is read."""
    if not isinstance(A, np.ndarray) or x.ndim > 1 or len(x) < _LARGE:
        return product(A, x)
    from scipy.linalg.blas import dsymv

    # BLAS counts by columns: the transpose is the same memory, and no copy
    return np.asarray(dsymv(1.0, A.T, x, lower=1), dtype=np.float64)


@overload
def combined(terms: Sequence[tuple[float, Operator]]) -> Operator: ...
@overload
def combined(terms: Sequence[tuple[float, Form]]) -> Form: ...
def combined(terms: Sequence[tuple[float, Form]]) -> Form:
    """Σ c A: sparse where every term is, else dense."""
    dense = any(isinstance(A, np.ndarray) for _, A in terms)
    each: list[Any] = [c * (_full(A) if dense else _base(A)) for c, A in terms]
    total: Plain = sum(each[1:], start=each[0])
    low = [(c, A) for c, A in terms if isinstance(A, Updated)]
    if dense or not low:
        return total
    U, W = (np.hstack([getattr(A, side) for _, A in low]) for side in "UW")
    if all(A.U is A.W for _, A in low):
        W = U
    return Updated(total, U, np.concatenate([c * A.d for c, A in low]), W)


def _full(A: Form) -> Array:
    return A if isinstance(A, np.ndarray) else np.asarray(A.toarray())


def _base(A: Form) -> Plain:
    return A.base if isinstance(A, Updated) else A


def factor(A: Form) -> Factor:
    """The factors of `A`; `LinAlgError` where it is not positive definite."""
    if not A.shape[0]:
        return Factor(lambda f: f, 1.0)
    if isinstance(A, Updated):
        return factor_updated(factor(A.base), A)
    return _cholesky(A) if isinstance(A, np.ndarray) else factorize(A)


def _cholesky(A: Array) -> Factor:
    from scipy.linalg.lapack import dpotrf, dpotrs  # 0.2 s to import

    L, failed = dpotrf(A, lower=1)
    if failed:
        raise np.linalg.LinAlgError(f"not positive definite (row {failed})")

    def solve(f: Array) -> Array:
        return np.asarray(dpotrs(L, f, lower=1)[0], dtype=np.float64)

    return Factor(solve, float((L.diagonal() ** 2 / A.diagonal()).min()))


@dataclass(frozen=True, eq=False)
class Partitioned:
    """A x = f plus efforts on the `held` entries of x, which are told.

    A is symmetric, positive definite on the free entries.
    """

    A: Form
    held: Indices

    @cached_property
    def free(self) -> Indices:
        """The entries that are not told."""
        return np.delete(np.arange(self.A.shape[0]), self.held)

    @cached_property
    def inner(self) -> Form:
        """A on the free entries."""
        return self.A[self.free][:, self.free] if self.held.size else self.A

    @cached_property
    def factor(self) -> Factor:
        """The factors of the inner matrix, found once."""
        return factor(self.inner)

    @cached_property
    def _across(self) -> tuple[Form, Form]:
        """What the held entries do to the free ones, and the rows of the held ones."""
        return self.A[self.free][:, self.held], self.A[self.held]

    def solve(self, f: Array, told: Array) -> tuple[Array, Array]:
        """x and the efforts; `f` and `told` may have several columns."""
        if not self.held.size:
            return self.factor.solve(f), f[:0]
        across, rows = self._across
        x = np.empty(f.shape)
        x[self.held] = told
        x[self.free] = self.factor.solve(f[self.free] - product(across, told))
        return x, product(rows, x) - f[self.held]
