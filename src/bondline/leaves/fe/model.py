"""A finite-element model: mesh, supports, links and loads."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from bondline.core import Matrix
from bondline.errors import SettingError, did_you_mean
from bondline.leaves.fe.applied import applied
from bondline.leaves.fe.assemble import Matrices, assemble
from bondline.leaves.fe.assembled import Assembled, assembled, present
from bondline.leaves.fe.constraints import rows
from bondline.leaves.fe.eliminate import eliminate
from bondline.leaves.fe.links import Link
from bondline.leaves.fe.loads import Load
from bondline.leaves.fe.mesh import Indices, Mesh
from bondline.leaves.fe.numbers import check_matrices, check_rayleigh, check_sections
from bondline.leaves.fe.supports import Initial, Support
from bondline.leaves.fe.wellformed import check_mesh


@dataclass(frozen=True, eq=False)
class FeModel:
    """Everything that an analysis needs to know.

    `rayleigh` is (α, β) of C = α M + β K over the whole model, besides the damping of
    materials and dashpots. `static_time` is the instant at which statics looks at
    loads and enforced displacements; None: at the peak of what is periodic, and at the
    end of tables.
    """

    name: str
    mesh: Mesh
    supports: tuple[Support, ...] = ()
    links: tuple[Link, ...] = ()
    loads: tuple[Load, ...] = ()
    lumped: bool = False
    rayleigh: tuple[float, float] = (0.0, 0.0)
    initial: tuple[Initial, ...] = ()
    static_time: float | None = None

    @cached_property
    def assembled(self) -> Assembled:
        """The equations; made once."""
        check_mesh(self.name, self.mesh)
        check_sections(self.name, self.mesh)
        check_rayleigh(self.name, self.rayleigh)
        matrices = assemble(self.mesh, self.lumped, self.rayleigh)
        each = zip(("mass", "damping", "stiffness"), matrices, strict=True)
        check_matrices(self.name, self.mesh, dict(each))
        loads = applied(self.mesh, self.loads, weight(self.mesh, matrices))
        points = self.mesh.points
        length = float(np.ptp(points, axis=0).max()) if len(points) else 0.0
        known = present(matrices, length)
        loaded = (np.diff(loads.columns.indptr) > 0).reshape(-1, 6)
        told = rows(self.mesh, self.supports, self.links)
        elimination = eliminate(self.name, known, self.mesh.ids, told, loaded)
        return assembled(self.name, matrices, elimination, loads, self.static_time)

    def nodes(self, name: str) -> Indices:
        """Rows of a node set."""
        found = self.mesh.node_sets.get(name)
        if found is None:
            raise SettingError(
                f"{self.name}: node set {name!r}",
                "there is no such set.",
                did_you_mean(name, self.mesh.node_sets),
            )
        return np.asarray(found, dtype=np.intp)


def weight(mesh: Mesh, matrices: Matrices) -> Matrix:
    """M times a unit of acceleration along x, y and z: 6 × nodes, 3."""
    fields = np.tile(np.vstack([np.eye(3), np.zeros((3, 3))]), (len(mesh.points), 1))
    return np.asarray(matrices.M @ fields, dtype=np.float64)
