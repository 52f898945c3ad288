"""The seam to sparse solvers: `factorize` chooses one for a symmetric matrix.

What pays when (docs/adr/0017-sparse-factors.md has the figures):

    band        LAPACK's Cholesky in a narrow band: strips, frames, chains
    superlu     SuperLU without row exchanges, minimum degree: small and branched
    dissected   the same in the order of nested dissection (METIS): all that is large
    cholmod     supernodal Cholesky, with the extra `cholmod`: large, quicker still
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bondline.errors import SettingError, did_you_mean
from bondline.numerics.band import Band
from bondline.numerics.ordering import can_dissect, dissected, narrow

if TYPE_CHECKING:  # scipy.sparse takes long to import; small models never need it
    from scipy.sparse import csr_array

Array: TypeAlias = NDArray[np.float64]
Indices: TypeAlias = NDArray[np.intp]
Solve: TypeAlias = Callable[[Array], Array]
Sparse: TypeAlias = "csr_array[np.float64, tuple[int, int]]"

VARIABLE = "BONDLINE_SPARSE"
_LARGE = 4000  # rows from which another library earns its way in and out
_DENSE = 4e7  # rows times squared entries a row from which minimum degree falls behind
_TRUST = 1e-8  # backward error up to which factors without row exchanges are trusted
# A band is narrow within so many times the entries of a mean row: where it is large,
# and where it is small and compiled sweeps through it beat short supernodes.
_NARROW, _NARROW_SMALL = 5.0, 8.0


class Factor(NamedTuple):
    """A symmetric positive definite matrix, ready to be solved with."""

    solve: Solve  # A⁻¹ f for one right-hand side or several columns
    slack: float  # smallest pivot, as a share of its diagonal entry: 0 is singular
    method: str = "dense"
    memory: int | None = None  # bytes of the factors, where the library says
    fill: float | None = None  # numbers in the factors, for each one in the matrix
    band: Band | None = None  # where it is one


class Signed(NamedTuple):
    """A symmetric matrix that need not be definite, ready to be solved with."""

    solve: Solve
    negative: int  # eigenvalues below zero: as many as pivots (Sylvester)


def factorize(A: Sparse, method: str | None = None) -> Factor:
    """The factors of a symmetric positive definite sparse matrix.

    `method` is one of those above; without it, the environment variable
    BONDLINE_SPARSE says, or else what suits the matrix. `LinAlgError` where the matrix
    is not positive definite. Equal matrices give equal bits.
    """
    A, asked = _tidy(A), _asked(method)
    if not (A.diagonal() > 0.0).all():
        raise np.linalg.LinAlgError("not positive definite (singular or worse)")
    return (asked or _suited(A))(A)


def signed(A: Sparse) -> Signed | None:
    """Factors without row exchanges; None where they cannot be trusted.

    That is where the matrix is singular, or nearly: move it a little, ask again.
    """
    A = _tidy(A)
    if not A.diagonal().all():  # its row may be empty
        return None
    order = dissected(A) if _heavy(A) else None
    try:
        lu = _lu(A, order)
    except RuntimeError:  # exactly singular
        return None
    pivots = _pivots(lu)
    if pivots is None:
        return None
    solve = _in_order(lu.solve, order)
    if not _exact(A, solve):
        return None
    return Signed(solve, int((pivots < 0.0).sum()))


def _exact(A: Sparse, solve: Solve) -> bool:
    """Whether a solution belongs to a matrix next to `A`: small pivots spoil that."""
    f = np.random.default_rng(0).standard_normal(A.shape[0])
    x = solve(f)
    wrong = float(np.abs(A @ x - f).max())
    return wrong < _TRUST * (float(np.abs(A.data).max()) * float(np.abs(x).max()) + 1.0)


def _tidy(A: Sparse) -> Sparse:
    """Sorted, no entry twice, and none that is zero."""
    if not A.has_canonical_format or not A.data.all():
        A = A.copy()
        A.sum_duplicates()
        A.eliminate_zeros()
    return A


def _asked(method: str | None) -> Callable[[Sparse], Factor] | None:
    """The method by its name, from the argument or the environment."""
    place = "factorize: method" if method else VARIABLE
    name = method or os.environ.get(VARIABLE, "")
    if name in ("", "auto"):
        return None
    if name not in METHODS:
        raise SettingError(
            place, f"{name!r} is no way to factor.", did_you_mean(name, METHODS)
        )
    package, where = _NEEDS.get(name, ("scipy", ""))
    if find_spec(package) is None:
        raise SettingError(place, f"{name} needs {package}, not installed.", where)
    return METHODS[name]


def _suited(A: Sparse) -> Callable[[Sparse], Factor]:
    n = A.shape[0]
    order, reach = narrow(A)
    most = _NARROW if n >= _LARGE else _NARROW_SMALL
    if reach + 1 <= most * A.nnz / max(n, 1):
        return lambda A: _band(A, order, reach)
    if n >= _LARGE and find_spec("cvxopt") is not None:
        return _cholmod
    return _dissected if _heavy(A) else _superlu


def _heavy(A: Sparse) -> bool:
    """Whether nested dissection pays: solids from 8,000 rows, shells from 15,000."""
    return A.nnz**2 >= _DENSE * A.shape[0] and can_dissect()


def _narrowed(A: Sparse) -> Factor:
    return _band(A, *narrow(A))


def _band(A: Sparse, order: Indices, reach: int) -> Factor:
    """Cholesky's factor in a band: a solve reads it once down and once up."""
    from scipy.linalg.lapack import dpbtrf

    B: Any = _permuted(A, order).tocoo()
    below = B.row >= B.col
    rows = np.zeros((reach + 1, A.shape[0]), order="F")
    rows[(B.row - B.col)[below], B.col[below]] = B.data[below]
    L, failed = dpbtrf(rows, lower=1, overwrite_ab=1)
    if failed:
        raise np.linalg.LinAlgError(f"not positive definite (row {failed})")

    pivots = L[0] ** 2 / A.diagonal()[order]
    band, held = Band(L, np.ascontiguousarray(order)), (8 * L.size, L.size)
    return _made(A, band.solve, pivots, "band", held)._replace(band=band)


