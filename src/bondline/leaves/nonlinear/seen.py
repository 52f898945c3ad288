"""What a nonlinear model publishes and draws."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from bondline.core import Matrix, Observation, Vector
from bondline.leaves.nonlinear.elements.block import Stressed
from bondline.leaves.nonlinear.model import NonlinearModel, Place
from bondline.leaves.nonlinear.state import Parts
from bondline.leaves.nonlinear.unloaded import Bench, Unloaded

_UNITS = ("m", "m", "m", "rad", "rad", "rad")


@dataclass(frozen=True, eq=False)
class Shown:
    """`publish` maps names to what is published of the model:

    - (node, component): a displacement, or a rotation of a plane model;
    - (node, component, other): the same less that of another node;
    - "plastic_strain": the largest equivalent plastic strain anywhere;
    - "stress": the largest |σ| or von Mises stress at any point of integration;
    - "plastic_work", "strain_energy": energies;
    - ("reaction", node, component): the force of a held dof on the model;
    - ("set", node, component, anchor): how far the node would be from where it was,
      were the model without loads on its `bench`, with the anchor brought back first.
    """

    model: NonlinearModel
    publish: Mapping[str, Any] = field(default_factory=dict)
    show: bool = False
    bench: Bench = Bench()  # noqa: RUF009 - a frozen value

    @cached_property
    def _unloaded(self) -> Unloaded:
        return Unloaded(self.model, self.bench)

    def observe(self, now: Parts) -> Mapping[str, Observation]:
        """The published values of a state."""
        return {name: self._value(now, what) for name, what in self.publish.items()}

    def _value(self, now: Parts, what: Any) -> Observation:
        if what == "plastic_strain":
            return Observation(float(self.strains(now).max(initial=0.0)), "1")
        if isinstance(what, tuple) and what[0] == "reaction":
            return Observation(self._reaction(now, *what[1:]), "N")
        if isinstance(what, tuple) and what[0] == "set":
            return Observation(self._unloaded.shift(now, *what[1:]), "m")
        if isinstance(what, tuple):
            return self._moved(now, *what)
        if what == "stress":
            return Observation(self._stress(now), "Pa")
        inner = self.model.balance(Place(now.u, now.v, now.turns), now.history)
        value = inner.plastic if what == "plastic_work" else inner.stored
        return Observation(value, "J")

    def _moved(
        self, now: Parts, node: int, component: int, other: int | None = None
    ) -> Observation:
        u = self.model.dofs.spread(now.u)[:, component]
        less = 0.0 if other is None else float(u[other])
        return Observation(float(u[node]) - less, _UNITS[component])

    def strains(self, now: Parts) -> Vector:
        """Largest equivalent plastic strain of every element, block by block."""
        found = [np.zeros(0)]
        for block, at in zip(self.model.blocks, self.model.slices, strict=True):
            strains = block.strains(now.history[at])
            found.append(np.zeros(len(block.nodes)) if strains is None else strains)
        return np.concatenate(found)

    def _stress(self, now: Parts) -> float:
        place, largest = Place(now.u, now.v, now.turns), 0.0
        for block, at in zip(self.model.blocks, self.model.slices, strict=True):
            if isinstance(block, Stressed):
                moved = self.model.moved(block, place)
                each = block.stresses(self.model.points, moved, now.history[at])
                largest = max(largest, float(each.max(initial=0.0)))
        return largest

    def _reaction(self, now: Parts, node: int, component: int) -> float:
        """Inner forces on a held dof; masses of held nodes do not move."""
        place, total = Place(now.u, now.v, now.turns), 0.0
        for block, at in zip(self.model.blocks, self.model.slices, strict=True):
            if component in block.components:
                moved = self.model.moved(block, place)
                answer = block.respond(self.model.points, moved, now.history[at])
                wide = answer.force.reshape(*block.nodes.shape, -1)
                mine = wide[..., block.components.index(component)]
                total += float(mine[block.nodes == node].sum())
        return total

    def shapes(self, now: Parts) -> Mapping[str, Matrix]:
        """Elements of two nodes as lines."""
        if not self.show:
            return {}
        moved = self.model.points + self.model.dofs.spread(now.u)[:, :3]
        lines, k = dict[str, Matrix](), 0
        for block in self.model.blocks:
            if block.nodes.shape[1] == 2:
                for pair in block.nodes:
                    lines[f"line{k}"] = moved[pair]
                    k += 1
        return lines
