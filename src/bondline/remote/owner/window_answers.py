"""Answers to what every run asks: a start, and windows one by one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from bondline.core import Rejected, Response, Signal, Window, superposed
from bondline.remote import bondline_pb2 as pb
from bondline.remote.codec import decode, encode
from bondline.remote.codec.count import pairs
from bondline.remote.codec.malformed import Malformed
from bondline.remote.failures import Refused
from bondline.remote.owner.desk import Desk
from bondline.remote.owner.gate import Call
from bondline.remote.owner.replies import Handler, fill_ports, needs, rejected, stepped
from bondline.remote.owner.surface_answers import look_too
from bondline.remote.owner.trail import Moved, Trail


class _Answered(NamedTuple):
    """A response, its window, and the inputs that were known."""

    response: Response
    window: Window
    inputs: Mapping[str, Signal]


def _start(desk: Desk, ask: pb.Start, reply: pb.Reply) -> None:
    t0 = decode.instant(ask.t0)
    desk.room(ask.result)
    call = desk.call("start")
    desk.admit(call)
    stepped(desk, call, desk.model.start(t0), (ask.result, Trail(t0)), reply)


def _advance(desk: Desk, ask: pb.Advance, reply: pb.Reply) -> None:
    state, window = desk.take(ask.state), decode.window(ask.t0, ask.t1)
    inputs = desk.front.reader.signals(ask.inputs)
    trail = desk.trail_to(ask.state, window)
    desk.room(ask.result)
    call = _call(desk, "advance", window, inputs, trail, windows=1)
    desk.admit(call)
    done = desk.model.advance(state, window, inputs)
    if isinstance(done, Rejected):
        rejected(desk, done, reply.rejected)
        return
    after = trail.after(window.t1, call.moved)
    stepped(desk, call, done, (ask.result, after), reply)
    if ask.linearise:
        _linearise_too(desk, state, window, inputs, reply.stepped)
    if ask.HasField("ahead"):
        _foresee(desk, (done.state, after), window, ask.ahead, reply)
    if ask.look:
        look_too(desk, done.state, window.t1, reply.stepped, reply)


def _respond(desk: Desk, ask: pb.Respond, reply: pb.Reply) -> None:
    model = needs(desk, pb.ABILITY_AFFINE)
    state, window = desk.take(ask.state), decode.window(ask.t0, ask.t1)
    inputs = desk.front.reader.signals(ask.inputs)
    trail = desk.trail_to(ask.state, window)
    desk.room(ask.result)
    call = _call(desk, "respond", window, inputs, trail)
    desk.admit(call)
    done = model.respond(state, window, inputs)
    if isinstance(done, Rejected):
        rejected(desk, done, reply.rejected)
        return
    answered = _Answered(done, window, inputs)
    _responded(desk, call, answered, (ask.result, trail), reply.responded)


def _realise(desk: Desk, ask: pb.Realise, reply: pb.Reply) -> None:
    model = needs(desk, pb.ABILITY_AFFINE)
    response, window, known = desk.take(ask.response, "response")
    trail = desk.trail(ask.response)
    if ask.t1 != window.t1:
        raise Malformed(f"the window ends at {window.t1!r} s, not {ask.t1!r} s")
    inputs = desk.front.reader.signals(ask.inputs)
    desk.room(ask.result)
    call = _call(desk, "realise", window, inputs, trail, windows=1)
    desk.admit(call)
    done = model.realise(response, inputs)
    if isinstance(done, Rejected):
        rejected(desk, done, reply.rejected)
        return
    moved = Moved(window.t0, window.h, superposed(known, inputs))
    after = trail.after(window.t1, (moved,))
    stepped(desk, call, done, (ask.result, after), reply)
    if ask.HasField("ahead"):
        _foresee(desk, (done.state, after), window, ask.ahead, reply)
    if ask.look:
        look_too(desk, done.state, window.t1, reply.stepped, reply)


def _foresee(
    desk: Desk,
    made_now: tuple[Any, Trail],
    before: Window,
    ahead: pb.Ahead,
    reply: pb.Reply,
) -> None:
    """Whether the next window is quiet, and the response to it; or neither."""
    state, trail = made_now
    window, made = decode.window(before.t1, ahead.t1), reply.stepped.ahead
    made.SetInParent()
    if pb.ABILITY_BREAKING in desk.served.abilities:
        around = Window(before.t0, window.t1 + 0.5 * window.h)
        if needs(desk, pb.ABILITY_BREAKING).breaks(around):
            return
        made.quiet_from, made.quiet_to = around.t0, around.t1
    if not ahead.result:
        return
    call = _call(desk, "respond", window, {}, trail)
    try:
        model = needs(desk, pb.ABILITY_AFFINE)
        desk.room(ahead.result)
        desk.admit(call)
    except Refused:
        return  # whoever asks for it by itself is told why
    done = model.respond(state, window, {})
    if not isinstance(done, Rejected):
        answered = _Answered(done, window, {})
        _responded(desk, call, answered, (ahead.result, trail), made.responded)


def _linearise(desk: Desk, ask: pb.Linearise, reply: pb.Reply) -> None:
    needs(desk, pb.ABILITY_LINEARISING)
    state, window = desk.take(ask.state), decode.window(ask.t0, ask.t1)
    inputs = desk.front.reader.signals(ask.inputs)
    desk.trail_to(ask.state, window)
    call = _linear_call(desk, window, inputs)
    desk.admit(call)
    done = _linearised(desk, call, state, window)
    if isinstance(done, Rejected):
        rejected(desk, done, reply.rejected)
    else:
        reply.flexibility.CopyFrom(done)


def _linearise_too(
    desk: Desk,
    state: Any,
    window: Window,
    inputs: Mapping[str, Signal],
    made: pb.Stepped,
) -> None:
    """Along with an advance; whoever asks for it by itself is told why not."""
    call = _linear_call(desk, window, inputs)
    try:
        needs(desk, pb.ABILITY_LINEARISING)  # before it is paid
        desk.admit(call)
    except Refused:
        return
    done = _linearised(desk, call, state, window)
    if isinstance(done, pb.Flexibility):
        made.flexibility.CopyFrom(done)


def _linear_call(desk: Desk, window: Window, inputs: Mapping[str, Signal]) -> Call:
    probes = sum(s.coefficients.size for s in inputs.values())
    return _call(desk, "linearise", window, inputs, probes=probes)


def _linearised(
    desk: Desk, call: Call, state: Any, window: Window
) -> pb.Flexibility | Rejected:
    model: Any = desk.model
    G = model.linearise(state, window, call.inputs)
    if isinstance(G, Rejected):
        return G
    made = encode.flexibility(G, desk.front.numbers)
    made.solves = desk.solved(G.solves)
    desk.tell(call, {}, pairs(made))
    return made


def _call(
    desk: Desk,
    method: str,
    window: Window,
    inputs: Mapping[str, Signal],
    trail: Trail | None = None,
    **more: Any,
) -> Call:
    return Call(
        desk.identity,
        desk.served.name,
        method,
        tuple(inputs),
        window.h,
        inputs=inputs,
        session=desk.session,
        t0=window.t0,
        request=desk.request,
        trail=trail,
        **more,
    )


def _responded(
    desk: Desk,
    call: Call,
    answered: _Answered,
    named: tuple[int, Trail],
    made: pb.Responded,
) -> None:
    response, (name, trail) = answered.response, named
    desk.keep(name, answered, trail, "response")
    left = fill_ports(desk, response.free, made)
    made.flexibility, new = desk.flexibility(response.G)
    if new:
        made.fresh.CopyFrom(encode.flexibility(response.G, desk.front.numbers))
        made.fresh.solves = desk.solved(response.G.solves)
        left += pairs(made.fresh)
    desk.tell(call, response.free.outputs, left)


WINDOWS: dict[str, Handler] = {
    "start": _start,
    "advance": _advance,
    "respond": _respond,
    "realise": _realise,
    "linearise": _linearise,
}
