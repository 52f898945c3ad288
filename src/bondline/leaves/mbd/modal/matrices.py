"""Flexible bodies of somebody else's matrices."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from scipy.sparse import coo_array

from bondline.core import Matrix
from bondline.errors import SettingError
from bondline.leaves.fe.matrices import MatrixSet
from bondline.leaves.mbd.modal.fields import Sparse
from bondline.leaves.mbd.modal.floating import Bodied, as_modes, elastic
from bondline.leaves.mbd.modes import Modes
from bondline.numerics import lowest_modes
from bondline.numerics.factor import product

_RIGID = 6


def matrix_modes(
    source: MatrixSet,
    points: Mapping[int, tuple[float, float, float]],
    how: Bodied,
    count: int,
) -> Modes:
    """The lowest `count` elastic modes of M and K whose rows have labels.

    `points` are the places of the nodes by the owner's numbers; rows of `Region` count
    these in their order. Every node must have its three displacements.
    """
    slots = _slots(source, list(points))
    M, C, K = source.system
    found = lowest_modes(K, M, min(count + _RIGID, source.size)).shapes
    small = [found.T @ product(A, found) for A in (M, C, K)]
    squares, y = elastic(_even(small[0]), _even(small[2]), count)
    moved = found @ y
    wide = np.zeros((len(squares), 6 * len(points)))
    wide[:, slots] = moved.T
    phi = wide.reshape(len(squares), -1, 6)
    KD = np.array([np.diag(squares), y.T @ small[1] @ y])
    whole = _spread(M, slots, 6 * len(points))
    places = np.array(list(points.values()), dtype=np.float64)
    return as_modes(whole, places, phi, KD, how)


def _even(A: Matrix) -> Matrix:
    return np.asarray(0.5 * (A + A.T))


def _spread(M: Sparse, slots: Matrix, size: int) -> Sparse:
    own = coo_array(M)
    rows, columns = slots[own.row], slots[own.col]
    return coo_array((own.data, (rows, columns)), shape=(size, size)).tocsr()


def _slots(source: MatrixSet, nodes: list[int]) -> Matrix:
    """6 × node + component of every row."""
    place = f"{source.name}: labels"
    if source.labels is None:
        raise SettingError(
            place,
            "the matrices do not say which node a row belongs to.",
            "Give labels: the node and the component 0 … 5 of every row.",
        )
    row = {node: i for i, node in enumerate(nodes)}
    unknown = [int(n) for n in source.labels[:, 0] if int(n) not in row]
    if unknown:
        raise SettingError(
            place,
            f"node {unknown[0]} has no place.",
            "Give the coordinates of every node that the matrices have.",
        )
    each = [6 * row[int(n)] + int(c) for n, c in source.labels]
    lacking = set(range(6 * len(nodes))) - set(each)
    moves = sorted(slot for slot in lacking if slot % 6 < 3)
    if moves:
        raise SettingError(
            place,
            f"node {nodes[moves[0] // 6]} has no row for a displacement.",
            "Mass that is held still moves with the body: give the matrices of the "
            "free part, and hold it by a joint.",
        )
    return np.array(each, dtype=np.intp)
