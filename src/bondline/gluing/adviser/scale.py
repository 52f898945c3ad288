"""What an error is small against: how far the joints travel, how large the model is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from bondline.core import Assembly, Matrix, Motion, Port, PortRef
from bondline.gluing.integrated import IntegratedModel
from bondline.gluing.state import GluedState

_AXES = "xyz"
_STILL = 1e-6  # joints that travel less than this part of the model stand still
_LEAST = 1e-9  # m


class Allowed(NamedTuple):
    """An error a window, in metres, and what it is a part of."""

    error: float
    of: str


def allowed(tolerance: float, travel: float, longer: float, size: float) -> Allowed:
    """`tolerance` times the travel of the joints over the run, or the size.

    `travel` is what was seen; the run takes `longer`, so many times. It goes on as it
    began, but not beyond the size of the model; 1e-9 m where nothing has a length.
    """
    whole = travel * max(1.0, longer)
    if size > 0.0:
        whole = min(whole, max(size, travel))
    if whole > max(_STILL * size, _LEAST):
        return Allowed(tolerance * whole, f"the joints travel about {whole:.2g} m")
    if size > _LEAST:
        return Allowed(
            tolerance * size, f"the joints stand still, the model is {size:.2g} m large"
        )
    return Allowed(_LEAST, "nothing travels and no size is known, so it is the least")


def travel(assembly: Assembly, before: GluedState, after: GluedState) -> float:
    """The largest change of a coordinate of a glued port; angles do not count."""
    ends = {end for c in assembly.connections for end in c.ends}
    moved = [
        _points(assembly, end, after.motions[end])
        - _points(assembly, end, before.motions[end])
        for end in ends
    ]
    return max((float(np.abs(x).max(initial=0.0)) for x in moved), default=0.0)


def size_of(model: IntegratedModel, state: GluedState) -> float:
    """The diagonal of all that can be drawn; else that of the glued ports; 0: none."""
    drawn = [_in_space(p) for p in model.shapes(state).values()]
    drawn += _surfaces(model.assembly)
    if drawn:
        found = _diagonal(drawn)
        if found > 0.0:
            return found
    motions: Mapping[PortRef, Motion] = state.motions
    return _diagonal([_points(model.assembly, r, m) for r, m in motions.items()])


def _surfaces(assembly: Assembly) -> list[Matrix]:
    ports = [port for part in assembly.parts.values() for port in part.ports.values()]
    known = [p.surface for p in ports if isinstance(p, Port) and p.surface is not None]
    return [_in_space(surface.points) for surface in known]


def _points(assembly: Assembly, end: PortRef, motion: Motion) -> Matrix:
    """Coordinates of the nodes of a port, three a row; angles are left out."""
    port = assembly.parts[end.part].ports[end.port]
    assert isinstance(port, Port), f"{end} must be mechanical"
    found = np.zeros((port.nodes, 3))
    if port.frame:
        found[0] = motion.x[:3]
        return found
    x = motion.x.reshape(port.nodes, -1)
    for k, dof in enumerate(port.dofs):
        if dof in _AXES:
            found[:, _AXES.index(dof)] = x[:, k]
    return found


def _in_space(points: Matrix) -> Matrix:
    flat = np.asarray(points, dtype=np.float64)
    return np.pad(flat, ((0, 0), (0, 3 - flat.shape[1])))


def _diagonal(points: list[Matrix]) -> float:
    if not points:
        return 0.0
    every = np.vstack(points)
    return float(np.linalg.norm(every.max(axis=0) - every.min(axis=0)))
