"""Craig-Bampton and Guyan: a few coordinates that stand for many dofs.

    u = T y,   T = [[1, 0], [Ψ, Φ]],   y = (u_b, η)                           (3)
    A → Tᵀ A T for M, C and K;   f → Tᵀ f                                      (4)

docs/theory/reduction.md derives what is exact, and what is not.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import pi

import numpy as np

from bondline.core import Matrix, Vector
from bondline.errors import SettingError
from bondline.leaves.fe.mesh import Indices
from bondline.leaves.fe.reduction.interior import Interior
from bondline.leaves.fe.reduction.report import ReductionReport, measure
from bondline.leaves.fe.reduction.residual import load_shapes
from bondline.numerics import LinearSystem
from bondline.numerics.factor import Form, product
from bondline.numerics.modal import check_complete

MARGIN = 2.0  # modes are kept up to so many times the band
SAMPLES = 8  # frequencies at which the receptance is compared


@dataclass(frozen=True, eq=False)
class Reduced:
    """A small system that stands for a large one.

    Its first coordinates are the displacements of the `boundary` dofs, in that order;
    those that follow belong to `omega`, the frequencies in rad/s of the modes kept with
    the boundary held, and of shapes of loads as if they were modes. `T` gives all dofs,
    and stays with the owner. Inside `band` (Hz) the small system answers for the large
    one, as well as `report` says.
    """

    system: LinearSystem
    T: Matrix = field(repr=False)
    boundary: Indices
    omega: Vector
    band: float | None
    report: ReductionReport

    def project(self, f: Vector) -> Vector:
        """Loads on all dofs as loads on y, (4); columns are allowed."""
        return np.asarray(self.T.T @ f, dtype=np.float64)

    def recover(self, y: Vector) -> Vector:
        """All dofs, (3); columns are allowed."""
        return np.asarray(self.T @ y, dtype=np.float64)

    def coordinates(self, M: Form, q: Vector) -> Vector:
        """y nearest to given displacements, by inertia; exact at the boundary."""
        b, T = len(self.boundary), self.T
        y = np.zeros(T.shape[1])
        y[:b] = q[self.boundary]
        inner = T[:, b:]
        left = inner.T @ product(M, q - T[:, :b] @ y[:b])
        y[b:] = np.linalg.solve(inner.T @ product(M, inner), left)
        return y


def craig_bampton(  # noqa: PLR0913 - one argument a choice
    system: LinearSystem,
    boundary: Indices,
    *,
    band: float | None = None,
    modes: int | None = None,
    margin: float = MARGIN,
    samples: int = SAMPLES,
    loads: Matrix | None = None,
) -> Reduced:
    """The boundary and modes with it held: those up to `margin` times the band in Hz.

    Or the lowest ones by number; the band is then what these cover. With `samples=0`
    nothing is compared with the full system, which saves as many factorisations. What
    `loads`, columns over all dofs, do at rest is kept too.
    """
    _check(band, modes, margin)
    inner = Interior(system, np.asarray(boundary, dtype=np.intp))
    kept = inner.modes(None if band is None else margin * band, modes)
    check_complete("reduction: modes", kept)
    if band is None and kept.omega.size:
        band = float(kept.omega[-1]) / (2.0 * pi * margin) or None
    F = np.zeros((len(inner.inside), 0)) if loads is None else loads[inner.inside]
    omega, shapes = load_shapes(inner, kept, F)
    every = np.concatenate([kept.omega, omega])
    made = _made(inner, every, np.hstack([kept.shapes, shapes]), band)
    report = replace(made.report, modes=len(kept.omega), loads=len(omega))
    return replace(made, report=measure(inner, made.system, report, samples))


def guyan(
    system: LinearSystem,
    boundary: Indices,
    *,
    band: float | None = None,
    samples: int = SAMPLES,
) -> Reduced:
    """The boundary alone: exact at rest; the report says how good inside a band."""
    _check(band, 0, MARGIN)
    inner = Interior(system, np.asarray(boundary, dtype=np.intp))
    made = _made(inner, np.zeros(0), np.zeros((len(inner.inside), 0)), band)
    return replace(made, report=measure(inner, made.system, made.report, samples))


def _made(inner: Interior, omega: Vector, phi: Matrix, band: float | None) -> Reduced:
    b, m = len(inner.boundary), len(omega)
    psi = inner.constraint_modes()
    T = np.zeros((b + len(inner.inside), b + m), order="F")
    T[inner.boundary, np.arange(b)] = 1.0
    T[inner.inside, :b] = psi
    T[inner.inside, b:] = phi
    K = np.zeros((b + m, b + m))
    K[:b, :b] = inner.stiffness(psi)
    K[range(b, b + m), range(b, b + m)] = omega**2  # Ψ and Φ are K-orthogonal, (1)
    M, C = (projected(T, A) for A in inner.system[:2])
    report = ReductionReport(len(T), b, m, band)
    return Reduced(LinearSystem(M, C, K), T, inner.boundary, omega, band, report)


def projected(T: Matrix, A: Form) -> Matrix:
    """Tᵀ A T, symmetric to the last bit."""
    small = T.T @ product(A, T)
    return np.asarray(0.5 * (small + small.T), dtype=np.float64)


def _check(band: float | None, modes: int | None, margin: float) -> None:
    if band is not None and not 0.0 < band < np.inf:
        raise SettingError(
            "reduction: band",
            f"{band:g} Hz is no band.",
            "Give the highest frequency that matters, in Hz.",
        )
    if not 1.0 <= margin < np.inf:
        raise SettingError(
            "reduction: margin",
            f"modes up to {margin:g} times the band would leave some of it out.",
            "Give 1.5 to 2, or more where the report asks for it.",
        )
    if modes is None and band is None:
        raise SettingError(
            "reduction",
            "neither a band nor a number of modes is given.",
            "Give band=100.0 (Hz), or modes=20.",
        )
    if modes is not None and modes < 0:
        raise SettingError(
            "reduction: modes", f"{modes} modes.", "Give 0 or more; 0 is Guyan's."
        )
