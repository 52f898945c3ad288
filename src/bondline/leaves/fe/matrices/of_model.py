"""Matrices of our own models, full or reduced, to be written."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from bondline.leaves.fe.matrices.matrix_set import MatrixSet
from bondline.leaves.fe.mesh import Nodes
from bondline.leaves.fe.model import FeModel
from bondline.leaves.fe.plug import Plug, plugged
from bondline.leaves.fe.reduction import ReducedModel
from bondline.leaves.fe.reduction.loads import Loads


def reduced_matrices(made: ReducedModel) -> MatrixSet:
    """The small system with its ports and loads; nothing of the inside.

    Coordinates have no labels: the owner's node numbers are nobody's business.
    """
    ports = {
        name: plug._replace(select=made.select[name])
        for name, plug in made.plugs.items()
    }
    reduced = made.reduced
    return MatrixSet(
        made.model.name, reduced.system, None, ports, reduced.band, made.loads
    )


def full_matrices(
    model: FeModel, ports: Mapping[str, Plug | Nodes] | None = None
) -> MatrixSet:
    """All independent dofs of a model, labelled by node and component."""
    made = model.assembled
    plugs = {name: plugged(model, name, plug) for name, plug in (ports or {}).items()}
    slots = made.dofs.slots[made.elimination.free]
    labels = np.stack([model.mesh.ids[slots // 6], slots % 6], axis=1).astype(np.intp)
    h, rate, second = (A.toarray() for A in (made.value, made.rate, made.second))
    loaded = any(A.any() for A in (h, rate, second))
    own = Loads(made.histories, h, rate, second, made.static_load)
    loads = own if loaded else None
    return MatrixSet(model.name, made.system, labels, plugs, None, loads)
