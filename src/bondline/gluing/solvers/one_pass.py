"""One sweep a window, for parts that cannot repeat one."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from math import inf, sqrt
from typing import (
    Any,
    Literal,
    NamedTuple,
    Protocol,
    TypeAlias,
    get_args,
    runtime_checkable,
)

import numpy as np

from bondline.core import (
    InterfaceProblem,
    InterfaceSolution,
    Matrix,
    Rejected,
    Sweep,
    Tree,
    Vector,
)
from bondline.errors import SettingError, did_you_mean
from bondline.gluing.solvers.blame import singular
from bondline.wire import arrays

Refresh: TypeAlias = Literal["start", "window"]
_SINGULAR = 1e15


@runtime_checkable
class Warned(Protocol):
    """A problem that knows why one pass may go wrong."""

    @property
    def warnings(self) -> tuple[str, ...]:
        """One sentence each."""
        ...


@runtime_checkable
class Lagging(Protocol):
    """A problem whose force is extrapolated, and lags behind the one asked for."""

    def lag(self, z: Vector, done: Sweep) -> tuple[float, float]:
        """By how much at most, and the largest force, N."""
        ...


class Carried(NamedTuple):
    """The inverse slope, and the length of the windows it belongs to."""

    matrix: Matrix
    h: float


@dataclass(frozen=True)
class OnePass:
    """z = guess − Λ r, with the residual r that is forecast from what is known at t₀.

    Nothing is iterated and no part advances twice, so no window is ever refused: what
    is left of the residual is told, and the next window makes it good. Λ is probed at
    the `start`, and when the length of the windows changes, or in every `window`.
    """

    refresh: Refresh = "start"

    def __post_init__(self) -> None:
        known = get_args(Refresh)
        if self.refresh not in known:
            raise SettingError(
                "refresh",
                f"no such choice {self.refresh!r}.",
                did_you_mean(self.refresh, known),
            )

    @property
    def tolerance(self) -> float:
        """None: one pass takes what it gets."""
        return inf

    def start(self) -> Carried | None:
        """No slope yet."""
        return None

    def solve(
        self, problem: InterfaceProblem, guess: Vector, memory: Carried | None
    ) -> InterfaceSolution[Carried | None] | Rejected:
        """One correction from the forecast, then the one sweep."""
        expected, price, builds = problem.forecast(guess), 0, 0
        if expected.any() and not self._fits(memory, problem.h):
            probed = _probe(problem, guess)
            if isinstance(probed, Rejected):
                return probed
            (memory, price), builds = probed, 1
        z = guess - memory.matrix @ expected if memory is not None else guess
        done = problem.sweep(z)
        if isinstance(done, Rejected):
            return done
        left = sqrt(done.residual @ done.residual)
        notes = problem.warnings if isinstance(problem, Warned) else ()
        lag = problem.lag(z, done) if isinstance(problem, Lagging) else None
        return InterfaceSolution(
            *(z, done, memory, (left,), True, done.solves + price, builds),
            warnings=notes,
            lag=lag,
        )

    def _fits(self, memory: Carried | None, h: float) -> bool:
        if memory is None or self.refresh == "window":
            return False
        return abs(h - memory.h) <= 1e-9 * memory.h

    def settings(self) -> dict[str, Any]:
        """All fields."""
        return {"kind": "one-pass", **asdict(self)}

    def dump(self, memory: Carried | None) -> Tree:
        """Λ and its window."""
        return None if memory is None else [memory.matrix, np.array([memory.h])]

    def load(self, data: Tree) -> Carried | None:
        """The memory that `dump` wrote."""
        if data is None:
            return None
        matrix, h = arrays(data)
        return Carried(matrix, float(h[0]))


def _probe(problem: InterfaceProblem, z: Vector) -> tuple[Carried, int] | Rejected:
    """Λ from the slope; the problem knows how to probe without spending a state."""
    slope = problem.slope(z, Sweep(np.zeros(problem.size), {}, 0))
    if isinstance(slope, Rejected):
        return slope
    J = slope.matrix
    rows = np.abs(J).max(axis=1)
    scaled = J / np.where(rows, rows, 1.0)[:, None]
    if not (rows.all() and np.linalg.cond(scaled) < _SINGULAR):
        return singular(problem, scaled)
    inverse: Matrix = np.linalg.inv(scaled) / rows
    return Carried(inverse, problem.h), slope.solves
