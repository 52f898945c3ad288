"""Answers about blocks of windows: many windows in one exchange."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from bondline.core import (
    Block,
    Blocked,
    BlockResponse,
    BlockTrial,
    Impulse,
    Inputs,
    Output,
    Rejected,
    Settling,
    Windowed,
)
from bondline.remote import bondline_pb2 as pb
from bondline.remote import decode, encode
from bondline.remote.count import count
from bondline.remote.decode import Malformed
from bondline.remote.desk import Desk
from bondline.remote.gate import Call
from bondline.remote.replies import Handler, fill, needs, rejected

_LONGEST = 4096  # windows of a block
_PIECE = 200_000  # numbers of impulse responses that go out at a time


class _Tried(NamedTuple):
    trial: BlockTrial[Any]
    more: Sequence[Inputs]
    block: Block


def _model(desk: Desk) -> Blocked[Any]:
    needs(desk, pb.ABILITY_BLOCKED)
    model = desk.model
    return model if isinstance(model, Blocked) else Windowed(model)


def _block(desk: Desk, got: pb.Block) -> Block:
    if not 1 <= len(got.starts) == len(got.ends) <= _LONGEST:
        raise Malformed(f"{len(got.starts)} windows start, {len(got.ends)} end")
    windows = [decode.window(a, b) for a, b in zip(got.starts, got.ends, strict=True)]
    return Block(windows, _inputs(desk, got.inputs, len(windows)))


def _inputs(desk: Desk, got: Iterable[pb.Inputs], windows: int) -> Sequence[Inputs]:
    found = [desk.served.reader.signals(each.signals) for each in got]
    if found and len(found) != windows:
        raise Malformed(f"{len(found)} inputs for {windows} windows")
    return found


def _call(desk: Desk, method: str, block: Block, **more: int) -> Call:
    ports = tuple({p: None for told in block.inputs for p in told})
    return desk.call(method, ports=ports, step=block.windows[0].h, **more)


def _impulse(desk: Desk, ask: pb.Ring, reply: pb.Reply) -> None:
    model, state = _model(desk), desk.take(ask.state)
    block = _block(desk, ask.block)
    decode.powers(ask.powers)
    key = b"%d %d " % (ask.state, ask.powers) + ask.block.SerializeToString()
    if desk.rung[0] != key:
        probes = len(block.windows) * sum(p.size for p in desk.served.reader.ports)
        desk.admit(_call(desk, "impulse", block, probes=probes * ask.powers))
        H = model.impulse(state, block, ask.powers)
        if isinstance(H, Rejected):
            rejected(H, reply.rejected)
            return
        desk.rung = (key, H)
    _piece(desk, desk.rung[1], ask.first, reply.rung)
    left = sum(len(pair.values) for pair in reply.rung.blocks)
    desk.gate.served(_call(desk, "impulse", block, probes=reply.rung.lags), left)


def _piece(desk: Desk, H: Impulse, first: int, made: pb.Rung) -> None:
    every = sum(block.size for block in H.blocks.values())
    total = max((len(block) for block in H.blocks.values()), default=0)
    lags = max(1, _PIECE * total // max(every, 1))
    last = min(total, first + lags)
    made.lags, made.total, made.solves = max(0, last - first), total, H.solves
    for (shown, driven), block in H.blocks.items():
        made.blocks.add(
            shown=desk.served.numbers[shown],
            driven=desk.served.numbers[driven],
            levels=block.shape[1],
            powers=block.shape[3],
            values=block[first:last].ravel().tolist(),
        )


def _respond(desk: Desk, ask: pb.RespondBlock, reply: pb.Reply) -> None:
    model, state = _model(desk), desk.take(ask.state)
    block = _block(desk, ask.block)
    desk.room(ask.result)
    call = _call(desk, "respond_block", block)
    desk.admit(call)
    done = model.respond_block(state, block)
    if isinstance(done, Rejected):
        rejected(done, reply.rejected)
        return
    left = _responded(desk, done, ask.result, (reply.responded_block, block))
    desk.gate.served(call, left)


def _responded(
    desk: Desk,
    done: BlockResponse,
    name: int,
    into: tuple[pb.RespondedBlock, Block],
) -> int:
    """A response gets its name; how many numbers leave."""
    made, block = into
    desk.keep(name, (done, block), "block")
    made.solves = done.solves
    return _shown(desk, done.free, made.windows)


def _shown(desk: Desk, shown: Sequence[Mapping[str, Output]], made: Any) -> int:
    left = 0
    for outputs in shown:
        each = made.add()
        encode.outputs(outputs, desk.served.numbers, each.outputs)
        left += count(each)
    return left


def _try(desk: Desk, ask: pb.TryBlock, reply: pb.Reply) -> None:
    model = _model(desk)
    response, block = desk.take(ask.response, "block")
    more = _inputs(desk, ask.more, len(block.windows))
    desk.room(ask.result)
    ahead = _block(desk, ask.ahead) if ask.HasField("ahead") else None
    before = _settling(desk, ask.before) if ask.HasField("before") else None
    call = _call(desk, "try_block", block, windows=len(block.windows))
    desk.admit(call)
    done = model.try_block(response, more, ahead, before)
    if isinstance(done, Rejected):
        rejected(done, reply.rejected)
        return
    made = reply.tried_block
    desk.keep(ask.result, _Tried(done, more, block), "trial")
    left = _shown(desk, done.shown, made.windows)
    if done.ahead is not None and ahead is not None:
        left += _responded(desk, done.ahead, ask.ahead_result, (made.ahead, ahead))
    left += _settled(desk, done.settled, ask.before.result, made.settled)
    desk.gate.served(call, left)


def _settling(desk: Desk, ask: pb.Settle) -> Settling[Any]:
    tried: _Tried = desk.take(ask.trial, "trial")
    desk.room(ask.result)
    if ask.same:
        return Settling(tried.trial, tried.more)
    return Settling(tried.trial, _inputs(desk, ask.more, len(tried.block.windows)))


def _settled(desk: Desk, advances: Sequence[Any], name: int, made: Any) -> int:
    """What every window shows; only the last state is kept."""
    left = 0
    for advance in advances:
        each = made.add()
        fill(desk, advance, each)
        left += count(each)
    if advances:
        desk.keep(name, advances[-1].state)
    return left


def _settle(desk: Desk, ask: pb.SettleBlock, reply: pb.Reply) -> None:
    model, settling = _model(desk), _settling(desk, ask.settle)
    ahead = _block(desk, ask.ahead) if ask.HasField("ahead") else None
    block: Block = desk.take(ask.settle.trial, "trial").block
    call = _call(desk, "settle_block", block)
    desk.admit(call)
    done = model.settle_block(settling, ahead)
    if isinstance(done, Rejected):
        rejected(done, reply.rejected)
        return
    made = reply.settled_block
    left = _settled(desk, done.advances, ask.settle.result, made.advances)
    if done.ahead is not None and ahead is not None:
        left += _responded(desk, done.ahead, ask.ahead_result, (made.ahead, ahead))
    desk.gate.served(call, left)


BLOCKS: dict[str, Handler] = {
    "impulse": _impulse,
    "respond_block": _respond,
    "try_block": _try,
    "settle_block": _settle,
}
