"""Newton's iteration with a gluing matrix that is kept while it works."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal, TypeAlias, get_args

from bondline.core import (
    InterfaceProblem,
    InterfaceSolution,
    Rejected,
    Stretching,
    Tree,
    Vector,
)
from bondline.errors import SettingError, did_you_mean
from bondline.gluing.solvers.blame import not_symmetric
from bondline.gluing.solvers.gluing_matrix import GluingMatrix, build, dump, load
from bondline.gluing.solvers.loop import Move, Stop, Trail, closed, iterate
from bondline.gluing.solvers.updates import bfgs, broyden

Refresh: TypeAlias = Literal["window", "paper", "contraction", "never"]
_FAR = 8.0  # windows of much other lengths are not alike
Update: TypeAlias = Literal["broyden", "bfgs", "none"]


@dataclass(frozen=True)
class Newton:
    """F ← F − Λ e, wang2003 (3), until the gap and the next correction are small.

    `refresh` says when Λ is built anew from probes: in every `window`; as in the
    `paper`, only after `patience` iterations; on `contraction`, when two corrections
    together leave more than that part of the residual, or after `patience`; or
    `never`. Between builds `update` improves Λ by what each correction shows, and
    carries it across windows: `broyden` always, `bfgs` where the slope is symmetric.
    """

    tolerance: float = 1e-10
    force_tolerance: float | None = None
    max_iterations: int = 25
    refresh: Refresh = "contraction"
    update: Update = "broyden"
    patience: int = 6
    contraction: float = 1.0

    def __post_init__(self) -> None:
        _ = self._stop  # nonsense is refused here
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
        """Iterate with Λ; BFGS refuses a problem that is not symmetric."""
        if self.update == "bfgs" and problem.size and not problem.symmetric:
            return not_symmetric(problem)
        return iterate(problem, guess, self, memory, self._stop)

    @property
    def _stop(self) -> Stop:
        """It refuses what no iteration could meet."""
        return Stop(
            self.tolerance, self.force_tolerance, self.max_iterations, self.patience
        )

    def propose(
        self, problem: InterfaceProblem, trail: Trail, memory: GluingMatrix | None
    ) -> Move[GluingMatrix | None] | Rejected:
        """−Λ e, with Λ improved by the last correction or built anew."""
        Lam = self._improved(problem, trail, memory)
        built = Lam is None or self._worn(problem, trail.history, trail.fresh)
        if Lam is None or built:
            made = build(problem, trail.z, trail.here, self.tolerance, memory)
            if isinstance(made, Rejected):
                return made
            Lam = made
        price = (Lam.solves, 1) if built else (0, 0)
        # An affine problem gets its one exact correction, however small the gap: an
        # outer model must see an affine response, not one with a dead zone.
        due = problem.affine and not trail.corrections
        step = -Lam.form.times(trail.here.residual)  # Eq. (3)
        notes = Lam.warnings if built else ()
        return Move(step, Lam, *price, Lam.condition, notes, due)

    def _improved(
        self, problem: InterfaceProblem, trail: Trail, memory: GluingMatrix | None
    ) -> GluingMatrix | None:
        """The Λ at hand, if it is for such windows."""
        if memory is None or trail.step is None or trail.change is None:
            return self._inherited(problem, memory)
        if problem.affine or self.update == "none" or not trail.teaches(problem):
            return memory
        improve = bfgs if self.update == "bfgs" else broyden
        return improve(memory, trail.step, trail.change)

    def _inherited(
        self, problem: InterfaceProblem, memory: GluingMatrix | None
    ) -> GluingMatrix | None:
        if memory is None or (self.refresh == "window" and not problem.affine):
            return None
        if not memory.fits(problem.h):
            far = not 1 / _FAR < problem.h / memory.h < _FAR
            if problem.affine or far or not isinstance(problem, Stretching):
                return None
            memory = memory.stretched(problem.h, problem.stretch)
        return memory

    def _worn(
        self, problem: InterfaceProblem, history: Sequence[float], fresh: int
    ) -> bool:
        """Whether Λ has served its time, since correction `fresh` of this window."""
        watched = self.refresh in ("paper", "contraction")
        if not watched or closed(problem, self.tolerance, history[-1]):
            return False
        age = len(history) - 1 - fresh
        if age >= self.patience:
            return True
        slow = age > 1 and history[-1] > self.contraction * history[-3]
        return slow and self.refresh == "contraction"

    def settings(self) -> dict[str, Any]:
        """All fields."""
        return {"kind": "newton", **asdict(self)}

    def dump(self, memory: GluingMatrix | None) -> Tree:
        """Λ, the window it belongs to, and its condition."""
        return dump(memory)

    def load(self, data: Tree) -> GluingMatrix | None:
        """The memory that `dump` wrote."""
        return load(data)
