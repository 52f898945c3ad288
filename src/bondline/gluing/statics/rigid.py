"""Rigid motions of a part, from where its interface nodes are; and what pins them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from bondline.core import Matrix, Port

_ALONG = {"x": 0, "y": 1, "z": 2}
_ABOUT = {"rx": 0, "ry": 1, "rz": 2}
_RANK = 1e-9


def rigid_modes(ports: Sequence[Port]) -> Matrix:
    """Columns: three translations, three rotations, and the dofs without a place.

    Rotations are about the middle of all nodes, and measured by the size of the part.
    A dof at a node whose place is not known, or of another kind, is a motion of its
    own.
    """
    places = [p.surface.points for p in ports if p.surface is not None]
    known = np.concatenate(places) if places else np.zeros((1, 3))
    middle = known.mean(axis=0)
    reach = float(np.abs(known - middle).max()) or 1.0
    rows = [_rows(port, middle, reach) for port in ports]
    modes = np.concatenate([own for own, _ in rows])
    lost = np.concatenate([alone for _, alone in rows])
    return np.hstack([modes, np.eye(len(modes))[:, lost]])


def determinate(modes: Matrix) -> NDArray[np.intp]:
    """Dofs at which springs hold every motion, none of them twice: pivoted QR."""
    from scipy.linalg import qr

    _, R, order = qr(modes.T, mode="economic", pivoting=True)
    size = np.abs(np.diag(R))
    rank = int((size > _RANK * size.max(initial=0.0)).sum())
    return np.sort(order[:rank]).astype(np.intp)


def _rows(
    port: Port, middle: NDArray[np.float64], reach: float
) -> tuple[Matrix, NDArray[np.bool_]]:
    """The rigid motions at the dofs of a port, and which dofs have no place."""
    width, surface = len(port.dofs), port.surface
    rows = np.zeros((port.nodes, width, 6))
    alone = np.ones((port.nodes, width), dtype=np.bool_)
    if surface is not None:
        r = (surface.points - middle) / reach
        for k, dof in enumerate(port.dofs):
            alone[:, k] = dof not in _ALONG and dof not in _ABOUT
            if dof in _ALONG:
                e = np.eye(3)[_ALONG[dof]]
                rows[:, k, :3], rows[:, k, 3:] = e, np.cross(r, e)  # e · (θ × r)
            elif dof in _ABOUT:
                rows[:, k, 3 + _ABOUT[dof]] = 1.0 / reach
    return rows.reshape(-1, 6), alone.ravel()
