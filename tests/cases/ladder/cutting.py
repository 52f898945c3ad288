"""Models cut into parts, and glued again at the nodes that the parts share."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from bondline.core import Matrix, Model, Rejected, Vector
from bondline.gluing import IntegratedModel, glue
from bondline.leaves.fe.leaf import Plug, fe_leaf
from bondline.leaves.fe.links import Equation
from bondline.leaves.fe.loads import Gravity, Load, NodalForce, Pressure
from bondline.leaves.fe.mesh import Indices, Mesh
from bondline.leaves.fe.model import FeModel

PAIRS = (("p0", "p1"), ("p2", "p3"))


def bisected(mesh: Mesh, parts: int) -> Indices:
    """The part of every element: halves along the longest side, and halves of those."""
    centres = np.concatenate([mesh.points[b.nodes].mean(axis=1) for b in mesh.blocks])
    labels = np.zeros(len(centres), dtype=np.intp)
    groups, size = [np.arange(len(centres))], float(np.ptp(mesh.points, axis=0).max())
    while len(groups) < parts:
        groups = [half for g in groups for half in _halves(centres, g, 1e-6 * size)]
    for label, group in enumerate(groups):
        labels[group] = label
    return labels


def _halves(centres: Matrix, group: Indices, grain: float) -> tuple[Indices, Indices]:
    x = np.round(centres[group] / grain)
    first = int(np.argmax(np.ptp(x, axis=0)))
    order = np.lexsort((x[:, first - 2], x[:, first - 1], x[:, first]))
    middle = len(order) // 2
    return group[order[:middle]], group[order[middle:]]


@dataclass(frozen=True, eq=False)
class Cut:
    """A model, and which part each of its elements belongs to."""

    model: FeModel
    labels: Indices

    @cached_property
    def rows(self) -> tuple[Indices, ...]:
        """The nodes of every part, as rows of the whole mesh."""
        return tuple(
            np.unique(np.concatenate([b[keep].ravel() for b, keep in self._kept(part)]))
            for part in range(int(self.labels.max()) + 1)
        )

    def _kept(self, part: int) -> Iterator[tuple[Indices, Indices]]:
        start = 0
        for block in self.model.mesh.blocks:
            own = self.labels[start : start + len(block.nodes)] == part
            start += len(block.nodes)
            yield block.nodes, np.flatnonzero(own)

    @cached_property
    def shared(self) -> Mapping[tuple[int, ...], Indices]:
        """Rows of the whole mesh by the parts that share them, two or more."""
        count = len(self.model.mesh.points)
        has = np.array([np.isin(np.arange(count), rows) for rows in self.rows])
        found: dict[tuple[int, ...], list[int]] = {}
        for node in np.flatnonzero(has.sum(axis=0) > 1).tolist():
            found.setdefault(tuple(np.flatnonzero(has[:, node]).tolist()), [])
            found[tuple(np.flatnonzero(has[:, node]).tolist())].append(node)
        return {key: np.array(nodes) for key, nodes in found.items()}

    @cached_property
    def parts(self) -> tuple[FeModel, ...]:
        """A model of its own for every part."""
        return tuple(self._part(part) for part in range(len(self.rows)))

    def _part(self, part: int) -> FeModel:
        mesh, rows = self.model.mesh, self.rows[part]
        place = np.full(len(mesh.points), -1, dtype=np.intp)
        place[rows] = np.arange(len(rows))
        blocks = tuple(
            replace(block, nodes=place[nodes[keep]], ids=block.ids[keep])
            for block, (nodes, keep) in zip(mesh.blocks, self._kept(part), strict=True)
            if len(keep)
        )
        own = Mesh(mesh.points[rows], blocks, mesh.ids[rows])
        supports = [
            replace(s, nodes=place[s.nodes][place[s.nodes] >= 0])
            for s in self.model.supports
        ]
        return replace(
            self.model,
            name=f"p{part}",
            mesh=own,
            supports=tuple(s for s in supports if len(s.nodes)),
            links=tuple(self._links(place)),
            loads=tuple(self._loads(part, own, place)),
        )

    def _links(self, place: Indices) -> Iterator[Equation]:
        """Slanted supports go to all parts that have the node; no other link is cut."""
        for link in self.model.links:
            assert isinstance(link, Equation)
            if (place[link.nodes] >= 0).all():
                yield replace(link, nodes=place[link.nodes])

    def _loads(self, part: int, own: Mesh, place: Indices) -> Iterator[Load]:
        """A force at a shared node goes to the first part that has it."""
        before = np.concatenate([np.zeros(0, dtype=np.intp), *self.rows[:part]])
        ids = np.concatenate([block.ids for block in own.blocks])
        for load in self.model.loads:
            match load:
                case Gravity():
                    yield load
                case NodalForce():
                    nodes = np.setdiff1d(load.nodes, before)
                    nodes = place[nodes][place[nodes] >= 0]
                    if len(nodes):
                        yield replace(load, nodes=nodes)
                case Pressure():
                    faces = load.faces[np.isin(load.faces[:, 0], ids)]
                    if len(faces):
                        yield replace(load, faces=faces)

    @cached_property
    def leaves(self) -> Mapping[str, Model]:
        """A leaf for every part, with a port for every set of sharers."""
        return {
            model.name: fe_leaf(model, self.plugs(part))
            for part, model in enumerate(self.parts)
        }

    def plugs(self, part: int) -> dict[str, Plug]:
        """The ports of a part."""
        return {
            _joint(key): Plug(np.searchsorted(self.rows[part], nodes))
            for key, nodes in self.shared.items()
            if part in key
        }

    @property
    def joints(self) -> dict[str, tuple[str, ...]]:
        """The ends of every joint."""
        return {
            _joint(key): tuple(f"p{part}.{_joint(key)}" for part in key)
            for key in self.shared
        }

    def flat(self) -> IntegratedModel:
        """All parts on one level."""
        return glue("glued", self.leaves.values(), dict(self.joints))

    def nested(self, groups: Sequence[Sequence[str]] = PAIRS) -> IntegratedModel:
        """Groups of parts, glued inside first."""
        models = [self._group(f"g{k}", group) for k, group in enumerate(groups)]
        joints = {}
        for joint, ends in self.joints.items():
            outer = [
                f"g{k}.{joint}" for k, group in enumerate(groups) if _of(ends, group)
            ]
            if len(outer) > 1:
                joints[joint] = tuple(outer)
        return glue("nested", models, joints)

    def _group(self, name: str, group: Sequence[str]) -> IntegratedModel:
        """One level; where it meets others it shows one of its ports."""
        inner, exports = {}, {}
        for joint, ends in self.joints.items():
            own = _of(ends, group)
            if len(own) > 1:
                inner[joint] = own
            if own and len(own) < len(ends):
                exports[joint] = own[0]
        return glue(name, [self.leaves[p] for p in group], inner, exports=exports)

    def together(self, states: Mapping[str, Vector], t: float = 0.0) -> Matrix:
        """Displacements of the whole, nodes × 6, from the states of the leaves."""
        u = np.zeros((len(self.model.mesh.points), 6))
        for model, rows in zip(self.parts, self.rows, strict=True):
            made = model.assembled
            q = states[model.name].reshape(3, -1)[0]
            u[rows] = made.dofs.spread(made.T @ q + made.G @ made.at(t)[0])
        return u

    def at_rest(self, nested: bool = False) -> Matrix | None:
        """Displacements of the glued model in equilibrium, nodes × 6.

        None where gluing refuses.
        """
        model = self.nested() if nested else self.flat()
        found = model.equilibrium(model.start(0.0).state, 1.0, {}, {})
        if isinstance(found, Rejected):
            return None
        return self.together(leaf_states(found.state.parts))


def leaf_states(parts: Mapping[str, object]) -> dict[str, Vector]:
    """States of all leaves by name, whatever the nesting."""
    found: dict[str, Vector] = {}
    for name, state in parts.items():
        inner = getattr(state, "parts", None)
        found |= {name: state} if inner is None else leaf_states(inner)
    return found


def _joint(key: Sequence[int]) -> str:
    return "j" + "_".join(map(str, key))


def _of(ends: Sequence[str], group: Sequence[str]) -> tuple[str, ...]:
    return tuple(end for end in ends if end.partition(".")[0] in group)
