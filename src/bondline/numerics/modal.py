"""Modes of undamped structures, K φ = ω² M φ, and damping that is told by modes.

Shift and invert: with a shift σ that no mode has, the largest eigenvalues μ of

    M φ = μ (K − σM) φ,   ω² = σ + 1/μ                                        (1)

belong to the modes next to it. Dofs without mass have μ = 0, and no mode.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import pi
from typing import Any

import numpy as np

from bondline.errors import SettingError
from bondline.numerics.factor import Operator, combined, factor
from bondline.numerics.loose import sharpened, unresisted
from bondline.numerics.lowrank import Plain, Updated
from bondline.numerics.sparse import Array, Factor, Solve, signed

_DENSE = 600  # dofs up to which all modes are found at once
_EPS = float(np.finfo(np.float64).eps)
_GUARD = 4  # modes more than asked for, to see where a gap is


@dataclass(frozen=True, eq=False)
class Modes:
    """Modes in rising order. `complete` says whether none was left out, if known."""

    omega: Array  # rad/s; a rigid motion has exactly 0
    shapes: Array  # one column each, φᵀMφ = 1, largest entry positive
    complete: bool | None

    @property
    def frequencies(self) -> Array:
        """In Hz."""
        return self.omega / (2.0 * pi)

    def effective_masses(self, M: Operator, directions: Array) -> Array:
        """(φᵀ M r)² for every mode (rows) and direction (columns of `directions`).

        Over all modes they add up to rᵀ M r: with r the motion of a rigid body along
        an axis, its mass.
        """
        return np.asarray((self.shapes.T @ (M @ directions)) ** 2, dtype=np.float64)

    def first(self, count: int) -> Modes:
        """The lowest of them."""
        return Modes(self.omega[:count], self.shapes[:, :count], self.complete)


def lowest_modes(K: Operator, M: Operator, count: int) -> Modes:
    """The modes of lowest frequency, rigid motions first.

    They are counted by Sylvester's law between two of them, and looked for again if
    one was missed.
    """
    n = K.shape[0]
    if not 1 <= count <= n:
        raise SettingError(
            "lowest_modes: count",
            f"{count} modes of {n} dofs.",
            f"Ask for 1 to {n}.",
        )
    if n <= _DENSE or 2 * count > n:
        return _all_modes(K, M).first(count)
    return _lowest(K, M, count)


def modes_between(K: Operator, M: Operator, band: tuple[float, float]) -> Modes:
    """All modes with frequencies in a band, in Hz; from 0 rigid motions count, too."""
    low, high = (2.0 * pi * f for f in band)
    if not 0.0 <= low < high:
        raise SettingError(
            "modes_between: band",
            f"{band[0]:g} to {band[1]:g} Hz is no band.",
            "Give two frequencies, the lower one first, from 0.",
        )
    if K.shape[0] <= _DENSE:
        return _inside(_all_modes(K, M), low, high, None)
    under = 0 if low == 0.0 else modes_below(K, M, low)
    upto = modes_below(K, M, high)
    if upto == under:
        return Modes(np.zeros(0), np.zeros((K.shape[0], 0)), True)
    if 2 * under <= upto:
        return _inside(lowest_modes(K, M, upto), low, high, upto - under)
    middle, solve, _ = _signed(K, M, 0.5 * (low**2 + high**2))
    found = _lanczos(K, M, (middle, solve), upto - under)
    return _inside(found, low, high, upto - under)


def modes_below(K: Operator, M: Operator, omega: float) -> int:
    """How many modes lie below ω in rad/s: negative pivots of K − ω²M (Sylvester)."""
    return _signed(K, M, omega**2)[2]


def rayleigh(
    frequencies: Sequence[float], ratios: Sequence[float]
) -> tuple[float, float]:
    """α and β of C = αM + βK with these damping ratios at two frequencies in Hz.

    >>> alpha, beta = rayleigh((10.0, 40.0), (0.02, 0.02))
    >>> w = 2 * pi * 20.0
    >>> round((alpha / w + beta * w) / 2, 6)  # less in between
    0.016
    """
    for what, given in (("frequencies", frequencies), ("ratios", ratios)):
        if len(given) != 2:
            raise SettingError(
                f"rayleigh: {what}",
                f"{len(given)} of them.",
                "Give two frequencies and the ratio at each: α and β fit no more; for "
                "other counts use modal_damping.",
            )
    w1, w2 = (2.0 * pi * f for f in frequencies)
    z1, z2 = ratios
    if not 0.0 < w1 < w2:
        raise SettingError(
            "rayleigh: frequencies",
            f"{frequencies[0]:g} and {frequencies[1]:g} Hz.",
            "Give two positive frequencies, the lower one first.",
        )
    beta = 2.0 * (z2 * w2 - z1 * w1) / (w2**2 - w1**2)
    alpha = 2.0 * z1 * w1 - beta * w1**2
    if min(alpha, beta) < 0.0:
        raise SettingError(
            "rayleigh: ratios",
            f"α = {alpha:g}, β = {beta:g}: one is negative, which feeds energy in.",
            "Ratios of frequencies f1 < f2 must be between f1/f2 and f2/f1 times each "
            "other; or use modal_damping.",
        )
    return alpha, beta


def modal_damping(
    M: Operator, modes: Modes, ratios: Sequence[float], other: Plain | None = None
) -> Updated:
    """C = Σ 2ζω (Mφ)(Mφ)ᵀ + `other`, for the C of a structure: sparse and a few rows.

    One ratio for each mode. Motion outside these modes feels `other` alone.
    """
    zeta = np.asarray(ratios, dtype=np.float64)
    check_complete("modal_damping: modes", modes)
    if zeta.shape != modes.omega.shape or not (zeta >= 0.0).all():
        least = f", the least {zeta.min():g}" if zeta.size else ""
        raise SettingError(
            "modal_damping: ratios",
            f"{zeta.size} for {modes.omega.size} modes{least}.",
            "Give one for every mode, none negative (0.02 is 2 % of critical).",
        )
    U = np.asarray(M @ modes.shapes, dtype=np.float64)
    if other is None:
        from scipy.sparse import csr_array

        n = M.shape[0]
        other = np.zeros((n, n)) if isinstance(M, np.ndarray) else csr_array((n, n))
    return Updated(other, U, 2.0 * zeta * modes.omega, U)


def check_complete(place: str, modes: Modes) -> None:
    """Refuse modes that are known not to be all."""
    if modes.complete is False:
        raise SettingError(
            place,
            f"{modes.omega.size} were found, but their count by Sylvester's law is "
            "another: one was missed.",
            "Ask for more modes or another band, so that a group of equal frequencies "
            "is not cut.",
        )


def _all_modes(K: Operator, M: Operator) -> Modes:
    from scipy.linalg import eigh

    _shift(K, M)  # refuses what has no modes
    k, m = (A if isinstance(A, np.ndarray) else A.toarray() for A in (K, M))
    try:
        squares, shapes = eigh(k, m)
    except np.linalg.LinAlgError:  # dofs without mass
        sigma = -1e-6 * _scale(K, M)
        mu, x = eigh(m, k - sigma * m)
        massive = mu > len(mu) * _EPS * mu[-1]
        shapes = x[:, massive] / np.sqrt(mu[massive])
        squares = np.einsum("ik,ij,jk->k", shapes, k, shapes, optimize=True)
        squares, shapes = _risen(squares, shapes)
    return _made(K, *sharpened(K, M, squares, shapes), True)


def _lowest(K: Operator, M: Operator, count: int) -> Modes:
    where, more = _near(K, M, _shift(K, M), count), _GUARD
    for _ in range(3):
        found = _lanczos(K, M, where, count + more)
        cut, below = _gap(found.omega, count)
        expected = _count(K, M, cut)
        if expected is None or expected == below:
            complete = None if expected is None else True
            return Modes(found.omega, found.shapes, complete).first(count)
        more += max(expected - below, 0) + _GUARD
    return Modes(found.omega, found.shapes, False).first(count)


def _gap(omega: Array, count: int) -> tuple[float, int]:
    """ω in the widest gap at or after `count` modes, and how many are below it."""
    after = np.diff(omega)[count - 1 :]
    k = count - 1 + int(np.argmax(after))
    return 0.5 * float(omega[k] + omega[k + 1]), k + 1


def _count(K: Operator, M: Operator, omega: float) -> int | None:
    try:
        return modes_below(K, M, omega)
    except np.linalg.LinAlgError:
        return None


def _shift(K: Operator, M: Operator) -> tuple[float, Solve]:
    """σ ≤ 0 as near to 0 as the matrices allow, and how to solve with K − σM.

    Where nothing is loose it is 0. A free body needs σ < 0, and enough of it that
    K − σM differs from K by more than round-off.
    """
    scale = _scale(K, M)
    for share, slack in ((0.0, 1e-9), *((10.0**k, 1e-13) for k in range(-12, -5, 2))):
        made = _definite(K, M, -share * scale)
        if made is not None and made.slack > slack:
            return -share * scale, made.solve
    raise SettingError(
        "modes: K and M",
        "K − σM is not positive definite for any small σ < 0.",
        "K must not have negative eigenvalues, and what K does not hold needs mass.",
    )


def _near(
    K: Operator, M: Operator, where: tuple[float, Solve], count: int
) -> tuple[float, Solve]:
    """A shift as far below 0 as the first mode that is not rigid lies above it.

    From a shift that is smaller by ten decades, as many digits would be lost.
    """
    sigma = where[0]
    if sigma == 0.0:
        return where
    squares = _lanczos(K, M, where, count + _GUARD, rough=1e-3).omega ** 2
    elastic = squares[squares > -100.0 * sigma]
    made = _definite(K, M, -float(elastic[0])) if elastic.size else None
    return where if made is None else (-float(elastic[0]), made.solve)


def _definite(K: Operator, M: Operator, sigma: float) -> Factor | None:
    try:
        return factor(combined(((1.0, K), (-sigma, M))))
    except np.linalg.LinAlgError:
        return None


def _scale(K: Operator, M: Operator) -> float:
    return float(K.diagonal().sum() / M.diagonal().sum())


def _signed(K: Operator, M: Operator, square: float) -> tuple[float, Solve, int]:
    """ω², nearly; how to solve with K − ω²M; and its negative pivots."""
    from scipy.sparse import csr_array

    for nudge in (0.0, 1e-11, 1e-9, 1e-7):  # off an eigenvalue, of parts even
        near = square * (1.0 + nudge)
        D: Any = combined(((1.0, K), (-near, M)))
        found = signed(csr_array(D))
        if found is not None:
            return near, found.solve, found.negative
    raise np.linalg.LinAlgError(
        f"K − ω²M at ω² = {square:g} has no factors without row exchanges."
    )


def _lanczos(
    K: Operator,
    M: Operator,
    where: tuple[float, Solve],
    count: int,
    rough: float = 0.0,
) -> Modes:
    """Modes next to a shift, by implicitly restarted Lanczos (ARPACK)."""
    from scipy.sparse.linalg import LinearOperator, eigsh

    n, (sigma, solve) = K.shape[0], where
    inverse: Any = LinearOperator((n, n), matvec=solve, dtype=np.float64)
    start = np.random.default_rng(0).standard_normal(n)
    any_K: Any = K
    any_M: Any = M
    squares, shapes = eigsh(
        any_K, count, any_M, sigma, v0=solve(any_M @ start), OPinv=inverse, tol=rough
    )
    return _made(K, squares, shapes, None)


def _made(K: Operator, squares: Array, shapes: Array, complete: bool | None) -> Modes:
    squares[unresisted(K, shapes)] = 0.0
    squares, shapes = _risen(squares, shapes)
    top = np.argmax(np.abs(shapes), axis=0)
    way = np.sign(shapes[top, np.arange(shapes.shape[1])])
    omega = np.sqrt(np.maximum(squares, 0.0))
    return Modes(omega, shapes * way, complete)


def _risen(squares: Array, shapes: Array) -> tuple[Array, Array]:
    order = np.argsort(squares, kind="stable")
    return squares[order], shapes[:, order]


def _inside(modes: Modes, low: float, high: float, expected: int | None) -> Modes:
    kept = (modes.omega >= low) & (modes.omega < high)
    complete = True if expected is None else int(kept.sum()) == expected
    return Modes(modes.omega[kept], modes.shapes[:, kept], complete)
