"""Ways to couple two parts, and what each of them costs in leaf solves."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from coupling_cut import Closed, Cut
from numpy.typing import NDArray

from bondline.core import Advance, Model, Vector, ref, uniform
from bondline.gluing import (
    IQNILS,
    TT,
    Aitken,
    IntegratedModel,
    Iterated,
    Newton,
    Stop,
    Tie,
    default_scheme,
)
from bondline.gluing.couplings.motion_schemes import force_scheme
from bondline.gluing.couplings.xt import XT
from bondline.gluing.solvers.one_pass import OnePass
from bondline.leaves import Structure

TOLERANCE, MANY = 1e-10, 300  # of the motion, or of the force; corrections
FAR = 1e3  # times the way of the joint: nothing will bring it back


class Case(Protocol):
    """Two parts `a` and `b` with one joint of `m` dofs, and what it should do."""

    name: str
    m: int
    h: float
    windows: int

    def parts(self, led: bool) -> list[Model]: ...

    @property
    def uncut(self) -> NDArray[np.float64]: ...

    def watch(self, state: Any) -> Vector: ...


@dataclass(frozen=True)
class Row:
    """One line of the table; counts are per leaf, or `trouble` says why there are none.

    `first` are the solves of the first window, `solves` those of a later one.
    """

    case: str
    method: str
    sweeps: float = 0.0
    solves: float = 0.0
    first: float = 0.0
    builds: float = 0.0
    error: float = 0.0
    trouble: str = ""


Make = Callable[[Case], IntegratedModel]


def force_force(solver: Callable[[float], Any], closed: bool | None = None) -> Make:
    """T-T: both parts take forces. `closed`: see `_shown`."""

    def make(case: Case) -> IntegratedModel:
        parts = _shown(case.parts(False), closed)
        scheme = default_scheme({p.name: p for p in parts})
        way = float(np.ptp(case.uncut, axis=0).max())  # the residual is a length
        return _glued(case, parts, TT(scheme), solver(TOLERANCE * way))

    return make


def motion_force(
    solver: Any, closed: bool | None = None, scheme: str = "newmark/f"
) -> Make:
    """X-T: a takes forces, b takes the motion of a."""

    def make(case: Case) -> IntegratedModel:
        parts = _shown(case.parts(True), closed)
        return _glued(case, parts, XT(force_scheme(scheme)), solver)

    return make


def _shown(parts: list[Model], closed: bool | None) -> list[Model]:
    """Parts that show all they can, or that close all but advance: linear or not."""
    if closed is None:
        return parts
    return [Closed(p, closed) if isinstance(p, Structure) else p for p in parts]


def _glued(
    case: Case, parts: list[Model], coupling: Any, solver: Any
) -> IntegratedModel:
    port = next(iter(parts[0].ports))
    ends = ref(f"a.{port}"), ref(f"b.{port}")
    tie = Tie("j", ends, parts[0].ports[port].dofs)
    by_name = {p.name: p for p in parts}
    return IntegratedModel(case.name, by_name, [tie], coupling, solver, halvings=0)


def _iqn(tolerance: float, filter: float = 1e-2) -> Iterated:
    """IQN-ILS as preCICE's tutorial of the perpendicular flap sets it.

    The fixed point is x ← H(x), half of it while nothing is known; pairs of 15 windows;
    QR filter of 1e-2.
    """
    return _free(IQNILS(15, filter, 0.5, scale=1.0), tolerance)


def _free(rule: Any, tolerance: float = TOLERANCE) -> Iterated:
    """Without a gluing matrix, and in no hurry."""
    return Iterated(rule, Stop(tolerance, 1e-6, MANY))


_BEST = 1e-6  # the filter with the fewest solves on the plates, of 1e-2, 1e-3, 1e-6
_FOR_ALL: Mapping[str, Make] = {
    "T-T, IQN-ILS": force_force(
        lambda tol: _free(IQNILS(windows=15, filter=_BEST), tol), False
    ),
    "X-T, IQN-ILS as preCICE": motion_force(_iqn(TOLERANCE), False),
    "X-T, the same to 1e-5": motion_force(_iqn(1e-5), False),
    "X-T, IQN-ILS, best filter": motion_force(_iqn(TOLERANCE, _BEST), False),
    "X-T, best filter, to 1e-5": motion_force(_iqn(1e-5, _BEST), False),
    "X-T, Aitken": motion_force(_free(Aitken(0.1)), False),
    "X-T, Gauss-Seidel, 1 pass": motion_force(OnePass(), False, "hold/explicit"),
}
LINEAR: Mapping[str, Make] = {
    "T-T, superposition": force_force(Newton),
    "X-T, superposition": motion_force(Newton()),
    "T-T, Newton": force_force(Newton, True),
    "T-T, Broyden": force_force(Newton, False),
    **_FOR_ALL,
}
NONLINEAR: Mapping[str, Make] = {
    "T-T, Newton": force_force(
        lambda tol: Newton(tol, refresh="window", update="none")
    ),
    "T-T, Broyden": force_force(Newton),
    "X-T, Broyden": motion_force(Newton()),
    **_FOR_ALL,
}


def methods(case: Case) -> Mapping[str, Make]:
    """What there is for linear parts, or for others."""
    return LINEAR if isinstance(case, Cut) else NONLINEAR


def measure(case: Case, method: str, windows: int | None = None) -> Row:
    """Run a case with one method and count."""
    count = windows or case.windows
    model = methods(case)[method](case)
    step, seen, stats = model.start(0.0), [], []
    for n in range(count):
        done = model.advance(step.state, uniform(0.0, case.h, n), {})
        if not isinstance(done, Advance):
            why = f"no convergence, t = {case.h * n:g} s"
            return Row(case.name, method, trouble=why)
        step = done
        seen.append(case.watch(step.state))
        if np.abs(seen[-1]).max() > FAR * np.abs(case.uncut).max():
            return Row(case.name, method, trouble=f"unstable, t = {case.h * n:g} s")
        stats.append([step.stats[k] for k in ("sweeps", "solves", "builds")])
    counts = np.array(stats)
    sweeps, solves, _ = counts[1:].mean(axis=0)
    return Row(
        case.name,
        method,
        sweeps,
        solves / 2,
        counts[0, 1] / 2,
        counts[:, 2].sum(),
        apart(np.array(seen), case.uncut[:count]),
    )


def apart(found: NDArray[np.float64], right: NDArray[np.float64]) -> float:
    """The largest difference, as a part of how far the joint moves."""
    return float(np.abs(found - right).max() / np.ptp(right, axis=0).max())
