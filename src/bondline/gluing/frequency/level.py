"""One model at one frequency; equation numbers are those of `interface`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bondline.core import Matrix, Vector
from bondline.numerics.factor import Operator

Complex: TypeAlias = NDArray[np.complex128]
Indices: TypeAlias = NDArray[np.intp]

_NULL = 1e-11  # of the largest: an eigenvalue of S that is zero at every frequency
_SIGN = 1e-12  # of the largest: an eigenvalue of S whose sign is known
_RANK = 1e-14  # of the largest: one that no force is asked of
_SOUND = 1e-12  # of S: a reciprocal condition up to which elimination is exact enough
_LARGE = 40  # rows of S from which elimination earns its import


@dataclass(frozen=True, eq=False)
class Level:
    """The parts of one model at one frequency, side by side and glued.

    Without damping H and S are real.
    """

    H: Matrix | Complex
    S: Matrix | Complex
    B: Operator
    below: int | None  # of all parts together

    @cached_property
    def scale(self) -> Vector:
        """Sizes of the terms that make up S: its diagonal may cancel."""
        B = abs(self.B if isinstance(self.B, np.ndarray) else self.B.toarray())
        size = np.einsum("ij,ij->i", abs(self.B) @ np.abs(self.H), B)
        scale: Vector = np.sqrt(size + np.abs(np.diag(self.S)))
        return np.where(scale > 0.0, scale, 1.0)

    @cached_property
    def _scaled(self) -> Matrix | Complex:
        """S with rows and columns scaled."""
        S: Matrix | Complex = self.S / np.outer(self.scale, self.scale)
        return 0.5 * (S + S.T)

    @cached_property
    def inertia(self) -> Vector:
        """Eigenvalues of S without damping, rows and columns scaled; ascending."""
        return np.asarray(np.linalg.eigvalsh(self._scaled.real), dtype=np.float64)

    @cached_property
    def nullity(self) -> int:
        """How many joint forces do nothing here: joints that repeat each other."""
        sizes = np.abs(self.inertia)
        return int(np.count_nonzero(sizes <= _NULL * sizes.max(initial=0.0)))

    def count(self, nullity: int) -> int:
        """Equation (4); `nullity` is how many conditions repeat others."""
        assert self.below is not None, "asked without damping"
        kept = self.inertia[np.argsort(np.abs(self.inertia))[nullity:]]
        return self.below + int(np.count_nonzero(kept > 0.0)) - len(kept)

    def sharp(self, nullity: int) -> bool:
        """Whether the signs that `count` counts are more than round-off.

        Far below the first elastic mode, rigid motion of the parts hides all else.
        """
        sizes = np.sort(np.abs(self.inertia))[nullity:]
        return bool((sizes > _SIGN * sizes.max(initial=0.0)).all())

    @cached_property
    def glued(self) -> Complex:
        """Equation (3) over all ports of all parts."""
        every = np.arange(len(self.H))
        return self.between(every, every)

    def between(self, out: Indices, into: Indices) -> Complex:
        """Equation (3) for some dofs of the ports, and forces on some."""
        H = self.H[np.ix_(out, into)]
        if not len(self.S):
            return H.astype(np.complex128)
        BH, scale = np.asarray(self.B @ self.H[:, into]), self.scale[:, None]
        back = BH if out is into else np.asarray(self.B @ self.H[:, out])
        F = _solved(self._scaled, BH / scale) / scale
        return np.asarray(H - back.T @ F, dtype=np.complex128)


def _solved(S: NDArray[Any], f: NDArray[Any]) -> NDArray[Any]:
    """S⁻¹ f; where joints repeat each other, the least forces."""
    if not np.iscomplexobj(S):
        values, vectors = np.linalg.eigh(S)
        kept = np.abs(values) > _RANK * np.abs(values).max()
        V = vectors[:, kept]
        return np.asarray(V @ ((V.T @ f) / values[kept, None]))
    eliminated = _eliminated(S, f) if len(S) >= _LARGE else None
    if eliminated is not None:
        return eliminated
    return np.asarray(np.linalg.lstsq(S, f, rcond=_RANK)[0])


def _eliminated(S: NDArray[Any], f: NDArray[Any]) -> NDArray[Any] | None:
    """S⁻¹ f by Gauss, ten times as quick; None where S is nearly singular."""
    from scipy.linalg.lapack import zgecon, zgetrf, zgetrs

    lu, order, failed = zgetrf(S)
    if failed or zgecon(lu, np.linalg.norm(S, 1))[0] < _SOUND:
        return None
    return np.asarray(zgetrs(lu, order, f)[0])
