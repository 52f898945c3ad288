"""`Blocked` by wire: one round trip for many windows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from bondline.core import (
    Advance,
    Block,
    BlockAdvance,
    BlockResponse,
    BlockTrial,
    Impulse,
    Inputs,
    Output,
    Rejected,
    Settled,
    Settling,
    Window,
)
from bondline.remote import bondline_pb2 as pb
from bondline.remote.client.asking import Asking, seen
from bondline.remote.client.held import Held, Name, nameless
from bondline.remote.codec import encode, heads
from bondline.remote.codec.malformed import Malformed


class _Responded(NamedTuple):
    """A response on the server, and what it is a response to."""

    name: Name
    block: Block


class _Tried(NamedTuple):
    """A trial on the server, and what it was tried under."""

    name: Name
    more: Sequence[Inputs]
    windows: Sequence[Window]


class BlocksByWire(Asking):
    """A block costs what a window costs: one round trip."""

    def impulse(self, state: Held, block: Block, powers: int) -> Impulse | Rejected:
        """H, piece by piece: it may be long."""
        pieces: list[pb.Rung] = []
        first, total = 0, 1
        while first < total:
            ask = pb.Ring(
                state=state.name.number,
                block=self._block(block),
                powers=powers,
                first=first,
            )
            reply = self.link.ask(pb.Request(impulse=ask))
            no = self.no(reply)
            if no is not None:
                return no
            got = reply.rung
            if not got.lags:
                raise self.nonsense("a piece of the impulse responses is empty")
            pieces.append(got)
            first, total = first + got.lags, got.total
        try:
            return self._joined(pieces)
        except Malformed as error:
            raise self.nonsense(str(error)) from error

    def _joined(self, pieces: Sequence[pb.Rung]) -> Impulse:
        each = [self.reader.lagged(p.blocks, p.lags) for p in pieces]
        blocks = {pair: np.concatenate([e[pair] for e in each]) for pair in each[0]}
        return Impulse(blocks, pieces[0].solves)

    def respond_block(self, state: Held, block: Block) -> BlockResponse | Rejected:
        """All windows under their known inputs."""
        name = self.new_name()
        ask = pb.RespondBlock(
            state=state.name.number, block=self._block(block), result=name.number
        )
        reply = self.link.ask(pb.Request(respond_block=ask))
        no = self.no(reply)
        return no or self._responded(reply.responded_block, name, block)

    def try_block(
        self,
        response: BlockResponse,
        more: Sequence[Inputs],
        ahead: Block | None = None,
        before: Settling[Held] | None = None,
    ) -> BlockTrial[Held] | Rejected:
        """Settle the block before, try this one, respond to the next: one trip."""
        name, after, end = (self.new_name() for _ in range(3))
        answered: _Responded = response.inside
        request = pb.Request()
        ask = request.try_block  # filled in where it is: nothing is copied
        ask.response, ask.result = answered.name.number, name.number
        encode.inputs_rows(more, self.numbers, ask.more)
        if ahead is not None:
            ask.ahead.CopyFrom(self._block(ahead))
            ask.ahead_result = after.number
        if before is not None:
            self._settle(before, end, ask.before)
        reply = self.link.ask(request)
        no = self.no(reply)
        if no is not None:
            return no
        got = reply.tried_block
        return BlockTrial(
            self._shown(got.windows),
            _Tried(name, more, answered.block.windows),
            self._foretold(got, after, ahead),
            [] if before is None else self._advances(got.settled, end, before),
        )

    def settle_block(
        self, settling: Settling[Held], ahead: Block | None = None
    ) -> BlockAdvance[Held] | Rejected:
        """One advance a window, and the response to the next block."""
        end, after = self.new_name(), self.new_name()
        ask = pb.SettleBlock()
        self._settle(settling, end, ask.settle)
        if ahead is not None:
            ask.ahead.CopyFrom(self._block(ahead))
            ask.ahead_result = after.number
        if self.keeps.guess():
            ask.keep.SetInParent()
            heads.tell(self.link.ledger.head(), ask.keep)
        reply = self.link.ask(pb.Request(settle_block=ask))
        no = self.no(reply)
        if no is not None:
            return no
        got = reply.settled_block
        if got.HasField("kept"):
            self.heard(got.kept)
            self.keeps.came(end.number, got.kept)
        return BlockAdvance(
            self._advances(got.advances, end, settling),
            self._foretold(got, after, ahead),
        )

    def _settle(self, settling: Settling[Held], end: Name, ask: pb.Settle) -> None:
        tried: _Tried = settling.trial.inside
        ask.trial, ask.result = tried.name.number, end.number
        ask.same = settling.more is tried.more
        if not ask.same:
            encode.inputs_rows(settling.more, self.numbers, ask.more)
        ask.look = self.looks.after_block(tried.windows[0].t0, tried.windows[-1].t1)

    def _block(self, block: Block) -> pb.Block:
        starts = [w.t0 for w in block.windows]
        made = pb.Block(starts=starts, ends=[w.t1 for w in block.windows])
        encode.inputs_rows(block.inputs, self.numbers, made.inputs)
        return made

    def _foretold(
        self, got: pb.TriedBlock | pb.SettledBlock, name: Name, ahead: Block | None
    ) -> BlockResponse | None:
        if ahead is None or not got.HasField("ahead"):
            return None
        return self._responded(got.ahead, name, ahead)

    def _responded(
        self, got: pb.RespondedBlock, name: Name, block: Block
    ) -> BlockResponse:
        inside = _Responded(name, block)
        return BlockResponse(self._shown(got.windows), got.solves, inside)

    def _shown(
        self, windows: Iterable[pb.Shown | pb.Stepped]
    ) -> Sequence[Mapping[str, Output]]:
        try:
            return self.reader.outputs_rows([w.outputs for w in windows])
        except Malformed as error:
            raise self.nonsense(str(error)) from error

    def _advances(
        self, got: Sequence[pb.Stepped], end: Name, settling: Settling[Held]
    ) -> Sequence[Advance[Held]]:
        """Only the last state has a name on the server, and surfaces to look at.

        What the ports show is read now, the rest when somebody wants to know it.
        """
        windows: Sequence[Window] = settling.trial.inside.windows
        if len(got) != len(windows):
            raise self.nonsense(f"{len(windows)} windows were settled, {len(got)} came")
        names = [*(nameless() for _ in windows[1:]), end]
        shown, legend = self._shown(got), self.link.legend

        def advances() -> Sequence[Advance[Held]]:
            every = zip(got, names, shown, windows, strict=True)
            try:
                return [seen(self.held(g, n, y, legend), g, w) for g, n, y, w in every]
            except Malformed as error:
                raise self.nonsense(str(error)) from error

        return Settled(shown, advances)
