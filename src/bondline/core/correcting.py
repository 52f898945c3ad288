"""Steps that are corrected from outside, one iteration at a time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar, runtime_checkable

from bondline.core.arrays import Vector
from bondline.core.motion import Motion
from bondline.core.subsystem import Advance, Rejected
from bondline.core.window import Window

S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Balance:
    """Where in a step the forces balance, and how a step adds accelerations up.

    At α_m for inertia and α_f for all else, x_α = (1 − α) x₁ + α x₀; γ and β are
    Newmark's. A force f₁ given for t₁ is therefore felt as (1 − α_f) f₁ + α_f f₀.
    """

    beta: float = 0.25
    gamma: float = 0.5
    alpha_m: float = 0.0
    alpha_f: float = 0.0


class Trial(Protocol):
    """A step under correction; a value, like a state, until it is accepted.

    `residual` is the largest force out of balance, under the loads of the last
    correction, over the largest structural force: inner forces and the inertia of the
    structure, never the extra mass of `ballasted` nor the loads. `motions` are those
    of all force ports at t₁, `corrections` how many were made.
    """

    @property
    def residual(self) -> float: ...

    @property
    def motions(self) -> Mapping[str, Motion]: ...

    @property
    def corrections(self) -> int: ...


@runtime_checkable
class Correcting(Protocol[S]):
    """Shows its corrector iteration, one correction a call (liu): never a matrix.

    A window is one step of the model's method here. `predict` makes no correction and
    keeps the loads of t₀; the residual it shows is that of the guess. `correct` takes
    the loads at t₁ on the force ports (world axes; a port that is not named keeps
    those of the call before), makes one Newton correction and evaluates the balance
    with the same loads. Loads are linear over the step: the state remembers those of
    t₀, `press` sets them. History moves on with `accept` only; nothing is changed in
    place, so a trial may be corrected twice from where it is.
    """

    @property
    def balance(self) -> Balance: ...

    @property
    def mass(self) -> float:
        """Of the structure, in kg; without ballast."""
        ...

    def ballasted(self, masses: Mapping[str, Vector]) -> Correcting[S]:
        """The same model with extra mass on the dofs of its ports, without weight.

        One number a dof: kg on translations, kg m² on rotations. States stay valid.
        """
        ...

    def predict(self, state: S, window: Window) -> Trial | Rejected: ...

    def correct(self, trial: Any, loads: Mapping[str, Vector]) -> Trial | Rejected: ...

    def accept(self, trial: Any) -> Advance[S]: ...
