"""The moment between surfaces that do not lie in each other.

Where the surfaces are curved or a gap is left between them, row i of a mesh tie joins
points that are gᵢ = (D x_slave − M x_master)ᵢ apart. A force F there would act on both
sides with a lever gᵢ and leave the moment gᵢ × F; a turn θ would show as a gap θ × gᵢ.
Both vanish with

    eᵢ = (D u_slave − M u_master)ᵢ − ωᵢ × gᵢ,                                     (1)
    ωᵢ = Jᵢ⁻¹ Σ rₖ × uₖ,  Jᵢ = Σ (rₖ² 1 − rₖ rₖᵀ),                                (2)

ωᵢ being the mean rotation of the master nodes k of the row, rₖ their places about
their middle.
"""

from __future__ import annotations

import numpy as np
from scipy import sparse

from bondline.gluing.joints.mesh_pair import Sparse
from bondline.numerics.facets import Array, Indices

TRANSLATIONS = ("x", "y", "z")


def turning_axes(dofs: tuple[str, ...]) -> Array:
    """One for each axis about which nodes with these dofs can turn, else zero.

    >>> turning_axes(("x", "y"))
    array([0., 0., 1.])
    """
    moves = np.array([t in dofs for t in TRANSLATIONS], dtype=np.float64)
    return np.roll(moves, -1) * np.roll(moves, -2)


def moment_blocks(M: Sparse, g: Array, points: Array, axes: Array) -> Array:
    """∂(−ωᵢ × gᵢ)/∂uₖ for every stored entry (i, k) of M (entries x 3 x 3).

    Rotations are taken about the given axes only.
    """
    entries = sparse.coo_array(M)
    row, node = (np.asarray(k, dtype=np.intp) for k in entries.coords)
    count = np.maximum(np.bincount(row, minlength=len(g)), 1)
    middle = _sums(row, points[node], len(g)) / count[:, None]
    r = points[node] - middle[row]
    cross = _cross_matrices(r)
    J = _sums(row, cross @ cross.transpose(0, 2, 1), len(g))  # [r][r]ᵀ = r² 1 − r rᵀ
    allowed = np.diag(axes)
    turn = np.linalg.pinv(allowed @ J @ allowed, rcond=1e-10, hermitian=True)
    blocks: Array = (_cross_matrices(g) @ turn)[row] @ cross
    return blocks


def _sums(row: Indices, x: Array, n: int) -> Array:
    total = np.zeros((n, *x.shape[1:]))
    np.add.at(total, row, x)
    return total


def _cross_matrices(v: Array) -> Array:
    """[v]× with [v]× w = v × w (n x 3 x 3)."""
    return np.cross(v[:, None, :], np.eye(3)[None]).transpose(0, 2, 1)
