"""How what a part shows changes with the interface unknowns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bondline.core import (
    Advance,
    Assembly,
    Effort,
    Flexibility,
    Motion,
    Output,
    Rejected,
    Signal,
    Situation,
    Window,
)
from bondline.gluing.couplings.probing import advance_each, change_of, solves
from bondline.gluing.couplings.spending import Spent, spend

Block = NDArray[np.float64]
"""Coefficients or levels × dofs × unknowns."""


@dataclass(frozen=True)
class Tangents:
    """∂(outputs)/∂z of the parts of one window, from ∂(inputs)/∂z.

    A part that linearises itself is asked; any other is advanced once more for every
    unknown that reaches it, along the change of all its inputs together, by `step`.
    """

    assembly: Assembly
    situation: Situation
    window: Window
    step: float
    spent: Spent = field(default_factory=dict)

    def respond(
        self,
        name: str,
        inputs: Mapping[str, Signal],
        base: Advance[Any],
        moved: Mapping[str, Block],
    ) -> tuple[dict[str, Block], int] | Rejected:
        """Levels × dofs × unknowns of every glued port, and what it cost.

        `moved` are the changes of the glued ports' inputs: coefficients × dofs ×
        unknowns. A port that answers with effort has one level, the force.
        """
        outs = list(dict.fromkeys(p for p, _, _ in self.assembly.places[name]))
        knows = self.assembly.linearising.get(name)
        if knows is None:
            return self._probe(name, inputs, base, moved, outs)
        G = knows.linearise(self.situation.states[name], self.window, inputs)
        if isinstance(G, Rejected):
            return G
        return {out: _follow(G, out, moved) for out in outs}, G.solves

    def _probe(
        self,
        name: str,
        inputs: Mapping[str, Signal],
        base: Advance[Any],
        moved: Mapping[str, Block],
        outs: list[str],
    ) -> tuple[dict[str, Block], int] | Rejected:
        part, state = self.assembly.parts[name], self.situation.states[name]
        size = next(iter(moved.values())).shape[2]
        found = {out: np.zeros((*_shape(base.outputs[out]), size)) for out in outs}
        reached = np.any([m.any(axis=(0, 1)) for m in moved.values()], axis=0)
        price = 0
        unknowns = np.flatnonzero(reached)
        cases = [self._nudged(inputs, moved, int(j)) for j in unknowns]
        tried = advance_each(part, state, self.window, cases)
        for j, done in zip(unknowns, tried, strict=False):
            if isinstance(done, Rejected):
                return done
            price += solves(done)
            spend(self.spent, name, done)
            for out in outs:
                change = change_of(base.outputs[out], done.outputs[out])
                found[out][:, :, j] = change / self.step
        return found, price

    def _nudged(
        self, inputs: Mapping[str, Signal], moved: Mapping[str, Block], j: int
    ) -> dict[str, Signal]:
        step = self.step
        nudged = {p: _nudge(inputs[p], step * m[:, :, j]) for p, m in moved.items()}
        return {**inputs, **nudged}


def _nudge(signal: Signal, change: Block) -> Signal:
    return signal + Signal(change, signal.origin)


def _follow(G: Flexibility, out: str, moved: Mapping[str, Block]) -> Block:
    total: Block | None = None
    for port, change in moved.items():
        block = G.blocks[out, port]
        powers = min(block.shape[2], len(change))
        part: Block = np.tensordot(
            block[:, :, :powers], change[:powers], axes=((2, 3), (0, 1))
        )
        total = part if total is None else total + part
    assert total is not None
    return total


def _shape(shown: Output) -> tuple[int, int]:
    if isinstance(shown, Effort):
        return 1, len(shown.f)
    assert isinstance(shown, Motion)
    return 3, len(shown.v)
