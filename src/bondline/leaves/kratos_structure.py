"""Kratos StructuralMechanics as a leaf: shells and solids, linear and nonlinear.

Kratos assembles, solves and integrates in time. What it keeps between calls are nodal
values of three levels, which are put in before each window and read after it; where
elements remember more (corotational shells and beams do), the state holds all of the
model as Kratos itself writes it. Needs `pip install bondline[kratos]`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np

from bondline.core import (
    FRAME_DOFS,
    Advance,
    Capabilities,
    Matrix,
    Motion,
    Observation,
    Parameter,
    Port,
    Rejected,
    Signal,
    Surface,
    Vector,
    Window,
)
from bondline.errors import SettingError
from bondline.leaves.guard import finite
from bondline.leaves.kratos_model import Fill, KratosModel, Plan
from bondline.leaves.raw import from_bytes, to_bytes


class Kept(NamedTuple):
    """An instant: nodal values, and the model as bytes where elements remember."""

    y: Vector
    model: bytes = b""


@dataclass(frozen=True, eq=False)
class KratosStructure:
    """A model part that takes forces at sets of its nodes.

    `fill` puts nodes, elements, properties and sets into a model part; `mdpa(text)`
    does it from a file. `sockets` names the set of each port (a sub model part, or
    numbers of nodes), `held` sets that supports hold, with their dofs. A port shows
    displacements of all dofs that its nodes have, or of those in `dofs`.

    A window is `steps` steps of Bossak's method, α from −0.3 to 0; each feels the
    forces of its end. Linear elements take one solve a step, others iterate.
    """

    name: str
    fill: Fill
    sockets: Mapping[str, str | Sequence[int]]
    held: Mapping[str, Sequence[str]] = field(default_factory=dict)
    dofs: Mapping[str, Sequence[str]] = field(default_factory=dict)
    gravity: tuple[float, float, float] = (0.0, 0.0, 0.0)
    steps: int = 1
    bossak: float = 0.0
    tolerance: float = 1e-9
    patience: int = 25
    publish: Mapping[str, tuple[int, str]] = field(default_factory=dict)
    parameters: Mapping[str, Parameter] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.steps < 1 or not -0.3 <= self.bossak <= 0.0:
            raise SettingError(
                self.name,
                f"found steps = {self.steps}, bossak = {self.bossak:g}.",
                "Give at least 1 step, and bossak from −0.3 to 0.",
            )
        _ = self.ports, self._origin  # refused here

    @cached_property
    def _model(self) -> KratosModel:
        return KratosModel(
            Plan(
                self.name,
                self.fill,
                self.sockets,
                self.held,
                self.gravity,
                self.bossak,
                self.tolerance,
                self.patience,
            )
        )

    @cached_property
    def _rows(self) -> Mapping[str, list[int]]:
        return {port: self._model.rows(port) for port in self.sockets}

    @cached_property
    def _columns(self) -> Mapping[str, list[int]]:
        """Which of six components a port has."""
        return {port: self._components(port) for port in self.sockets}

    def _components(self, port: str) -> list[int]:
        have = self._model.exists[self._rows[port], :3].all(axis=0)
        shared = [FRAME_DOFS[c] for c in np.flatnonzero(have)]
        asked = list(self.dofs.get(port, shared))
        lacking = [dof for dof in asked if dof not in shared]
        if lacking or not asked:
            raise SettingError(
                f"{self.name}.{port}",
                f"its nodes have no dof {lacking[0] if lacking else 'in common'}.",
                f"All of them have: {' '.join(shared) or 'none'}.",
            )
        return [FRAME_DOFS.index(dof) for dof in asked]

    @cached_property
    def ports(self) -> Mapping[str, Port]:
        """Sets of nodes that take forces."""
        found = {}
        for port, rows in self._rows.items():
            columns = self._columns[port]
            held = self._model.held[np.ix_(rows, columns)].ravel()
            found[port] = Port(
                port,
                tuple(FRAME_DOFS[c] for c in columns),
                len(rows),
                surface=Surface(self._model.points[rows]),
                fixed=tuple(np.flatnonzero(held).tolist()),
            )
        return found

    @property
    def capabilities(self) -> Capabilities:
        """As its elements allow."""
        return Capabilities(
            linear=self._model.linear and not self._model.turns,
            serialises=not self._model.keeps,
            one_step=self.steps == 1,
            coarse=1 < self.steps < 4,
        )

    @cached_property
    def _origin(self) -> Kept:
        y = np.zeros((3, len(self._model.points), 6))
        _ = self._model.weights  # at rest
        return Kept(y.ravel(), self._model.keep() if self._model.keeps else b"")

    @cached_property
    def _at(self) -> list[Kept]:
        """The state that the model is in, if it is in one."""
        return []

    def _enter(self, state: Kept) -> Matrix:
        model, y = self._model, state.y.reshape(3, -1, 6)
        if model.keeps and not (self._at and self._at[0] is state):
            model.bring_back(state.model)
        self._at.clear()
        model.put(y)
        return y

    def start(self, t0: float) -> Advance[Kept]:
        """At rest and undeformed."""
        return self.press(self._origin, t0, {})

    def press(
        self, state: Kept, t: float, forces: Mapping[str, Vector]
    ) -> Advance[Kept]:
        """The same instant under forces."""
        u, v, _ = self._enter(state)
        a = self._model.accelerations(v.ravel(), self._spread(forces))
        now = Kept(np.stack([u, v, a]).ravel(), state.model)
        return self._shown(now)

    def advance(
        self, state: Kept, window: Window, inputs: Mapping[str, Signal]
    ) -> Advance[Kept] | Rejected:
        """Some steps of Kratos."""
        model = self._model
        self._enter(state)
        for k, piece in enumerate(window.split(self.steps), start=1):
            f = self._spread({p: s.at(k / self.steps) for p, s in inputs.items()})
            try:
                fits = np.isfinite(f).all() and model.step(piece.t1, piece.nominal, f)
            except RuntimeError as error:  # Kratos' own
                return self._gave_up(window, " ".join(str(error).split())[:200])
            if not fits:
                return self._gave_up(window, "no balance, or forces are not finite")
        y = model.get()
        if not np.isfinite(y).all():
            return self._gave_up(window, "its numbers run away")
        now = Kept(y.ravel(), model.keep() if model.keeps else b"")
        self._at[:] = [now]
        return finite(self.name, window, self._shown(now))

    def _gave_up(self, window: Window, why: str) -> Rejected:
        return Rejected(self.name, f"Kratos gave up: {why}", window.at(0.5))

    def _spread(self, forces: Mapping[str, Vector]) -> Matrix:
        """Forces of the ports, nodes x six."""
        f = np.zeros((len(self._model.points), 6))
        for port, given in forces.items():
            rows, columns = self._rows[port], self._columns[port]
            np.add.at(f, np.ix_(rows, columns), given.reshape(len(rows), -1))
        return f

    def _shown(self, state: Kept) -> Advance[Kept]:
        y = state.y.reshape(3, -1, 6)
        outputs = {}
        for port, rows in self._rows.items():
            seen = y[:, rows][:, :, self._columns[port]]
            outputs[port] = Motion(*(level.ravel() for level in seen))
        return Advance(state, outputs, stats={"solves": 1.0})

    def observe(self, state: Kept) -> Mapping[str, Observation]:
        """Displacements in `publish`: of a node, by its number, in one direction."""
        u = state.y.reshape(3, -1, 6)[0]
        found = {}
        for name, (node, dof) in self.publish.items():
            value = u[self._model.sums.numbers[node], FRAME_DOFS.index(dof)]
            unit = "m" if dof in FRAME_DOFS[:3] else "rad"
            found[name] = Observation(float(value), unit)
        return found

    def shapes(self, state: Kept) -> Mapping[str, Matrix]:
        """The outlines of its elements, each a line."""
        at = self._model.points + state.y.reshape(3, -1, 6)[0, :, :3]
        return {f"{k}": at[[*e, e[0]]] for k, e in enumerate(self._model.sums.lines)}

    def dump(self, state: Kept) -> bytes:
        """Nodal values as raw doubles; only where elements remember nothing else."""
        return to_bytes(state.y)

    def load(self, data: bytes) -> Kept:
        """The state that `dump` wrote."""
        return Kept(from_bytes(data))
