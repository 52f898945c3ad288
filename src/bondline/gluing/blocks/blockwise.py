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
    Vector,
    Windowed,
)
from bondline.gluing.blocks.accepting import Found, accept
from bondline.gluing.blocks.finding import Finding
from bondline.gluing.blocks.operator import Operator
from bondline.gluing.blocks.telling import Many, Telling
from bondline.gluing.glueing import Glueing
from bondline.gluing.solvers.loop import closed
from bondline.gluing.state import GluedState

_FORCE = 1e-6  # a correction below this part of the largest force is none
_SLOW = 0.7  # two corrections that leave more than its square lead nowhere


@dataclass(frozen=True, eq=False)
class Posed:
    """A block that the parts have answered once, and the forces that follow."""

    state: GluedState
    block: Block
    operator: Operator
    responses: Mapping[str, BlockResponse]
    guess: Many  # the unknowns that the parts were told
    last: Vector  # the joint forces that they were told to start with
    Z: Many  # the unknowns that close the gaps, if all is linear
    residual: Many  # under the guess


@dataclass(frozen=True, eq=False)
class Tried:
    """A block that was tried: the last unknowns, and what they leave of the gaps."""

    posed: Posed
    more: Sequence[Inputs]
    Z: Many
    told: Mapping[str, Sequence[Inputs]]
    trials: Mapping[str, BlockTrial[Any]]
    residual: Many
    norms: Sequence[Many]
    step: Many | None = None  # what corrects round-off, (7); none where nothing is left


