"""Answers about blocks of windows: many windows in one exchange."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

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
    Vector,
    Windowed,
    shown_by,
)
from bondline.remote import bondline_pb2 as pb
from bondline.remote.codec import decode, encode
from bondline.remote.codec.count import pairs
from bondline.remote.codec.malformed import Malformed
from bondline.remote.failures import Refused
from bondline.remote.owner.ability_answers import keep_too
from bondline.remote.owner.desk import Desk
from bondline.remote.owner.gate import Call
from bondline.remote.owner.replies import (
    Handler,
    fill_rest,
    needs,
    rejected,
    view,
)
from bondline.remote.owner.surface_answers import look_too
from bondline.remote.owner.trail import Moved, Trail

_LONGEST = 4096  # windows of a block
_WOBBLE = 1e-9  # part of its length that a window of a uniform grid may be off
_PIECE = 200_000  # numbers of impulse responses that go out at a time


@dataclass
class _Tried:
    trial: BlockTrial[Any]
    more: Sequence[Inputs]
    block: Block
    settled: bool = False


@dataclass(frozen=True)
class _Word:
    """The last word on a block that was tried."""

    ask: pb.Settle
    tried: _Tried
    settling: Settling[Any]
    trail: Trail  # of the state before the block


def _model(desk: Desk) -> Blocked[Any]:
    needs(desk, pb.ABILITY_BLOCKED)
    model = desk.model
    return model if isinstance(model, Blocked) else Windowed(model)


def _block(desk: Desk, got: pb.Block, in_a_row: bool = True) -> Block:
    if len(got.starts) > _LONGEST:
        many, most = len(got.starts), f"{_LONGEST} at most"
        raise Refused(pb.CODE_INVALID_ARGUMENT, f"A block of {many} windows; {most}.")
    if not 1 <= len(got.starts) == len(got.ends):
        raise Malformed(f"{len(got.starts)} windows start, {len(got.ends)} end")
    windows = [decode.window(a, b) for a, b in zip(got.starts, got.ends, strict=True)]
    _check_row(np.array(got.starts), np.array(got.ends), in_a_row)
    return Block(windows, _inputs(desk, got.inputs, len(windows)))


def _check_row(starts: Vector, ends: Vector, in_a_row: bool) -> None:
    """All windows are computed with the length of the first, one after the other."""
    lengths = ends - starts
    latest = max(float(np.abs(starts).max()), float(np.abs(ends).max()))
    slack = _WOBBLE * lengths.item(0) + 4.0 * math.ulp(latest)  # as grids are rounded
    odd = np.flatnonzero(np.abs(lengths - lengths[0]) > slack)
    if odd.size:
        k = int(odd[0])
        raise Malformed(
            f"windows of a block have one length, but number 1 is {lengths[0]:.12g} s "
            f"long and number {k + 1} is {lengths[k]:.12g} s; ask for that one in a "
            "block of its length, or by itself"
        )
    apart = np.flatnonzero(np.abs(starts[1:] - ends[:-1]) > slack)
    if in_a_row and apart.size:
        k = int(apart[0])
        raise Malformed(
            f"windows of a block follow each other, but number {k + 1} ends at "
            f"{ends.item(k)!r} s and the next one starts at {starts.item(k + 1)!r} s; "
            "begin another block there, from a state at that time"
        )


def _inputs(desk: Desk, got: Sequence[pb.Inputs], windows: int) -> Sequence[Inputs]:
    found = desk.front.reader.signals_rows(got)
    if found and len(found) != windows:
        raise Malformed(f"{len(found)} inputs for {windows} windows")
    return found


def _call(
    desk: Desk,
    method: str,
    block: Block,
    inputs: Sequence[Inputs] = (),
    trail: Trail | None = None,
    **more: int,
) -> Call:
    """All that the owner's policy may ask about: each window, and what moves it."""
    every = list(block.under_all(inputs))
    moved = [Moved(w.t0, w.h, e) for w, e in zip(block.windows, every, strict=True)]
    ports = tuple({p: None for each in every for p in each})
    first = block.windows[0]
    return desk.call(
        method,
        ports=ports,
        step=first.h,
        t0=first.t0,
        block=moved,
        trail=trail,
        **more,
    )


