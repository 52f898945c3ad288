"""Node sets of a finite-element model as ports."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from bondline.core import FRAME_DOFS, Causality, Port, Surface
from bondline.errors import SettingError
from bondline.leaves.fe.mesh import Indices, Nodes
from bondline.leaves.fe.model import FeModel
from bondline.leaves.fe.stacks import Sparse
from bondline.leaves.fe.surfaces import facets_in


@dataclass(frozen=True, eq=False)
class Plug:
    """Nodes to be shown as a port: a node set by name, or rows of the mesh.

    Without `components` (0 … 5 for x y z rx ry rz) it has those that all of its nodes
    have. Nodes come in the order of the set.
    """

    nodes: Nodes
    components: tuple[int, ...] | None = None
    causality: Causality = Causality.FORCE_IN


class Plugged(NamedTuple):
    """A port, and its dofs in terms of the independent ones: a list, or rows.

    `nodes` are rows of the mesh; none where matrices have no mesh.
    """

    port: Port
    select: Indices | Sparse
    nodes: Indices = np.zeros(0, dtype=np.intp)


def plugged(model: FeModel, name: str, wanted: Plug | Nodes) -> Plugged:
    """The port; refused where its dofs do not exist or follow an enforced motion."""
    plug = wanted if isinstance(wanted, Plug) else Plug(wanted)
    place = f"{model.name}.{name}"
    nodes = _checked(model, place, plug.nodes)
    components = _components(model, place, nodes, plug.components)
    made = model.assembled
    numbers = made.dofs.of(nodes, components)
    slots = made.dofs.slots[numbers]
    _check_still(model, place, numbers, slots)
    rows = made.T[numbers]
    fixed = np.flatnonzero(np.diff(rows.indptr) == 0)
    dofs = _plain(rows)
    if plug.causality is Causality.MOTION_IN and dofs is None:
        _refuse_led(model, place, rows, slots)
    port = Port(
        name,
        tuple(FRAME_DOFS[c] for c in components),
        len(nodes),
        plug.causality,
        surface=Surface(model.mesh.points[nodes], facets_in(model.mesh, nodes)),
        fixed=tuple(fixed.tolist()),
    )
    return Plugged(port, rows if dofs is None else dofs, nodes)


def seen_as(plugs: Mapping[str, Plugged]) -> dict[int, str]:
    """Independent dofs as ports name them: `seam[3] z`, or what follows them there."""
    found: dict[int, str] = {}
    for name, (port, select, _) in plugs.items():
        for k in range(port.size):
            node, dof = divmod(k, len(port.dofs))
            at = f"{name}[{node}]" if port.nodes > 1 else name
            for one in _row(select, k):
                found.setdefault(one, f"{at} {port.dofs[dof]}")
    return found


def _row(select: Indices | Sparse, k: int) -> list[int]:
    if isinstance(select, np.ndarray):
        return [int(select[k])]
    return [int(j) for j in select.indices[select.indptr[k] : select.indptr[k + 1]]]


def _checked(model: FeModel, place: str, wanted: Nodes) -> Indices:
    nodes = model.mesh.rows(place, wanted)
    if not nodes.size:
        raise SettingError(
            place,
            "its node set is empty.",
            "Give a node set by name, or rows of `Mesh.points`.",
        )
    unique, counts = np.unique(nodes, return_counts=True)
    if len(unique) < len(nodes):
        twice = model.mesh.ids[unique[counts > 1][0]]
        raise SettingError(place, f"node {twice} is in it twice.", "Name it once.")
    return nodes


def _components(
    model: FeModel, place: str, nodes: Indices, wanted: tuple[int, ...] | None
) -> tuple[int, ...]:
    dofs = model.assembled.dofs
    have = dofs.index[nodes] >= 0
    shared = tuple(int(c) for c in np.flatnonzero(have.all(axis=0)))
    asked = shared if wanted is None else wanted
    lacking = [c for c in asked if c not in shared]
    if asked and not lacking:
        return asked
    words = " ".join(FRAME_DOFS[c] for c in shared) or "none"
    if not asked:
        finding = "its nodes have no dof in common."
    elif lacking[0] not in range(6):
        finding = f"there is no component {lacking[0]}."
    else:
        node = nodes[np.flatnonzero(~have[:, lacking[0]])[0]]
        finding = f"{dofs.named(int(6 * node + lacking[0]))} does not exist."
    raise SettingError(
        place, finding, f"No element gives more; dofs of all its nodes: {words}."
    )


def _check_still(model: FeModel, place: str, numbers: Indices, slots: Indices) -> None:
    led = np.flatnonzero(np.diff(model.assembled.elimination.G[numbers].indptr))
    if led.size:
        dofs = model.assembled.dofs
        raise SettingError(
            place,
            f"an enforced motion leads {dofs.listed(slots[led])}.",
            "A dof follows the port or a history, not both: enforce the motion inside "
            "the part, or let the port take motion from the outside.",
        )


def _plain(rows: Sparse) -> Indices | None:
    """The independent dofs, where the port shows them as they are."""
    ones = np.diff(rows.indptr) == 1
    if not ones.all() or not (rows.data == 1.0).all():
        return None
    found = rows.indices.astype(np.intp)
    return found if len(np.unique(found)) == len(found) else None


def _refuse_led(model: FeModel, place: str, rows: Sparse, slots: Indices) -> None:
    """A port that takes motion holds dofs that nothing else moves."""
    dofs, counts = model.assembled.dofs, np.diff(rows.indptr)
    held = np.flatnonzero(counts == 0)
    if held.size:
        raise SettingError(
            place,
            f"it takes motion, but supports hold {dofs.listed(slots[held])}.",
            "Take these dofs out of the supports (the port holds them) or out of the "
            "port; or let the port take forces.",
        )
    own = set(model.assembled.dofs.slots[model.assembled.elimination.free].tolist())
    linked = np.array([slot for slot in slots.tolist() if slot not in own])
    raise SettingError(
        place,
        f"it takes motion, but links lead {dofs.listed(linked)}.",
        "Use the masters of the links as the port, or let it take forces.",
    )
