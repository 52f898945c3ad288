"""Mortar: the gap is averaged over the slave with one weight function a node.

The integrals run over the pieces in which each slave facet overlaps each master facet:

    Dᵢⱼ = ∫ ψᵢ φⱼ,  Mᵢⱼ = ∫ ψᵢ φⱼᵐ,  both divided by ∫ ψᵢ.                       (1)

Standard multipliers are the slave's own shape functions, ψᵢ = φᵢ. Dual ones are
ψ = A φ, facet by facet, with

    A = diag(∫ φᵢ) [∫ φᵢ φⱼ]⁻¹,                                                  (2)

so that ∫ ψᵢ φⱼ = 0 for i ≠ j and D = 1. Both add up to one everywhere, so a constant
traction lies among them, which is what the patch test asks for.
"""

from __future__ import annotations

import numpy as np
from scipy import sparse

from bondline.errors import WiringError
from bondline.gluing.joints.mesh_pair import Pair, Sparse, Weights
from bondline.gluing.joints.mesh_pieces import Pieces, face_pieces, line_pieces
from bondline.gluing.joints.mesh_projection import too_far
from bondline.gluing.joints.mesh_surface import numbered
from bondline.numerics.facets import Array, Indices
from bondline.numerics.nearest import nearest

LEAST_SHARE = 0.5
SLIVER = 1e-3


def mortar(pair: Pair, dual: bool) -> Weights:
    """D and M over the overlap of the two surfaces.

    A slave node with less than half of its share of the surface covered is refused.
    Facets covered by less than a thousandth are left out: on a sliver the shape
    functions cannot be told apart.
    """
    _check_kinds(pair)
    pieces = line_pieces(pair) if pair.slave.lines else face_pieces(pair)
    pieces = _without_slivers(pair, pieces)
    slave, master = pair.slave, pair.master
    facet_D = _per_facet(pair, pieces.slave, pieces.mass)
    share = facet_D.sum(axis=2)  # ∫ φᵢ: shape functions add up to one
    total = _per_node(pair, share)
    _check_cover(pair, total)
    M_pieces = pieces.cross
    if dual:
        A = _dual(facet_D, share)
        M_pieces, facet_D = A[pieces.slave] @ M_pieces, A @ facet_D
    s = slave.corners
    D = _assemble(facet_D, s, s, (len(total), len(total)))
    corners = s[pieces.slave], master.corners[pieces.master]
    M = _assemble(M_pieces, *corners, (len(total), len(master.points)))
    scale = sparse.diags_array(1.0 / total, format="csr")
    eye = sparse.eye_array(len(total), format="csr")
    return Weights(eye if dual else (scale @ D).tocsr(), (scale @ M).tocsr())


def _dual(mass: Array, share: Array) -> Array:
    """A of Eq. (2) for each facet; nothing where a facet is not covered."""
    scale = np.sqrt(np.einsum("mkk->mk", mass))
    empty = scale == 0.0
    safe = np.where(empty, 1.0, scale)
    # unit diagonal first: partly covered facets have entries of very different size
    unit = mass / (safe[:, :, None] * safe[:, None, :])
    unit += empty[:, :, None] * np.eye(mass.shape[1])
    inverse = np.linalg.inv(unit) / (safe[:, :, None] * safe[:, None, :])
    A: Array = share[:, :, None] * inverse
    return A


def _per_facet(pair: Pair, facets: Indices, values: Array) -> Array:
    total = np.zeros((len(pair.slave.corners), *values.shape[1:]))
    np.add.at(total, facets, values)
    return total


def _per_node(pair: Pair, values: Array) -> Array:
    corners, n = pair.slave.corners, len(pair.slave.points)
    total: Array = np.zeros(n)
    np.add.at(total, corners.ravel(), values.ravel())
    return total


def _assemble(
    blocks: Array, rows: Indices, columns: Indices, shape: tuple[int, int]
) -> Sparse:
    i = np.broadcast_to(rows[:, :, None], blocks.shape)
    j = np.broadcast_to(columns[:, None, :], blocks.shape)
    entries = blocks.ravel(), (i.ravel(), j.ravel())
    return sparse.coo_array(entries, shape=shape).tocsr()


def _without_slivers(pair: Pair, pieces: Pieces) -> Pieces:
    measures = pair.slave.measures
    covered = np.bincount(pieces.slave, pieces.sizes, minlength=len(measures))
    return pieces.where((covered > SLIVER * measures)[pieces.slave])


def _check_kinds(pair: Pair) -> None:
    if pair.slave.lines != pair.master.lines:
        kinds = ["lines" if m.lines else "faces" for m in (pair.slave, pair.master)]
        raise WiringError(
            pair.place,
            f"{pair.ends[0]} has {kinds[0]}, {pair.ends[1]} has {kinds[1]}.",
            "A mortar joins lines to lines or faces to faces; nodes on the edge of a "
            "face are tied with method='projection'.",
        )


def _check_cover(pair: Pair, total: Array) -> None:
    whole = _per_node(pair, pair.slave.weights())
    share = total / np.where(whole > 0.0, whole, np.inf)  # a node of no facet: none
    bare = np.flatnonzero(~(share >= LEAST_SHARE))
    if bare.size:
        raise _uncovered(pair, bare.tolist())
    twice = np.flatnonzero(share > 1.0 + LEAST_SHARE)
    if twice.size:
        raise WiringError(
            pair.place,
            f"{pair.ends[1]} covers nodes {numbered(twice.tolist())} of "
            f"{pair.ends[0]} more than once.",
            "Leave the far side of thin parts out of the port, or shorten the reach.",
        )


def _uncovered(pair: Pair, nodes: list[int]) -> WiringError:
    away = nearest(pair.slave.points[nodes], pair.master).distances
    far = [n for n, d in zip(nodes, away, strict=True) if d > pair.reach]
    if far:
        return too_far(pair, far)
    return WiringError(
        pair.place,
        f"less than half of the surface around nodes {numbered(nodes)} of "
        f"{pair.ends[0]} lies on {pair.ends[1]}: the surfaces overlap in part, or turn "
        "away from each other.",
        "Make the smaller surface the first end, leave the nodes out of the port, or "
        "check that both surfaces lie in each other.",
    )
