"""Integrators of compiled systems: all begin with a state and go on by windows.

Memories are values (`memory.py`): a window is taken back by keeping the old one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from bondline.numerics.memory import Advance, begun, call, steps_until, whole
from bondline.numerics.methods import Method
from bondline.numerics.nordsieck import checked_step, checked_tolerances
from bondline.numerics.positions import checked_positions
from bondline.numerics.systems import Array, System


class Stepper(Protocol):
    """Carries a compiled system on; depends on nothing but its arguments."""

    def begin(self, system: System, t: float, y: Array) -> Array:
        """The memory of a start at `y`; also after a jump of loads."""
        ...

    def advance(self, system: System, memory: Array, t1: float) -> Advance:
        """Go on until `t1`; `ArithmeticError` says why it cannot."""
        ...


@dataclass(frozen=True, slots=True)
class RungeKutta4:
    """The classical formula of order 4, fixed steps."""

    step: float

    def __post_init__(self) -> None:
        checked_step("RungeKutta4", self.step)

    def begin(self, system: System, t: float, y: Array) -> Array:
        """The memory of a start at `y`."""
        return begun(t, y, self.step, 0)

    def advance(self, system: System, memory: Array, t1: float) -> Advance:
        """Go on until `t1`, a whole number of steps."""
        return call(
            "rk4_steps", "i", system, whole(system, memory, 0), steps_until(memory, t1)
        )


@dataclass(frozen=True, slots=True)
class DormandPrince:
    """The formula of order 5 that `ode.FixedStep` has, fixed steps."""

    step: float

    def __post_init__(self) -> None:
        checked_step("DormandPrince", self.step)

    def begin(self, system: System, t: float, y: Array) -> Array:
        """The memory of a start at `y`."""
        return begun(t, y, self.step, 0)

    def advance(self, system: System, memory: Array, t1: float) -> Advance:
        """Go on until `t1`, a whole number of steps."""
        return call(
            "dp5_steps", "i", system, whole(system, memory, 0), steps_until(memory, t1)
        )


@dataclass(frozen=True, slots=True)
class Dop853:
    """Dormand and Prince's method of order 8 with error control."""

    relative: float
    absolute: float
    first: float = 0.0  # s; 0: found from the rates
    longest: float = float("inf")
    patience: int = 1_000_000  # steps in a window

    def __post_init__(self) -> None:
        checked_tolerances("Dop853", self.relative, self.absolute)

    def begin(self, system: System, t: float, y: Array) -> Array:
        """The memory of a start at `y`."""
        return begun(t, y, self.first, 0)

    def advance(self, system: System, memory: Array, t1: float) -> Advance:
        """Go on until exactly `t1`."""
        limits = (self.relative, self.absolute, self.longest, self.patience)
        return call(
            "dop853_until", "ddddi", system, whole(system, memory, 0), t1, *limits
        )


@dataclass(frozen=True, slots=True)
class GeneralizedAlpha:
    """Implicit steps of order 2 that damp what they do not resolve, for stiff systems.

    `rho` is the share of the fastest motions that is left after a step. Velocities are
    solved for to `tolerance`, relative to 1 + |u|.
    """

    step: float
    rho: float = 0.8
    tolerance: float = 1e-10

    def __post_init__(self) -> None:
        checked_step("GeneralizedAlpha", self.step)
        Method.generalized_alpha(self.rho)  # refuses what is not 0 to 1

    def begin(self, system: System, t: float, y: Array) -> Array:
        """The memory of a start at `y`; also after a jump of loads."""
        checked_positions(system, t, y)
        n = system.n_u
        return begun(t, y, self.step, 3 * n + n * n)

    def advance(self, system: System, memory: Array, t1: float) -> Advance:
        """Go on until `t1`, a whole number of steps."""
        m = Method.generalized_alpha(self.rho)
        weights = (m.alpha_m, m.alpha_f, m.beta, m.gamma, self.tolerance)
        n, steps = system.n_u, steps_until(memory, t1)
        memory = whole(system, memory, 3 * n + n * n)
        return call("genalpha_steps", "iddddd", system, memory, steps, *weights)
