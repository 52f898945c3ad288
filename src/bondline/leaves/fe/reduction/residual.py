"""What loads inside do at rest, and the modes that are kept do not show.

    r = K_ii⁻¹ f_i − Φ ω⁻² Φᵀ f_i                                              (7)

In the basis beside the modes (*residual vectors*, as Nastran has them) these make
everything at rest exact, also where published values and enforced supports are inside.
"""

from __future__ import annotations

import numpy as np

from bondline.core import Matrix, Vector
from bondline.leaves.fe.reduction.interior import Interior
from bondline.numerics import Modes
from bondline.numerics.factor import product

_NOTHING = 1e-14  # of the energy at rest: the modes show it all
_REPEATED = 1e-10  # of the largest: a shape that others make up


def left_out(inner: Interior, phi: Matrix, stiff: Matrix, F: Matrix) -> Matrix:
    """(7) for columns of loads inside; `stiff` is Φᵀ K Φ.

    Where the inside floats, loads that push it along are met by its inertia.
    """
    loose = _loose(inner, phi, stiff)
    F = F - product(inner.M, loose @ (loose.T @ F))
    known = phi @ (np.linalg.pinv(stiff, 1e-12, hermitian=True) @ (phi.T @ F))
    found: Matrix = inner.solve(F) - known
    return found


def _loose(inner: Interior, phi: Matrix, stiff: Matrix) -> Matrix:
    """Modes of no frequency behind a held boundary, where the inside floats."""
    if not inner.pinned.size:
        return phi[:, :0]
    return phi[:, np.abs(stiff.diagonal()) <= 1e-12 * np.abs(stiff).max(initial=0)]


def load_shapes(inner: Interior, kept: Modes, F: Matrix) -> tuple[Vector, Matrix]:
    """(7) as shapes like modes: ω, and Φ with ΦᵀMΦ = 1, ΦᵀKΦ = ω².

    They are orthogonal to the modes kept; what these show already adds none.
    """
    none = np.zeros(0), np.zeros((len(inner.inside), 0))
    F = F[:, F.any(axis=0)]
    if not F.shape[1] or not len(inner.inside):
        return none
    F = F / np.abs(F).max(axis=0)
    r = left_out(inner, kept.shapes, np.diag(kept.omega**2), F)
    r = r - kept.shapes @ (kept.shapes.T @ product(inner.M, r))
    energy, every = (r * F).sum(axis=0), (inner.solve(F) * F).sum(axis=0)
    r = (r / np.sqrt(np.abs(energy)))[:, energy > _NOTHING * np.abs(every)]
    return _normal(inner, r) if r.shape[1] else none


def _normal(inner: Interior, r: Matrix) -> tuple[Vector, Matrix]:
    """Columns of unit energy as M-orthonormal shapes; without repeated ones.

    K is the well-conditioned one of the two here, so that M is measured by it.
    """
    energy, turn = np.linalg.eigh(r.T @ product(inner.K, r))
    seen = energy > _REPEATED * energy[-1]
    r = r @ (turn[:, seen] / np.sqrt(energy[seen]))
    masses, turn = np.linalg.eigh(r.T @ product(inner.M, r))
    heavy = masses > np.finfo(float).eps * masses[-1]
    masses, turn = masses[heavy], turn[:, heavy]
    return 1.0 / np.sqrt(masses[::-1]), (r @ turn / np.sqrt(masses))[:, ::-1]
