"""Windows of a linear structure in a row, and what a change of forces adds to them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

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
from bondline.leaves.one_step import Leap, Leaps
from bondline.leaves.stepping import Travel, Way

Ways: TypeAlias = Leaps | Sequence[Way]
"""How a structure went through the windows of a block."""


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

    def leap(
        self,
        state: Vector,
        windows: Sequence[Window],
        inputs: Sequence[Inputs],
        loaded: bool = True,
        exact: bool = True,
    ) -> Leaps | None:
        """Through all windows in one call; None where there is none for them.

        Where it need not be `exact`, inner forces are rounded sums.
        """
        ...

    def landed(
        self, windows: Sequence[Window], done: list[Advance[Vector]]
    ) -> list[Advance[Vector]] | Rejected:
        """The ends of such windows, if they are numbers."""
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

    def foretell(self, state: Vector, block: Block) -> Walked[Vector, Ways] | Rejected:
        """As `go` does it, with rounded sums: the trial tells what that was off by."""
        return self._gone(state, block, (), exact=False)

    def go(
        self, state: Vector, block: Block, more: Sequence[Inputs]
    ) -> Walked[Vector, Ways] | Rejected:
        """One solve a window; energies are counted once the block is settled."""
        return self._gone(state, block, more, exact=True)

    def _gone(
        self, state: Vector, block: Block, more: Sequence[Inputs], exact: bool
    ) -> Walked[Vector, Ways] | Rejected:
        windows = block.windows
        every = block.under_all(more)
        leaps = self.structure.leap(state, windows, every, exact=exact)
        if leaps is None:
            return self._walked(state, block, more, every)
        done = self.structure.landed(windows, leaps.shown())
        if isinstance(done, Rejected):
            return done
        return Walked(state, block, more, done, leaps)

    def _walked(
        self,
        state: Vector,
        block: Block,
        more: Sequence[Inputs],
        every: Sequence[Inputs],
    ) -> Walked[Vector, Ways] | Rejected:
        """Window by window."""
        now, ways, done = state, list[Way](), list[Advance[Vector]]()
        for window, inputs in zip(block.windows, every, strict=True):
            ways.append(self.structure.walk(now, window, inputs))
            answer = self.structure.glimpse(window, ways[-1])
            if isinstance(answer, Rejected):
                return answer
            done.append(answer)
            now = answer.state
        return Walked(state, block, more, done, ways)

    def arrived(self, walked: Walked[Vector, Ways]) -> Walked[Vector, Ways] | Rejected:
        """What happened on every way."""
        windows, ways = walked.block.windows, walked.paths
        if isinstance(ways, Leaps):
            landed = self.structure.landed(windows, ways.landed())
            if isinstance(landed, Rejected):
                return landed
            return walked._replace(done=landed)
        done = list[Advance[Vector]]()
        for window, way in zip(windows, ways, strict=True):
            answer = self.structure.arrive(window, way)
            if isinstance(answer, Rejected):
                return answer
            done.append(answer)
        return walked._replace(done=done)

    def amend(
        self, walked: Walked[Vector, Ways], more: Sequence[Inputs]
    ) -> Walked[Vector, Ways] | Rejected:
        """What the change does from rest, added: its round-off is a share of it."""
        off, windows = np.zeros_like(walked.state), walked.block.windows
        paths = walked.paths
        each = changes(walked.more, more, len(windows))
        if isinstance(paths, Leaps):
            added = self.structure.leap(off, windows, each, loaded=False, exact=False)
            assert added is not None, "leaps, changed by travels"
            return self.arrived(walked._replace(more=more, paths=paths.plus(added)))
        ways = list[Way]()
        for way, window, change in zip(paths, windows, each, strict=True):
            more_way = self.structure.walk(off, window, change, loaded=False)
            ways.append(_both(way, more_way))
            off = more_way.end
        return self.arrived(walked._replace(more=more, paths=ways))


def _both(way: Way, added: Way) -> Way:
    """Together; windows of one length are always taken in one way."""
    if isinstance(way, Leap):
        assert isinstance(added, Leap), "a leap, changed by a travel"
        return way.plus(added)
    assert isinstance(added, Travel), "a travel, changed by a leap"
    return way.plus(added)
