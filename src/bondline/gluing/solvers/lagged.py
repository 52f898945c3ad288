"""A gluing matrix one window old, as in wang2003 Fig. 15."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from bondline.core import (
    InterfaceProblem,
    InterfaceSolution,
    Rejected,
    Tree,
    Vector,
)
from bondline.gluing.solvers.gluing_matrix import GluingMatrix, build
from bondline.gluing.solvers.newton import Newton


@dataclass(frozen=True)
class Lagged:
    """Builds Λ at the end of every window, for the next one.

    The probes can then run while nobody waits for them. It costs iterations: the
    matrix describes where the parts were.
    """

    inner: Newton

    @property
    def tolerance(self) -> float:
        """That of the wrapped solver."""
        return self.inner.tolerance

    def start(self) -> GluingMatrix | None:
        """No gluing matrix yet."""
        return self.inner.start()

    def solve(
        self, problem: InterfaceProblem, guess: Vector, memory: GluingMatrix | None
    ) -> InterfaceSolution[GluingMatrix | None] | Rejected:
        """Delegate, then probe around the solution."""
        found = self.inner.solve(problem, guess, memory)
        if isinstance(found, Rejected) or not (found.converged and problem.size):
            return found
        fresh = build(problem, found.z, found.sweep, self.tolerance, found.memory)
        if isinstance(fresh, Rejected):
            return fresh
        solves, builds = found.solves + fresh.solves, found.builds + 1
        warnings = tuple(dict.fromkeys((*found.warnings, *fresh.warnings)))
        return replace(
            found, memory=fresh, solves=solves, builds=builds, warnings=warnings
        )

    def settings(self) -> dict[str, Any]:
        """Those of the wrapped solver, and that its matrix lags."""
        return {**self.inner.settings(), "kind": "lagged", "refresh": "lagged"}

    def dump(self, memory: GluingMatrix | None) -> Tree:
        """As the wrapped solver does."""
        return self.inner.dump(memory)

    def load(self, data: Tree) -> GluingMatrix | None:
        """As the wrapped solver does."""
        return self.inner.load(data)
