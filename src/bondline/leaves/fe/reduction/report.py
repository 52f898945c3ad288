"""How good a reduced system is, measured against the full one.

Receptances are compared with 2 % of critical damping added (η = 0.04), because two
undamped resonances that differ at all differ without limit:

    H(ω) = L (K (1 + iη) + iωC − ω²M)⁻¹ Lᵀ                                    (5)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import pi
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from bondline.core import Matrix, Vector
from bondline.leaves.fe.mesh import Indices
from bondline.numerics import LinearSystem, lowest_modes, modes_between
from bondline.numerics.factor import Operator, combined, factor
from bondline.numerics.receptance import Vibration

if TYPE_CHECKING:
    from bondline.leaves.fe.reduction.interior import Interior

LOSS = 0.04  # η of (5)
_SEEN = 60  # port dofs at which receptances are compared


@dataclass(frozen=True, slots=True)
class ReductionReport:
    """What was kept, and the errors that were measured; None: not measured.

    `loads` counts the shapes that own loads and enforced supports have at rest.

    `statics` is the largest difference of port displacements under unit forces, port
    dofs held by springs as stiff as they are themselves, as a share of the largest.
    `frequencies` is the largest relative error of the eigenfrequencies inside the band
    with the ports free: there are `inside` of them, `elastic` without rigid motions.
    `receptance` is the error of (5) at `samples` (Hz) inside the band, the largest of
    `errors`: at each of them ‖H_reduced − H‖ / ‖H‖ over all pairs of port dofs
    (Frobenius), every dof measured by its own stiffness. Samples are the resonances,
    where a reduced model is worst. `pair` has the port dofs, numbered as the boundary,
    of the entry that differs most at the worst sample; `between` are their names.
    """

    dofs: int
    boundary: int
    modes: int
    band: float | None  # Hz
    statics: float | None = None
    inside: int | None = None
    elastic: int | None = None
    frequencies: float | None = None
    samples: tuple[float, ...] = ()
    errors: tuple[float, ...] = ()
    pair: tuple[int, int] | None = None
    between: tuple[str, str] | None = None
    loads: int = 0

    @property
    def receptance(self) -> float | None:
        """The largest of `errors`."""
        return max(self.errors, default=0.0) if self.samples else None

    @property
    def worst(self) -> float | None:
        """The sample in Hz with the largest error."""
        return self.samples[int(np.argmax(self.errors))] if self.samples else None

    @property
    def size(self) -> int:
        """Coordinates of the reduced system."""
        return self.boundary + self.modes + self.loads

    def lines(self) -> tuple[str, ...]:
        """The report for people."""
        shapes = f", {self.loads} shapes of own loads" if self.loads else ""
        kept = f"{self.boundary} at ports and {self.modes} modes{shapes}"
        said = [f"{self.dofs} dofs became {self.size}: {kept}"]
        if self.statics is not None:
            said.append(f"statics      off by {self.statics:.1e}")
        if self.elastic is not None:
            said.append(f"frequencies  {self._frequencies()}")
        if self.samples:
            said += self._response()
        return tuple(said)

    def _frequencies(self) -> str:
        rigid = (self.inside or 0) - (self.elastic or 0)
        where = f"below {self.band:.6g} Hz, ports free"
        more = f" ({rigid} rigid)" if rigid else ""
        if not self.elastic:
            return f"no elastic mode {where}{more}"
        return f"off by {self.frequencies:.1e} at worst, {self.elastic} {where}{more}"

    def _response(self) -> Iterator[str]:
        """Where the motion of ports under forces there is off, and how far."""
        pair = f", {self.between[0]} by {self.between[1]}" if self.between else ""
        yield (
            f"response     off by {self.receptance:.1e} at worst ({self.worst:.4g} Hz"
            f"{pair}), {np.median(self.errors):.1e} in the middle"
        )
        ends = f"{min(self.samples):.3g} to {max(self.samples):.6g} Hz"
        yield (
            f"             of {len(self.samples)} frequencies, {ends}; 2 % damping, so "
            f"that a resonance 1 % off gives {0.02 / LOSS:.1g}"
        )


def measure(
    inner: Interior, small: LinearSystem, report: ReductionReport, samples: int
) -> ReductionReport:
    """The report with what a comparison with the full system gives."""
    if not samples:
        return report
    report = replace(report, statics=_statics(inner, small))
    if report.band is None:
        return report
    M, _, K = inner.system
    full = modes_between(K, M, (0.0, report.band)).omega
    count = min(len(full), small.M.shape[0])
    mine = lowest_modes(small.K, small.M, count).omega if count else full
    moving = full[:count] > 1e-4 * 2.0 * pi * report.band  # else it is rigid
    apart = np.abs(mine[moving] / full[:count][moving] - 1.0)
    known = np.concatenate([full, mine]) / (2.0 * pi)
    where = sampled(known, report.band, samples)
    errors, pairs = _compared(inner, small, where)
    worst = pairs[int(np.argmax(errors))] if len(inner.boundary) else None
    return replace(
        report,
        inside=len(full),
        elastic=len(full) - int((~moving).sum()),
        frequencies=float(apart.max(initial=0.0)) if count == len(full) else 1.0,
        samples=tuple(where.tolist()),
        errors=tuple(errors.tolist()),
        pair=worst,
    )


def sampled(frequencies: Vector, band: float, count: int) -> Vector:
    """Where to compare: the lowest resonance, the highest ones, the end of the band.

    Where there are few, points in between are added.
    """
    near = np.unique(frequencies[(frequencies > 1e-3 * band) & (frequencies < band)])
    apart = near[np.diff(near, prepend=0.0) > 1e-3 * near]
    chosen = [band, *apart[:1], *apart[:0:-1]][:count]
    between = np.linspace(0.0, band, count + 1)[1:-1]
    chosen += between[: count - len(chosen)].tolist()
    return np.unique(np.array(chosen, dtype=np.float64))


def apart_at(inner: Interior, small: LinearSystem, frequencies: Vector) -> Vector:
    """The relative error of (5) at every frequency in Hz, as `errors` has it."""
    return _compared(inner, small, frequencies)[0]


def _compared(
    inner: Interior, small: LinearSystem, frequencies: Vector
) -> tuple[Vector, list[tuple[int, int]]]:
    """The errors, and the boundary dofs of the entries that differ most."""
    b = len(inner.boundary)
    if not b:
        return np.zeros(len(frequencies)), []
    seen = np.unique(np.linspace(0, b - 1, min(b, _SEEN)).astype(np.intp))
    full = receptances(inner.system, inner.boundary[seen], frequencies)
    mine = receptances(small, seen, frequencies)
    stiff = np.sqrt(_springs(inner)[seen])
    scale = np.outer(stiff, stiff)
    apart = np.abs(mine - full) * scale
    sizes = np.linalg.norm(full * scale, axis=(1, 2))
    errors: Vector = np.linalg.norm(apart, axis=(1, 2)) / sizes
    most = [np.unravel_index(np.argmax(A), A.shape) for A in apart]
    return errors, [(int(seen[i]), int(seen[j])) for i, j in most]


def receptances(
    system: LinearSystem, dofs: Indices, frequencies: Vector, loss: float = LOSS
) -> NDArray[np.complex128]:
    """(5) between some dofs, for every frequency in Hz."""
    M, C, K = system
    L = np.zeros((len(dofs), M.shape[0]))
    L[np.arange(len(dofs)), dofs] = 1.0
    found = []
    for omega in (2.0 * pi * frequencies).tolist():
        lossy = combined([(1.0, C), (loss / omega, K)])
        found.append(Vibration(LinearSystem(M, lossy, K), L).damped(omega))
    return np.array(found)


def _statics(inner: Interior, small: LinearSystem) -> float:
    b = len(inner.boundary)
    if not b:
        return 0.0
    springs = _springs(inner)
    mine = np.linalg.inv(condensed(small.K, b) + np.diag(springs))
    full = _sprung(inner, springs)
    scale = np.sqrt(np.outer(full.diagonal(), full.diagonal()))
    return float((np.abs(mine - full) / scale).max())


def _springs(inner: Interior) -> Vector:
    """How stiff every port dof is by itself, all others held."""
    own = np.asarray(inner.system.K.diagonal())[inner.boundary]
    return np.where(own > 0.0, own, 1.0)


def condensed(K: Operator, b: int) -> Matrix:
    """K of a small system as its first `b` coordinates feel it at rest."""
    dense = np.asarray(K, dtype=np.float64)
    soft = np.linalg.pinv(dense[b:, b:], 1e-13, hermitian=True)  # 0: the inside floats
    made: Matrix = dense[:b, :b] - dense[:b, b:] @ soft @ dense[b:, :b]
    return made


def _sprung(inner: Interior, springs: Vector) -> Matrix:
    """Displacements of the boundary under unit forces, with springs to the ground."""
    K, own = inner.system.K, inner.boundary
    extra = np.zeros(K.shape[0])
    extra[own] = springs
    held = np.delete(np.arange(len(extra)), inner.inside[inner.pinned])
    stiff = combined([(1.0, K), (1.0, _diagonal(K, extra))])
    f = np.zeros((len(extra), len(own)))
    f[own, np.arange(len(own))] = 1.0
    u = np.zeros_like(f)
    u[held] = factor(stiff[held][:, held]).solve(f[held])
    return u[own]


def _diagonal(K: Operator, entries: Vector) -> Operator:
    """A diagonal matrix in the form that `K` has."""
    if isinstance(K, np.ndarray):
        return np.diag(entries)
    from scipy.sparse import csr_array, diags_array

    made: Operator = csr_array(diags_array(entries))
    return made
