"""A linear system as somebody else's matrices, and the ports it may have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from bondline.core import FRAME_DOFS, Causality, Matrix, Port, Surface
from bondline.errors import DeckError
from bondline.leaves.fe.matrices.sound import check_system
from bondline.leaves.fe.mesh import Indices
from bondline.leaves.fe.plug import Plugged
from bondline.leaves.fe.reduction.loads import Loads
from bondline.numerics import LinearSystem


@dataclass(frozen=True, eq=False)
class MatrixSet:
    """M, C and K, and what is known about them.

    `labels` has a row for every dof, where the file says it: the owner's number of the
    node, and the component 0 … 5. `ports` are those that the file brings along; inside
    `band` (Hz) a reduced system stands for the full one.
    """

    name: str
    system: LinearSystem
    labels: Indices | None = None
    ports: Mapping[str, Plugged] = field(default_factory=dict)
    band: float | None = None
    loads: Loads | None = None

    def __post_init__(self) -> None:
        check_system(self.name, self.system)

    @property
    def size(self) -> int:
        """How many dofs there are."""
        return int(self.system.M.shape[0])


@dataclass(frozen=True, eq=False)
class Terminal:
    """Dofs of matrices to be shown as a port: their `dofs` of one node, node by node.

    Either the `rows` of the matrices, or `nodes` by the owner's numbers, where the file
    has labels. `points` says where the nodes are, a row (x, y, z) each.
    """

    dofs: tuple[str, ...]
    rows: Sequence[int] = ()
    nodes: Sequence[int] = ()
    points: Matrix | None = None
    causality: Causality = Causality.FORCE_IN


def shown(source: MatrixSet, name: str, terminal: Terminal) -> Plugged:
    """The port of a terminal; refused where the matrices do not have its dofs."""
    place = f"{source.name}: port {name}"
    _check_dofs(place, terminal)
    select = (
        _labelled(source, place, terminal)
        if len(terminal.nodes)
        else _rows(source, place, terminal)
    )
    nodes, points = len(select) // len(terminal.dofs), terminal.points
    if points is not None and np.shape(points) != (nodes, 3):
        raise DeckError(
            place,
            f"points of the shape {np.shape(points)} for {nodes} nodes.",
            f"Give {nodes} rows of x, y, z.",
        )
    surface = None if points is None else Surface(np.asarray(points, np.float64))
    port = Port(name, terminal.dofs, nodes, terminal.causality, surface=surface)
    return Plugged(port, select)


def _check_dofs(place: str, terminal: Terminal) -> None:
    if not terminal.dofs or not set(terminal.dofs) <= set(FRAME_DOFS):
        raise DeckError(
            place,
            f"its dofs are {' '.join(terminal.dofs) or 'none'}.",
            f"Give some of {' '.join(FRAME_DOFS)}, those of one node.",
        )
    if bool(len(terminal.rows)) == bool(len(terminal.nodes)):
        raise DeckError(
            place,
            "it names both rows and nodes, or neither.",
            "Give the rows of the matrices, or nodes by their numbers.",
        )


def _rows(source: MatrixSet, place: str, terminal: Terminal) -> Indices:
    rows = np.asarray(terminal.rows, dtype=np.intp)
    outside = rows[(rows < 0) | (rows >= source.size)]
    if outside.size:
        raise DeckError(
            place,
            f"row {outside[0]} of matrices with {source.size} rows.",
            f"Count rows from 0 to {source.size - 1}.",
        )
    if len(rows) % len(terminal.dofs):
        raise DeckError(
            place,
            f"{len(rows)} rows for nodes with {len(terminal.dofs)} dofs each.",
            f"Give the rows of {' '.join(terminal.dofs)} for every node.",
        )
    return rows


def _labelled(source: MatrixSet, place: str, terminal: Terminal) -> Indices:
    if source.labels is None:
        raise DeckError(
            place,
            "the file does not say which node a row belongs to.",
            "Name rows of the matrices instead of nodes.",
        )
    known = {(int(n), int(c)): i for i, (n, c) in enumerate(source.labels)}
    wanted = [
        (int(n), FRAME_DOFS.index(d)) for n in terminal.nodes for d in terminal.dofs
    ]
    lacking = [label for label in wanted if label not in known]
    if lacking:
        node, component = lacking[0]
        raise DeckError(
            place,
            f"the matrices have no dof {FRAME_DOFS[component]} of node {node}.",
            f"They have {_known(source.labels)}.",
        )
    return np.array([known[label] for label in wanted], dtype=np.intp)


def _known(labels: Indices) -> str:
    nodes = np.unique(labels[:, 0])
    few = ", ".join(str(n) for n in nodes[:8].tolist())
    return f"nodes {few}" + (f" and {len(nodes) - 8} more" if len(nodes) > 8 else "")
