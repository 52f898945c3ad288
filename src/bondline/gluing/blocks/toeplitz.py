"""T of a block: lower triangular, and the same from window to window."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from bondline.gluing.solvers.gluing_matrix import GluingMatrix

Lags = NDArray[np.float64]
"""One matrix for every number of windows between cause and effect."""


_FEW = 16  # windows that are solved for at once


@dataclass(frozen=True, eq=False)
class Toeplitz:
    """J₀ … J_K₋₁ of blocks.md (5), and Λ = J₀⁻¹.

    Where it is solved with `often`, once for every block of a run, the inverse for a
    few windows is found first.
    """

    lags: Lags  # windows × conditions × unknowns
    Lam: GluingMatrix
    often: bool = False

    def solve(self, residual: NDArray[np.float64]) -> NDArray[np.float64]:
        """Z with T Z = −residual, (6): forward substitution.

        Windows × conditions, and × cases where there are several. Halves are solved
        one after the other: what the first does to the second is then a product of
        matrices, and every J is read a few times a block, not in every window.
        """
        return self._solved(residual, self._few if self.often else None)

    @cached_property
    def _few(self) -> Lags:
        """−T⁻¹ of a few windows, which is as T is: its lags, read once a solve."""
        count, conditions = min(len(self.lags), _FEW), self.lags.shape[1]
        unit = np.zeros((count, conditions, conditions))
        unit[0] = np.eye(conditions)
        return np.ascontiguousarray(self._solved(unit, None))

    def _solved(
        self, residual: NDArray[np.float64], few: Lags | None
    ) -> NDArray[np.float64]:
        cases = residual.reshape(*residual.shape[:2], -1)
        # conditions first; always a copy, for `_solve` writes into it: of one condition
        # the swapped view is contiguous as it is
        left = np.array(np.swapaxes(cases, 0, 1), order="C")
        Z = np.zeros((self.lags.shape[2], *left.shape[1:]))
        self._solve(left, Z, (0, left.shape[1]), few)
        shape = (residual.shape[0], self.lags.shape[2], *residual.shape[2:])
        return np.swapaxes(Z, 0, 1).reshape(shape)

    def solve_both(
        self, one: NDArray[np.float64], other: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Two residuals at once where they are alike: every J is read half as often."""
        if one.shape != other.shape:
            return self.solve(one), self.solve(other)
        Z = self.solve(np.stack([one, other], axis=-1))
        return np.ascontiguousarray(Z[..., 0]), np.ascontiguousarray(Z[..., 1])

    def _solve(
        self, left: Lags, Z: Lags, windows: tuple[int, int], few: Lags | None
    ) -> None:
        first, end = windows
        if few is not None and end - first <= len(few):
            _convolve(few, left[:, first:end], Z[:, first:end])
            return
        if end - first == 1:
            Z[:, first] = -self.Lam.form.times(left[:, first])
            return
        middle = (first + end) // 2
        self._solve(left, Z, (first, middle), few)
        for j in range(1, end - first):
            rows = slice(max(first, middle - j), min(middle, end - j))
            count = rows.stop - rows.start
            some = Z[:, rows].reshape(len(Z), -1)
            felt = (self.lags[j] @ some).reshape(len(left), count, -1)
            left[:, rows.start + j : rows.stop + j] += felt
        self._solve(left, Z, (middle, end), few)


def enough(lags: int, windows: int) -> int:
    """How many of so many lags a run of `windows` needs; all, if it is not known (0).

    Halves, as T is solved in halves, and no fewer than are solved for at once: what is
    left out changes no bit of what is found.

    >>> enough(1000, 53), enough(50, 53), enough(1000, 3), enough(1000, 0)
    (62, 50, 31, 1000)
    """
    while windows and lags // 2 >= max(windows, _FEW):
        lags //= 2
    return lags


def convolved(lags: Lags, causes: NDArray[np.float64]) -> NDArray[np.float64]:
    """Σⱼ lags[j] causes[k − j] for every window k.

    Windows × unknowns, and × cases where there are several.
    """
    count, cases = len(causes), causes.reshape(*causes.shape[:2], -1)
    every = np.ascontiguousarray(np.swapaxes(cases, 0, 1))
    felt = np.zeros((lags.shape[1], count, every.shape[2]))
    _convolve(lags, every, felt)
    shape = (count, lags.shape[1], *causes.shape[2:])
    return np.swapaxes(felt, 0, 1).reshape(shape)


def _convolve(lags: Lags, every: Lags, felt: Lags) -> None:
    """The same, added to what is there; the windows come second."""
    count = every.shape[1]
    for j in range(min(count, len(lags))):
        some = every[:, : count - j].reshape(len(every), -1)
        felt[:, j:] += (lags[j] @ some).reshape(len(felt), count - j, -1)
