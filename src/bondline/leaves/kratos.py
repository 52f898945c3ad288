"""Kratos StructuralMechanics as a leaf: plane frames of corotational beams.

Kratos assembles, solves and integrates in time; its Newton strategy makes one iteration
a call. What it keeps between calls (displacements, velocities, accelerations, loads of
two instants) is put in before each call and read after it, so states are values here.
Needs `pip install bondline[kratos]`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from bondline.core import (
    Advance,
    Balance,
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
from bondline.errors import SettingError, did_you_mean
from bondline.leaves.guard import finite
from bondline.leaves.kratos_engine import Engine, Frame
from bondline.leaves.raw import from_bytes, to_bytes

_EPS = float(np.finfo(np.float64).eps)


class Now(NamedTuple):
    """An instant: three numbers a node (x, y, turn), and the loads of the ports."""

    u: Vector
    v: Vector
    a: Vector
    p: Vector


@dataclass(frozen=True, eq=False)
class KratosTrial:
    """A window under correction, as `core.Trial` says."""

    window: Window
    start: Now
    now: Now
    residual: float
    ports: Mapping[str, tuple[int, int]]
    corrections: int = 0

    @property
    def motions(self) -> Mapping[str, Motion]:
        """Of all ports at t₁."""
        return motions(self.now, self.ports)


def motions(now: Now, ports: Mapping[str, tuple[int, int]]) -> dict[str, Motion]:
    """Displacements of the nodes of the ports."""
    return {
        name: Motion(*(y[list(dofs)].copy() for y in (now.u, now.v, now.a)))
        for name, dofs in ports.items()
    }


@dataclass(frozen=True, eq=False)
class KratosFrame:
    """A frame that takes forces at some nodes (`sockets`: rows of its points).

    The method is Bossak's, α from −0.3 to 0: M ((1 − α) a₁ + α a₀) + f₁ = p₁; with 0
    it is the trapezoidal rule. Beams are elastic: this wheel of Kratos has no law of
    plasticity for beams.
    """

    name: str
    frame: Frame
    sockets: Mapping[str, int]
    bossak: float = 0.0
    tolerance: float = 1e-9
    patience: int = 25
    ballast: Mapping[str, Vector] = field(default_factory=dict)
    parameters: Mapping[str, Parameter] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for port, node in self.sockets.items():
            if not 0 <= node < len(self.frame.points):
                raise SettingError(
                    f"{self.name}.{port}",
                    f"there is no node {node} of {len(self.frame.points)}.",
                    "Nodes are rows of `points`, from 0.",
                )
        for port in self.ballast:
            if port not in self.sockets:
                raise SettingError(
                    f"{self.name}: ballast",
                    f"no port {port!r}.",
                    did_you_mean(port, self.sockets),
                )

    @cached_property
    def _engine(self) -> Engine:
        heavy = {self.sockets[p]: float(m[0]) for p, m in self.ballast.items()}
        return Engine(self.frame, tuple(self.sockets.values()), self.bossak, heavy)

    @cached_property
    def _dofs(self) -> Mapping[str, tuple[int, int]]:
        return {p: (3 * k, 3 * k + 1) for p, k in self.sockets.items()}

    @cached_property
    def ports(self) -> Mapping[str, Port]:
        """x and y of each socket."""
        points = np.column_stack([self.frame.points, np.zeros(len(self.frame.points))])
        return {
            p: Port(p, ("x", "y"), surface=Surface(points[[k]]))
            for p, k in self.sockets.items()
        }

    @property
    def capabilities(self) -> Capabilities:
        """One implicit step a window."""
        return Capabilities(one_step=True)

    @property
    def balance(self) -> Balance:
        """Bossak's: inertia is weighed, all else is at t₁."""
        alpha = self.bossak
        return Balance((1.0 - alpha) ** 2 / 4.0, 0.5 - alpha, alpha, 0.0)

    @property
    def mass(self) -> float:
        """In kg, without ballast."""
        return self._engine.weighs

    def ballasted(self, masses: Mapping[str, Vector]) -> KratosFrame:
        """The same with extra mass on its ports, a nodal mass of Kratos: no weight."""
        more = dict(self.ballast)
        for port, extra in masses.items():
            more[port] = more.get(port, 0.0) + np.asarray(extra, dtype=np.float64)
        return replace(self, ballast=more)

    def fields(self, state: Vector) -> Now:
        """What a state is made of."""
        n = 3 * len(self.frame.points)
        return Now(state[:n], state[n : 2 * n], state[2 * n : 3 * n], state[3 * n :])

    def start(self, t0: float) -> Advance[Vector]:
        """At rest and undeformed."""
        n = 3 * len(self.frame.points)
        return self.press(np.zeros(3 * n + 2 * len(self.sockets)), t0, {})

    def press(
        self, state: Vector, t: float, forces: Mapping[str, Vector]
    ) -> Advance[Vector]:
        """The same instant under forces: (M + B) a = p − f − C v."""
        now = self.fields(state)
        p = self._loads(np.zeros_like(now.p), forces)
        a = self._engine.accelerations(now.u, now.v, self._spread(p))
        return self._report(Now(now.u, now.v, a, p), 0)

    def mobility(self, state: Vector, t: float) -> Mapping[tuple[str, str], Matrix]:
        """What a unit of force on each port does to accelerations."""
        m = self._engine.masses
        return {
            (out, name): np.diag(1.0 / m[list(rows)])
            if out == name
            else np.zeros((2, 2))
            for out in self._dofs
            for name, rows in self._dofs.items()
        }

    def predict(self, state: Vector, window: Window) -> KratosTrial | Rejected:
        """Where Kratos' own predictor goes; loads stay as they are."""
        start = self.fields(state)
        got = self._engine.predicted(start, window.h, self._pairs(start.p))
        now = Now(got.u, got.v, got.a, start.p)
        return KratosTrial(window, start, now, got.residual, self._dofs)

    def correct(
        self, trial: KratosTrial, loads: Mapping[str, Vector]
    ) -> KratosTrial | Rejected:
        """One iteration of Kratos' Newton strategy under these loads at t₁."""
        p = self._loads(trial.now.p, loads)
        h, pairs = trial.window.h, self._pairs(p)
        got = self._engine.corrected(trial.start, trial.now, h, pairs)
        if not np.isfinite(got.u).all():
            return Rejected(self.name, "forces are not finite", trial.window.at(0.5))
        now, made = Now(got.u, got.v, got.a, p), trial.corrections + 1
        return replace(trial, now=now, residual=got.residual, corrections=made)

    def accept(self, trial: KratosTrial) -> Advance[Vector]:
        """The state at t₁."""
        return self._report(trial.now, trial.corrections)

    def advance(
        self, state: Vector, window: Window, inputs: Mapping[str, Signal]
    ) -> Advance[Vector] | Rejected:
        """One step, iterated until it is in balance."""
        loads = {p: inputs[p].end if p in inputs else np.zeros(2) for p in self.sockets}
        trial = self.predict(state, window)
        for _ in range(self.patience):
            if isinstance(trial, Rejected):
                return trial
            before, trial = trial.now.u, self.correct(trial, loads)
            if not isinstance(trial, Rejected) and self._done(trial, before):
                return finite(self.name, window, self.accept(trial))
        reason = f"no balance after {self.patience} corrections"
        return Rejected(self.name, reason, window.at(0.5))

    def _done(self, trial: KratosTrial, before: Vector) -> bool:
        """In balance, or as near as round-off of displacements lets it come."""
        size = float(np.ptp(self.frame.points, axis=0).max())
        still = float(np.abs(trial.now.u - before).max()) < 4.0 * _EPS * size
        return trial.residual <= self.tolerance or still

    def _loads(self, p: Vector, forces: Mapping[str, Vector]) -> Vector:
        made = p.copy().reshape(len(self.sockets), 2)
        for k, port in enumerate(self.sockets):
            if port in forces:
                made[k] = forces[port]
        return made.ravel()

    def _pairs(self, p: Vector) -> Matrix:
        return p.reshape(-1, 2)

    def _spread(self, p: Vector) -> Vector:
        wide = np.zeros(3 * len(self.frame.points))
        for (x, y), force in zip(self._dofs.values(), self._pairs(p), strict=True):
            wide[[x, y]] += force
        return wide

    def _report(self, now: Now, corrections: int) -> Advance[Vector]:
        counts = {"solves": 1.0, "corrections": float(corrections)}
        return Advance(np.concatenate(now), motions(now, self._dofs), stats=counts)

    def observe(self, state: Vector) -> Mapping[str, Observation]:
        """Displacements of the sockets."""
        u = self.fields(state).u
        return {
            f"{p}.{c}": Observation(float(u[dof]), "m")
            for p, dofs in self._dofs.items()
            for c, dof in zip("xy", dofs, strict=True)
        }

    def dump(self, state: Vector) -> bytes:
        """The state as raw doubles."""
        return to_bytes(state)

    def load(self, data: bytes) -> Vector:
        """The state that `dump` wrote."""
        return from_bytes(data)
