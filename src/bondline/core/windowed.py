"""Blocks for any model that can repeat a window: one window after the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, NamedTuple, Protocol, TypeVar, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from bondline.core.blocks import (
    Block,
    BlockAdvance,
    BlockResponse,
    BlockTrial,
    Impulse,
    Inputs,
    Settling,
)
from bondline.core.motion import Motion
from bondline.core.port import Causality, Port
from bondline.core.signal import Signal
from bondline.core.subsystem import Advance, Rejected, Subsystem
from bondline.core.window import uniform

S = TypeVar("S")
P = TypeVar("P")


class Walked(NamedTuple, Generic[S, P]):
    """A block that was walked through, from `state`; `paths` are the model's own.

    What was `done` may say nothing of energies until all of it has `arrived`.
    """

    state: S
    block: Block
    more: Sequence[Inputs]
    done: Sequence[Advance[S]]
    paths: P


class Rows(Protocol[S, P]):
    """Windows in a row of a linear model that can add what a change of forces does."""

    def foretell(self, state: S, block: Block) -> Walked[S, P] | Rejected:
        """One window after the other under the known inputs, before any trial.

        It need not be as exact as `go`: what it was off by, the trial will tell.
        """
        ...

    def go(
        self, state: S, block: Block, more: Sequence[Inputs]
    ) -> Walked[S, P] | Rejected:
        """One window after the other, as `advance` has them."""
        ...

    def arrived(self, walked: Walked[S, P]) -> Walked[S, P] | Rejected:
        """The same windows, with all that `advance` says of them."""
        ...

    def amend(
        self, walked: Walked[S, P], more: Sequence[Inputs]
    ) -> Walked[S, P] | Rejected:
        """They have arrived under other inputs: what they were, and what that changes.

        Gone through again they would be rounded again, and drift from the trial by as
        much as the change was to take out (docs/theory/blocks.md).
        """
        ...


@dataclass(frozen=True)
class _Repeated(Generic[S]):
    """Rows of a model that is advanced, and advanced again."""

    model: Subsystem[S]

    def foretell(self, state: S, block: Block) -> Walked[S, None] | Rejected:
        return self.go(state, block, ())

    def go(
        self, state: S, block: Block, more: Sequence[Inputs]
    ) -> Walked[S, None] | Rejected:
        now, done = state, list[Advance[S]]()
        for k, window in enumerate(block.windows):
            answer = self.model.advance(now, window, block.under(more, k))
            if isinstance(answer, Rejected):
                return answer
            done.append(answer)
            now = answer.state
        return Walked(state, block, more, done, None)

    def arrived(self, walked: Walked[S, None]) -> Walked[S, None]:
        return walked

    def amend(
        self, walked: Walked[S, None], more: Sequence[Inputs]
    ) -> Walked[S, None] | Rejected:
        return self.go(walked.state, walked.block, more)


_PROBE = 0.01  # of the force that acts, or of one newton: as `Probe` has it


@runtime_checkable
class Distant(Protocol):
    """A model that costs a round trip whenever it is asked."""

    @property
    def trips(self) -> int:
        """Round trips so far."""
        ...


@dataclass(frozen=True)
class Windowed(Generic[S]):
    """A model that is advanced window by window on the owner's side.

    It pays each window twice, to respond and to try, and once more where the last word
    on the forces is another than the first. Where every window is a round trip, because
    the model is far away and has no blocks, its advances count them as `trips`.
    """

    model: Subsystem[S]
    own: Rows[S, Any] | None = None  # how it goes through them, if it knows better

    @property
    def _rows(self) -> Rows[S, Any]:
        return _Repeated(self.model) if self.own is None else self.own

    def respond_block(self, state: S, block: Block) -> BlockResponse | Rejected:
        """One advance a window; only what the ports show is kept."""
        walked = self._rows.foretell(state, block)
        if isinstance(walked, Rejected):
            return walked
        price = sum(map(_solves, walked.done))
        return BlockResponse([a.outputs for a in walked.done], price, (state, block))

    def try_block(
        self,
        response: BlockResponse,
        more: Sequence[Inputs],
        ahead: Block | None = None,
        before: Settling[S] | None = None,
    ) -> BlockTrial[S] | Rejected:
        """The windows again, under all that acts."""
        state, block = response.inside
        settled: Sequence[Advance[S]] = ()
        if before is not None:
            found = self.settle_block(before)
            if isinstance(found, Rejected):
                return found
            settled, state = found.advances, found.advances[-1].state
        walked = self._rows.go(state, block, more)
        if isinstance(walked, Rejected):
            return walked
        after = self._ahead(walked.done[-1].state, ahead)
        if isinstance(after, Rejected):
            return after
        return BlockTrial([a.outputs for a in walked.done], walked, after, settled)

    def settle_block(
        self, settling: Settling[S], ahead: Block | None = None
    ) -> BlockAdvance[S] | Rejected:
        """The trial, if it was under the same inputs; else that, amended."""
        tried: Walked[S, Any] = settling.trial.inside
        same = settling.more is tried.more
        times, rows = 2 if same else 3, self._rows
        walked = rows.arrived(tried) if same else rows.amend(tried, settling.more)
        if isinstance(walked, Rejected):
            return walked
        after = self._ahead(walked.done[-1].state, ahead)
        if isinstance(after, Rejected):
            return after
        away = isinstance(self.model, Distant)
        return BlockAdvance([_paid(a, times, away) for a in walked.done], after)

    def _ahead(self, state: S, block: Block | None) -> BlockResponse | Rejected | None:
        return None if block is None else self.respond_block(state, block)

    def impulse(self, state: S, block: Block, powers: int) -> Impulse | Rejected:
        """H by moving each coefficient of each force in the first window.

        Where the model is linear, around its start: H must not depend on where a run
        was taken up.
        """
        if self.model.capabilities.linear:
            h = block.windows[0].nominal
            state = self.model.start(0.0).state
            block = Block([uniform(0.0, h, j) for j in range(len(block.windows))])
        base = self._rows.go(state, block, ())
        if isinstance(base, Rejected):
            return base
        return self._differences(state, block, powers, base.done)

    def _differences(
        self, state: S, block: Block, powers: int, base: Sequence[Advance[S]]
    ) -> Impulse | Rejected:
        sizes = {n: p.size for n, p in force_ports(self.model).items()}
        shape = len(block.windows), 3
        blocks = {
            (out, port): np.zeros((*shape, sizes[out], powers, sizes[port]))
            for out in sizes
            for port in sizes
        }
        price = len(base)
        for port, push, place in self._pushes(block, powers, sizes):
            walked = self._rows.go(state, block, push)
            if isinstance(walked, Rejected):
                return walked
            moved = walked.done
            price += len(moved)
            size = push[0][port].coefficients[place]
            for out in sizes:
                change = _levels(moved, out) - _levels(base, out)
                blocks[out, port][..., place[0], place[1]] = change / size
        return Impulse(blocks, price)

    def _pushes(
        self, block: Block, powers: int, sizes: dict[str, int]
    ) -> Iterator[tuple[str, Sequence[Inputs], tuple[int, int]]]:
        """Every probe: the port, the inputs of all windows, and what was moved."""
        later: list[Inputs] = [{} for _ in block.windows[1:]]
        for port, width in sizes.items():
            known = block.told(0).get(port)
            size = 1.0
            if not self.model.capabilities.linear:
                acting = 0.0 if known is None else np.abs(known.coefficients).max()
                size = _PROBE * max(float(acting), 1.0)
            for k in range(powers):
                for j in range(width):
                    rows = np.zeros((powers, width))
                    rows[k, j] = size
                    yield port, [{port: Signal(rows)}, *later], (k, j)


def force_ports(model: Subsystem[Any]) -> dict[str, Port]:
    """The ports of a model that take force."""
    return {
        n: p
        for n, p in model.ports.items()
        if isinstance(p, Port) and p.causality is Causality.FORCE_IN
    }


def _levels(advances: Sequence[Advance[Any]], port: str) -> NDArray[np.float64]:
    """Windows × levels × dofs of one port; a level that is not told is nothing."""
    rows = []
    for a in advances:
        m = a.outputs[port]
        assert isinstance(m, Motion), f"{port} must answer with motion"
        rows.append([m.x, m.v, np.zeros_like(m.v) if m.a is None else m.a])
    return np.array(rows)


def _paid(advance: Advance[S], times: int, away: bool) -> Advance[S]:
    more = {"trips": float(times)} if away else {}
    stats = {**advance.stats, "solves": times * _solves(advance), **more}
    return replace(advance, stats=stats)


def _solves(advance: Advance[Any]) -> int:
    return int(advance.stats.get("solves", 1))
