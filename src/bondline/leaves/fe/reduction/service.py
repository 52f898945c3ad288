"""What a reduced system shows is cut down to its modes inside the band.

With the ports free a mode χ of the system is (χ_b, χ_η). Of the coordinates η only
what the modes inside the band need is kept, and what bends where rigid motions χ⁰ are
accelerated, with Q an orthonormal basis of both:

    η = Q ζ,   Q spans χ_η and K_ηη⁻¹ M_ηb χ⁰_b                                (6)

All χ inside the band are in the space that is left, and so is everything at rest:
statics is exact, frequencies inside the band are those of the system before. Modes
above are not in it, but ports of many dofs bring shapes that can have the next of
them nearly right; `truncated` has nothing of them.
"""

from __future__ import annotations

from dataclasses import replace
from math import pi

import numpy as np

from bondline.core import Matrix
from bondline.errors import SettingError
from bondline.leaves.fe.reduction.interior import Interior
from bondline.leaves.fe.reduction.reduced import SAMPLES, Reduced, projected
from bondline.leaves.fe.reduction.report import ReductionReport, measure
from bondline.numerics import LinearSystem

_NOTHING = 1e-8  # of a mode: so little of it is inside that it is at rest there
_RIGID = 1e-4  # of the band: no frequency at all


def band_limited(
    reduced: Reduced, full: LinearSystem, samples: int = SAMPLES
) -> Reduced:
    """Only the modes inside the band, and statics, measured against `full`.

    The band says how much is shown, so that there must be one. Where the system has no
    more coordinates than that, it is served as it is.
    """
    band, b = reduced.band, len(reduced.boundary)
    if band is None:
        raise SettingError(
            "reduced service",
            "there is no band, so that nothing says what to serve.",
            "Reduce with band=100.0 (Hz).",
        )
    Q = _needed(reduced, 2.0 * pi * band)
    squares, turn = np.linalg.eigh(Q.T @ np.asarray(reduced.system.K)[b:, b:] @ Q)
    W = np.zeros((b + len(Q), b + len(squares)))
    W[:b, :b] = np.eye(b)
    W[b:, b:] = Q @ turn
    system = LinearSystem(*(projected(W, A) for A in reduced.system))
    report = ReductionReport(len(reduced.T), b, len(squares), band)
    report = measure(Interior(full, reduced.boundary), system, report, samples)
    T = np.asfortranarray(reduced.T @ W)
    omega = np.sqrt(np.maximum(squares, 0.0))
    return replace(reduced, system=system, T=T, omega=omega, report=report)


def _needed(reduced: Reduced, below: float) -> Matrix:
    """Q of (6): columns over the coordinates of modes."""
    from scipy.linalg import eigh

    b = len(reduced.boundary)
    M, _, K = (np.asarray(A) for A in reduced.system)
    squares, chi = eigh(K, M)
    rigid = chi[:b, squares < (_RIGID * below) ** 2]
    bent = np.linalg.pinv(K[b:, b:], 1e-12, hermitian=True) @ M[b:, :b] @ rigid
    bent = bent / np.maximum(np.linalg.norm(bent, axis=0), np.finfo(float).tiny)
    both = np.hstack([chi[b:, squares < below**2], bent])
    U, sizes, _ = np.linalg.svd(both, full_matrices=False)
    made: Matrix = U[:, sizes > _NOTHING]
    return made
