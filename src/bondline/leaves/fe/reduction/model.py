"""Finite-element models reduced to their ports, and leaves made of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from bondline.core import Matrix, Parameter, Vector
from bondline.leaves.fe.leaf import check_mass, drawing, start, surface
from bondline.leaves.fe.mesh import Indices, Nodes
from bondline.leaves.fe.model import FeModel
from bondline.leaves.fe.modes import damped
from bondline.leaves.fe.plug import Plug, Plugged, plugged, seen_as
from bondline.leaves.fe.reduction.interior import Interior
from bondline.leaves.fe.reduction.loads import Loads, projected_loads
from bondline.leaves.fe.reduction.reduced import (
    MARGIN,
    SAMPLES,
    Reduced,
    craig_bampton,
)
from bondline.leaves.fe.reduction.report import ReductionReport
from bondline.leaves.fe.reduction.residual import left_out
from bondline.leaves.fe.reduction.seen import Outline
from bondline.leaves.fe.reduction.service import band_limited
from bondline.leaves.fe.reduction.skin import ReducedField
from bondline.leaves.fe.watching import Rows, Watch, watch
from bondline.leaves.histories import Constant
from bondline.leaves.structure import Structure
from bondline.numerics import Kinematics, Method
from bondline.numerics.factor import factor


@dataclass(frozen=True, eq=False)
class Wanted:
    """How far to reduce: a band in Hz, or a number of modes with the ports held.

    Modes are kept up to `margin` times the band; with `only_band` nothing but those
    inside it is shown, see `band_limited`. `modes=0` is Guyan's reduction.
    """

    band: float | None = None
    modes: int | None = None
    margin: float = MARGIN
    only_band: bool = False
    samples: int = SAMPLES
    modal: Sequence[float] = ()  # damping ratios of the part's own modes, as `fe_leaf`


@dataclass(frozen=True, eq=False)
class ReducedModel:
    """A model, its ports, and the small system that stands for it at these ports.

    The leaf knows the small system alone. Displacements and stresses inside are found
    here, on the owner's side.
    """

    model: FeModel
    plugs: Mapping[str, Plugged]
    reduced: Reduced

    @property
    def report(self) -> ReductionReport:
        """What was kept, and the errors that were measured."""
        return self.reduced.report

    @cached_property
    def loads(self) -> Loads | None:
        """The own loads, or None where there are none."""
        return projected_loads(self.model.assembled, self.reduced.T)

    @cached_property
    def select(self) -> Mapping[str, Any]:
        """The dofs of every port among the reduced coordinates."""
        place = np.full(len(self.reduced.T), -1, dtype=np.intp)
        place[self.reduced.boundary] = np.arange(len(self.reduced.boundary))
        size = self.reduced.report.size
        return {name: _moved(p, place, size) for name, p in self.plugs.items()}

    def leaf(
        self,
        *,
        steps: int = 1,
        publish: Sequence[str] | Mapping[str, str] = (),
        draw: bool = False,
        skin: str = "",
        method: Method | None = None,
        parameters: Mapping[str, Parameter] | None = None,
    ) -> Structure:
        """The reduced model as a leaf with the ports of the full one; see `fe_leaf`."""
        made = self.model.assembled
        self._check_mass()
        return Structure(
            self.model.name,
            self.reduced.system,
            select=self.select,
            ports={name: plug.port for name, plug in self.plugs.items()},
            external=self.loads,
            steps=steps,
            start_at=self._start(),
            parameters=parameters or {},
            static_load=self.loads.static if self.loads else None,
            kinks=made.kinks,
            watch=self._watch(watch(self.model, publish)) if publish else None,
            draw=Outline(drawing(self.model), self.reduced) if draw else None,
            method=method or Method(),
            surface=self._surface(skin),
        )

    def _surface(self, skin: str) -> ReducedField | None:
        full = surface(self.model, self.plugs, skin)
        if full is None:
            return None
        return ReducedField(full, self.reduced, lambda: self.rest)

    def displacements(self, y: Vector, t: float = 0.0) -> Matrix:
        """Where all nodes are at the coordinates `y` and the time `t`: nodes × 6.

        What the modes left out would do at rest under the own loads is added.
        """
        made = self.model.assembled
        h = made.at(t)[0]
        q = self.reduced.recover(y) + self.rest @ h
        u = made.T @ q + made.G @ h
        return made.dofs.spread(np.asarray(u, dtype=np.float64))

    @cached_property
    def rest(self) -> Matrix:
        """For a unit of every history of loads, what the modes do not show at rest."""
        made, T = self.model.assembled, self.reduced.T
        inner = Interior(made.system, self.reduced.boundary)
        loads: Any = made.value
        found = np.zeros(loads.shape)
        if not loads.nnz or not len(inner.inside):
            return found
        b = len(self.reduced.boundary)
        phi, F = T[inner.inside, b:], loads.toarray()[inner.inside]
        stiff = np.asarray(self.reduced.system.K)[b:, b:]
        found[inner.inside] = left_out(inner, phi, stiff, F)
        return found

    def _check_mass(self) -> None:
        try:
            factor(self.reduced.system.M)
        except np.linalg.LinAlgError:
            check_mass(self.model.assembled)
            raise

    def _start(self) -> Kinematics | None:
        """Where the full model starts, as far as the coordinates can say it."""
        full = start(self.model)
        if full is None:
            return None
        M = self.model.assembled.system.M
        return Kinematics(*(self.reduced.coordinates(M, q) for q in full))

    def _watch(self, full: Watch) -> Watch:
        """What the full model publishes, in terms of the reduced coordinates."""
        steady = self._steady()
        peaks = {name: self._rows(rows, steady) for name, rows in full.peaks.items()}
        return replace(full, rows=self._rows(full.rows, steady), peaks=peaks)

    def _rows(self, rows: Rows, steady: Vector) -> Rows:
        T = self.reduced.T
        u, v, a = (csr_array(np.asarray(R @ T)) for R in rows.levels)
        rest = rows.rest + rows.levels[0] @ steady
        return Rows((u, v, a), np.asarray(rest, dtype=np.float64))

    def _steady(self) -> Vector:
        """What loads that never change do beside the modes."""
        made = self.model.assembled
        h = np.array([isinstance(one, Constant) for one in made.histories], dtype=float)
        if not h.any():
            return np.zeros(len(self.reduced.T))
        return np.asarray(self.rest @ (h * made.at(0.0)[0]), dtype=np.float64)


def _moved(plug: Plugged, place: Indices, size: int) -> Any:
    if isinstance(plug.select, np.ndarray):
        return place[plug.select]
    rows = plug.select
    where = place[rows.indices]
    return csr_array((rows.data, where, rows.indptr), shape=(rows.shape[0], size))


def reduce_model(
    model: FeModel, ports: Mapping[str, Plug | Nodes], wanted: Wanted
) -> ReducedModel:
    """The model reduced to its ports by Craig and Bampton's method.

    The boundary is every dof that a port shows or, where links lead the port's nodes,
    follows.
    """
    plugs = {name: plugged(model, name, plug) for name, plug in ports.items()}
    boundary = _boundary(list(plugs.values()))
    system = damped(model.assembled.system, wanted.modal)
    reduced = craig_bampton(
        system,
        boundary,
        band=wanted.band,
        modes=wanted.modes,
        margin=wanted.margin,
        samples=0 if wanted.only_band else wanted.samples,
        loads=_shapes(model) if wanted.modes != 0 else None,
    )
    if wanted.only_band:
        reduced = band_limited(reduced, system, wanted.samples)
    if reduced.report.pair is not None:
        names, (i, j) = seen_as(plugs), boundary[list(reduced.report.pair)].tolist()
        report = replace(reduced.report, between=(names[i], names[j]))
        reduced = replace(reduced, report=report)
    return ReducedModel(model, plugs, reduced)


def _shapes(model: FeModel) -> Matrix:
    """Columns of all own loads, and of enforced supports that move and accelerate."""
    made = model.assembled
    return np.hstack([made.value.toarray(), made.second.toarray()])


def _boundary(plugs: Sequence[Plugged]) -> Indices:
    """All dofs of all ports, each once, in the order in which they come."""
    each = [p.select for p in plugs]
    dofs = [s if isinstance(s, np.ndarray) else np.unique(s.indices) for s in each]
    together = np.concatenate([np.zeros(0, dtype=np.intp), *dofs]).tolist()
    return np.array(list(dict.fromkeys(together)), dtype=np.intp)


def reduced_leaf(
    model: FeModel,
    ports: Mapping[str, Plug | Nodes],
    *,
    band: float | None = None,
    modes: int | None = None,
    steps: int = 1,
    publish: Sequence[str] | Mapping[str, str] = (),
) -> Structure:
    """A leaf that stands for `fe_leaf(model, ports)` below `band` in Hz.

    `reduce_model` gives more choice, and the report.
    """
    made = reduce_model(model, ports, Wanted(band, modes, samples=0))
    return made.leaf(steps=steps, publish=publish)
