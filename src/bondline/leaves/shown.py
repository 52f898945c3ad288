"""What a linear structure publishes and draws."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol, TypeAlias

import numpy as np

from bondline.core import Deformed, Matrix, Observation, Skin, Vector
from bondline.numerics import Kinematics

Watch: TypeAlias = Callable[[Kinematics], Mapping[str, Observation]]
Draw: TypeAlias = Callable[[Vector], Mapping[str, Matrix]]


class Surface(Protocol):
    """The surface of a structure, from its displacements u."""

    @property
    def rest(self) -> Skin:
        """Where nothing has moved."""
        ...

    def at(self, u: Vector, t: float | None, share: float) -> Deformed:
        """Where it is in a state; see `Skinned`."""
        ...

    def amplitudes(self, u: Vector) -> Deformed:
        """How it moves in a vibration."""
        ...


def published(
    state: Vector, dofs: Mapping[str, int], watch: Watch | None
) -> Mapping[str, Observation]:
    """Displacements of the named dofs, and what else is watched."""
    found = {n: Observation(float(state[j]), "m") for n, j in dofs.items()}
    return found if watch is None else found | {**watch(levels(state))}


def levels(state: Vector) -> Kinematics:
    """u, v, a of a state that stacks them."""
    return Kinematics(*state.reshape(3, -1))


def drawn(
    state: Vector, rest: Vector | None, draw: Draw | None
) -> Mapping[str, Matrix]:
    """What there is to draw; masses in a row, where a rest position is known."""
    if draw is not None:
        return draw(levels(state).u)
    if rest is None:
        return {}
    x = rest + state[: len(rest)]
    return {"": np.stack([x, np.zeros_like(x)], axis=1)}
