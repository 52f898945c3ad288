"""What parts answer within one window, each asked as cheaply as it can be."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from bondline.core import (
    Advance,
    Assembly,
    Rejected,
    Response,
    Signal,
    Situation,
    Window,
)
from bondline.gluing.couplings.probing import solves
from bondline.gluing.couplings.spending import Spent, spend

Inputs = Mapping[str, Signal]


class _First(NamedTuple):
    """What a part was told when it was first asked, and how it responded."""

    told: Inputs
    response: Response


class _Answer(NamedTuple):
    advance: Advance[Any] | Rejected
    price: int
    first: _First | None = None


@dataclass(frozen=True)
class Answers:
    """The parts of one assembly over one window, asked under one guess after another.

    A part that superposes is solved once, under what it is told first; what it is told
    later is that and a difference, which costs no solve. Any other part is advanced
    every time.
    """

    assembly: Assembly
    situation: Situation
    window: Window
    spent: Spent = field(default_factory=dict)
    _first: dict[str, _First] = field(default_factory=dict)

    def ask(
        self, inputs: Mapping[str, Inputs], only: Iterable[str] | None = None
    ) -> tuple[dict[str, Advance[Any]], int] | Rejected:
        """Every advance and their price, or the first rejection in order of parts."""
        names = list(self.assembly.parts if only is None else only)
        jobs = [partial(self._answer, n, inputs[n]) for n in names]
        advances, price = dict[str, Advance[Any]](), 0
        for n, answer in zip(names, self.assembly.crew.call(jobs), strict=True):
            if isinstance(answer.advance, Rejected):
                return answer.advance
            advances[n], price = answer.advance, price + answer.price
            spend(self.spent, n, answer.advance)
            if answer.first is not None:
                self._first[n] = answer.first
        return advances, price

    def _answer(self, name: str, told: Inputs) -> _Answer:
        part, state = self.assembly.parts[name], self.situation.states[name]
        affine = self.assembly.superposing.get(name)
        if affine is None or not part.capabilities.superposes:
            done = part.advance(state, self.window, told)
            return _Answer(done, 0 if isinstance(done, Rejected) else solves(done))
        first = self._first.get(name)
        if first is not None:
            more = _difference(first.told, told)
            return _Answer(affine.realise(first.response, more), 0)
        response = affine.respond(state, self.window, told)
        if isinstance(response, Rejected):
            return _Answer(response, 0)
        done = affine.realise(response, {})
        return _Answer(done, solves(response.free), _First(told, response))


def _difference(before: Inputs, now: Inputs) -> dict[str, Signal]:
    """What was added to each input; nothing where it is the same."""
    found = {}
    for port, signal in now.items():
        old = before.get(port)
        if old is None:
            found[port] = signal
        elif not np.array_equal(old.coefficients, signal.coefficients):
            found[port] = signal + Signal(-old.coefficients)
    return found