def _after(trail: Trail, block: Block, call: Call) -> Trail:
    """Of the state that a block leads to, under all that the call says."""
    return trail.after(block.windows[-1].t1, call.block)


def _ahead(desk: Desk, ask: pb.TryBlock | pb.SettleBlock, after: Trail) -> Block | None:
    """The block to be responded to as well, which begins where this one ends."""
    if not ask.HasField("ahead"):
        return None
    block = _block(desk, ask.ahead)
    desk.follows(after, block.windows[0])
    return block


def _respond_call(desk: Desk, block: Block) -> Call:
    """Free answers cost no window, as `respond` does not; those to inputs do."""
    pushed = any(s.coefficients.any() for told in block.inputs for s in told.values())
    windows = len(block.windows) if pushed else 0
    return _call(desk, "respond_block", block, windows=windows)


def _settle_call(desk: Desk, word: _Word) -> Call:
    """The trial has paid for one last word; every other one is a run of its own."""
    block, more = word.tried.block, word.settling.more
    again = len(block.windows) if word.tried.settled else 0
    return _call(desk, "settle_block", block, more, word.trail, windows=again)


def _impulse(desk: Desk, ask: pb.Ring, reply: pb.Reply) -> None:
    model, state = _model(desk), desk.take(ask.state)
    # of a linear model only length and number of the windows count: they may be one
    along = not desk.model.capabilities.linear
    block = _block(desk, ask.block, in_a_row=along)
    if along:
        desk.trail_to(ask.state, block.windows[0])
    decode.powers(ask.powers)
    key = b"%d %d " % (ask.state, ask.powers) + ask.block.SerializeToString()
    if desk.rung[0] != key:
        desk.admit(_ring_call(desk, block, ask.powers, len(block.windows)))
        H = model.impulse(state, block, ask.powers)
        if isinstance(H, Rejected):
            rejected(desk, H, reply.rejected)
            return
        desk.rung = (key, H)
    _piece(desk, desk.rung[1], ask.first, reply.rung)
    paid = _ring_call(desk, block, ask.powers, reply.rung.lags)
    desk.tell(paid, {}, pairs(reply.rung))


def _ring_call(desk: Desk, block: Block, powers: int, lags: int) -> Call:
    """Impulse responses cost a probe for each dof, coefficient and window."""
    return _call(desk, "impulse", block, probes=lags * desk.front.dofs * powers)


