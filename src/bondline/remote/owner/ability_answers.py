"""Answers to what only some models can do: at an instant, at rest, on the disk."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from bondline.core import (
    Advance,
    Guarding,
    Model,
    Port,
    Rejected,
    Signal,
    Trying,
    Window,
)
from bondline.remote import bondline_pb2 as pb
from bondline.remote.codec import decode, encode, heads
from bondline.remote.codec.count import pairs
from bondline.remote.failures import Refused
from bondline.remote.owner.desk import Desk
from bondline.remote.owner.gate import exchange
from bondline.remote.owner.replies import Handler, along, needs, rejected, stepped
from bondline.remote.owner.shelf import KEPT, Shelf
from bondline.remote.owner.trail import Trail, packed, unpacked


def _press(desk: Desk, ask: pb.Press, reply: pb.Reply) -> None:
    model = needs(desk, pb.ABILITY_PRESSING)
    state, t = desk.take(ask.state), decode.instant(ask.t)
    made = ask.result, desk.trail(ask.state)
    forces = desk.front.reader.loads(ask.forces)
    desk.room(ask.result)
    call = desk.call("press", ports=tuple(forces))
    desk.admit(call)
    stepped(desk, call, model.press(state, t, forces), made, reply)


def _kick(desk: Desk, ask: pb.Kick, reply: pb.Reply) -> None:
    model = needs(desk, pb.ABILITY_IMPULSIVE)
    state, t = desk.take(ask.state), decode.instant(ask.t)
    made = ask.result, desk.trail(ask.state)
    impulses = desk.front.reader.loads(ask.impulses)
    desk.room(ask.result)
    call = desk.call("kick", ports=tuple(impulses))
    desk.admit(call)
    stepped(desk, call, model.kick(state, t, impulses), made, reply)


def _place(desk: Desk, ask: pb.Place, reply: pb.Reply) -> None:
    model = needs(desk, pb.ABILITY_PLACING)
    state, port = desk.take(ask.state), desk.front.reader.of(ask.port)
    made = ask.result, desk.trail(ask.state)
    if not isinstance(port, Port):
        raise Refused(pb.CODE_INVALID_ARGUMENT, f"{port.name} is a signal.")
    at = desk.front.reader.motion(port, ask.at)
    desk.room(ask.result)
    call = desk.call("place", ports=(port.name,))
    desk.admit(call)
    stepped(desk, call, model.place(state, port.name, at), made, reply)


def _try(desk: Desk, ask: pb.Try, reply: pb.Reply) -> None:
    needs(desk, pb.ABILITY_TRYING)
    state, window = desk.take(ask.state), decode.window(ask.t0, ask.t1)
    desk.trail_to(ask.state, window)
    cases = [desk.front.reader.signals(case.signals) for case in ask.cases]
    ports = tuple({port: None for case in cases for port in case})
    call = desk.call("advance_each", ports=ports, step=window.h, probes=len(cases))
    desk.admit(call)
    reply.tried.SetInParent()
    left = 0
    for done in _each(desk.model, state, window, cases):
        if isinstance(done, Rejected):
            rejected(desk, done, reply.tried.rejected)
            break
        shown = reply.tried.cases.add()
        left += encode.outputs(done.outputs, desk.front.numbers, shown.outputs)
        stats = desk.counted(done.stats)
        left += desk.tables.scalars(stats, shown.stats)
    desk.tell(call, {}, left)


def _each(
    model: Model, state: Any, window: Window, cases: Sequence[Mapping[str, Signal]]
) -> Iterable[Advance[Any] | Rejected]:
    if isinstance(model, Trying):
        return model.advance_each(state, window, cases)
    return (model.advance(state, window, inputs) for inputs in cases)


def _equilibrium(desk: Desk, ask: pb.Equilibrium, reply: pb.Reply) -> None:
    model = needs(desk, pb.ABILITY_STATIC)
    state, reader = desk.take(ask.state), desk.front.reader
    made = ask.result, Trail(desk.trail(ask.state).t)
    inputs, springs = reader.loads(ask.inputs), reader.loads(ask.springs)
    desk.room(ask.result)
    call = desk.call("equilibrium", ports=tuple(inputs))
    desk.admit(call)
    factor = decode.instant(ask.load_factor)
    done: Advance[Any] | Rejected = model.equilibrium(state, factor, inputs, springs)
    if isinstance(done, Rejected):
        rejected(desk, done, reply.rejected)
    else:
        stepped(desk, call, done, made, reply)


def _compliance(desk: Desk, ask: pb.Compliance, reply: pb.Reply) -> None:
    model = needs(desk, pb.ABILITY_YIELDING)
    state, springs = desk.take(ask.state), desk.front.reader.loads(ask.springs)
    call = desk.call("compliance", probes=desk.front.dofs)
    desk.admit(call)
    G = model.compliance(state, springs)
    if isinstance(G, Rejected):
        rejected(desk, G, reply.rejected)
        return
    made = reply.flexibility
    made.CopyFrom(encode.flexibility(G, desk.front.numbers))
    made.solves = desk.solved(G.solves)
    desk.tell(call, {}, pairs(reply.flexibility))


def _mobility(desk: Desk, ask: pb.Mobility, reply: pb.Reply) -> None:
    model = needs(desk, pb.ABILITY_MOBILE)
    state, t = desk.take(ask.state), decode.instant(ask.t)
    call = desk.call("mobility", probes=desk.front.dofs)
    desk.admit(call)
    known = model.mobility(state, t)
    reply.flexibility.CopyFrom(encode.mobility(known, desk.front.numbers))
    desk.tell(call, {}, pairs(reply.flexibility))


def _guard(desk: Desk, ask: pb.Guard, reply: pb.Reply) -> None:
    model = needs(desk, pb.ABILITY_GUARDING)
    state, window = desk.take(ask.state), decode.window(ask.t0, ask.t1)
    call = desk.call("guard", step=window.h)
    desk.admit(call)
    # a leaf has nothing to say; that it may be asked tells it from no assembly
    notes = model.guard(state, window) if isinstance(model, Guarding) else ()
    reply.notes.SetInParent()
    if desk.served.published.notes:
        reply.notes.text.extend(notes)
    desk.tell(call, {}, 0)


def _breaks(desk: Desk, ask: pb.Breaks, reply: pb.Reply) -> None:
    model = needs(desk, pb.ABILITY_BREAKING)
    window = decode.window(ask.t0, ask.t1)
    call = desk.call("breaks", step=window.h)
    desk.admit(call)
    reply.instants.SetInParent()
    reply.instants.t.extend(model.breaks(window))
    desk.tell(call, {}, len(reply.instants.t))


def _receptance(desk: Desk, ask: pb.Receptance, reply: pb.Reply) -> None:
    model = needs(desk, pb.ABILITY_HARMONIC)
    call = desk.call("receptance", probes=desk.front.dofs)
    desk.admit(call)
    H = model.receptance(decode.instant(ask.omega), ask.damped)
    reply.harmonics.CopyFrom(encode.harmonics(H, desk.front.numbers))
    desk.tell(call, {}, pairs(reply.harmonics))


def _weighing(desk: Desk, ask: pb.Weighing, reply: pb.Reply) -> None:
    model = needs(desk, pb.ABILITY_WEIGHING)
    call = desk.call("weighing", step=ask.h)
    desk.admit(call)
    reply.weights.values.extend(model.weighing(ask.h).tolist())
    desk.tell(call, {}, len(reply.weights.values))


def _keep(desk: Desk, ask: pb.Keep, reply: pb.Reply) -> None:
    needs(desk, pb.ABILITY_SERIALISING)
    _kept(desk, ask.state, ask, reply.kept)


def keep_too(desk: Desk, name: int, ask: pb.Keep, made: pb.SettledBlock) -> None:
    """Along with the block that ends there."""
    with along(desk, desk.call("keep"), made, "kept"):
        _kept(desk, name, ask, made.kept)


def _kept(desk: Desk, name: int, ask: pb.Keep, made: pb.Kept) -> None:
    """On the disk first, then told."""
    model, state = needs(desk, pb.ABILITY_SERIALISING), desk.take(name)
    shelf, head, trail = _shelf(desk), heads.told(ask), desk.trail(name)
    call, served = desk.call("keep"), desk.served
    desk.admit(call)
    data = model.dump(state), packed(trail)
    handle, digest = shelf.keep(served.name, served.digest, *data)
    made.handle, made.digest = handle, digest
    _adopt(desk, handle)
    desk.tell(call, {}, 0)
    desk.settle()  # the head that is told is that of all so far
    exchange(desk.gate, call, head, made)


def _restore(desk: Desk, ask: pb.Restore, reply: pb.Reply) -> None:
    model = needs(desk, pb.ABILITY_SERIALISING)
    desk.room(ask.result)
    call, served = desk.call("restore"), desk.served
    desk.admit(call)
    data = _shelf(desk).restore(served.name, served.digest, ask.handle, ask.digest)
    if data is None:
        raise Refused(
            pb.CODE_NOT_FOUND, "There is no such checkpoint here.", pb.KIND_CORRUPT
        )
    _adopt(desk, ask.handle)
    state, trail = data
    made = ask.result, unpacked(trail)
    stepped(desk, call, Advance(model.load(state), {}), made, reply)


def _adopt(desk: Desk, handle: str) -> None:
    """A checkpoint of this session; the oldest of too many goes."""
    if handle not in desk.kept:
        desk.kept.append(handle)
    while len(desk.kept) > KEPT:
        _shelf(desk).forget(desk.served.name, desk.kept.pop(0))


def _shelf(desk: Desk) -> Shelf:
    if desk.shelf is None:
        raise Refused(pb.CODE_UNIMPLEMENTED, "The server has no disk for checkpoints.")
    return desk.shelf


ABILITIES: dict[str, Handler] = {
    "advance_each": _try,
    "press": _press,
    "kick": _kick,
    "place": _place,
    "equilibrium": _equilibrium,
    "compliance": _compliance,
    "mobility": _mobility,
    "guard": _guard,
    "breaks": _breaks,
    "receptance": _receptance,
    "weighing": _weighing,
    "keep": _keep,
    "restore": _restore,
}
