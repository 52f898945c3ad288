"""Supports and loads in the making: node by node, then grouped."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

from bondline.leaves.fe.loads import Gravity, Load, NodalForce, Pressure
from bondline.leaves.fe.mesh import Indices
from bondline.leaves.fe.supports import Support
from bondline.leaves.histories import History

Key: TypeAlias = tuple[int, int]  # row and component, or element and face
Vector3: TypeAlias = tuple[float, float, float]


@dataclass
class Loading:
    """Values on keys; those of a later step replace, those of one step add up."""

    values: dict[Key, dict[History, float]] = field(default_factory=dict)
    steps: dict[Key, int] = field(default_factory=dict)

    def put(self, key: Key, value: float, history: History, step: int) -> None:
        """Let a value act on a key from a step on."""
        if self.steps.get(key, step) != step:
            del self.values[key]
        self.steps[key] = step
        here = self.values.setdefault(key, {})
        here[history] = here.get(history, 0.0) + value

    def clear(self) -> None:
        """Nothing acts any more."""
        self.values.clear()
        self.steps.clear()

    def each(self) -> Iterable[tuple[Key, float, History]]:
        """Key, value and history of all that acts."""
        for key, here in self.values.items():
            for history, value in here.items():
                yield key, value, history


@dataclass
class Acting:
    """What holds and what pushes, up to the step that was asked for."""

    held: dict[Key, tuple[float, History]] = field(default_factory=dict)
    forces: Loading = field(default_factory=Loading)
    pressures: Loading = field(default_factory=Loading)
    gravity: list[tuple[Vector3, History, int]] = field(default_factory=list)

    def supports(self) -> tuple[Support, ...]:
        """Nodes with the same components, value and history are one support."""
        components: dict[tuple[int, float, History], list[int]] = {}
        for (row, component), (value, history) in self.held.items():
            components.setdefault((row, value, history), []).append(component)
        rows: dict[tuple[tuple[int, ...], float, History], list[int]] = {}
        for (row, value, history), some in components.items():
            rows.setdefault((tuple(sorted(some)), value, history), []).append(row)
        return tuple(
            Support(np.array(nodes, dtype=np.intp), some, value, history)
            for (some, value, history), nodes in rows.items()
        )

    def loads(self, faces: Callable[[list[Key]], Indices]) -> tuple[Load, ...]:
        """Forces, pressures and gravity, each grouped by value and history."""
        return (*self._forces(), *self._pressures(faces), *self._gravity())

    def _forces(self) -> Iterable[NodalForce]:
        groups: dict[tuple[int, float, History], list[int]] = {}
        for (row, component), value, history in self.forces.each():
            groups.setdefault((component, value, history), []).append(row)
        for (component, value, history), rows in groups.items():
            yield NodalForce(np.array(rows, dtype=np.intp), component, value, history)

    def _pressures(
        self, numbered: Callable[[list[Key]], Indices]
    ) -> Iterable[Pressure]:
        groups: dict[tuple[float, History], list[Key]] = {}
        for key, value, history in self.pressures.each():
            groups.setdefault((value, history), []).append(key)
        for (value, history), faces in groups.items():
            yield Pressure(numbered(faces), value, history)

    def _gravity(self) -> Iterable[Gravity]:
        for vector, history, _ in self.gravity:
            yield Gravity(np.array(vector), history)
