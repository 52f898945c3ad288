"""Linear structures at one frequency: receptance, and how many modes lie below.

(K + iωC − ω²M) u = Lᵀ f,   y = L u = H(ω) f                                  (1)
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bondline.numerics.expansion import Expansion, expanded, proportional
from bondline.numerics.factor import Array, Form, Indices, combined, nowhere
from bondline.numerics.loose import sharpened
from bondline.numerics.lowrank import Updated, woodbury
from bondline.numerics.newmark import LinearSystem
from bondline.numerics.sparse import signed

Complex: TypeAlias = NDArray[np.complex128]

_DENSE = 800  # dofs up to which all modes are found once
_MODEST = 400  # modes below a frequency up to which an expansion may reach it
_PATIENCE = 2  # frequencies that are factored before a band is prepared
_MARGIN = 1.05  # of the highest frequency: how far the band reaches
_NUDGE = 1e-11  # of ω²: how far a frequency is moved off an eigenvalue
_LEAST = 1e-12  # of the largest eigenvalue: the smallest ω² for that


@dataclass(frozen=True, eq=False)
class Vibration:
    """A structure seen through the rows of `L`, with some dofs held.

    Small ones find their modes once, and answer from them. Large ones factor at the
    first frequencies they are asked for, and count the negative pivots; then they
    prepare an expansion for the band that these span, and widen it when asked for more.
    """

    system: LinearSystem
    L: Array
    held: Indices = field(default_factory=nowhere)

    @cached_property
    def _free(self) -> Indices:
        return np.delete(np.arange(self.system.M.shape[0]), self.held)

    @cached_property
    def _reduced(self) -> LinearSystem:
        (M, C, K), at = self.system, self._free
        return LinearSystem(M[at][:, at], C[at][:, at], K[at][:, at])

    @cached_property
    def _rows(self) -> Array:
        return np.ascontiguousarray(self.L[:, self._free])

    @cached_property
    def _small(self) -> bool:
        return len(self._free) <= _DENSE

    @cached_property
    def modes(self) -> tuple[Array, Array]:
        """ω² and mass-normalised shapes, the whole of them."""
        from scipy.linalg import eigh

        M, _, K = (_dense(A) for A in self._reduced)
        squares, shapes = eigh(K, M)
        return sharpened(K, M, np.asarray(squares), np.asarray(shapes))

    def at(self, omega: float, damped: bool) -> tuple[Complex, int | None]:
        """H with damping; or without, and the count of `undamped`."""
        if damped and self._damping:
            return self.damped(omega), None
        H, below = self.undamped(omega)
        return H.astype(np.complex128), None if damped else below

    @cached_property
    def _damping(self) -> bool:
        C = self._reduced.C
        if isinstance(C, Updated):
            return True
        return bool(np.any(C if isinstance(C, np.ndarray) else C.data))

    def undamped(self, omega: float) -> tuple[Array, int]:
        """H without damping, and the number of own eigenfrequencies below ω."""
        if self._small:
            return self._superpose(omega)
        known = self._ahead.expansion(omega**2)
        if known is not None:
            return known.at(omega**2)
        H, below = self._factored(omega)
        self._ahead.asked(omega, below)
        return H, below

    @cached_property
    def _ahead(self) -> _Ahead:
        return _Ahead(self._reduced, self._rows)

    def shape(self, omega: float, seen: Array) -> Array:
        """Undamped amplitudes of all dofs where L u is `seen`: u = (K − ω²M)⁻¹ Lᵀ f."""
        M, _, K = self._reduced
        f = np.linalg.lstsq(self.undamped(omega)[0], seen, rcond=1e-13)[0]
        D: Any = combined([(1.0, K), (-(omega**2) * (1.0 + _NUDGE), M)])
        u = np.zeros(self.system.M.shape[0])
        u[self._free] = _solver(D)(self._rows.T @ f)
        return u

    def damped(self, omega: float) -> Complex:
        """H of (1)."""
        known = None if self._small else self._proportional(omega)
        return self._dissipating(omega) if known is None else known

    def _proportional(self, omega: float) -> Complex | None:
        """H where damping is Rayleigh's, from the expansion at a complex λ."""
        if self._rayleigh is None:
            return None
        alpha, beta = self._rayleigh
        turn = 1.0 + 1j * omega * beta
        square = (omega**2 - 1j * omega * alpha) / turn
        known = self._ahead.expansion(square)
        if known is None:
            self._ahead.asked(omega, None)
            return None
        return np.asarray(known.at(square)[0] / turn, dtype=np.complex128)

    @cached_property
    def _rayleigh(self) -> tuple[float, float] | None:
        return proportional(self._reduced)

    def _dissipating(self, omega: float) -> Complex:
        M, C, K = self._reduced
        stiff: Any = combined([(1.0, K), (-(omega**2), M)])
        lossy: Any = C.base if isinstance(C, Updated) else C
        solve = _solver(stiff + 1j * omega * lossy)
        if isinstance(C, Updated):
            solve = woodbury(solve, C.U * np.sqrt(1j * omega * C.d))
        u = solve(self._rows.T.astype(np.complex128))
        return np.asarray(self._rows @ u, dtype=np.complex128)

    def _superpose(self, omega: float) -> tuple[Array, int]:
        """Σ φφᵀ/(ωₖ² − ω²); on an eigenvalue, the frequency is moved a little."""
        squares, _ = self.modes
        square = omega**2
        away = squares - square
        near = _NUDGE * max(square, _LEAST * float(np.abs(squares).max(initial=1.0)))
        if (np.abs(away) < near).any():
            away = squares - (square + 2.0 * near)
        seen = self._seen
        return (seen / away) @ seen.T, int(np.count_nonzero(away < 0.0))

    @cached_property
    def _seen(self) -> Array:
        return np.asarray(self._rows @ self.modes[1], dtype=np.float64)

    def _factored(self, omega: float) -> tuple[Array, int]:
        """From factors of K − ω²M without row exchanges: as many pivots are negative
        as there are eigenvalues below ω² (Sylvester)."""
        from scipy.sparse import csr_array

        M, _, K = self._reduced
        for attempt in range(4):
            D = combined([(1.0, K), (-(omega**2) * (1.0 + attempt * _NUDGE), M)])
            found = signed(csr_array(D))
            if found is not None:
                u = found.solve(self._rows.T)
                return np.asarray(self._rows @ u, dtype=np.float64), found.negative
        raise np.linalg.LinAlgError(
            f"K − ω²M at ω = {omega:g} rad/s has no factors without row exchanges."
        )


