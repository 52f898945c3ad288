"""Invariants of a flexible body from a mass matrix over nodes × 6.

What multiplies rigid motion is exact, for rigid motion is a field of the mesh, with
its rotations: mass, ∫ s dm, J0, ∫ φ dm, ∫ s × φ dm and the modal mass are rᵀ M r,
rᵀ M φ and φᵀ M φ. The symmetric part of ∫ s φᵀ dm and ∫ φ φᵀ dm, which count at second
order, need the mass of each direction by itself: they take the mean of the three
translational blocks of M. That is exact for solids and trusses, for which the three
are the same; beams and shells lose the rotary inertia of their sections there and, of
beams, an error that falls with the square of the element's length. `defect` measures
the loss: how far tr ∫ φ φᵀ dm is from the modal mass.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from bondline.core import Matrix, Vector
from bondline.errors import SettingError
from bondline.leaves.mbd.frame import Frame
from bondline.leaves.mbd.modal.mass_points import Invariants
from bondline.leaves.mbd.modes import Node

Sparse: TypeAlias = Any  # scipy has no name for any sparse array
_EPS = np.zeros((3, 3, 3))
_EPS[[0, 1, 2], [1, 2, 0], [2, 0, 1]] = 1.0
_EPS[[0, 1, 2], [2, 0, 1], [1, 2, 0]] = -1.0


def rigid_fields(points: Matrix) -> Matrix:
    """The six rigid motions about the origin: 6 × nodes × 6."""
    fields = np.zeros((6, len(points), 6))
    for i in range(3):
        fields[i, :, i] = 1.0
        fields[3 + i, :, :3] = np.cross(np.eye(3)[i], points)
        fields[3 + i, :, 3 + i] = 1.0
    return fields


def of_fields(M: Sparse, points: Matrix, phi: Matrix) -> Invariants:
    """From a mass matrix (6 × node + component), places and modes × nodes × 6.

    `points` are in body axes, from the body's origin.
    """
    r = rigid_fields(points).reshape(6, -1)
    flat = phi.reshape(len(phi), -1)
    heavy, moved = np.asarray(M @ r.T).T, np.asarray(M @ flat.T).T
    rigid = r @ heavy.T
    m = scalar_mass(M)
    x = phi[:, :, :3]
    weighed = np.stack([np.asarray(m @ one) for one in x]) if len(x) else x
    S1 = np.einsum("ni,knj->kij", points, weighed)
    return Invariants(
        float(rigid[:3, :3].trace() / 3),
        _arm(rigid[3:, :3]),
        _even(rigid[3:, 3:]),
        moved @ r[:3].T,
        _with_moment(S1, moved @ r[3:].T),
        np.einsum("kni,lnj->klij", x, weighed, optimize=True),
        _even(flat @ moved.T),
    )


def scalar_mass(M: Sparse) -> Sparse:
    """The mean of the three translational blocks, nodes × nodes."""
    made: Sparse = (M[0::6, 0::6] + M[1::6, 1::6] + M[2::6, 2::6]) * (1.0 / 3.0)
    return made.tocsr()


def defect(known: Invariants) -> float:
    """How far tr ∫ φ φᵀ dm is from the modal mass, relative to it."""
    if not len(known.M):
        return 0.0
    lost = np.einsum("kkii->k", known.S2) - known.M.diagonal()
    return float(np.abs(lost / known.M.diagonal()).max())


def _even(A: Matrix) -> Matrix:
    return np.asarray(0.5 * (A + A.T))


def _arm(moments: Matrix) -> Vector:
    """∫ s dm from the moments of unit accelerations: row i is eᵢ·(s × a)."""
    return np.asarray(0.5 * np.einsum("ikj,ij->k", _EPS, moments))


def _with_moment(S1: Matrix, d: Matrix) -> Matrix:
    """S1 with the antisymmetric part that makes ∫ s × φ dm equal to `d`."""
    odd = 0.5 * np.einsum("ijc,kc->kij", _EPS, d)
    return np.asarray(0.5 * (S1 + S1.swapaxes(1, 2)) + odd)


@dataclass(frozen=True, eq=False)
class Region:
    """Nodes of a mesh that carry a joint or a load: rows, and how the joint is turned.

    Several nodes move together as their mean does.
    """

    rows: Matrix | tuple[int, ...]
    turn: tuple[float, float, float, float] = (1.0, 0.0, 0.0, 0.0)


def node_of(name: str, region: Region, points: Matrix, phi: Matrix) -> Node:
    """Mean displacement and tilt of a region in every mode.

    One node tilts by its own rotations; several by the rigid motion nearest to theirs.
    """
    rows = np.atleast_1d(np.asarray(region.rows, dtype=np.intp))
    place = points[rows].mean(axis=0)
    shift = phi[:, rows, :3].mean(axis=1)
    tilt = _fitted(name, points[rows] - place, phi[:, rows])
    return Node(Frame(tuple(place.tolist()), region.turn), shift.T, tilt.T)


def _fitted(name: str, arms: Matrix, moved: Matrix) -> Matrix:
    """Rotations θ of each mode with Σ |φ − φ̄ − θ × arm|² least: modes × 3.

    About a line that all nodes are on, their own rotations tell it, in the mean.
    """
    inertia = np.trace(arms.T @ arms) * np.eye(3) - arms.T @ arms
    sizes, axes = np.linalg.eigh(inertia)
    told = sizes > 1e-10 * max(sizes[-1], np.finfo(float).tiny)
    turned = moved[:, :, 3:]
    if not told.all() and len(arms) > 1 and not turned.any():
        raise SettingError(
            f"node {name!r}",
            "its nodes are on a line, so that nothing tells how it turns about it.",
            "Give nodes that span a surface.",
        )
    moments = np.cross(arms[None], moved[:, :, :3]).sum(axis=1) @ axes
    own = turned.mean(axis=1) @ axes
    return np.asarray(
        np.where(told, moments / np.where(told, sizes, 1.0), own) @ axes.T
    )


def nodes_of(
    regions: Mapping[str, Region], points: Matrix, phi: Matrix
) -> dict[str, Node]:
    """All of them by name."""
    return {name: node_of(name, r, points, phi) for name, r in regions.items()}
