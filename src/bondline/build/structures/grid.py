"""The nodes of a structure file: named, along beams, and of a mesh."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from bondline.build.leaf_files.values import Values, named
from bondline.core import Matrix
from bondline.description.untrusted import Node
from bondline.errors import SettingError, did_you_mean
from bondline.leaves.fe.mesh import Mesh
from bondline.leaves.nonlinear.elements.block import Indices


@dataclass(eq=False)
class Grid:
    """Points by the names of their nodes, sets of them, and those on rigid arms."""

    plane: bool
    points: list[tuple[float, float, float]] = field(default_factory=list)
    rows: dict[str, int] = field(default_factory=dict)
    sets: dict[str, Indices] = field(default_factory=dict)
    masters: dict[int, int] = field(default_factory=dict)
    meshes: dict[str, Mesh] = field(default_factory=dict)
    starts: dict[str, int] = field(default_factory=dict)  # first row of each mesh

    def place(self, node: Node, v: Values, key: str) -> tuple[float, float, float]:
        """A point; in the plane two numbers are enough."""
        found = v.numbers(node, key, (2, 3) if self.plane else (3,))
        x, y, z = (*found, 0.0)[:3]
        if self.plane and z:
            raise SettingError(
                f"{named(node)}, {key}", f"z is {z:g}.", "In the plane it is 0."
            )
        return x, y, z

    def add(self, name: str, at: Iterable[float]) -> int:
        """The row of a new node."""
        if name in self.rows or name in self.sets:
            raise SettingError(
                f"node {name}", "it is there twice.", "Give each a name of its own."
            )
        x, y, z = at
        self.points.append((x, y, z))
        self.rows[name] = len(self.points) - 1
        return self.rows[name]

    def add_mesh(self, name: str, mesh: Mesh) -> None:
        """Its nodes as NAME.number, its sets of nodes as NAME.set."""
        first = self.starts[name] = len(self.points)
        self.meshes[name] = mesh
        for number, at in zip(mesh.ids.tolist(), mesh.points.tolist(), strict=True):
            self.add(f"{name}.{number}", at)
        for each, rows in mesh.node_sets.items():
            if f"{name}.{each}" not in self.rows:
                self.sets[f"{name}.{each}"] = first + np.asarray(rows, dtype=np.intp)

    def one(self, node: Node, key: str) -> int:
        """The row of the node that an attribute names."""
        return self._row(node, key, node.get(key))

    def several(self, node: Node, key: str) -> tuple[int, ...]:
        """Rows of the nodes and sets that an attribute names."""
        found: list[int] = []
        for name in node.get(key).split():
            if name in self.sets:
                found += self.sets[name].tolist()
            else:
                found.append(self._row(node, key, name))
        if not found:
            raise SettingError(f"{named(node)}, {key}", "no node.", "Name one or more.")
        return tuple(found)

    def _row(self, node: Node, key: str, name: str) -> int:
        if name not in self.rows:
            many = name in self.sets
            raise SettingError(
                f"{named(node)}, {key}",
                f"{name!r} is a set of nodes." if many else f"no node {name!r}.",
                "Name one node." if many else did_you_mean(name, self.rows),
            )
        return self.rows[name]

    @property
    def array(self) -> Matrix:
        """All points."""
        return np.array(self.points, dtype=np.float64).reshape(-1, 3)

    def blocks(self, node: Node, sizes: tuple[int, ...]) -> list[Indices]:
        """Rows of the elements of a mesh that `of` names: MESH, or MESH.elset."""
        text = node.get("of")
        name, _, part = text.partition(".")
        if name not in self.meshes:
            raise SettingError(
                f"{named(node)}, of",
                f"no mesh {name!r}.",
                did_you_mean(name, self.meshes),
            )
        mesh = self.meshes[name]
        if part and part not in mesh.element_sets:
            raise SettingError(
                f"{named(node)}, of",
                f"{name} has no set of elements {part!r}.",
                did_you_mean(part, mesh.element_sets),
            )
        wanted = mesh.element_sets[part] if part else None
        found = [
            self.starts[name] + b.nodes[_chosen(b.ids, wanted)]
            for b in mesh.blocks
            if b.nodes.shape[1] in sizes
        ]
        filled = [rows for rows in found if len(rows)]
        if not filled:
            some = " or ".join(map(str, sizes))
            raise SettingError(
                f"{named(node)}, of",
                f"{text} has no elements of {some} nodes.",
                f"Sets of elements: {', '.join(mesh.element_sets) or 'none'}.",
            )
        return filled


def _chosen(ids: Indices, wanted: Indices | None) -> NDArray[np.bool_]:
    return np.ones(len(ids), bool) if wanted is None else np.isin(ids, wanted)


def along(
    spans: list[tuple[Matrix, Matrix]], cuts: list[int], via: Matrix | None
) -> list[Matrix]:
    """Points inside each span: on a straight line, or on the curve that `via` bends.

    The curve is Bézier's: (1 − s)² A + 2 s (1 − s) V + s² B.
    """
    made = []
    for (a, b), n in zip(spans, cuts, strict=True):
        s = (np.arange(1, n) / n)[:, None]
        middle = 0.5 * (a + b) if via is None else via
        made.append((1 - s) ** 2 * a + 2 * s * (1 - s) * middle + s**2 * b)
    return made
