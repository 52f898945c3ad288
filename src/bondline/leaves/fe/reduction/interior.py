"""The inside of a structure behind its boundary: M, C, K cut into b and i.

K_ii Ψ = −K_ib                     constraint modes                        (1)
K_ii φ = ω² M_ii φ, φᵀ M_ii φ = 1  modes with the boundary held            (2)
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from bondline.core import Matrix
from bondline.errors import SettingError
from bondline.leaves.fe.mesh import Indices
from bondline.numerics import LinearSystem, Modes, lowest_modes, modes_between
from bondline.numerics.factor import Factor, Operator, factor, nowhere, product
from bondline.numerics.loose import loose_motions


@dataclass(frozen=True, eq=False)
class Interior:
    """A structure with some of its dofs, the boundary, set apart."""

    system: LinearSystem
    boundary: Indices

    def __post_init__(self) -> None:
        n, own = self.system.M.shape[0], self.boundary
        fits = not own.size or (own.min() >= 0 and own.max() < n)
        if not fits or len(np.unique(own)) < len(own):
            raise SettingError(
                "reduction: boundary",
                f"{len(own)} dofs of {n}, some of them twice or not there.",
                f"Give dofs from 0 to {n - 1}, each once.",
            )

    @cached_property
    def inside(self) -> Indices:
        """The dofs that are not on the boundary."""
        return np.delete(np.arange(self.system.M.shape[0]), self.boundary)

    def cut(self, A: Operator, rows: Indices, columns: Indices) -> Operator:
        """A[rows][:, columns]."""
        made: Operator = A[rows][:, columns]
        return made

    @cached_property
    def K(self) -> Operator:
        """K_ii."""
        return self.cut(self.system.K, self.inside, self.inside)

    @cached_property
    def M(self) -> Operator:
        """M_ii."""
        return self.cut(self.system.M, self.inside, self.inside)

    @cached_property
    def pinned(self) -> Indices:
        """Inner dofs that hold what the boundary leaves loose: none, as a rule.

        A loose motion has no energy, so that no force crosses from it to the boundary:
        (1) has solutions, and one of them has zeros here.
        """
        loose = loose_motions(self.K, lambda: factor(self.K))
        if not loose.shape[1]:
            return nowhere()
        from scipy.linalg import qr

        order = qr(loose.T, mode="r", pivoting=True)[1]
        return np.sort(np.asarray(order[: loose.shape[1]], dtype=np.intp))

    @cached_property
    def _held(self) -> tuple[Indices, Factor]:
        rest = np.delete(np.arange(len(self.inside)), self.pinned)
        pinned = self.cut(self.K, rest, rest) if self.pinned.size else self.K
        return rest, factor(pinned)

    def solve(self, f: Matrix) -> Matrix:
        """K_ii⁻¹ f with columns; what is loose inside stays at the pinned dofs."""
        rest, found = self._held
        if not self.pinned.size:
            return found.solve(f)
        x = np.zeros(f.shape)
        x[rest] = found.solve(f[rest])
        return x

    def constraint_modes(self) -> Matrix:
        """Ψ of (1): one factorisation, all columns at once."""
        across: Any = self.cut(self.system.K, self.inside, self.boundary)
        dense = across if isinstance(across, np.ndarray) else across.toarray()
        if not len(self.inside):
            return np.zeros((0, len(self.boundary)))
        return self.solve(-np.asarray(dense, dtype=np.float64))

    def modes(self, band: float | None, count: int | None) -> Modes:
        """(2): those below `band` in Hz, or so many of the lowest."""
        n = len(self.inside)
        if not n or count == 0 or (count is None and not band):
            return Modes(np.zeros(0), np.zeros((n, 0)), True)
        if count is not None:
            return lowest_modes(self.K, self.M, min(count, n))
        return modes_between(self.K, self.M, (0.0, band or 0.0))

    def stiffness(self, psi: Matrix) -> Matrix:
        """K_bb + K_bi Ψ: what the boundary feels at rest."""
        rows = self.system.K[self.boundary]
        own: Any = rows[:, self.boundary]
        dense = own if isinstance(own, np.ndarray) else own.toarray()
        S = dense + product(rows[:, self.inside], psi)
        return np.asarray(0.5 * (S + S.T), dtype=np.float64)
