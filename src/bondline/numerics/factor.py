"""Symmetric positive definite systems, dense or sparse, with some unknowns told."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:  # scipy.sparse takes long to import; small models never need it
    from scipy.sparse import csr_array

Array: TypeAlias = NDArray[np.float64]
Indices: TypeAlias = NDArray[np.intp]
Operator: TypeAlias = "Array | csr_array[np.float64, tuple[int, int]]"
Solve: TypeAlias = Callable[[Array], Array]


_LARGE = 200


def nowhere() -> Indices:
    """No index at all."""
    return np.zeros(0, dtype=np.intp)


def slim(A: Operator, rows: int = 100, filled: float = 0.1) -> Operator:
    """`A` in the form that is quick to multiply with.

    Sparse input becomes CSR. A dense matrix becomes sparse where it has at least
    `rows` rows and no more than the given share of entries that are not zero.
    """
    if isinstance(A, np.ndarray) and (
        len(A) < rows or np.count_nonzero(A) > filled * A.size
    ):
        return A
    from scipy.sparse import csr_array

    any_form: Any = A
    made: Operator = csr_array(any_form, dtype=np.float64)
    return made


def product(A: Operator, x: Array) -> Array:
    """A x, for one vector or several columns."""
    return np.asarray(A @ x, dtype=np.float64)


def symmetric_product(A: Operator, x: Array) -> Array:
    """A x for a symmetric `A`; of a large dense one only half is read."""
    if not isinstance(A, np.ndarray) or x.ndim > 1 or len(x) < _LARGE:
        return product(A, x)
    from scipy.linalg.blas import dsymv

    # BLAS counts by columns: the transpose is the same memory, and no copy
    return np.asarray(dsymv(1.0, A.T, x, lower=1), dtype=np.float64)


def combined(terms: Sequence[tuple[float, Operator]]) -> Operator:
    """Σ c A: sparse where every term is, else dense."""
    dense = any(isinstance(A, np.ndarray) for _, A in terms)
    each: list[Any] = [c * (_full(A) if dense else A) for c, A in terms]
    total: Operator = sum(each[1:], start=each[0])
    return total


def _full(A: Operator) -> Array:
    return A if isinstance(A, np.ndarray) else np.asarray(A.toarray())


class Factor(NamedTuple):
    """A symmetric positive definite matrix, ready to be solved with."""

    solve: Solve  # A⁻¹ f for one right-hand side or several columns
    slack: float  # smallest pivot, as a share of its diagonal entry: 0 is singular


def factor(A: Operator) -> Factor:
    """The factors of `A`; `LinAlgError` where it is not positive definite."""
    if not A.shape[0]:
        return Factor(lambda f: f, 1.0)
    return _cholesky(A) if isinstance(A, np.ndarray) else _lu(A)


def _cholesky(A: Array) -> Factor:
    from scipy.linalg.lapack import dpotrf, dpotrs  # 0.2 s to import

    L, failed = dpotrf(A, lower=1)
    if failed:
        raise np.linalg.LinAlgError(f"not positive definite (row {failed})")

    def solve(f: Array) -> Array:
        return np.asarray(dpotrs(L, f, lower=1)[0], dtype=np.float64)

    return Factor(solve, float((L.diagonal() ** 2 / A.diagonal()).min()))


def _lu(A: csr_array[np.float64, tuple[int, int]]) -> Factor:
    from scipy.sparse.linalg import splu

    try:
        lu = splu(
            A.tocsc(),
            permc_spec="MMD_AT_PLUS_A",
            diag_pivot_thresh=0.0,
            options={"SymmetricMode": True},
        )
    except RuntimeError as error:  # exactly singular
        raise np.linalg.LinAlgError("not positive definite (singular)") from error
    # without row exchanges the pivots of a positive definite matrix are positive
    pivots = lu.U.diagonal()[lu.perm_c]
    if not (pivots > 0.0).all():
        raise np.linalg.LinAlgError("not positive definite (a pivot is negative)")

    def solve(f: Array) -> Array:
        return np.asarray(lu.solve(np.asfortranarray(f)), dtype=np.float64)

    return Factor(solve, float((pivots / A.diagonal()).min()))


@dataclass(frozen=True, eq=False)
class Partitioned:
    """A x = f plus efforts on the `held` entries of x, which are told.

    A is symmetric, positive definite on the free entries.
    """

    A: Operator
    held: Indices

    @cached_property
    def free(self) -> Indices:
        """The entries that are not told."""
        return np.delete(np.arange(self.A.shape[0]), self.held)

    @cached_property
    def inner(self) -> Operator:
        """A on the free entries."""
        return self.A[self.free][:, self.free] if self.held.size else self.A

    @cached_property
    def factor(self) -> Factor:
        """The factors of the inner matrix, found once."""
        return factor(self.inner)

    @cached_property
    def _across(self) -> tuple[Operator, Operator]:
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
