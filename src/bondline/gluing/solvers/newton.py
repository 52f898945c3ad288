"""Newton's iteration with a gluing matrix that is kept while it works."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from bondline.core import (
    InterfaceProblem,
    InterfaceSolution,
    Rejected,
    Sweep,
    Tree,
    Vector,
)
from bondline.errors import SettingError, did_you_mean
from bondline.gluing.solvers.gluing_matrix import GluingMatrix, broyden, build
from bondline.wire import arrays

Refresh: TypeAlias = Literal["window", "paper", "contraction", "never"]
Update: TypeAlias = Literal["broyden", "none"]


@dataclass(frozen=True)
class Newton:
    """F ← F − Λ e, wang2003 (3), until the gap and the next correction are small.

    `refresh` says when Λ is built anew from probes: in every `window`; as in the
    `paper`, only after `patience` iterations; on `contraction`, when two corrections
    together leave more than that part of the residual, or after `patience`; or
    `never`. Between builds `update="broyden"` improves Λ by what each correction
    shows, and carries it across windows.

    The gap alone would not do: a gap δ comes back as a force 2 Λ δ. So the correction
    Λ e must be below `force_tolerance` times the largest force, too.
    """

    tolerance: float = 1e-10
    force_tolerance: float = 1e-6
    force_floor: float = 1.0
    max_iterations: int = 25
    refresh: Refresh = "contraction"
    update: Update = "broyden"
    patience: int = 6
    contraction: float = 1.0

    def __post_init__(self) -> None:
        for key, choices in (("refresh", Refresh), ("update", Update)):
            word, known = getattr(self, key), get_args(choices)
            if word not in known:
                raise SettingError(
                    key, f"no such choice {word!r}.", did_you_mean(word, known)
                )

    def start(self) -> GluingMatrix | None:
        """No gluing matrix yet."""
        return None

    def solve(
        self, problem: InterfaceProblem, guess: Vector, memory: GluingMatrix | None
    ) -> InterfaceSolution[GluingMatrix | None] | Rejected:
        """Algorithm 3, steps 2 to 7."""
        z, here = guess, problem.sweep(guess)
        Lam = self._inherit(memory, problem)
        if isinstance(here, Rejected) or not problem.size:
            return here if isinstance(here, Rejected) else _trivial(z, here, memory)
        history, builds, solves, age = [_norm(here)], 0, here.solves, 0
        while True:
            if Lam is None or self._worn(problem, history, age):
                built = build(problem, z, here)
                if isinstance(built, Rejected):
                    return built
                Lam, builds, solves, age = built, builds + 1, solves + built.solves, 0
            step = -(Lam.matrix @ here.residual)  # Eq. (3)
            done = self._done(problem, history, step, z)
            if done or self._gives_up(history):
                return InterfaceSolution(
                    z, here, Lam, tuple(history), done, solves, builds, Lam.condition
                )
            there = problem.sweep(z + step)
            if isinstance(there, Rejected):
                return there
            if self.update == "broyden" and not problem.affine:
                Lam = broyden(Lam, step, there.residual - here.residual)
            z, here, age, solves = z + step, there, age + 1, solves + there.solves
            history.append(_norm(here))

    def _inherit(
        self, memory: GluingMatrix | None, problem: InterfaceProblem
    ) -> GluingMatrix | None:
        if memory is None or not memory.fits(problem.h):
            return None
        return None if self.refresh == "window" and not problem.affine else memory

    def _closed(self, problem: InterfaceProblem, residual: float) -> bool:
        return residual <= max(self.tolerance, problem.noise)

    def _worn(
        self, problem: InterfaceProblem, history: Sequence[float], age: int
    ) -> bool:
        """Whether Λ has served its time, after `age` corrections in this window."""
        watched = self.refresh in ("paper", "contraction")
        if not watched or self._closed(problem, history[-1]):
            return False
        if age >= self.patience:
            return True
        slow = age > 1 and history[-1] > self.contraction * history[-3]
        return slow and self.refresh == "contraction"

    def _gives_up(self, history: Sequence[float]) -> bool:
        """Whether to stop without a solution; a window too long may have none."""
        wandering = len(history) > 2 * self.patience and history[-1] > history[0]
        return wandering or len(history) > self.max_iterations

    def _done(
        self,
        problem: InterfaceProblem,
        history: Sequence[float],
        step: Vector,
        z: Vector,
    ) -> bool:
        # An affine problem gets its one exact correction, however small the gap: an
        # outer model must see an affine response, not one with a dead zone.
        if problem.affine and len(history) == 1:
            return False
        largest = max(float(np.abs(z).max()), self.force_floor)
        small = float(np.abs(step).max()) <= self.force_tolerance * largest
        return small and self._closed(problem, history[-1])

    def settings(self) -> dict[str, Any]:
        """All fields."""
        return {"kind": "newton", **asdict(self)}

    def dump(self, memory: GluingMatrix | None) -> Tree:
        """Λ, the window it belongs to, and its condition."""
        if memory is None:
            return None
        return [memory.matrix, np.array([memory.h, memory.condition])]

    def load(self, data: Tree) -> GluingMatrix | None:
        """The memory that `dump` wrote."""
        if data is None:
            return None
        matrix, facts = arrays(data)
        return GluingMatrix(matrix, *facts.tolist())


def _trivial(
    z: Vector, here: Sweep, memory: GluingMatrix | None
) -> InterfaceSolution[GluingMatrix | None]:
    """Nothing is glued: any advance is the solution."""
    return InterfaceSolution(z, here, memory, (0.0,), True, here.solves)


def _norm(sweep: Sweep) -> float:
    r = sweep.residual
    return float(np.sqrt(r @ r))
