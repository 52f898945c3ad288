"""MeshTie: surfaces whose meshes do not match move together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import splu

from bondline.core import Gap, Matrix, Motion, Port, PortRef, Vector
from bondline.errors import SettingError, WiringError, did_you_mean
from bondline.gluing.joints.fits import effort
from bondline.gluing.joints.held import idle_rows
from bondline.gluing.joints.mesh_moment import (
    TRANSLATIONS,
    moment_blocks,
    turning_axes,
)
from bondline.gluing.joints.mesh_mortar import mortar
from bondline.gluing.joints.mesh_pair import Pair, Sparse, Weights
from bondline.gluing.joints.mesh_projection import project
from bondline.gluing.joints.mesh_surface import surface_mesh

Method = Literal["mortar", "projection"]
Multipliers = Literal["dual", "standard"]


@dataclass(frozen=True, eq=False)
class MeshTie:
    """Two ports with surfaces, joined though their nodes do not meet.

    e = D u_slave − M u_master − ω × g, a length at every node of the slave, which is
    the first end. The force there acts on the slave. Motions are displacements from
    the points of the surface.

    `method` "mortar" averages the gap over the slave (`mesh_mortar`) and passes the
    patch test for any two meshes; its `multipliers` are "dual" (D = 1) or "standard".
    "projection" takes it at the slave's nodes (`mesh_projection`): the slave may be a
    cloud of points, but constant stress passes only where the slave's mesh contains
    the master's.

    Forces balance always. Moments do, too, with `moments`, which adds ω × g for
    surfaces that are g apart (`mesh_moment`); without, the moment Σ g × F is lost. For
    surfaces that lie in each other g = 0.

    `dofs` are all of the first port if not named: fewer let the surfaces slide.
    `reach` is the largest distance between the surfaces, by default a tenth of a
    facet of the master.
    """

    name: str
    ends: tuple[PortRef, ...]
    ports: tuple[Port, ...]
    method: Method = "mortar"
    dofs: tuple[str, ...] = ()
    multipliers: Multipliers = "dual"
    reach: float | None = None
    moments: bool = True

    constant = True
    law = None

    def __post_init__(self) -> None:
        for label, value, known in (
            ("method", self.method, get_args(Method)),
            ("multipliers", self.multipliers, get_args(Multipliers)),
        ):
            if value not in known:
                raise SettingError(
                    f"joint {self.name}",
                    f"{label} is {value!r}.",
                    did_you_mean(value, known),
                )
        if self.reach is not None and not self.reach > 0.0:
            raise SettingError(
                f"joint {self.name}",
                f"reach is {self.reach} m.",
                "Give a distance above zero, or leave it out.",
            )

    @property
    def tied(self) -> tuple[str, ...]:
        """The dofs that move together at every node."""
        return self.dofs or self.ports[0].dofs

    @property
    def components(self) -> tuple[str, ...]:
        """One force a dof at every slave node: `0.Fx` and so on.

        Without those that both sides hold still.
        """
        every = self._every
        if not any(port.fixed for port in self.ports):
            return every
        return tuple(every[k] for k in self._kept)

    @property
    def _every(self) -> tuple[str, ...]:
        nodes = range(self.ports[0].nodes)
        return tuple(f"{n}.{effort(d)}" for n in nodes for d in self.tied)

    def suits(self, place: str, ports: Sequence[Port]) -> None:
        """The ports are those the tie was made for, and their surfaces meet."""
        if len(ports) != 2 or len(self.ports) != 2:
            raise WiringError(
                place,
                f"it has {len(ports)} ends and {len(self.ports)} ports.",
                "A mesh tie has two of each: the slave, then the master.",
            )
        for end, port, mine in zip(self.ends, ports, self.ports, strict=True):
            self._suits_one(place, end, port, mine)
        try:
            _ = self._B
        except WiringError as error:
            raise WiringError(place, error.finding, error.remedy) from None

    def gap(self, motions: Sequence[Motion]) -> Gap:
        """B_slave u_slave + B_master u_master at the three levels."""
        slave, master = motions
        x, v = self._apart(slave.x, master.x), self._apart(slave.v, master.v)
        if slave.a is None or master.a is None:
            return x, v, None
        return x, v, self._apart(slave.a, master.a)

    def jacobian(self, motions: Sequence[Motion]) -> Sequence[Matrix]:
        """D and −M for every tied dof."""
        return self._dense

    def admissible(self, z: Vector) -> Sequence[Motion]:
        """The master moves as it likes (x, v, a stacked in `z`), the slave follows."""
        S, _ = self._B
        if S.shape[0] != S.shape[1]:
            raise WiringError(
                f"joint {self.name}",
                f"it ties {' '.join(self.tied)} of {' '.join(self.ports[0].dofs)}, so "
                f"the motion of {self.ends[0]} does not follow from {self.ends[1]}.",
                "Tie all dofs, or use T-T, which needs forces only.",
            )
        master = z.reshape(3, -1)
        held = np.zeros(S.shape[1])
        D = splu(S.tocsc())
        follow = [D.solve(-self._apart(held, level)) for level in master]
        return [Motion(*follow), Motion(*master)]

    def _apart(self, slave: Vector, master: Vector) -> Vector:
        S, M = self._B
        e: Vector = np.asarray(S @ slave + M @ master)
        return e

    def _suits_one(self, place: str, end: PortRef, port: Port, mine: Port) -> None:
        if not _same(port, mine):
            raise WiringError(
                place,
                f"{end} is not the port that the tie was made for: its dofs, nodes or "
                "surface differ.",
                "Make the tie with the ports of the parts that it joins.",
            )
        known = {*self.tied} <= {*port.dofs} and len({*self.tied}) == len(self.tied)
        if port.frame or not known:
            shown = "a frame" if port.frame else " ".join(port.dofs)
            raise WiringError(
                place,
                f"dofs differ: it ties {' '.join(self.tied)}, and {end} has {shown}.",
                "Tie ports with the same dofs at every node, or name in dofs those "
                "that both have, each once.",
            )

    @cached_property
    def _pair(self) -> Pair:
        place, (slave, master) = f"joint {self.name}", self.ports
        facets = self.method == "mortar"
        return Pair(
            place,
            self.ends,
            surface_mesh(place, self.ends[0], slave, facets),
            surface_mesh(place, self.ends[1], master, True),
            self.reach,
        )

    @cached_property
    def _kept(self) -> list[int]:
        """Rows that some side can change."""
        place, dense = f"joint {self.name}", [A.toarray() for A in self._full]
        idle = set(idle_rows(place, self.ends, self.ports, dense))
        return [k for k in range(len(self._every)) if k not in idle]

    @cached_property
    def _B(self) -> tuple[Sparse, Sparse]:
        S, M = self._full
        if not any(port.fixed for port in self.ports):
            return S, M
        return S[self._kept], M[self._kept]

    @cached_property
    def _full(self) -> tuple[Sparse, Sparse]:
        pair = self._pair
        dual = self.multipliers == "dual"
        weights = mortar(pair, dual) if self.method == "mortar" else project(pair)
        slave, master = (_picks(p.dofs, self.tied) for p in self.ports)
        S = sparse.kron(weights.D, slave, format="csr")
        M = sparse.kron(weights.M, master, format="csr")
        return S, (self._moment(weights) - M).tocsr()

    @cached_property
    def _dense(self) -> tuple[Matrix, Matrix]:
        S, M = self._B
        return S.toarray(), M.toarray()

    def _moment(self, weights: Weights) -> Sparse:
        """−ω × g for the tied dofs; empty where the surfaces lie in each other."""
        pair, dofs = self._pair, self.ports[1].dofs
        shape = len(self._every), self.ports[1].size
        g, axes = weights.offsets(pair), turning_axes(dofs)
        size = float(np.ptp(pair.slave.points, axis=0).max())
        if not self.moments or np.abs(g).max() <= 1e-13 * size or not axes.any():
            return sparse.csr_array(shape)
        blocks = moment_blocks(weights.M, g, pair.master.points, axes)
        to_rows, from_nodes = (
            _picks(TRANSLATIONS, self.tied),
            _picks(dofs, TRANSLATIONS),
        )
        blocks = to_rows @ blocks @ from_nodes
        M = weights.M
        return sparse.bsr_array((blocks, M.indices, M.indptr), shape=shape).tocsr()


def _picks(source: tuple[str, ...], wanted: tuple[str, ...]) -> Matrix:
    """Takes the wanted dofs out of those at hand; zero where one is missing."""
    return np.array([[float(s == w) for s in source] for w in wanted])


def _same(port: Port, mine: Port) -> bool:
    if (port.dofs, port.nodes, port.frame) != (mine.dofs, mine.nodes, mine.frame):
        return False
    if port.surface is None or mine.surface is None:
        return port.surface is mine.surface
    theirs, ours = port.surface.points, mine.surface.points
    return (
        np.array_equal(theirs, ours, equal_nan=True)
        and port.surface.facets == mine.surface.facets
    )
