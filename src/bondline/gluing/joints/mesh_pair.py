"""The two sides of a mesh tie, and the weights that join them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
from scipy import sparse

from bondline.core import PortRef
from bondline.numerics.facets import Array, FacetMesh

Sparse: TypeAlias = sparse.csr_array[np.float64, tuple[int, int]]


@dataclass(frozen=True, eq=False)
class Pair:
    """Slave and master, and how far from one another they may be."""

    place: str
    ends: tuple[PortRef, ...]
    slave: FacetMesh
    master: FacetMesh
    wanted: float | None

    @cached_property
    def reach(self) -> float:
        """As wanted, else a tenth of the size of a facet of the master."""
        size = 2.0 * float(np.median(self.master.radii))
        return 0.1 * size if self.wanted is None else self.wanted


@dataclass(frozen=True, eq=False)
class Weights:
    """e = D u_slave − M u_master, dof by dof; the rows of both add up to one."""

    D: Sparse
    M: Sparse

    def offsets(self, pair: Pair) -> Array:
        """D x_slave − M x_master: how far apart the surfaces are at each row."""
        slave, master = self.D @ pair.slave.points, self.M @ pair.master.points
        offsets: Array = np.asarray(slave - master)
        return offsets
