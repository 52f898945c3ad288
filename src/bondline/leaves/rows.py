"""Windows of a linear structure in a row, and what a change of forces adds to them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from bondline.core import (
    Advance,
    Block,
    Inputs,
    Rejected,
    Signal,
    Vector,
    Walked,
    Window,
    changes,
)
from bondline.leaves.one_step import Leap
from bondline.leaves.stepping import Travel, Way


class Walking(Protocol):
    """What is asked of a structure here."""

    def walk(
        self,
        state: Vector,
        window: Window,
        inputs: Mapping[str, Signal],
        loaded: bool = True,
    ) -> Way:
        """Through one window; under its own loads, too, unless told otherwise."""
        ...

    def glimpse(self, window: Window, way: Way) -> Advance[Vector] | Rejected:
        """Where it leads."""
        ...

    def arrive(self, window: Window, way: Way) -> Advance[Vector] | Rejected:
        """The same, with what happened on the way."""
        ...


@dataclass(frozen=True)
class StructureRows:
    """The windows of one structure."""

    structure: Walking

    def go(
        self, state: Vector, block: Block, more: Sequence[Inputs]
    ) -> Walked[Vector, Way] | Rejected:
        """One solve a window; energies are counted once the block is settled."""
        now, ways, done = state, list[Way](), list[Advance[Vector]]()
        for k, window in enumerate(block.windows):
            ways.append(self.structure.walk(now, window, block.under(more, k)))
            answer = self.structure.glimpse(window, ways[-1])
            if isinstance(answer, Rejected):
                return answer
            done.append(answer)
            now = answer.state
        return Walked(state, block, more, done, ways)

    def arrived(self, walked: Walked[Vector, Way]) -> Walked[Vector, Way] | Rejected:
        """What happened on every way."""
        done = list[Advance[Vector]]()
        for window, way in zip(walked.block.windows, walked.paths, strict=True):
            answer = self.structure.arrive(window, way)
            if isinstance(answer, Rejected):
                return answer
            done.append(answer)
        return walked._replace(done=done)

    def amend(
        self, walked: Walked[Vector, Way], more: Sequence[Inputs]
    ) -> Walked[Vector, Way] | Rejected:
        """What the change does from rest, added: its round-off is a share of it."""
        off, windows = np.zeros_like(walked.state), walked.block.windows
        each, ways = changes(walked.more, more, len(windows)), list[Way]()
        for way, window, change in zip(walked.paths, windows, each, strict=True):
            added = self.structure.walk(off, window, change, loaded=False)
            ways.append(_both(way, added))
            off = added.end
        return self.arrived(walked._replace(more=more, paths=ways))


def _both(way: Way, added: Way) -> Way:
    """Together; windows of one length are always taken in one way."""
    if isinstance(way, Leap):
        assert isinstance(added, Leap), "a leap, changed by a travel"
        return way.plus(added)
    assert isinstance(added, Travel), "a travel, changed by a leap"
    return way.plus(added)
