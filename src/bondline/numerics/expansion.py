"""Receptance inside a band, from the modes near it and a power series for the rest.

With all modes φ below a cut, seen through L, a shift σ below the band, and
G = (K − σM)⁻¹ on what is left of all motions without these modes:

    H(λ) = Σ (Lφ)(Lφ)ᵀ / (λₖ − λ) + Σⱼ (λ − σ)ʲ Aⱼ                            (1)
    Aⱼ = L G (M G)ʲ Lᵀ                                                        (2)

The series falls by |λ − σ| / (cut − σ) a term, or quicker, and is taken to round-off.
With Yᵢ = (G M)ⁱ G Lᵀ every block of solutions gives two terms:

    A₂ᵢ₊₁ = Yᵢᵀ M Yᵢ,   A₂ᵢ = Yᵢ₋₁ᵀ M Yᵢ                                      (3)

(1) holds for complex λ, too: where C = αM + βK,

    K + iωC − ω²M = (1 + iωβ) (K − λM),   λ = (ω² − iωα) / (1 + iωβ)          (4)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil, log, pi
from typing import Any, TypeVar

import numpy as np

from bondline.errors import SettingError
from bondline.numerics.factor import Array, Operator, combined, factor
from bondline.numerics.lowrank import Updated
from bondline.numerics.modal import modes_below, modes_between
from bondline.numerics.newmark import LinearSystem
from bondline.numerics.sparse import Solve

Number = TypeVar("Number", float, complex)

_BELOW = 0.1  # of the band's λ: how far σ lies below zero
_CUTS = ((8.0, 100), (4.0, 200), (2.0, 400))  # of the band's ω, and the most modes
_LEFT = 1e-17  # of the first term: where the series ends
_STORED = 4e7  # numbers that a series may have
_NUDGE = 1e-11  # of λ: how far a frequency is moved off an eigenvalue
_LEAST = 1e-24  # of the cut: the smallest λ for that
_ALIKE = 1e-12  # of an entry's terms: where damping is Rayleigh's


@dataclass(frozen=True, eq=False)
class Expansion:
    """Equation (1), made once; `squares` are all λₖ below `cut`."""

    squares: Array
    seen: Array  # Lφ, a column each
    series: Array  # Aⱼ
    shift: float
    top: float  # λ up to which the series is exact
    cut: float

    def covers(self, square: complex) -> bool:
        """Whether λ is inside the band."""
        return abs(square - self.shift) <= self.top - self.shift

    def at(self, square: Number) -> tuple[Any, int]:
        """H, and how many modes lie below; on one, λ is moved a little."""
        away = self.squares - square
        near = _NUDGE * max(abs(square), _LEAST * self.cut)
        if (np.abs(away) < near).any():
            away = self.squares - (square + 2.0 * near)
        rest = np.zeros(self.series.shape[1:], dtype=away.dtype)
        for A in self.series[::-1]:  # Horner's rule
            rest = rest * (square - self.shift) + A
        H = (self.seen / away) @ self.seen.T + rest
        return H, int(np.count_nonzero(away.real < 0.0))


def expanded(K: Operator, M: Operator, L: Array, omega: float) -> Expansion | None:
    """The expansion for frequencies up to `omega`, in rad/s.

    None where there are too many modes, or one of them was not found.
    """
    top = omega**2
    shift = -_BELOW * top
    try:
        wide = _cut(K, M, omega)
        if wide is None or _terms(top, shift, wide**2) * len(L) ** 2 > _STORED:
            return None
        found = modes_between(K, M, (0.0, wide / (2.0 * pi)))
        solve = factor(combined(((1.0, K), (-shift, M)))).solve
    except (SettingError, np.linalg.LinAlgError, RuntimeError):  # the last is ARPACK's
        return None
    if not found.complete:
        return None
    squares, shapes = _polished(M, shift, solve, found.shapes)
    squares[: np.count_nonzero(found.omega == 0.0)] = 0.0
    rest = _rest(M, solve, shapes, L)
    count = _terms(top, shift, wide**2)
    series = np.array([A for A, _ in zip(rest, range(count), strict=False)])
    return Expansion(squares, L @ shapes, series, shift, top, wide**2)


def _cut(K: Operator, M: Operator, omega: float) -> float | None:
    """A frequency well above the band: the further, the fewer terms."""
    for share, most in _CUTS:
        if modes_below(K, M, share * omega) <= most:
            return share * omega
    return None


def _terms(top: float, shift: float, cut: float) -> int:
    return ceil(log(_LEFT) / log((top - shift) / (cut - shift)))


def _polished(
    M: Operator, shift: float, solve: Solve, shapes: Array
) -> tuple[Array, Array]:
    """λₖ and φ after one more inverse iteration, by Rayleigh and Ritz.

    (K − σM) W = MΦ, so no difference of large numbers is taken.
    """
    if not shapes.size:
        return np.zeros(0), shapes
    from scipy.linalg import eigh

    right = np.asarray(M @ shapes)
    W = solve(right)
    stiff, heavy = _even(W.T @ right), _even(W.T @ np.asarray(M @ W))
    above, mix = eigh(stiff, heavy)
    return np.asarray(above + shift), np.asarray(W @ mix)


def _rest(M: Operator, solve: Solve, shapes: Array, L: Array) -> Iterator[Array]:
    """Equations (2) and (3), without end."""
    heavy = np.asarray(M @ shapes)

    def G(f: Array) -> Array:
        y = solve(f - heavy @ (shapes.T @ f))
        return np.asarray(y - shapes @ (heavy.T @ y))

    Y = G(L.T)
    yield _even(L @ Y)
    while True:
        MY = np.asarray(M @ Y)
        yield _even(Y.T @ MY)
        Y = G(MY)
        yield _even(MY.T @ Y)


def _even(A: Array) -> Array:
    return 0.5 * (A + A.T)


def proportional(system: LinearSystem) -> tuple[float, float] | None:
    """α and β where C = αM + βK to round-off; else None."""
    M, C, K = system
    if isinstance(C, Updated):
        return None
    m, c, k = (np.asarray(A.diagonal()) for A in (M, C, K))
    if not ((k > 0.0).all() and (m > 0.0).any()):
        return None
    columns = np.stack([m / k, np.ones_like(k)], axis=1) / ((m / k).max(), 1.0)
    alpha, beta = np.linalg.lstsq(columns, c / k, rcond=None)[0] / ((m / k).max(), 1.0)
    left: Any = combined(((1.0, C), (-alpha, M), (-beta, K)))
    root = np.sqrt(np.abs(alpha * m) + np.abs(beta * k))
    return (float(alpha), float(beta)) if _within(left, root) else None


def _within(left: Any, root: Array) -> bool:
    """Whether every entry is round-off of what its row and column are made of."""
    from scipy.sparse import coo_array

    each = coo_array(left)
    row, column = each.coords
    return bool((np.abs(each.data) <= _ALIKE * root[row] * root[column]).all())
