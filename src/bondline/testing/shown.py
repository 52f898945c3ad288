"""What a leaf shows, level by level, with a name for each quantity."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import inf
from typing import Any, TypeAlias

import numpy as np

from bondline.core import Advance, Effort, Energy, Motion, Output, Port, Vector
from bondline.numerics.rotations import conjugate, log, product

Key: TypeAlias = tuple[str, str]
Values: TypeAlias = dict[Key, Vector]

WORDS = {
    "x": "position",
    "turn": "orientation",
    "v": "velocity",
    "a": "acceleration",
    "f": "effort",
    "at.x": "told position",
    "at.turn": "told orientation",
    "at.v": "told velocity",
    "at.a": "told acceleration",
    "value": "value",
}
EPS = float(np.finfo(np.float64).eps)


@dataclass(frozen=True, slots=True)
class Difference:
    """The first quantity that is not the same, and by how much."""

    key: Key
    by: float

    @property
    def quantity(self) -> str:
        """For messages: `port A: velocity`."""
        return label(self.key)


def label(key: Key) -> str:
    """A quantity in words.

    >>> label(("A", "v")), label(("", "stored"))
    ('port A: velocity', 'energy: stored')
    """
    port, level = key
    if not level:
        return ""
    return f"port {port}: {WORDS.get(level, level)}" if port else f"energy: {level}"


def values(advance: Advance[Any], energy: bool = False) -> Values:
    """Every number that the ports show; the energies, too, if asked."""
    found = dict(
        ((port, level), np.atleast_1d(np.asarray(value, dtype=np.float64)))
        for port, shown in advance.outputs.items()
        for level, value in _levels(shown)
    )
    if energy and advance.energy is not None:
        found |= {("", n): np.array([e]) for n, e in _energies(advance.energy)}
    return found


def _levels(shown: Output) -> Iterator[tuple[str, Any]]:
    if isinstance(shown, Effort):
        yield "f", shown.f
        yield from ((f"at.{level}", value) for level, value in _levels(shown.at))
    elif isinstance(shown, Motion):
        named = {"x": shown.x, "turn": shown.turn, "v": shown.v, "a": shown.a}
        yield from ((level, y) for level, y in named.items() if y is not None)
    else:
        yield "value", shown


def _energies(energy: Energy) -> Iterator[tuple[str, float]]:
    yield "stored", energy.stored
    yield "dissipated", energy.dissipated
    yield "supplied", energy.supplied


def unlike(one: Advance[Any], two: Advance[Any]) -> Difference | None:
    """The first quantity whose bits differ; None where all are the same."""
    a, b = values(one, energy=True), values(two, energy=True)
    for key in (*a, *(k for k in b if k not in a)):
        if key not in a or key not in b or a[key].tobytes() != b[key].tobytes():
            return Difference(key, apart(a.get(key), b.get(key)))
    return None


def apart(one: Vector | None, two: Vector | None) -> float:
    """Largest difference of two vectors; infinite where they cannot be compared."""
    if one is None or two is None or one.shape != two.shape:
        return inf
    return largest(one - two)


def largest(vector: Vector) -> float:
    """The largest absolute value; infinite for NaN, zero for nothing."""
    size = float(np.abs(vector).max()) if vector.size else 0.0
    return size if size == size else inf


def displaced(port: Port, before: Motion, after: Motion) -> Vector:
    """From one position to another; for a frame translation, then rotation vector."""
    if not port.frame or before.turn is None or after.turn is None:
        return after.x - before.x
    turned = rotation_between(before.turn, after.turn)
    return np.concatenate([after.x - before.x, turned])


def rotation_between(one: Vector, two: Vector) -> Vector:
    """The rotation vector, in world axes, that leads from one quaternion to another."""
    return log(product(two, conjugate(one)))


def by_kind(port: Port) -> Mapping[str, list[int]]:
    """Dofs of translation and of rotation: they have different units."""
    turns = [dof.startswith("r") for dof in port.dofs * port.nodes]
    kinds = {
        "": [j for j, turn in enumerate(turns) if not turn],
        " (rotation)": [j for j, turn in enumerate(turns) if turn],
    }
    return {name: dofs for name, dofs in kinds.items() if dofs}