@dataclass(frozen=True, eq=False)
class Blockwise:
    """The blocks of one integrated model."""

    inner: Glueing
    count: int  # windows that H is found for, at least

    @cached_property
    def _telling(self) -> Telling:
        return Telling(self.inner)

    @cached_property
    def _parts(self) -> Mapping[str, Blocked[Any]]:
        parts = self.inner.assembly.parts.items()
        return {n: p if isinstance(p, Blocked) else Windowed(p) for n, p in parts}

    @cached_property
    def _finding(self) -> Finding:
        return Finding(self._telling, self._parts, self.count)

    @property
    def _affine(self) -> bool:
        return self.inner.assembly.affine

    def impulse(
        self, state: GluedState, block: Block, powers: int
    ) -> Impulse | Rejected:
        """H of the exports, from those of the parts, (10)."""
        operator = self._finding.operator(state, block, powers)
        if isinstance(operator, Rejected):
            return operator
        return operator.condensed(powers)

    def respond_block(
        self, state: GluedState, block: Block
    ) -> BlockResponse | Rejected:
        """Every part under a guess of the joint forces, and the forces that follow."""
        operator = self._finding.operator(state, block)
        if isinstance(operator, Rejected):
            return operator
        told = self._telling.told(state, block, self._telling.guess(state, block))
        answers = self._call(
            {
                n: partial(part.respond_block, state.parts[n], told[n])
                for n, part in self._parts.items()
            }
        )
        if isinstance(answers, Rejected):
            return answers
        return self._posed(state, block, operator, answers)

    def _call(self, jobs: Mapping[str, Any]) -> dict[str, Any] | Rejected:
        """What every part answers, or the first rejection in their order."""
        done = self.inner.assembly.crew.call(list(jobs.values()))
        wrong = [answer for answer in done if isinstance(answer, Rejected)]
        return wrong[0] if wrong else dict(zip(jobs, done, strict=True))

    def _posed(
        self,
        state: GluedState,
        block: Block,
        operator: Operator,
        responses: Mapping[str, BlockResponse],
    ) -> BlockResponse:
        telling, guess = self._telling, self._telling.guess(state, block)
        shown = [
            {n: r.free[k] for n, r in responses.items()}
            for k in range(len(block.windows))
        ]
        residual = telling.residuals(operator, shown)
        change = operator.T.solve(residual)  # (6)
        posed = Posed(
            state,
            block,
            operator,
            responses,
            guess,
            state.history[1],
            guess + change,
            residual,
        )
        price = sum(r.solves for r in responses.values())
        return BlockResponse(telling.answered(operator, shown, change), price, posed)

    def try_block(
        self,
        response: BlockResponse,
        more: Sequence[Inputs],
        ahead: Block | None = None,
        before: Settling[GluedState] | None = None,
    ) -> BlockTrial[GluedState] | Rejected:
        """The parts under the joint forces; linear parts once, others until it fits."""
        posed: Posed = response.inside
        settle = None if before is None else self._last_word(before)
        Z = posed.Z + posed.operator.unknowns(more)
        norms = [np.linalg.norm(posed.residual, axis=1)]
        for _ in range(self._patience):
            tried = self._tried(posed, Z, more, norms, ahead, settle)
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

    @property
    def _patience(self) -> int:
        return int(getattr(self.inner.solver, "max_iterations", 25))

    def _closed(self, tried: Tried, step: Many) -> bool:
        """Whether all gaps are closed, and the forces would hardly change."""
        problem, tolerance = (
            tried.posed.operator.rung.problem,
            self.inner.solver.tolerance,
        )
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

    def _tried(
        self,
        posed: Posed,
        Z: Many,
        more: Sequence[Inputs],
        norms: Sequence[Many],
        ahead: Block | None,
        settle: Tried | None,
    ) -> Tried | Rejected:
        """One exchange: settle the block before, try this one, respond to the next."""
        telling, state = self._telling, posed.state
        last = state.history[1]
        if settle is not None:
            last = self._after(settle).history[1]
        F, known = telling.forces(last, Z), telling.forces(posed.last, posed.guess)
        change = [f - g for f, g in zip(F, known, strict=True)]
        told = telling.loads(posed.operator.rung.problem, change, more)
        later: Mapping[str, Block | None] = dict.fromkeys(self._parts)
        if ahead is not None and self._affine:
            h = posed.block.windows[-1].h
            then = replace(state, history=(Z[-1], F[-1].sum(0), h))
            later = telling.told(then, ahead, telling.guess(then, ahead))
        words: dict[str, Settling[Any] | None] = dict.fromkeys(self._parts)
        if settle is not None:
            trials, said = settle.trials, settle.told
            words = {n: Settling(trials[n], said[n]) for n in self._parts}
        answers = self._call(
            {
                n: partial(
                    part.try_block, posed.responses[n], told[n], later[n], words[n]
                )
                for n, part in self._parts.items()
            }
        )
        if isinstance(answers, Rejected):
            return answers
        shown = [
            {n: t.shown[k] for n, t in answers.items()}
            for k in range(len(posed.block.windows))
        ]
        residual = telling.residuals(posed.operator, shown)
        return Tried(posed, more, Z, told, answers, residual, norms)

    def _trial(
        self, tried: Tried, ahead: Block | None, settle: Tried | None
    ) -> BlockTrial[GluedState] | Rejected:
        """What came of an exchange; this block now starts where the last one ended."""
        posed, settled = tried.posed, list[Advance[GluedState]]()
        if settle is not None:
            done = {n: t.settled for n, t in tried.trials.items()}
            found = self._accepted(settle, done, 0)
            if isinstance(found, Rejected):
                return found
            settled = found
            posed = replace(posed, state=found[-1].state)
            tried = replace(tried, posed=posed)
        shown = [
            {n: t.shown[k] for n, t in tried.trials.items()}
            for k in range(len(posed.block.windows))
        ]
        answers = {n: t.ahead for n, t in tried.trials.items() if t.ahead is not None}
        after = None
        if ahead is not None and len(answers) == len(self._parts):
            then = self._after(tried)
            after = self._posed(then, ahead, posed.operator, answers)
        exported = self._telling.exported(shown)
        step = self._correction(tried)
        if step is not None:  # to be shown as it will be settled
            exported = self._telling.answered(posed.operator, shown, step)
            tried = replace(tried, step=step)
        return BlockTrial(exported, tried, after, settled)

    def _correction(self, tried: Tried) -> Many | None:
        """What the gaps that a trial leaves ask for, (7).

        The parts fly free while they respond, far from where they are when they are
        glued, and forces found from there carry that round-off. One correction from
        the trial itself, which stays with the joints, takes it out.
        """
        posed = tried.posed
        noise = self._telling.problem(posed.state, posed.block.windows[0]).noise
        left = np.linalg.norm(tried.residual, axis=1)
        if not self._affine or not (left > noise).any():
            return None
        return posed.operator.T.solve(tried.residual)

    def _last_word(self, settling: Settling[GluedState]) -> Tried:
        """What a trial is accepted under."""
        tried: Tried = settling.trial.inside
        posed, Z, more = tried.posed, tried.Z, settling.more
        if more is not tried.more:
            had = posed.operator.unknowns(tried.more)
            Z = Z + (posed.operator.unknowns(more) - had)
        if tried.step is not None:
            Z = Z + tried.step
        if Z is tried.Z:
            return tried
        F = self._telling.forces(posed.state.history[1], Z)
        known = self._telling.forces(posed.last, posed.guess)
        change = [f - g for f, g in zip(F, known, strict=True)]
        told = self._telling.loads(posed.operator.rung.problem, change, more)
        left = np.linalg.norm(tried.residual, axis=1)
        return replace(tried, Z=Z, told=told, more=more, norms=[*tried.norms, left])

    def settle_block(
        self, settling: Settling[GluedState], ahead: Block | None = None
    ) -> BlockAdvance[GluedState] | Rejected:
        """The last block of a row: an exchange of its own."""
        settle = self._last_word(settling)
        telling, posed = self._telling, settle.posed
        later: Mapping[str, Block | None] = dict.fromkeys(self._parts)
        if ahead is not None and self._affine:
            then = self._after(settle)
            later = telling.told(then, ahead, telling.guess(then, ahead))
        done = self._call(
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
        found = self._accepted(settle, every, 1)
        if isinstance(found, Rejected):
            return found
        answers = {n: d.ahead for n, d in done.items() if d.ahead is not None}
        if ahead is None or len(answers) < len(self._parts):
            return BlockAdvance(found)
        state = found[-1].state
        return BlockAdvance(found, self._posed(state, ahead, posed.operator, answers))

    def _accepted(
        self, settle: Tried, done: Mapping[str, Sequence[Advance[Any]]], more: int
    ) -> list[Advance[GluedState]] | Rejected:
        posed, Lam = settle.posed, settle.posed.operator.T.Lam
        before = posed.state.memory
        fresh = not self._affine or before is None or not before.fits(Lam.h)
        tries = 1 if self._affine else len(settle.norms)
        found = Found(
            settle.Z,
            Lam,
            settle.norms,
            posed.operator.solves if fresh else 0,
            tries + more,
        )
        windows = posed.block.windows
        return accept(self._telling, posed.state, windows, done, found)

    def _after(self, tried: Tried) -> GluedState:
        """As much of the state after a block as its successor must know."""
        state, Z = tried.posed.state, tried.Z
        F = self._telling.forces(state.history[1], Z)
        history = (Z[-1], F[-1].sum(0), tried.posed.block.windows[-1].h)
        return replace(state, history=history, memory=tried.posed.operator.T.Lam)
