"""One exchange over a block: what is asked of the parts, and what they answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from bondline.core import (
    Advance,
    Block,
    Blocked,
    BlockResponse,
    BlockTrial,
    Inputs,
    Matrix,
    Rejected,
    Settled,
    Settling,
    Vector,
    changes,
    shown_by,
)
from bondline.gluing.blocks.accepting import Found, Stock
from bondline.gluing.blocks.operator import Operator
from bondline.gluing.blocks.telling import Many, Shown, Telling
from bondline.gluing.state import GluedState

Later: TypeAlias = Mapping[str, Block | None]
"""The block after this one, by part."""


@dataclass(frozen=True, eq=False)
class Posed:
    """A block that the parts have answered once, and the forces that follow."""

    state: GluedState  # as much of it as the forces depend on, if it came `after`
    block: Block
    operator: Operator
    responses: Mapping[str, BlockResponse]
    guess: Many  # the unknowns that the parts were told
    last: Vector  # the joint forces that they were told to start with
    Z: Many  # the unknowns that close the gaps, if all is linear; first the guess
    residual: Many  # under the guess
    after: Sequence[Advance[GluedState]] = ()  # the block before, whose end is whole

    @property
    def shown(self) -> Shown:
        """What every part shows before the gaps are closed."""
        return {n: r.free for n, r in self.responses.items()}

    @property
    def whole(self) -> GluedState:
        """All of the state where it starts."""
        return self.after[-1].state if self.after else self.state


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

    @property
    def shown(self) -> Shown:
        """What every part shows."""
        return {n: t.shown for n, t in self.trials.items()}


class Ended(NamedTuple):
    """The windows of a block, and as much of the state after them as its successor
    must know: the whole one may not be found yet."""

    advances: Sequence[Advance[GluedState]]
    state: GluedState


@dataclass(frozen=True, eq=False)
class Exchange:
    """The parts of one integrated model, asked all at once."""

    telling: Telling
    parts: Mapping[str, Blocked[Any]]

    @property
    def affine(self) -> bool:
        """Whether forces superpose."""
        return self.telling.inner.assembly.affine

    def call(self, jobs: Mapping[str, Any]) -> dict[str, Any] | Rejected:
        """What every part answers, or the first rejection in their order."""
        done = self.telling.inner.assembly.crew.call(list(jobs.values()))
        wrong = [answer for answer in done if isinstance(answer, Rejected)]
        return wrong[0] if wrong else dict(zip(jobs, done, strict=True))

    def posed(
        self,
        state: GluedState,
        block: Block,
        operator: Operator,
        responses: Mapping[str, BlockResponse],
        after: Sequence[Advance[GluedState]] = (),
    ) -> BlockResponse:
        """The forces that follow from what the parts answered, (6)."""
        free = replace(self.free(state, block, operator, responses), after=after)
        return self.follows(free, operator.T.solve(free.residual))

    def free(
        self,
        state: GluedState,
        block: Block,
        operator: Operator,
        responses: Mapping[str, BlockResponse],
    ) -> Posed:
        """The gaps that are left by what the parts answered; no forces follow yet."""
        guess = self.telling.guess(state, block)
        shown = {n: r.free for n, r in responses.items()}
        return Posed(
            state,
            block,
            operator,
            responses,
            guess,
            last=state.history[1],
            Z=guess,
            residual=self.telling.residuals(operator, shown),
        )

    def follows(self, free: Posed, change: Many) -> BlockResponse:
        """These gaps are closed by such a change of the unknowns."""
        answered = self.telling.answered(free.operator, free.shown, change)
        price = sum(r.solves for r in free.responses.values())
        return BlockResponse(answered, price, replace(free, Z=free.guess + change))

    def attempt(
        self,
        posed: Posed,
        Z: Many,
        more: Sequence[Inputs],
        norms: Sequence[Many],
        ahead: Block | None,
        settle: Tried | None,
    ) -> Tried | Rejected:
        """One exchange: settle the block before, try this one, respond to the next."""
        telling, last = self.telling, posed.state.history[1]
        if settle is not None:
            last = self.after(settle).history[1]
        change = self._change(posed, last, Z)
        told = telling.loads(posed.operator.influence.problem, change, more)
        later = self.ahead(self._then(posed, last, Z), ahead)
        words: dict[str, Settling[Any] | None] = dict.fromkeys(self.parts)
        if settle is not None:
            trials, said = settle.trials, settle.told
            words = {n: Settling(trials[n], said[n]) for n in self.parts}
        answers = self.call(
            {
                n: partial(
                    part.try_block, posed.responses[n], told[n], later[n], words[n]
                )
                for n, part in self.parts.items()
            }
        )
        if isinstance(answers, Rejected):
            return answers
        made = Tried(posed, more, Z, told, answers, posed.residual, norms)
        return replace(made, residual=telling.residuals(posed.operator, made.shown))

    def _change(self, posed: Posed, last: Vector, Z: Many) -> list[Matrix]:
        """Joint forces beyond those that the parts were told with the block."""
        F = self.telling.forces(last, Z)
        known = self.telling.forces(posed.last, posed.guess)
        return [f - g for f, g in zip(F, known, strict=True)]

    def ahead(self, then: GluedState, block: Block | None) -> Later:
        """What the parts know of the block after this one, before it is solved."""
        if block is None or not self.affine:
            return dict.fromkeys(self.parts)
        return dict(self.telling.told(then, block, self.telling.guess(then, block)))

    def due(self, tried: Tried) -> bool:
        """Whether the gaps that a trial leaves ask for a correction, (7).

        The parts fly free while they respond, far from where they are when they are
        glued, and forces found from there carry that round-off. One correction from
        the trial itself, which stays with the joints, takes it out.
        """
        posed = tried.posed
        noise = self.telling.problem(posed.state, posed.block.windows[0]).noise
        left = np.linalg.norm(tried.residual, axis=1)
        return self.affine and bool((left > noise).any())

    def last_word(self, settling: Settling[GluedState]) -> Tried:
        """What a trial is accepted under."""
        tried: Tried = settling.trial.inside
        posed, Z, more = tried.posed, tried.Z, settling.more
        if more is not tried.more:
            count = len(posed.block.windows)
            Z = Z + posed.operator.unknowns(changes(tried.more, more, count))
        if tried.step is not None:
            Z = Z + tried.step
        if Z is tried.Z:
            return tried
        change = self._change(posed, posed.state.history[1], Z)
        told = self.telling.loads(posed.operator.influence.problem, change, more)
        left = np.linalg.norm(tried.residual, axis=1)
        return replace(tried, Z=Z, told=told, more=more, norms=[*tried.norms, left])

    def accepted(
        self, settle: Tried, done: Mapping[str, Sequence[Advance[Any]]], more: int
    ) -> Ended | Rejected:
        """Every window of a block that is settled; `more` exchanges were its own.

        Where it is plain that they superpose, stock is taken when somebody asks: the
        next block does not have to wait for it.
        """
        posed, Lam = settle.posed, settle.posed.operator.T.Lam
        before = posed.state.memory
        fresh = not self.affine or before is None or not before.fits(Lam.h)
        # else H and the response are exchanges of every block, not of the start
        asked = 1 if self.affine else 2 + len(settle.norms)
        found = Found(
            settle.Z,
            Lam,
            settle.norms,
            posed.operator.solves if fresh else 0,
            asked + more,
        )
        shown = {n: shown_by(advances) for n, advances in done.items()}
        seen = self.telling.seen(shown)
        residuals = self.telling.conditions(posed.operator, seen)
        windows = posed.block.windows
        stock = Stock(self.telling, windows, done, found, seen, residuals)
        motions = stock.motions
        if motions is None or not (self.affine and stock.closed):
            advances = stock.taken(posed.whole)
            if isinstance(advances, Rejected):
                return advances
            return Ended(advances, advances[-1].state)
        exported = self.telling.exported(shown)
        later = Settled(exported, lambda: stock.certain(posed.whole))
        return Ended(later, replace(self.after(settle), motions=motions))

    def after(self, tried: Tried) -> GluedState:
        """As much of the state after a block as its successor must know."""
        return self._then(tried.posed, tried.posed.state.history[1], tried.Z)

    def _then(self, posed: Posed, last: Vector, Z: Many) -> GluedState:
        F = self.telling.forces(last, Z)
        history = (Z[-1], F[-1].sum(0), posed.block.windows[-1].h)
        return replace(posed.state, history=history, memory=posed.operator.T.Lam)