@dataclass(eq=False)
class _Ahead:
    """What a structure has been asked for so far, and what it prepared from that."""

    system: LinearSystem
    rows: Array
    _omegas: list[float] = field(default_factory=list)  # outside of what is prepared
    _ceiling: float = np.inf  # rad/s: where no expansion reaches
    _made: Expansion | None = None

    def asked(self, omega: float, below: int | None) -> None:
        """Remember a frequency that had to be factored."""
        if (below or 0) <= _MODEST and omega < self._ceiling:
            self._omegas.append(omega)

    def expansion(self, square: complex) -> Expansion | None:
        """One that covers λ, prepared if this has been asked for often enough."""
        if self._made is not None and self._made.covers(square):
            return self._made
        omega = abs(square) ** 0.5
        if len(self._omegas) >= _PATIENCE and omega < self._ceiling:
            self._widen(max(omega, *self._omegas))
        made = self._made
        return made if made is not None and made.covers(square) else None

    def _widen(self, omega: float) -> None:
        twice = 2.0 * self._made.top**0.5 if self._made is not None else 0.0
        M, _, K = self.system
        found = expanded(K, M, self.rows, max(_MARGIN * omega, twice))
        if found is None:
            self._ceiling = omega
            self._omegas = []
        else:
            self._made = found


def _solver(Z: Any) -> Any:
    """How to solve with a complex matrix."""
    if isinstance(Z, np.ndarray):
        return lambda f: np.linalg.solve(Z, f)
    from scipy.sparse.linalg import splu

    return splu(Z.tocsc()).solve


def _dense(A: Form) -> Array:
    return A if isinstance(A, np.ndarray) else np.asarray(A.toarray())
