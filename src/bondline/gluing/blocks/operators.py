"""T and Λ for windows of one length, from the impulse responses of the parts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import numpy as np

from bondline.core import Block, Blocked, Impulse, Rejected, Sweep
from bondline.gluing.blocks.influence import Influence
from bondline.gluing.blocks.operator import KnownSlope, Operator
from bondline.gluing.blocks.telling import Telling
from bondline.gluing.blocks.toeplitz import Toeplitz, enough
from bondline.gluing.couplings.tt_problem import TTProblem
from bondline.gluing.solvers.forms import alike
from bondline.gluing.solvers.gluing_matrix import GluingMatrix, build
from bondline.gluing.state import GluedState


@dataclass(frozen=True, eq=False)
class Operators:
    """Found once where all is linear; else for every block, around its guess."""

    telling: Telling
    parts: Mapping[str, Blocked[Any]]
    count: int  # windows that H is wanted for, in a run of more

    @cached_property
    def _kept(self) -> dict[float, Operator]:
        return {}

    def of(
        self, state: GluedState, block: Block, powers: int = 0
    ) -> Operator | Rejected:
        """T for such windows, and for loads of so many coefficients from outside."""
        problem = self.telling.problem(state, block.windows[0])
        powers = max(powers, problem.scheme.powers)
        if not self.telling.inner.assembly.affine:
            told = self.telling.told(state, block, self.telling.guess(state, block))
            return self._found(state, problem, told, powers)
        count = max(enough(self.count, block.total), len(block.windows))
        known = self._kept.get(problem.h)
        if known is not None and known.serves(count, powers):
            return self._renewed(known, state)
        same = Block([block.windows[0]] * count)  # only length and number count
        found = self._found(state, problem, dict.fromkeys(self.parts, same), powers)
        if isinstance(found, Operator):
            self._kept.clear()
            self._kept[problem.h] = found
        return found

    def _renewed(self, known: Operator, state: GluedState) -> Operator:
        """With the Λ of the state, where that is another: it decides the bits."""
        Lam: GluingMatrix | None = state.memory
        old = known.T.Lam
        if Lam is None or not Lam.fits(old.h) or alike(Lam.form, old.form):
            return known
        return replace(known, T=Toeplitz(known.T.lags, Lam, known.T.often))

    def _found(
        self,
        state: GluedState,
        problem: TTProblem,
        told: Mapping[str, Block],
        powers: int,
    ) -> Operator | Rejected:
        jobs = [
            partial(part.impulse, state.parts[n], told[n], powers)
            for n, part in self.parts.items()
        ]
        answers = self.telling.inner.assembly.crew.call(jobs)
        H: dict[str, Impulse] = {}
        for n, answer in zip(self.parts, answers, strict=True):
            if isinstance(answer, Rejected):
                return answer
            H[n] = answer
        count = len(next(iter(told.values())).windows)
        influence = Influence(problem, H, count)
        Lam = self._factored(state, problem, influence)
        if isinstance(Lam, Rejected):
            return Lam
        price = sum(h.solves for h in H.values())
        T = Toeplitz(influence.joints, Lam, often=problem.affine)
        return Operator(T, influence, self.telling.exports, powers, price)

    def _factored(
        self, state: GluedState, problem: TTProblem, influence: Influence
    ) -> GluingMatrix | Rejected:
        """The Λ at hand, if it is for such windows: a resumed run has the same."""
        Lam: GluingMatrix | None = state.memory
        if Lam is not None and Lam.fits(problem.h) and problem.affine:
            return Lam
        none = np.zeros(problem.size)
        known = KnownSlope(problem, influence.joints[0])
        here = Sweep(problem.forecast(none), {}, 0)
        return build(known, none, here, self.telling.inner.solver.tolerance, Lam)