def _piece(desk: Desk, H: Impulse, first: int, made: pb.Rung) -> None:
    blocks = list(encode.numbered(H.blocks, desk.front.numbers))
    every = sum(block.size for _, _, block in blocks)
    total = max((len(block) for _, _, block in blocks), default=0)
    lags = max(1, _PIECE * total // max(every, 1))
    last = min(total, first + lags)
    made.lags, made.total = max(0, last - first), total
    made.solves = desk.solved(H.solves)
    for shown, driven, block in blocks:
        made.blocks.add(
            shown=shown,
            driven=driven,
            levels=block.shape[1],
            powers=block.shape[3],
            values=block[first:last].ravel().tolist(),
        )


def _respond(desk: Desk, ask: pb.RespondBlock, reply: pb.Reply) -> None:
    model, state = _model(desk), desk.take(ask.state)
    block = _block(desk, ask.block)
    trail = desk.trail_to(ask.state, block.windows[0])
    desk.room(ask.result)
    call = _respond_call(desk, block)
    desk.admit(call)
    done = model.respond_block(state, block)
    if isinstance(done, Rejected):
        rejected(desk, done, reply.rejected)
        return
    named = ask.result, trail
    left = _responded(desk, done, named, (reply.responded_block, block))
    desk.tell_each(call, done.free, left)


def _responded(
    desk: Desk,
    done: BlockResponse,
    named: tuple[int, Trail],
    into: tuple[pb.RespondedBlock, Block],
) -> int:
    """A response gets its name and trail; how many numbers leave."""
    (name, trail), (made, block) = named, into
    desk.keep(name, (done, block), trail, "block")
    made.solves = desk.solved(done.solves)
    return _shown(desk, done.free, made.windows)


def _shown(desk: Desk, shown: Sequence[Mapping[str, Output]], made: Any) -> int:
    each = [made.add().outputs for _ in shown]
    return encode.outputs_rows(shown, desk.front.numbers, each)


def _try(desk: Desk, ask: pb.TryBlock, reply: pb.Reply) -> None:
    model = _model(desk)
    response, block = desk.take(ask.response, "block")
    more = _inputs(desk, ask.more, len(block.windows))
    trail = desk.trail(ask.response)
    call = _call(desk, "try_block", block, more, trail, windows=len(block.windows))
    after = _after(trail, block, call)
    ahead = _ahead(desk, ask, after)
    before = _word(desk, ask.before) if ask.HasField("before") else None
    names = [ask.result]
    names += [ask.before.result] if before is not None else []
    names += [ask.ahead_result] if ahead is not None else []
    desk.room(*names)
    first = _settle_call(desk, before) if before is not None else None
    last = _respond_call(desk, ahead) if ahead is not None else None
    desk.admit_all(first, call, last)
    done = model.try_block(response, more, ahead, before.settling if before else None)
    if isinstance(done, Rejected):
        rejected(desk, done, reply.rejected)
        return
    made = reply.tried_block
    desk.keep(ask.result, _Tried(done, more, block), trail, "trial")
    if before is not None and first is not None:
        left = _settled(desk, done.settled, (before, first), made.settled)
        desk.tell_each(first, [a.outputs for a in done.settled], left)
    desk.tell_each(call, done.shown, _shown(desk, done.shown, made.windows))
    if done.ahead is not None and ahead is not None and last is not None:
        named = ask.ahead_result, after
        left = _responded(desk, done.ahead, named, (made.ahead, ahead))
        desk.tell_each(last, done.ahead.free, left)
    if before is not None:
        _look(desk, before, done.settled, made.settled, reply)


def _word(desk: Desk, ask: pb.Settle) -> _Word:
    """Taken once: what is computed is not refused any more."""
    tried: _Tried = desk.take(ask.trial, "trial")
    windows = len(tried.block.windows)
    more = tried.more if ask.same else _inputs(desk, ask.more, windows)
    return _Word(ask, tried, Settling(tried.trial, more), desk.trail(ask.trial))


def _settled(
    desk: Desk, advances: Sequence[Any], settling: tuple[_Word, Call], made: Any
) -> int:
    """What every window shows; only the last state is kept."""
    word, call = settling
    word.tried.settled, each = True, [made.add() for _ in advances]
    into = [one.outputs for one in each]
    left = encode.outputs_rows(shown_by(advances), desk.front.numbers, into)
    for advance, one in zip(advances, each, strict=True):
        left += fill_rest(desk, advance, one) + view(desk, advance.state, one.view)
    if advances:
        trail = _after(word.trail, word.tried.block, call)
        desk.keep(word.ask.result, advances[-1].state, trail)
    return left


def _look(
    desk: Desk, word: _Word, done: Sequence[Any], made: Any, reply: pb.Reply
) -> None:
    """At the state after the last window, which is the only one that is kept."""
    if word.ask.look:
        end = word.tried.block.windows[-1].t1
        look_too(desk, done[-1].state, end, made[-1], reply)


def _settle(desk: Desk, ask: pb.SettleBlock, reply: pb.Reply) -> None:
    model, word = _model(desk), _word(desk, ask.settle)
    call = _settle_call(desk, word)
    after = _after(word.trail, word.tried.block, call)
    ahead = _ahead(desk, ask, after)
    names = [ask.settle.result]
    names += [ask.ahead_result] if ahead is not None else []
    desk.room(*names)
    last = _respond_call(desk, ahead) if ahead is not None else None
    desk.admit_all(call, last)
    done = model.settle_block(word.settling, ahead)
    if isinstance(done, Rejected):
        rejected(desk, done, reply.rejected)
        return
    made = reply.settled_block
    left = _settled(desk, done.advances, (word, call), made.advances)
    desk.tell_each(call, [a.outputs for a in done.advances], left)
    if done.ahead is not None and ahead is not None and last is not None:
        named = ask.ahead_result, after
        left = _responded(desk, done.ahead, named, (made.ahead, ahead))
        desk.tell_each(last, done.ahead.free, left)
    if ask.HasField("keep"):
        keep_too(desk, ask.settle.result, ask.keep, made)
    _look(desk, word, done.advances, made.advances, reply)


BLOCKS: dict[str, Handler] = {
    "impulse": _impulse,
    "respond_block": _respond,
    "try_block": _try,
    "settle_block": _settle,
}