def _superlu(A: Sparse) -> Factor:
    return _from_lu(A, None, "superlu")


def _dissected(A: Sparse) -> Factor:
    return _from_lu(A, dissected(A), "dissected")


def _from_lu(A: Sparse, order: Indices | None, method: str) -> Factor:
    try:
        lu = _lu(A, order)
    except RuntimeError as error:  # exactly singular
        raise np.linalg.LinAlgError("not positive definite (singular)") from error
    pivots = _pivots(lu)
    # without row exchanges the pivots of a positive definite matrix are positive
    if pivots is None or not (pivots > 0.0).all():
        raise np.linalg.LinAlgError("not positive definite (a pivot is negative)")
    diagonal = A.diagonal() if order is None else A.diagonal()[order]
    # L keeps the rows of a supernode once, U one row number for every entry
    held = (10 * lu.nnz, lu.nnz)
    return _made(A, _in_order(lu.solve, order), pivots / diagonal, method, held)


def _lu(A: Sparse, order: Indices | None) -> Any:
    from scipy.sparse.linalg import splu

    return splu(
        (A if order is None else _permuted(A, order)).tocsc(),
        permc_spec="MMD_AT_PLUS_A" if order is None else "NATURAL",
        diag_pivot_thresh=0.0,
        options={"SymmetricMode": True},
    )


def _pivots(lu: Any) -> Array | None:
    """One for every row, as given; None where rows were exchanged.

    To tell them, SciPy makes copies of both factors and keeps them: emptied here,
    because they are as large as the factors.
    """
    if not np.array_equal(lu.perm_r, lu.perm_c):
        return None
    pivots: Array = lu.U.diagonal()[lu.perm_c]
    for copy in (lu.L, lu.U):
        copy.data, copy.indices = np.zeros(0), np.zeros(0, dtype=np.int32)
    return pivots


def _cholmod(A: Sparse) -> Factor:
    from cvxopt import cholmod, matrix, spmatrix
    from scipy.sparse import tril

    order = dissected(A) if can_dissect() else None
    low: Any = tril(A, format="coo")
    rows, columns = low.row.astype(np.int64), low.col.astype(np.int64)
    half = spmatrix(low.data, rows, columns, A.shape)
    given = () if order is None else (matrix(order.astype(np.int64)),)
    L = cholmod.symbolic(half, *given)
    try:
        cholmod.numeric(half, L)
    except ArithmeticError as error:
        raise np.linalg.LinAlgError(f"not positive definite (row {error})") from error

    def solve(f: Array) -> Array:
        x = matrix(f)
        cholmod.solve(L, x)
        return np.asarray(x, dtype=np.float64).reshape(f.shape, order="F")

    diagonal = matrix(A.diagonal())
    cholmod.solve(L, diagonal, sys=7)  # P x: as the library took the rows
    pivots = np.asarray(cholmod.diag(L)).ravel() ** 2 / np.asarray(diagonal).ravel()
    return _made(A, solve, pivots, "cholmod", None)


def _made(
    A: Sparse, solve: Solve, pivots: Array, method: str, held: tuple[int, int] | None
) -> Factor:
    slack = float(pivots.min(initial=1.0))
    if held is None:
        return Factor(solve, slack, method)
    return Factor(solve, slack, method, held[0], held[1] / max(A.nnz, 1))


def _permuted(A: Sparse, order: Indices) -> Any:
    return A[order][:, order]


def _in_order(inner: Solve, order: Indices | None) -> Solve:
    """Solve with rows taken in another order."""

    def plain(f: Array) -> Array:
        return np.asarray(inner(np.asfortranarray(f)), dtype=np.float64)

    def turned(f: Array) -> Array:
        x = np.empty(f.shape, order="F")
        x[order] = inner(np.asfortranarray(f[order]))
        return x

    as_is = order is None or bool((np.diff(order) == 1).all())
    return plain if as_is else turned


METHODS: Mapping[str, Callable[[Sparse], Factor]] = {
    "band": _narrowed,
    "superlu": _superlu,
    "dissected": _dissected,
    "cholmod": _cholmod,
}
_NEEDS = {
    "dissected": ("pymetis", "Install pymetis, or say superlu."),
    "cholmod": ("cvxopt", "Install bondline[cholmod], or say dissected."),
}
