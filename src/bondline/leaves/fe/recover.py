"""Stress, strain and section forces from displacements, on the owner's side."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bondline.core import Matrix
from bondline.errors import SettingError
from bondline.leaves.fe.assemble import kind
from bondline.leaves.fe.elements.element import Array, Recovered, Resultant, Stressed
from bondline.leaves.fe.mesh import Block, Indices, Mesh
from bondline.leaves.fe.sections import Section


@dataclass(frozen=True, eq=False)
class NodalStress:
    """Stress and strain at nodes, averaged over the elements of one section there.

    Arrays are layers × nodes × 6 with the components xx yy zz xy yz zx in global axes
    (tensor shear strains). `nodes` are rows of the mesh, ascending.
    """

    section: Section
    layers: tuple[str, ...]
    nodes: Indices
    stress: Array
    strain: Array

    def at(self, node: int) -> Array:
        """Stress at one row of the mesh, layers × 6."""
        where = np.searchsorted(self.nodes, node)
        if where == len(self.nodes) or self.nodes[where] != node:
            raise SettingError(
                f"stress at row {node} of the mesh",
                "no element of this section is there.",
                "Ask the stress of the section that has it.",
            )
        found: Array = self.stress[:, where]
        return found


def element_dofs(mesh: Mesh, block: Block, u: Matrix) -> Array:
    """The displacements (nodes × 6) as each element of a block sees them."""
    own = list(kind(block.kind).dofs)
    return u[block.nodes][:, :, own].reshape(len(block.nodes), -1)


def recover(mesh: Mesh, block: Block, u: Matrix) -> Recovered | None:
    """Stress and strain at the nodes of every element; None where a kind has none."""
    element = kind(block.kind)
    if not isinstance(element, Stressed) or not len(block.nodes):
        return None
    x = mesh.points[block.nodes]
    return element.recover(x, block.section, element_dofs(mesh, block, u))


def nodal_stress(mesh: Mesh, u: Matrix) -> tuple[NodalStress, ...]:
    """Averages at the nodes; never across a change of section or material."""
    return tuple(
        _averaged(mesh, section, layers, found)
        for section, layers, found in _gathered(mesh, u)
    )


def _gathered(
    mesh: Mesh, u: Matrix
) -> Iterator[tuple[Section, tuple[str, ...], list[tuple[Block, Recovered]]]]:
    """Blocks that share a section and its layers, in the order of the mesh."""
    groups: list[tuple[Section, tuple[str, ...], list[tuple[Block, Recovered]]]] = []
    for block in mesh.blocks:
        made = recover(mesh, block, u)
        if made is None:
            continue
        for section, layers, members in groups:
            same = section is block.section or section == block.section
            if same and layers == made.layers:
                members.append((block, made))
                break
        else:
            groups.append((block.section, made.layers, [(block, made)]))
    yield from groups


def _averaged(
    mesh: Mesh,
    section: Section,
    layers: tuple[str, ...],
    found: list[tuple[Block, Recovered]],
) -> NodalStress:
    flat = np.concatenate([block.nodes.ravel() for block, _ in found])
    nodes, place = np.unique(flat, return_inverse=True)
    count = np.bincount(place)
    means = []
    for values in zip(*((r.stress, r.strain) for _, r in found), strict=True):
        rows = np.concatenate([v.reshape(len(layers), -1, 6) for v in values], axis=1)
        total = np.zeros((len(nodes), len(layers), 6))
        np.add.at(total, place, rows.transpose(1, 0, 2))
        means.append((total / count[:, None, None]).transpose(1, 0, 2))
    return NodalStress(section, layers, nodes, *means)


def von_mises(stress: Array) -> Array:
    """√(3/2 s:s) of stresses in the last axis, xx yy zz xy yz zx."""
    x, y, z, xy, yz, zx = np.moveaxis(stress, -1, 0)
    normal = (x - y) ** 2 + (y - z) ** 2 + (z - x) ** 2
    shear = xy**2 + yz**2 + zx**2
    found: Array = np.sqrt(0.5 * normal + 3.0 * shear)
    return found


def principal(stress: Array) -> Array:
    """Principal values of symmetric tensors in the last axis, largest first."""
    full = stress[..., [[0, 3, 5], [3, 1, 4], [5, 4, 2]]]
    return np.asarray(np.linalg.eigvalsh(full)[..., ::-1], dtype=np.float64)


def resultants(mesh: Mesh, u: Matrix) -> dict[int, NDArray[np.float64]]:
    """Section forces N V1 V2 T M1 M2 at the ends, by the owner's element number."""
    found: dict[int, NDArray[np.float64]] = {}
    for block in mesh.blocks:
        element = kind(block.kind)
        if isinstance(element, Resultant) and len(block.nodes):
            x, moved = mesh.points[block.nodes], element_dofs(mesh, block, u)
            each = element.resultants(x, block.section, moved)
            found.update(zip(block.ids.tolist(), each, strict=True))
    return found
