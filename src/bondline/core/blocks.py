"""Blocks: many windows in one exchange (docs/theory/blocks.md)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import (
    Any,
    Generic,
    Protocol,
    TypeAlias,
    TypeVar,
    overload,
    runtime_checkable,
)

import numpy as np
from numpy.typing import NDArray

from bondline.core.motion import Output
from bondline.core.port_arrays import ForceRows, changed, superposed
from bondline.core.signal import Signal
from bondline.core.subsystem import Advance, Rejected
from bondline.core.window import Window

S = TypeVar("S")

Inputs: TypeAlias = Mapping[str, Signal]
"""What the ports of one model are told over one window."""


@dataclass(frozen=True, slots=True)
class Block:
    """Windows of one length in a row, and the inputs that are known for each.

    No inputs at all means that no port is told anything in any of them.
    """

    windows: Sequence[Window]
    inputs: Sequence[Inputs] = ()
    total: int = 0  # windows of the run that it is a block of, where that is known

    def told(self, k: int) -> Inputs:
        """The inputs of window `k`."""
        return self.inputs[k] if self.inputs else {}

    def under_all(self, more: Sequence[Inputs]) -> Sequence[Inputs]:
        """The same for all windows."""
        if more and not self.inputs:
            return more
        return [self.under(more, k) for k in range(len(self.windows))]

    def under(self, more: Sequence[Inputs], k: int) -> Inputs:
        """All that acts in window `k` if there is more; no `more` at all is nothing."""
        return superposed(self.told(k), more[k]) if more else self.told(k)


def changes(
    since: Sequence[Inputs], now: Sequence[Inputs], count: int
) -> Sequence[Inputs]:
    """What acts more than before in each of `count` windows; no inputs are nothing.

    Of what comes on top of a block, not of all that acts: where that is large, a small
    change of it would be lost in the sums.
    """
    if isinstance(now, ForceRows) and now.like(since):
        return ForceRows(now.places, now.coefficients - since.coefficients)
    none: list[Inputs] = [{}] * count
    return [changed(a, b) for a, b in zip(since or none, now or none, strict=True)]


@dataclass(frozen=True, slots=True)
class Impulse:
    """H₀ … H_K₋₁: what a unit of force over one window does at the end of it and later.

    `blocks[out, in][j, l, :, k, :]` is ∂(level l of port `out`, j windows after the one
    with the force)/∂(coefficient k of the force on port `in`), levels in the order x,
    v, a: H₀ is the ordinary flexibility G. `solves` is its price.
    """

    blocks: Mapping[tuple[str, str], NDArray[np.float64]]
    solves: int

    def __post_init__(self) -> None:
        """Each in one piece: the bits of products depend on how numbers lie in memory.

        So they are the same where a model is elsewhere, and its numbers came by wire.
        """
        whole = {pair: np.ascontiguousarray(b) for pair, b in self.blocks.items()}
        object.__setattr__(self, "blocks", whole)


@dataclass(frozen=True, slots=True)
class BlockResponse:
    """What the ports show after every window under the known inputs of a block.

    `inside` is the model's own: all that it needs to realise the block.
    """

    free: Sequence[Mapping[str, Output]]
    solves: int = 0
    inside: Any = None


class Settled(Sequence[Advance[S]]):
    """Advances that are found when the first is asked for; what they show is known.

    Nobody who asks for the next block has to wait for the rest of this one.
    """

    def __init__(
        self,
        shown: Sequence[Mapping[str, Output]],
        find: Callable[[], Sequence[Advance[S]]],
    ) -> None:
        self.shown = shown
        self._find: Callable[[], Sequence[Advance[S]]] | None = find
        self._found: Sequence[Advance[S]] = ()

    @overload
    def __getitem__(self, k: int) -> Advance[S]: ...

    @overload
    def __getitem__(self, k: slice) -> Sequence[Advance[S]]: ...

    def __getitem__(self, k: int | slice) -> Advance[S] | Sequence[Advance[S]]:
        if self._find is not None:
            self._found, self._find = self._find(), None
        return self._found[k]

    def __len__(self) -> int:
        return len(self.shown)


def shown_by(advances: Sequence[Advance[Any]]) -> Sequence[Mapping[str, Output]]:
    """What the ports show after every window."""
    if isinstance(advances, Settled):
        return advances.shown
    return [advance.outputs for advance in advances]


@dataclass(frozen=True, slots=True)
class BlockTrial(Generic[S]):
    """What the ports show after every window of a block that was tried.

    `ahead` is the response to the block after this one, if it was asked for, and
    `settled` the advances of the block before, if that was to be settled first.
    `inside` is the model's own.
    """

    shown: Sequence[Mapping[str, Output]]
    inside: Any
    ahead: BlockResponse | None = None
    settled: Sequence[Advance[S]] = ()


@dataclass(frozen=True, slots=True)
class Settling(Generic[S]):
    """A block that was tried, and what it is accepted under: the last word on it."""

    trial: BlockTrial[S]
    more: Sequence[Inputs]


@dataclass(frozen=True, slots=True)
class BlockAdvance(Generic[S]):
    """One advance a window, and the response to the block after this one, if asked.

    All states can be looked at (`observe`, `reactions`, `shapes`, `deformed`). Only
    the last one is promised to be advanced from or put away: an owner need not keep
    the others.
    """

    advances: Sequence[Advance[S]]
    ahead: BlockResponse | None = None


@runtime_checkable
class Blocked(Protocol[S]):
    """Many windows in one exchange.

    - What `settle_block` gives is what `advance` gives window by window, under the
      known inputs of the block plus `more`.
    - Of a linear model, `impulse` depends on the length of the windows alone.
    - A block may be tried several times; nothing is remembered but in what is returned.

    One call of `try_block` can carry all of an exchange: settle the block before, try
    this one from where that ended, and respond to the one after.
    """

    def impulse(self, state: S, block: Block, powers: int) -> Impulse | Rejected:
        """H over as many windows as `block` has, of the first `powers` coefficients.

        Around the known inputs of the block, where the model is not linear.
        """
        ...

    def respond_block(self, state: S, block: Block) -> BlockResponse | Rejected:
        """Every window under the known inputs."""
        ...

    def try_block(
        self,
        response: BlockResponse,
        more: Sequence[Inputs],
        ahead: Block | None = None,
        before: Settling[S] | None = None,
    ) -> BlockTrial[S] | Rejected:
        """Every window under the inputs of `respond_block` plus these.

        It starts where `before` ends, if that is given: a little off the state that
        was responded from.
        """
        ...

    def settle_block(
        self, settling: Settling[S], ahead: Block | None = None
    ) -> BlockAdvance[S] | Rejected:
        """One advance a window; the response ahead is from the last state of all."""
        ...
