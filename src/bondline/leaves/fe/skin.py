"""The surface of a finite-element model, as far as its owner shows it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from bondline.core import Deformed, Matrix, Skin, Vector
from bondline.leaves.fe.loads import Load, NodalForce
from bondline.leaves.fe.mesh import Indices, Mesh
from bondline.leaves.fe.model import FeModel
from bondline.leaves.fe.recover import von_mises
from bondline.leaves.fe.stress_rows import StressRows, stress_rows
from bondline.leaves.fe.surfaces import skin_faces

MARKS = ("numbers", "sets", "supports", "loads")
"""What an owner may show besides the surface and the ports on it."""

_NONE = np.zeros(0, dtype=np.intp)


@dataclass(frozen=True, eq=False)
class FullField:
    """The surface of a model, from the displacements q of its independent dofs.

    Inner nodes of solids are left out. `stress` shows von Mises stress, too; `marks`
    are those of `MARKS` that are shown: the rest stays with the owner.
    """

    model: FeModel
    plugs: Mapping[str, Indices] = field(default_factory=dict)
    stress: bool = False
    marks: tuple[str, ...] = ()

    @cached_property
    def rows(self) -> Indices:
        """Rows of the mesh that are on the surface, ascending."""
        every = [_NONE, *(g.ravel() for g in _parts(self.model.mesh))]
        return np.unique(np.concatenate([*every, *self.plugs.values()]))

    @cached_property
    def rest(self) -> Skin:
        """The surface where nothing has moved."""
        mesh, place = self.model.mesh, self._place
        triangles, quads, bars = (place[group] for group in _parts(mesh))
        loads = self.model.loads if "loads" in self.marks else ()
        loaded, pushes = _pushes(mesh, loads)
        sets = mesh.node_sets if "sets" in self.marks else {}
        numbered = self.rows if "numbers" in self.marks else _NONE
        return Skin(
            np.ascontiguousarray(mesh.points[self.rows]),
            triangles,
            quads,
            bars,
            np.asarray(mesh.ids[numbered], dtype=np.intp),
            {name: place[rows] for name, rows in self.plugs.items()},
            {name: self._seen(rows) for name, rows in sets.items()},
            self._seen(_held(self.model) if "supports" in self.marks else _NONE),
            place[loaded][place[loaded] >= 0],
            pushes[place[loaded] >= 0],
            self.stress,
        )

    def at(self, q: Vector, t: float | None, share: float) -> Deformed:
        """The surface at `q`, with what histories move at `t`; see `Skinned`."""
        made = self.model.assembled
        h = made.factors(t)
        u = made.T @ q + share * (made.G @ h)
        return self.swing(np.asarray(u, dtype=np.float64))

    def swing(self, u: Vector) -> Deformed:
        """The surface where all dofs have moved by `u`."""
        wide = self.model.assembled.dofs.spread(np.asarray(u, dtype=np.float64))
        moved = np.ascontiguousarray(wide[self.rows, :3])
        return Deformed(moved, self._mises(u) if self.stress else None)

    def amplitudes(self, q: Vector) -> Deformed:
        """The surface of a vibration `q`: what histories lead stands still."""
        return self.swing(np.asarray(self.model.assembled.T @ q, dtype=np.float64))

    def _mises(self, u: Vector) -> Vector:
        """The largest over layers and sections; 0 where no element has stress."""
        spots = self._stress
        stress = np.asarray(spots.matrix @ u, dtype=np.float64)
        each = von_mises(stress.reshape(-1, 6))
        found = np.zeros(len(self.rows))
        np.maximum.at(found, self._place[spots.nodes], each)
        return found

    @cached_property
    def _stress(self) -> StressRows:
        return stress_rows(self.model.mesh, self.model.assembled.dofs, self.rows)

    @cached_property
    def _place(self) -> Indices:
        place = np.full(len(self.model.mesh.points), -1, dtype=np.intp)
        place[self.rows] = np.arange(len(self.rows))
        return place

    def _seen(self, rows: Indices) -> Indices:
        """Those of some rows that are on the surface."""
        found = self._place[np.asarray(rows, dtype=np.intp)]
        return found[found >= 0]


def _parts(mesh: Mesh) -> tuple[Indices, Indices, Indices]:
    """Triangles, quadrilaterals and bars of the surface, as rows of the mesh."""
    faces: dict[int, list[Indices]] = {3: [], 4: []}
    for group in skin_faces(mesh):
        faces[group.shape[1]].append(group)
    bars = [b.nodes for b in mesh.blocks if b.nodes.shape[1] == 2]
    return _stack(faces[3], 3), _stack(faces[4], 4), _stack(bars, 2)


def _stack(groups: Iterable[Indices], size: int) -> Indices:
    return np.concatenate([np.zeros((0, size), dtype=np.intp), *groups])


def _held(model: FeModel) -> Indices:
    """Nodes with a supported translation."""
    rows, held = model.mesh.rows, model.supports
    nodes = [rows("support", s.nodes) for s in held if min(s.components, default=3) < 3]
    return np.unique(np.concatenate([_NONE, *nodes]))


def _pushes(mesh: Mesh, loads: Iterable[Load]) -> tuple[Indices, Matrix]:
    """Nodes with forces on them, and the directions of these."""
    total = np.zeros((len(mesh.points), 3))
    for load in loads:
        if isinstance(load, NodalForce) and load.component < 3:
            nodes = mesh.rows("load", load.nodes)
            np.add.at(total[:, load.component], nodes, load.value)
    size = np.linalg.norm(total, axis=1)
    nodes = np.flatnonzero(size)
    return nodes, total[nodes] / size[nodes, None]
