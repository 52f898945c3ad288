"""Whether ports that are tied node by node list their nodes in the same order."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bondline.core import Matrix, Port, PortRef
from bondline.errors import WiringError
from bondline.gluing.joints.apart import times_as_large

_NEAR = 1e-6  # of the size of the port


def check_order(place: str, ends: Sequence[PortRef], ports: Sequence[Port]) -> None:
    """Refuse ports whose nodes would be nearer to each other in another order.

    Surfaces may be apart as a whole; ports that do not say where they are pass.
    """
    first = _centred(ports[0])
    for end, port in zip(ends[1:], ports[1:], strict=True):
        second = _centred(port)
        if first is None or second is None or first.shape != second.shape:
            continue
        from scipy.spatial import cKDTree

        nearest, which = map(np.asarray, cKDTree(second).query(first))
        own = np.linalg.norm(first - second, axis=1)
        wrong = np.flatnonzero(own > nearest + _NEAR * np.ptp(first, axis=0).max())
        other = times_as_large((str(ends[0]), str(end)), (ports[0], port))
        if wrong.size and other:
            raise WiringError(
                place, other, "Give both parts in SI units: m, kg, s, N, Pa."
            )
        if wrong.size:
            k = int(wrong[0])
            raise WiringError(
                place,
                f"node {k} of {ends[0]} rests where node {which[k]} of {end} does, "
                f"and {wrong.size} of {port.nodes} nodes differ.",
                "List the nodes of both ports in the same order; meshes that do not "
                "match need a mesh tie.",
            )


def _centred(port: Port) -> Matrix | None:
    if port.surface is None or port.nodes < 2:
        return None
    points = port.surface.points
    centred: Matrix = points - points.mean(axis=0)
    return centred if np.isfinite(centred).all() else None
