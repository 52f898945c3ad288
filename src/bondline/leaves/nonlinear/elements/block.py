"""What a block of nonlinear elements can do: all of them at once, never one by one."""

from __future__ import annotations

from typing import NamedTuple, Protocol, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[np.float64]
Indices: TypeAlias = NDArray[np.intp]


class Moved(NamedTuple):
    """Where the nodes of a block are: elements × nodes × components.

    `d` are displacements, `v` velocities and spins, `R` (elements × nodes × 3 × 3)
    how far nodes with three rotations have turned; their entries of `d` mean nothing.
    """

    d: Array
    v: Array
    R: Array | None = None


class Answer(NamedTuple):
    """Forces that hold the elements where they are, and their slopes.

    `force` is elements × m, `tangent` = ∂force/∂d and `damping` = ∂force/∂v elements
    × m × m (None: no viscous force), rotations as spins in world axes. `stored` and
    `plastic` are energies of the whole block; `history` goes with the trial.
    """

    force: Array
    tangent: Array
    damping: Array | None
    history: Array
    stored: float = 0.0
    plastic: float = 0.0


class Elements(Protocol):
    """A block: `nodes` are rows of the model's points, one row an element.

    `components` are the dofs of a node out of 0 … 5 (x y z rx ry rz), the same for all
    its nodes. `numbers` is the length of the history of the whole block.

    Obligations, each tested: rigid motion gives no force; the tangent is the slope of
    the force; `respond` changes nothing.
    """

    @property
    def nodes(self) -> Indices:
        """Elements × nodes."""
        ...

    @property
    def components(self) -> tuple[int, ...]:
        """Dofs of a node."""
        ...

    @property
    def numbers(self) -> int:
        """Of history."""
        ...

    def respond(self, points: Array, moved: Moved, past: Array) -> Answer:
        """Forces and slopes where the nodes are, from the last accepted history."""
        ...

    def mass(self, points: Array) -> Array:
        """Elements × m × m, constant; rotary inertia of 3-D nodes is spherical."""
        ...

    def drag(self) -> float:
        """α of Rayleigh damping α M."""
        ...

    def strains(self, past: Array) -> Array | None:
        """Largest equivalent plastic strain of every element, from its history."""
        ...


@runtime_checkable
class Stressed(Protocol):
    """Elements that know their stress."""

    def stresses(self, points: Array, moved: Moved, past: Array) -> Array:
        """The largest |σ| or von Mises stress of every element, in Pa."""
        ...


@runtime_checkable
class Granting(Protocol):
    """Elements that use dofs which others must bring."""

    @property
    def grants(self) -> tuple[int, ...]:
        """Dofs that nodes have because of it; others it uses where they are."""
        ...
