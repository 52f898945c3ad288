"""Solvers of other people for stiff compiled systems: scipy's Radau, SUNDIALS' CVODE.

They call the compiled rates from Python, 2 to 5 µs each, and start anew in every
window: use them where `GeneralizedAlpha` is not accurate enough.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from bondline.errors import SettingError
from bondline.numerics.memory import HEAD, START, STEP, Advance, Counts, begun, state_of
from bondline.numerics.nordsieck import checked_tolerances
from bondline.numerics.systems import Array, System


@dataclass(frozen=True, slots=True)
class Radau:
    """Implicit Runge-Kutta of order 5, from scipy."""

    relative: float
    absolute: float

    def __post_init__(self) -> None:
        checked_tolerances("Radau", self.relative, self.absolute)

    def begin(self, system: System, t: float, y: Array) -> Array:
        """The memory of a start at `y`."""
        return begun(t, y, 0.0, 0)

    def advance(self, system: System, memory: Array, t1: float) -> Advance:
        """Go on until `t1`; the first step is the last but one of the window before."""
        from scipy.integrate import solve_ivp  # 0.3 s that nobody else pays

        first = min(memory[STEP], t1 - memory[START]) or None
        solution = solve_ivp(
            system.rates,
            (memory[START], t1),
            state_of(system, memory),
            method="Radau",
            rtol=self.relative,
            atol=self.absolute,
            first_step=first,
        )
        if not solution.success:
            raise ArithmeticError(str(solution.message))
        steps = np.diff(solution.t)
        counts = Counts(len(steps), solution.nfev, solution.nfev)
        return Advance(
            _at(memory, t1, solution.y[:, -1], float(steps[-2:].max())), counts
        )


@dataclass(frozen=True, slots=True)
class Cvode:
    """Backward differences of order 1 to 5 (SUNDIALS); needs `bondline[sundials]`."""

    relative: float
    absolute: float
    patience: int = 100_000  # steps in a window

    def __post_init__(self) -> None:
        checked_tolerances("Cvode", self.relative, self.absolute)

    def begin(self, system: System, t: float, y: Array) -> Array:
        """The memory of a start at `y`."""
        _cvode()
        return begun(t, y, 0.0, 0)

    def advance(self, system: System, memory: Array, t1: float) -> Advance:
        """Go on until `t1`, starting anew at order 1."""

        def rhs(t: float, y: Array, rate: Array) -> None:
            rate[:] = system.rates(t, y)

        solver = _cvode()(
            rhs,
            rtol=self.relative,
            atol=self.absolute,
            max_num_steps=self.patience,
        )
        span = np.array([memory[START], t1])
        found = solver.solve(span, state_of(system, memory))
        if not found.success:
            raise ArithmeticError(str(found.message))
        counts = Counts(len(found.t) - 1, int(found.nfev), int(found.nfev))
        return Advance(_at(memory, t1, found.y[-1], 0.0), counts)


def _at(memory: Array, t1: float, y: Array, step: float) -> Array:
    after = memory.copy()
    after[START], after[STEP], after[HEAD:] = t1, step, y
    return after


def _cvode() -> Any:
    try:
        from sksundae.cvode import CVODE
    except ImportError as error:
        raise SettingError(
            "Cvode",
            f"scikit-sundae is not installed ({error}).",
            "Install it (pip install 'bondline[sundials]'), or take Radau.",
        ) from error
    return CVODE
