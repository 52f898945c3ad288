"""Which degrees of freedom the nodes of a model have."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from bondline.core import FRAME_DOFS, Matrix, Vector
from bondline.leaves.fe.mesh import Indices


@dataclass(frozen=True, eq=False)
class Dofs:
    """The numbers of all dofs, node by node: `index` is nodes × 6, −1 where none is.

    `ids` are the owner's numbers of the nodes.
    """

    index: Indices
    ids: Indices

    @classmethod
    def where(cls, present: NDArray[np.bool_], ids: Indices) -> Dofs:
        """Numbers for the dofs that are present (nodes × 6)."""
        index = np.full(present.shape, -1, dtype=np.intp)
        index[present] = np.arange(np.count_nonzero(present))
        return cls(index, ids)

    @property
    def size(self) -> int:
        """How many there are."""
        return len(self.slots)

    @cached_property
    def slots(self) -> Indices:
        """6 × node + component of every dof."""
        return np.flatnonzero(self.index.ravel() >= 0)

    def spread(self, u: Vector) -> Matrix:
        """Values of dofs as nodes × 6; zero where a node has no such dof."""
        wide = np.zeros(self.index.size)
        wide[self.slots] = u
        return wide.reshape(-1, 6)

    def of(self, nodes: Indices, components: tuple[int, ...]) -> Indices:
        """Numbers of the dofs of some nodes, node by node; −1 where none is."""
        return self.index[np.atleast_1d(nodes)][:, list(components)].ravel()

    def named(self, slot: int) -> str:
        """A dof in the owner's words, from 6 × node + component."""
        return f"node {self.ids[slot // 6]}, {FRAME_DOFS[slot % 6]}"

    def listed(self, slots: Indices, most: int = 5) -> str:
        """Some dofs in words, and how many more there are."""
        said = "; ".join(self.named(int(slot)) for slot in slots[:most])
        more = len(slots) - most
        return f"{said}; and {more} more" if more > 0 else said
