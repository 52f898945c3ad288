"""Modes inside a band and the flexibility of all others at rest: nothing else.

With the ports free the modes φ inside the band are kept. What the others do under
forces on the boundary is taken as at rest, R = Σ φ φᵀ/ω² over them. With

    [ K     M Φ ] [X]   [E_b]
    [ Φᵀ M   0  ] [λ] = [ 0 ]                                                   (1)

X = R E_b, also where the part floats. Its columns, A = X X_b⁻¹, move one dof of the
boundary each, and do not meet the modes in K nor in M (macneal1971):

    u = Φ η + A (u_b − Φ_b η),   K_A = X_b⁻¹,   M_A = X_b⁻¹ / ω_r²              (2)

The inertia M_A is not that of the model: it gives the rest one frequency ω_r, 2.5 times
that of the band. A reduction by Craig and Bampton is better above the band, and for
that very reason no service: ports of many dofs bring shapes that have the next modes
nearly right. Here only Φ, ω and X_b can be found at the ports.
"""

from __future__ import annotations

from math import pi
from typing import Any

import numpy as np
from scipy.sparse import block_array, csc_array
from scipy.sparse.linalg import splu

from bondline.core import Matrix
from bondline.errors import SettingError
from bondline.leaves.fe.mesh import Indices
from bondline.leaves.fe.reduction.interior import Interior
from bondline.leaves.fe.reduction.reduced import Reduced
from bondline.leaves.fe.reduction.report import ReductionReport, measure
from bondline.numerics import LinearSystem, modes_between
from bondline.numerics.factor import product
from bondline.numerics.modal import check_complete

REST = 2.5  # ω_r is so many bands: a constant, which tells nothing
_STIFF = 1e-13  # of the largest flexibility: a direction that nothing bends


def truncated(
    system: LinearSystem, boundary: Indices, band: float, samples: int = 0
) -> Reduced:
    """A small system with the modes below `band` in Hz and statics, and no more.

    Its first coordinates are the boundary's displacements.
    """
    kept = modes_between(system.K, system.M, (0.0, band))
    check_complete("service: modes", kept)
    phi = kept.shapes
    X = _residual(system, phi, boundary)
    A, stiff = _attached(X, boundary)
    T = np.asfortranarray(np.hstack([A, phi - A @ phi[boundary]]))
    small = _system(system, phi, kept.omega, phi[boundary], stiff, 2 * pi * REST * band)
    b, m = len(boundary), len(kept.omega)
    report = ReductionReport(len(T), b, m, band)
    report = measure(Interior(system, boundary), small, report, samples)
    return Reduced(small, T, boundary, kept.omega, band, report)


def _residual(system: LinearSystem, phi: Matrix, boundary: Indices) -> Matrix:
    """X of (1), cleared of what round-off left of the modes."""
    n, m = phi.shape
    M_phi = np.asarray(product(system.M, phi))
    K: Any = csc_array(system.K)
    border = csc_array(M_phi)
    bordered = block_array([[K, border], [border.T, None]], format="csc") if m else K
    E = np.zeros((n + m, len(boundary)))
    E[boundary, np.arange(len(boundary))] = 1.0
    X: Matrix = splu(csc_array(bordered)).solve(E)[:n]
    return X - phi @ (M_phi.T @ X)


def _attached(X: Matrix, boundary: Indices) -> tuple[Matrix, Matrix]:
    """A and K_A of (2)."""
    own = 0.5 * (X[boundary] + X[boundary].T)
    sizes, turn = np.linalg.eigh(own)
    if sizes[0] < _STIFF * sizes[-1]:
        raise SettingError(
            "service inside a band",
            "the modes inside the band take up all that a port can do.",
            "Serve a smaller band, or the whole model.",
        )
    stiff = (turn / sizes) @ turn.T
    A = X @ stiff
    A[boundary] = np.eye(len(boundary))
    return A, 0.5 * (stiff + stiff.T)


def _system(
    full: LinearSystem,
    phi: Matrix,
    omega: Any,
    at: Matrix,
    stiff: Matrix,
    rest: float,
) -> LinearSystem:
    """M, C and K over (u_b, η): those of modes, and of the rest u_b − Φ_b η."""
    C = phi.T @ product(full.C, phi)
    of_modes = np.eye(len(omega)), 0.5 * (C + C.T), np.diag(omega**2)
    of_rest = stiff / rest**2, 2.0 * _damping(C, omega) / rest * stiff, stiff
    both = zip(of_modes, of_rest, strict=True)
    return LinearSystem(*(_joined(mode, left, at) for mode, left in both))


def _damping(C: Matrix, omega: Any) -> float:
    """That of the rest: the largest ratio of a mode that is shown, so it tells nothing.

    Rigid motions have none.
    """
    moving = omega > 1e-3 * omega.max(initial=0.0)
    ratios = np.diag(C)[moving] / (2.0 * omega[moving])
    return float(ratios.max(initial=0.0))


def _joined(mode: Matrix, left: Matrix, at: Matrix) -> Matrix:
    across = left @ at
    corner = mode + at.T @ across
    made = np.block([[left, -across], [-across.T, 0.5 * (corner + corner.T)]])
    return np.asarray(made, dtype=np.float64)
