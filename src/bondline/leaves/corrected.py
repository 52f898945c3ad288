"""A linear structure that shows a corrector: one correction is the answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from bondline.core import (
    Advance,
    Balance,
    Capabilities,
    Motion,
    Observation,
    Parameter,
    Port,
    Rejected,
    Signal,
    Vector,
    Window,
)
from bondline.errors import SettingError
from bondline.leaves.raw import from_bytes, to_bytes
from bondline.leaves.selection import Selection
from bondline.leaves.structure import Structure
from bondline.numerics import LinearSystem


class Loaded(NamedTuple):
    """The structure's own state, and the loads on its ports, stacked."""

    inside: Vector
    loads: Vector


@dataclass(frozen=True, slots=True, eq=False)
class LinearTrial:
    """A step under correction; always in balance."""

    before: Loaded
    window: Window
    loads: Vector
    done: Advance[Vector]
    corrections: int
    residual: float = 0.0

    @property
    def motions(self) -> Mapping[str, Motion]:
        """Of all ports at t₁."""
        shown = self.done.outputs.items()
        return {n: at for n, at in shown if isinstance(at, Motion)}


@dataclass(frozen=True, eq=False)
class Corrected:
    """A `Structure` of one step a window whose ports take force; `mass` is all of it.

    So linear finite-element parts go on large masses, too.
    """

    structure: Structure
    mass: float

    def __post_init__(self) -> None:
        can = self.structure.capabilities
        takes = {p.causality.value for p in self.structure.ports.values()}
        if not (can.one_step and takes == {"T"}):
            raise SettingError(
                f"{self.name}: corrector",
                "it takes several steps a window, or motion at a port.",
                "Give a structure with steps=1 whose ports all take force.",
            )

    @property
    def name(self) -> str:
        """That of the structure."""
        return self.structure.name

    @property
    def ports(self) -> Mapping[str, Port]:
        """Those of the structure."""
        return self.structure.ports

    @property
    def parameters(self) -> Mapping[str, Parameter]:
        """Those of the structure."""
        return self.structure.parameters

    @property
    def capabilities(self) -> Capabilities:
        """One step a window."""
        return Capabilities(one_step=True)

    @property
    def balance(self) -> Balance:
        """Where in a step its forces balance."""
        way = self.structure.method
        return Balance(way.beta, way.gamma, way.alpha_m, way.alpha_f)

    @cached_property
    def _where(self) -> Mapping[str, slice]:
        at = np.cumsum([0, *(p.size for p in self.ports.values())]).tolist()
        return {p: slice(at[k], at[k + 1]) for k, p in enumerate(self.ports)}

    def ballasted(self, masses: Mapping[str, Vector]) -> Corrected:
        """With extra mass on the dofs of its ports."""
        M, C, K = self.structure.system
        heavier: Any = M
        for port, extra in masses.items():
            pick = Selection.of(self.structure.select[port])
            heavier = heavier + _lumped(pick, extra, M)
        system = LinearSystem(heavier, C, K)
        return replace(self, structure=replace(self.structure, system=system))

    def start(self, t0: float) -> Advance[Loaded]:
        """As the structure starts, without loads."""
        first = self.structure.start(t0)
        return self._shown(first, np.zeros(sum(p.size for p in self.ports.values())))

    def press(
        self, state: Loaded, t: float, forces: Mapping[str, Vector]
    ) -> Advance[Loaded]:
        """The same instant under forces."""
        loads = self._given(np.zeros_like(state.loads), forces)
        return self._shown(self.structure.press(state.inside, t, forces), loads)

    def predict(self, state: Loaded, window: Window) -> LinearTrial | Rejected:
        """Under the loads of t₀."""
        return self._tried(state, window, state.loads, 0)

    def correct(
        self, trial: LinearTrial, loads: Mapping[str, Vector]
    ) -> LinearTrial | Rejected:
        """Under these loads at t₁: one solve."""
        f, count = self._given(trial.loads, loads), trial.corrections + 1
        return self._tried(trial.before, trial.window, f, count)

    def accept(self, trial: LinearTrial) -> Advance[Loaded]:
        """The trial as the new state."""
        done = self._shown(trial.done, trial.loads)
        counts = {"solves": 1.0, "corrections": float(trial.corrections)}
        return replace(done, stats=counts)

    def advance(
        self, state: Loaded, window: Window, inputs: Mapping[str, Signal]
    ) -> Advance[Loaded] | Rejected:
        """One step under the forces at t₁."""
        loads = {n: x.end for n, x in inputs.items()}
        f = self._given(np.zeros_like(state.loads), loads)
        trial = self._tried(state, window, f, 1)
        return trial if isinstance(trial, Rejected) else self.accept(trial)

    def _tried(
        self, state: Loaded, window: Window, loads: Vector, corrections: int
    ) -> LinearTrial | Rejected:
        early = self.structure.method.alpha_f  # forces act where the step balances
        felt = (1.0 - early) * loads + early * state.loads
        inputs = {p: Signal.hold(felt[w]) for p, w in self._where.items()}
        done = self.structure.advance(state.inside, window, inputs)
        if isinstance(done, Rejected):
            return done
        return LinearTrial(state, window, loads, done, corrections)

    def _given(self, before: Vector, forces: Mapping[str, Vector]) -> Vector:
        loads = before.copy()
        for port, force in forces.items():
            loads[self._where[port]] = force
        return loads

    def _shown(self, done: Advance[Vector], loads: Vector) -> Advance[Loaded]:
        return Advance(Loaded(done.state, loads), done.outputs, done.energy)

    def observe(self, state: Loaded) -> Mapping[str, Observation]:
        """What the structure publishes."""
        return self.structure.observe(state.inside)

    def dump(self, state: Loaded) -> bytes:
        """Raw doubles: loads last."""
        return to_bytes(np.concatenate(state))

    def load(self, data: bytes) -> Loaded:
        """The state that `dump` wrote."""
        every, count = from_bytes(data), sum(p.size for p in self.ports.values())
        return Loaded(every[: len(every) - count], every[len(every) - count :])


def _lumped(pick: Selection, extra: Vector, M: Any) -> Any:
    """Lᵀ diag(extra) L, dense or sparse as M is."""
    n = M.shape[0]
    if isinstance(M, np.ndarray):
        L = pick.rows(n)
        return L.T @ (extra[:, None] * L)
    if pick.dofs is None:
        return pick.spring(extra)
    from scipy.sparse import csr_array

    return csr_array((extra, (pick.dofs, pick.dofs)), shape=(n, n))
