"""The triangular plate MITC3+ of Lee, Lee & Bathe (2014)."""

from __future__ import annotations

import numpy as np

from bondline.leaves.fe.elements.element import Array
from bondline.leaves.fe.elements.facets import TRIANGLE
from bondline.leaves.fe.elements.plates import PlateStrain, curvature, plate_rows
from bondline.leaves.fe.elements.shell_frames import Flat
from bondline.leaves.fe.sections import ShellSection

_D = 1e-4  # the paper's d: how far the inner tying points lie from the centre


def mitc3(flat: Flat, section: ShellSection) -> PlateStrain:
    """Linear w and β, and a bubble of β that is eliminated at rest.

    The bubble vanishes on the edges, so the triangle fits MITC4 exactly.
    """
    strain = _with_bubble(flat)
    S = plate_rows(strain, flat.weights, section)
    K = S[..., 9:].transpose(0, 2, 1) @ S
    bubble = -np.linalg.solve(K[..., 9:], K[..., :9])[:, None]
    curved, sheared = (B[..., :9] + B[..., 9:] @ bubble for B in strain)
    return PlateStrain(curved, sheared)


def _with_bubble(flat: Flat) -> PlateStrain:
    """Strains from w θx θy of the corners and θx θy of the bubble: 11 dofs."""
    inverse = np.linalg.inv(flat.J)
    dN = np.concatenate((TRIANGLE.slopes, _bubble_slope(TRIANGLE.at)), axis=-1)
    keep = np.r_[:9, 10, 11]  # the bubble has no w
    curved = curvature(inverse @ dN)[..., keep]
    return PlateStrain(curved, inverse @ _assumed_shear(flat)[..., keep])


def _bubble(at: Array) -> Array:
    r, s = at.T
    f: Array = 27.0 * r * s * (1.0 - r - s)
    return f


def _bubble_slope(at: Array) -> Array:
    r, s = at.T
    slope = 27.0 * np.stack((s * (1.0 - 2.0 * r - s), r * (1.0 - r - 2.0 * s)), axis=1)
    return slope[..., None]


def _shear_at(flat: Flat, r: float, s: float) -> Array:
    """Covariant shear rt st of the displacement at one point: elements × 2 × 12."""
    N = np.array([1.0 - r - s, r, s, *_bubble(np.array([[r, s]]))])
    J = flat.J[:, 0]  # constant in a triangle
    out = np.zeros((len(J), 2, 4, 3))
    out[:, :, :3, 0] = TRIANGLE.slopes[0]
    out[..., 1] = -J[:, :, 1, None] * N
    out[..., 2] = J[:, :, 0, None] * N
    return out.reshape(-1, 2, 12)


def _assumed_shear(flat: Flat) -> Array:
    """Covariant shear at the points from six tying points: elements × g × 2 × 12."""
    a, b, third = 1.0 / 6.0, 2.0 / 3.0, 1.0 / 3.0
    A, B, C = (_shear_at(flat, *p) for p in ((a, b), (b, a), (a, a)))
    near, far = third + _D, third - 2.0 * _D
    D, E, F = (_shear_at(flat, *p) for p in ((near, far), (far, near), (near, near)))
    twist = F[:, 0] - D[:, 0] - F[:, 1] + E[:, 1]
    both = third * (C[:, 0] + C[:, 1])
    rt = b * B[:, 0] - third * B[:, 1] + both
    st = b * A[:, 1] - third * A[:, 0] + both
    r, s = TRIANGLE.at.T[:, :, None]
    rows = (
        rt[:, None] + third * (3.0 * s - 1.0) * twist[:, None],
        st[:, None] + third * (1.0 - 3.0 * r) * twist[:, None],
    )
    return np.stack(rows, axis=2)
