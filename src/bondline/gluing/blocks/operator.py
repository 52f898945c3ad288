"""What is found once for all blocks of windows of one length."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from bondline.core import (
    Impulse,
    Inputs,
    Matrix,
    PortRef,
    Slope,
    Sweep,
    Vector,
)
from bondline.gluing.blocks.influence import Influence
from bondline.gluing.blocks.toeplitz import Lags, Toeplitz, convolved
from bondline.gluing.couplings.around import AroundProblem


@dataclass(frozen=True, eq=False)
class Operator:
    """T of the joints, and what loads on the exported ports do through them."""

    T: Toeplitz
    influence: Influence
    exports: Mapping[str, PortRef]
    powers: int
    solves: int

    def serves(self, count: int, powers: int) -> bool:
        """Whether it was found for so many windows, and coefficients of loads."""
        return self.influence.count >= count and self.powers >= powers

    @cached_property
    def answers(self) -> Lags:
        """What the joints do under a unit of each load from outside, (8).

        A column for each export, power of s and dof.
        """
        felt = [self.influence.felt(end, self.powers) for end in self.exports.values()]
        return self.T.solve(np.concatenate(felt, axis=2))

    @cached_property
    def shown(self) -> Mapping[str, Lags]:
        """What the unknowns of the joints do to each export."""
        return {name: self.influence.shown(end) for name, end in self.exports.items()}

    def condensed(self, powers: int) -> Impulse:
        """H of the exports, once the inner joints have answered, (10)."""
        blocks, at = {}, 0
        for port, end_in in self.exports.items():
            width = self._width(port)
            here = self.answers[:, :, at : at + self.powers * width]
            at += self.powers * width
            for out, end_out in self.exports.items():
                through = convolved(self.shown[out], here)
                shape = (len(here), 3, self._width(out), self.powers, width)
                block = through.reshape(shape)
                if end_in.part == end_out.part:
                    H = self.influence.H[end_in.part].blocks
                    own = H[end_out.port, end_in.port]
                    block = block + own[: len(here), :, :, : self.powers]
                blocks[out, port] = block[:, :, :, :powers]
        return Impulse(blocks, 0)  # the price is counted in the first window

    def unknowns(self, more: Sequence[Inputs]) -> NDArray[np.float64] | float:
        """What the joints add under more loads from outside; nothing without any."""
        if not any(more):
            return 0.0
        cuts = [self.powers * self._width(port) for port in self.exports]
        c, at = np.zeros((len(more), sum(cuts))), 0
        for port, size in zip(self.exports, cuts, strict=True):
            for k, inputs in enumerate(more):
                if port in inputs:
                    rows = inputs[port].coefficients
                    assert len(rows) <= self.powers, f"{port}: {len(rows)} coefficients"
                    c[k, at : at + rows.size] = rows.ravel()
            at += size
        return convolved(self.answers, c)

    def moved(self, name: str, Z: NDArray[np.float64]) -> NDArray[np.float64]:
        """Windows × levels × dofs: what the joints do to an export."""
        return convolved(self.shown[name], Z).reshape(len(Z), 3, -1)

    def _width(self, port: str) -> int:
        end = self.exports[port]
        return self.influence.problem.assembly.parts[end.part].ports[end.port].size


@dataclass(frozen=True)
class KnownSlope(AroundProblem):
    """The problem of the first window of a block, whose slope is J₀."""

    J: Matrix

    def repeated(self) -> int | None:
        """As in the window."""
        return self.inner.repeated()

    def slope(self, z: Vector, here: Sweep) -> Slope:
        """At no price: H was paid for already."""
        return Slope(self.J, 0)
