"""A block of windows of an integrated model: asked once, solved, told once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import numpy as np

from bondline.core import (
    Advance,
    Block,
    BlockAdvance,
    Blocked,
    BlockResponse,
    BlockTrial,
    Impulse,
    Inputs,
    Rejected,
    Settling,
    Windowed,
)
from bondline.gluing.blocks.exchange import Exchange, Posed, Tried
from bondline.gluing.blocks.operators import Operators
from bondline.gluing.blocks.telling import Many, Telling
from bondline.gluing.glueing import Glueing
from bondline.gluing.solvers.loop import closed
from bondline.gluing.state import GluedState

_FORCE = 1e-6  # a correction below this part of the largest force is none
_SLOW = 0.7  # two corrections that leave more than its square lead nowhere


@dataclass(frozen=True, eq=False)
class Blockwise:
    """The blocks of one integrated model."""

    inner: Glueing
    count: int  # windows that H is found for, at least, in a run of more

    @cached_property
    def _telling(self) -> Telling:
        return Telling(self.inner)

    @cached_property
    def _parts(self) -> Mapping[str, Blocked[Any]]:
        parts = self.inner.assembly.parts.items()
        return {n: p if isinstance(p, Blocked) else Windowed(p) for n, p in parts}

    @cached_property
    def _exchange(self) -> Exchange:
        return Exchange(self._telling, self._parts)

    @cached_property
    def _operators(self) -> Operators:
        return Operators(self._telling, self._parts, self.count)

    @property
    def _affine(self) -> bool:
        return self.inner.assembly.affine

    def impulse(
        self, state: GluedState, block: Block, powers: int
    ) -> Impulse | Rejected:
        """H of the exports, from those of the parts, (10)."""
        operator = self._operators.of(state, block, powers)
        if isinstance(operator, Rejected):
            return operator
        return operator.condensed(powers)

    def respond_block(
        self, state: GluedState, block: Block
    ) -> BlockResponse | Rejected:
        """Every part under a guess of the joint forces, and the forces that follow."""
        operator = self._operators.of(state, block)
        if isinstance(operator, Rejected):
            return operator
        told = self._telling.told(state, block, self._telling.guess(state, block))
        answers = self._exchange.call(
            {
                n: partial(part.respond_block, state.parts[n], told[n])
                for n, part in self._parts.items()
            }
        )
        if isinstance(answers, Rejected):
            return answers
        return self._exchange.posed(state, block, operator, answers)

    def try_block(
        self,
        response: BlockResponse,
        more: Sequence[Inputs],
        ahead: Block | None = None,
        before: Settling[GluedState] | None = None,
    ) -> BlockTrial[GluedState] | Rejected:
        """The parts under the joint forces; linear parts once, others until it fits."""
        posed = self._wide(response.inside, more)
        if isinstance(posed, Rejected):
            return posed
        settle = None if before is None else self._exchange.last_word(before)
        Z = posed.Z + posed.operator.unknowns(more)
        norms = [np.linalg.norm(posed.residual, axis=1)]
        for _ in range(self._patience):
            tried = self._exchange.attempt(posed, Z, more, norms, ahead, settle)
            if isinstance(tried, Rejected):
                return tried
            if self._affine:
                return self._trial(tried, ahead, settle)
            step = posed.operator.T.solve(tried.residual)
            norms = [*norms, np.linalg.norm(tried.residual, axis=1)]
            if self._closed(tried, step):
                return self._trial(replace(tried, norms=norms[:-1]), ahead, settle)
            if not self._hopeful(norms):
                break
            Z = Z + step  # Newton's waveform iteration, (11)
        return self._lost(posed, norms)

    def _wide(self, posed: Posed, more: Sequence[Inputs]) -> Posed | Rejected:
        """Ready for loads of that many coefficients, whatever was asked before."""
        each = [len(s.coefficients) for inputs in more for s in inputs.values()]
        if max(each, default=0) <= posed.operator.powers:
            return posed
        found = self._operators.of(posed.state, posed.block, max(each))
        if isinstance(found, Rejected):
            return found
        return replace(posed, operator=found)

    @property
    def _patience(self) -> int:
        return int(getattr(self.inner.solver, "max_iterations", 25))

    def _closed(self, tried: Tried, step: Many) -> bool:
        """Whether all gaps are closed, and the forces would hardly change."""
        problem = tried.posed.operator.influence.problem
        tolerance = self.inner.solver.tolerance
        left = np.linalg.norm(tried.residual, axis=1)
        if not all(closed(problem, tolerance, float(n)) for n in left):
            return False
        largest = max(float(np.abs(tried.Z).max()), problem.floor)
        return float(np.abs(step).max()) <= _FORCE * largest

    @staticmethod
    def _hopeful(norms: Sequence[Many]) -> bool:
        worst = [float(n.max()) for n in norms]
        if not np.isfinite(worst[-1]):
            return False
        return len(worst) < 4 or worst[-1] <= _SLOW**2 * worst[-3]

    def _lost(self, posed: Posed, norms: Sequence[Many]) -> Rejected:
        count, left = len(posed.block.windows), float(norms[-1].max())
        finding = (
            f"{count} windows together do not converge: {left:.1e} m are left after "
            f"{len(norms) - 1} corrections"
        )
        return Rejected(self.inner.name, finding, posed.block.windows[count // 2].t0)

    def _trial(
        self, tried: Tried, ahead: Block | None, settle: Tried | None
    ) -> BlockTrial[GluedState] | Rejected:
        """What came of an exchange; this block now starts where the last one ended."""
        posed = tried.posed
        settled: Sequence[Advance[GluedState]] = ()
        if settle is not None:
            done = {n: t.settled for n, t in tried.trials.items()}
            found = self._exchange.accepted(settle, done, 0)
            if isinstance(found, Rejected):
                return found
            settled = found.advances
            posed = replace(posed, state=found.state, after=settled)
            tried = replace(tried, posed=posed)
        step, after = self._solved(tried, self._next(tried, ahead))
        exported = self._telling.exported(tried.shown)
        if step is not None:  # to be shown as it will be settled
            exported = self._telling.answered(posed.operator, tried.shown, step)
            tried = replace(tried, step=step)
        return BlockTrial(exported, tried, after, settled)

    def _next(self, tried: Tried, ahead: Block | None) -> Posed | None:
        """The block after this one, if all parts have answered to it."""
        answers = {n: t.ahead for n, t in tried.trials.items() if t.ahead is not None}
        if ahead is None or len(answers) < len(self._parts):
            return None
        then = self._exchange.after(tried)
        return self._exchange.free(then, ahead, tried.posed.operator, answers)

    def _solved(
        self, tried: Tried, later: Posed | None
    ) -> tuple[Many | None, BlockResponse | None]:
        """What corrects a trial, (7), and the next block with its forces, (6)."""
        T, due = tried.posed.operator.T, self._exchange.due(tried)
        if later is None:
            return (T.solve(tried.residual) if due else None), None
        if not due:
            return None, self._exchange.follows(later, T.solve(later.residual))
        step, change = T.solve_both(tried.residual, later.residual)
        return step, self._exchange.follows(later, change)

    def settle_block(
        self, settling: Settling[GluedState], ahead: Block | None = None
    ) -> BlockAdvance[GluedState] | Rejected:
        """The last block of a row: an exchange of its own."""
        settle = self._exchange.last_word(settling)
        later = self._exchange.ahead(self._exchange.after(settle), ahead)
        done = self._exchange.call(
            {
                n: partial(
                    part.settle_block,
                    Settling(settle.trials[n], settle.told[n]),
                    later[n],
                )
                for n, part in self._parts.items()
            }
        )
        if isinstance(done, Rejected):
            return done
        every = {n: d.advances for n, d in done.items()}
        found = self._exchange.accepted(settle, every, 1)
        if isinstance(found, Rejected):
            return found
        answers = {n: d.ahead for n, d in done.items() if d.ahead is not None}
        if ahead is None or len(answers) < len(self._parts):
            return BlockAdvance(found.advances)
        after = self._exchange.posed(
            found.state, ahead, settle.posed.operator, answers, found.advances
        )
        return BlockAdvance(found.advances, after)
