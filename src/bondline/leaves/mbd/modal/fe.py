"""Flexible bodies of finite-element models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import pi

import numpy as np

from bondline.core import Matrix
from bondline.leaves.fe.assemble import assemble
from bondline.leaves.fe.massless import check_mass
from bondline.leaves.fe.mesh import Nodes
from bondline.leaves.fe.model import FeModel
from bondline.leaves.fe.plug import Plug
from bondline.leaves.fe.reduction import Wanted, reduce_model
from bondline.leaves.mbd.modal.fields import Region
from bondline.leaves.mbd.modal.floating import Bodied, as_modes, elastic
from bondline.leaves.mbd.modes import Modes
from bondline.numerics import lowest_modes
from bondline.numerics.factor import product

_RIGID = 6


@dataclass(frozen=True, eq=False)
class Attachments:
    """Where joints and loads go, by name: node sets or rows; and the body's frame.

    See `Bodied` for the rest.
    """

    nodes: Mapping[str, Nodes] = field(default_factory=dict)
    origin: tuple[float, float, float] = (0.0, 0.0, 0.0)
    attached: str | None = None
    damping: float | Sequence[float] = 0.0

    def on(self, model: FeModel) -> Bodied:
        """With the rows of the mesh."""
        rows = {
            name: Region(tuple(model.mesh.rows(f"node {name}", n).tolist()))
            for name, n in self.nodes.items()
        }
        return Bodied(rows, self.origin, self.attached, self.damping)


def fe_modes(model: FeModel, where: Attachments, count: int) -> Modes:
    """The lowest `count` elastic modes of the model as it is held, or free.

    Loads and enforced motion are left out.
    """
    made = model.assembled
    check_mass(made)
    M, _, K = made.system
    found = lowest_modes(K, M, min(count + _RIGID, K.shape[0]))
    return _bodied(model, where, found.shapes, count, None)


def reduced_modes(
    model: FeModel,
    ports: Mapping[str, Plug | Nodes],
    where: Attachments,
    wanted: Wanted,
    top: float | None = None,
) -> Modes:
    """Modes of the model reduced to its ports by Craig and Bampton's method.

    What joints at the ports do at rest is exact. `top` (Hz) leaves out what is faster.
    """
    reduced = reduce_model(model, ports, wanted).reduced
    return _bodied(model, where, reduced.T, None, top)


def _bodied(
    model: FeModel, where: Attachments, T: Matrix, count: int | None, top: float | None
) -> Modes:
    made = model.assembled
    M, C, K = (T.T @ product(A, T) for A in made.system)
    limit = None if top is None else 2.0 * pi * top
    squares, y = elastic(0.5 * (M + M.T), 0.5 * (K + K.T), count, limit)
    moved = np.asarray(made.T @ (T @ y))
    phi = np.array([made.dofs.spread(u) for u in moved.T])
    phi = phi.reshape(-1, len(model.mesh.points), 6)
    whole = assemble(model.mesh, model.lumped).M
    KD = np.array([np.diag(squares), y.T @ C @ y])
    return as_modes(whole, model.mesh.points, phi, KD, where.on(model))
