"""An integrated model as a part of another: what it hands up, and how lazily."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from bondline.core import (
    Advance,
    Flexibility,
    Model,
    PortRef,
    Rejected,
    Response,
    Signal,
    Window,
)
from bondline.gluing.condensing import Condensed, condense
from bondline.gluing.couplings.probing import Probe, flexibility
from bondline.gluing.couplings.tt import TT
from bondline.gluing.couplings.tt_problem import TTProblem
from bondline.gluing.divergence import rejection
from bondline.gluing.glueing import Glueing
from bondline.gluing.solvers.forms import alike
from bondline.gluing.solvers.gluing_matrix import GluingMatrix, build
from bondline.gluing.solvers.newton import Newton
from bondline.gluing.state import GluedState
from bondline.gluing.superposing import Solved, realised, response, solve_at_once


@dataclass(frozen=True)
class Nesting:
    """One integrated model, seen from the outside."""

    inner: Glueing

    @cached_property
    def superposes(self) -> bool:
        """Whether a window is one solve a leaf: linear parts, one exact correction."""
        coupling = self.inner.coupling
        return (
            self.inner.assembly.superposes
            and bool(self.inner.assembly.connections)
            and isinstance(coupling, TT)
            and coupling.scheme.shape != "continuous"
            and isinstance(self.inner.solver, Newton)
        )

    @property
    def condenses(self) -> bool:
        """Whether G of the whole follows from those of the parts, and Λ."""
        glued = bool(self.inner.assembly.connections)
        return glued and isinstance(self.inner.coupling, TT)

    def advance(
        self, state: GluedState, window: Window, outside: Mapping[PortRef, Signal]
    ) -> Advance[GluedState] | Rejected:
        """A window by superposition; by iteration where that leaves a gap."""
        solved = self._solve(state, window, outside)
        if isinstance(solved, Rejected):
            return self.inner.glue(state, window, outside)
        none = np.zeros_like(solved.z)
        found = realised(solved, none, {}, self.inner.solver.tolerance)
        if isinstance(found, Rejected) or not found.converged:
            return self.inner.glue(state, window, outside)
        return self.inner.accept(state, window, found)

    def _solve(
        self, state: GluedState, window: Window, outside: Mapping[PortRef, Signal]
    ) -> Solved | Rejected:
        problem = self._problem(state, window, outside)
        return solve_at_once(problem, state.memory, self.inner.solver.tolerance)

    def _problem(
        self, state: GluedState, window: Window, outside: Mapping[PortRef, Signal]
    ) -> TTProblem:
        problem = self.inner.problem(state, window, outside)
        assert isinstance(problem, TTProblem)
        return problem

    def respond(
        self, state: GluedState, window: Window, inputs: Mapping[str, Signal]
    ) -> Response | Rejected:
        """The free response and the condensed G."""
        exports = self.inner.exports
        outside = {exports[n]: signal for n, signal in inputs.items()}
        solved = self._solve(state, window, outside)
        if isinstance(solved, Rejected):
            return solved
        free = self.inner.exported(solved.problem.superposed.free())
        done = response(solved, self._condensed(solved), free)
        return Response(done.free, done.G, (state, window, *done.inside))

    def realise(
        self, answered: Response, inputs: Mapping[str, Signal]
    ) -> Advance[GluedState] | Rejected:
        """The window under more loads from outside; rejected if they are no numbers."""
        state, window, solved, condensed = answered.inside
        outside = {self.inner.exports[n]: signal for n, signal in inputs.items()}
        more, tolerance = condensed.unknowns(inputs), self.inner.solver.tolerance
        found = realised(solved, more, outside, tolerance)
        if isinstance(found, Rejected):
            return found
        if not found.converged:
            finding = f"its parts do not superpose: {found.history[-1]:.1e} m are left"
            return Rejected(self.inner.name, finding, window.at(0.5))
        return self.inner.accept(state, window, found)

    @cached_property
    def _kept(self) -> dict[float, tuple[tuple[Any, ...], Condensed]]:
        return {}

    def _condensed(self, solved: Solved) -> Condensed:
        """Found once for windows of one length."""
        problem, h = solved.problem, solved.problem.h
        G = problem.superposed.flexibilities()
        made_of, known = (solved.Lam.form, *G.values()), self._kept.get(h)
        if known is not None:
            (old, *parts), found = known
            same = all(a is b for a, b in zip(parts, G.values(), strict=True))
            if same and alike(old, solved.Lam.form):
                return found
        powers = min(b.shape[2] for g in G.values() for b in g.blocks.values())
        found = condense(problem, G, solved.Lam, self.inner.exports, powers)
        if len(self._kept) >= 16:  # adaptive windows must not fill the memory
            self._kept.clear()
        self._kept[h] = (made_of, found)
        return found

    def linearise(
        self, state: GluedState, window: Window, inputs: Mapping[str, Signal]
    ) -> Flexibility | Rejected:
        """G of the loaded exports, from the flexibilities of the parts."""
        exports = {n: self.inner.exports[n] for n in inputs}
        outside = {exports[n]: signal for n, signal in inputs.items()}
        solver = self.inner.solver
        problem, found = self.inner.recall(state, window, outside)
        assert isinstance(problem, TTProblem)
        if isinstance(found, Rejected):
            return found
        if not found.converged:
            return rejection(self.inner.name, window, problem.labels, found, solver)
        G = problem.flexibilities(found.z, found.sweep)
        if isinstance(G, Rejected):
            return G
        before = found.memory if isinstance(found.memory, GluingMatrix) else None
        Lam = build(problem, found.z, found.sweep, solver.tolerance, before)
        if isinstance(Lam, Rejected):
            return Lam
        done = condense(problem, G, Lam, exports, _powers(inputs))
        return Flexibility(done.G.blocks, done.G.solves + found.solves)

    def probe(
        self,
        model: Model,
        state: Any,
        window: Window,
        inputs: Mapping[str, Signal],
    ) -> Flexibility | Rejected:
        """The same by finite differences on the whole."""
        base = model.advance(state, window, inputs)
        if isinstance(base, Rejected):
            return base
        places = (tuple(self.inner.exports), _powers(inputs))
        return flexibility(model, (state, window, inputs), base, places, Probe())


def _powers(inputs: Mapping[str, Signal]) -> int:
    return max((len(s.coefficients) for s in inputs.values()), default=1)
