"""Averaged stress at some nodes as rows over the dofs of a model.

Stress is linear in displacements, so unit displacements of the elements around the
nodes tell everything that a run needs to watch.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array, vstack

from bondline.leaves.fe.assemble import kind
from bondline.leaves.fe.dofs import Dofs
from bondline.leaves.fe.elements.element import Array, Stressed
from bondline.leaves.fe.mesh import Block, Indices, Mesh
from bondline.leaves.fe.sections import Section
from bondline.leaves.fe.stacks import Sparse

COMPONENTS = ("xx", "yy", "zz", "xy", "yz", "zx")


@dataclass(frozen=True, eq=False)
class StressRows:
    """Six rows for every spot: a node, a section there, a layer of it.

    `nodes` and `layers` tell the spots, section by section, node by node.
    """

    nodes: Indices
    layers: tuple[str, ...]
    matrix: Sparse


class _Unit(NamedTuple):
    """Stress at one node of one element per unit of every dof of the element.

    One entry for each time that one of the nodes asked for occurs in an element.
    """

    section: Section
    layers: tuple[str, ...]
    nodes: Indices  # entries
    dofs: Indices  # entries × m
    stress: Array  # layers × entries × 6 × m


def stress_rows(mesh: Mesh, dofs: Dofs, nodes: Indices) -> StressRows:
    """Rows over all dofs for the averages of `recover.nodal_stress` at `nodes`."""
    groups: list[list[_Unit]] = []
    for unit in _units(mesh, dofs, nodes):
        home = next((g for g in groups if _alike(g[0], unit)), None)
        if home is None:
            groups.append([unit])
        else:
            home.append(unit)
    made = [_averaged(dofs.size, group) for group in groups]
    empty = csr_array((0, dofs.size))
    return StressRows(
        np.concatenate([np.zeros(0, np.intp), *(m.nodes for m in made)]),
        tuple(layer for m in made for layer in m.layers),
        csr_array(vstack([empty, *(m.matrix for m in made)])),
    )


def _alike(one: _Unit, other: _Unit) -> bool:
    """Whether averages go across: never over a change of section."""
    same = one.section is other.section or one.section == other.section
    return same and one.layers == other.layers


def _units(mesh: Mesh, dofs: Dofs, nodes: Indices) -> Iterator[_Unit]:
    for block in mesh.blocks:
        element = kind(block.kind)
        e, a = np.nonzero(np.isin(block.nodes, nodes))
        if not isinstance(element, Stressed) or not e.size:
            continue
        near, at = np.unique(e, return_inverse=True)
        own, x = block.nodes[near], mesh.points[block.nodes[near]]
        places = dofs.index[own][:, :, list(kind(block.kind).dofs)]
        places = places.reshape(len(near), -1)
        layers, stress = _responses(element, block, x, (at, a, places.shape[1]))
        yield _Unit(block.section, layers, block.nodes[e, a], places[at], stress)


def _responses(
    element: Stressed, block: Block, x: Array, entries: tuple[Indices, Indices, int]
) -> tuple[tuple[str, ...], Array]:
    layers: tuple[str, ...] = ()
    (e, a, m), columns = entries, []
    for j in range(m):
        u = np.zeros((len(x), m))
        u[:, j] = 1.0
        found = element.recover(x, block.section, u)
        layers = found.layers
        columns.append(found.stress[:, e, a])
    return layers, np.stack(columns, axis=-1)


def _averaged(size: int, group: Sequence[_Unit]) -> StressRows:
    layers = group[0].layers
    nodes, counts = np.unique(
        np.concatenate([unit.nodes for unit in group]), return_counts=True
    )
    rows, columns, values = [], [], []
    for unit in group:
        k = np.searchsorted(nodes, unit.nodes)
        first = 6 * (len(layers) * k + np.arange(len(layers))[:, None])
        row = first[:, :, None, None] + np.arange(6)[:, None]
        mean = unit.stress / counts[k][:, None, None]
        known = np.broadcast_to(unit.dofs[:, None, :] >= 0, mean.shape)
        rows.append(np.broadcast_to(row, mean.shape)[known])
        columns.append(np.broadcast_to(unit.dofs[:, None, :], mean.shape)[known])
        values.append(mean[known])
    where = (np.concatenate(rows), np.concatenate(columns))
    shape = (6 * len(layers) * len(nodes), size)
    matrix = csr_array((np.concatenate(values), where), shape=shape)
    return StressRows(np.repeat(nodes, len(layers)), layers * len(nodes), matrix)
