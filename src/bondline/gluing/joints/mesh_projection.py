"""Nearest projection: each slave node rides on the master facet nearest to it."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from bondline.errors import WiringError
from bondline.gluing.joints.mesh_pair import Pair, Weights
from bondline.gluing.joints.mesh_surface import numbered
from bondline.numerics.nearest import nearest


def project(pair: Pair) -> Weights:
    """D = 1, and in M the shape functions of the nearest facet at each slave node."""
    slave, master = pair.slave, pair.master
    found = nearest(slave.points, master)
    far = np.flatnonzero(found.distances > pair.reach)
    if far.size:
        raise too_far(pair, far.tolist())
    n, k = found.weights.shape
    rows, columns = np.repeat(np.arange(n), k), master.corners[found.facets].ravel()
    M = sparse.coo_array(
        (found.weights.ravel(), (rows, columns)), shape=(n, len(master.points))
    )
    return Weights(sparse.eye_array(n, format="csr"), M.tocsr())


def too_far(pair: Pair, nodes: list[int]) -> WiringError:
    """The error that names the farthest of these slave nodes."""
    points = pair.slave.points[nodes]
    distances = nearest(points, pair.master).distances
    worst = int(np.argmax(distances))
    x, y, z = points[worst]
    return WiringError(
        pair.place,
        f"nodes {numbered(nodes)} of {pair.ends[0]} are away from {pair.ends[1]}: node "
        f"{nodes[worst]} at ({x:.6g}, {y:.6g}, {z:.6g}) by {distances[worst]:.3g} m; "
        f"the tie reaches {pair.reach:.3g} m.",
        "Check units and places of the two surfaces, leave the nodes out of the port, "
        "or give the tie a longer reach.",
    )
