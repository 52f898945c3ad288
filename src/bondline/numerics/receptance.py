"""Linear structures at one frequency: receptance, and how many modes lie below.

(K + iωC − ω²M) u = Lᵀ f,   y = L u = H(ω) f                                  (1)
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bondline.numerics.factor import Array, Form, Indices, combined, nowhere
from bondline.numerics.lowrank import Updated, woodbury
from bondline.numerics.newmark import LinearSystem
from bondline.numerics.sparse import signed

Complex: TypeAlias = NDArray[np.complex128]

_DENSE = 800  # dofs up to which all modes are found once
_ZERO = 1e-12  # of the largest eigenvalue: a rigid-body mode
_NUDGE = 1e-11  # of ω²: how far a frequency is moved off an eigenvalue


@dataclass(frozen=True, eq=False)
class Vibration:
    """A structure seen through the rows of `L`, with some dofs held.

    Small ones find their modes once, and answer from them; large ones factor at every
    frequency, and count the negative pivots.
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
        squares[np.abs(squares) < _ZERO * np.abs(squares).max(initial=0.0)] = 0.0
        return np.asarray(squares, dtype=np.float64), np.asarray(shapes, np.float64)

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
        return self._factored(omega)

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
        near = _NUDGE * max(square, _ZERO * float(np.abs(squares).max(initial=1.0)))
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


def _solver(Z: Any) -> Any:
    """How to solve with a complex matrix."""
    if isinstance(Z, np.ndarray):
        return lambda f: np.linalg.solve(Z, f)
    from scipy.sparse.linalg import splu

    return splu(Z.tocsc()).solve


def _dense(A: Form) -> Array:
    return A if isinstance(A, np.ndarray) else np.asarray(A.toarray())
