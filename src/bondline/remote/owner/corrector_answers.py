"""Answers to those who correct the steps of a model from outside, one by one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from bondline.core import Port, Rejected, Signal, Vector, Window
from bondline.remote import bondline_pb2 as pb
from bondline.remote.codec import decode, encode
from bondline.remote.codec.malformed import Malformed
from bondline.remote.failures import Refused
from bondline.remote.owner.desk import Desk
from bondline.remote.owner.gate import Call
from bondline.remote.owner.replies import Handler, needs, rejected, stepped
from bondline.remote.owner.trail import Trail

_KIND = "correction"
# requests that may be about the model with extra mass
CARRYING = frozenset(
    {"start", "press", "keep", "restore", "guard", "breaks"}
    | {"predict", "correct", "accept"}
)


class _Tried(NamedTuple):
    """A step under correction, its window, and the loads it was given."""

    trial: Any
    window: Window
    loads: Mapping[str, Vector]
    trail: Trail  # of the state before the step


def _ballasted(desk: Desk, ask: pb.Ballast, reply: pb.Reply) -> None:
    model = needs(desk, pb.ABILITY_CORRECTING)
    masses = desk.front.reader.loads(ask.masses)
    if any(np.any(m < 0.0) for m in masses.values()):
        raise Malformed("a mass is negative")
    if ask.result:
        desk.room(ask.result)
    call = desk.call("ballasted", ports=tuple(masses))
    desk.admit(call)
    way, made = model.balance, reply.corrector
    made.mass, made.beta, made.gamma = float(model.mass), way.beta, way.gamma
    made.alpha_m, made.alpha_f = way.alpha_m, way.alpha_f
    if ask.result:
        desk.keep(ask.result, model.ballasted(masses), Trail(), "ballast")
    desk.tell(call, {}, 5)


def _predict(desk: Desk, ask: pb.Predict, reply: pb.Reply) -> None:
    needs(desk, pb.ABILITY_CORRECTING)
    state, trail = desk.take(ask.state), desk.trail(ask.state)
    done = _predicted(desk, (state, trail), ask, reply.corrected)
    if done is not None:
        rejected(desk, done, reply.rejected)


def _predicted(
    desk: Desk, begun: tuple[Any, Trail], ask: pb.Predict, made: pb.Corrected
) -> Rejected | None:
    (state, trail), window = begun, decode.window(ask.t0, ask.t1)
    desk.follows(trail, window)
    desk.room(ask.result)
    call = desk.call("predict", step=window.h, t0=window.t0)
    desk.admit(call)
    model: Any = desk.model
    trial = model.predict(state, window)
    if isinstance(trial, Rejected):
        return trial
    _shown(desk, call, ask.result, _Tried(trial, window, {}, trail), made)
    return None


def _correct(desk: Desk, ask: pb.Correct, reply: pb.Reply) -> None:
    model = needs(desk, pb.ABILITY_CORRECTING)
    before: _Tried = desk.take(ask.trial, _KIND)
    loads = desk.front.reader.loads(ask.loads)
    desk.room(ask.result)
    every = {**before.loads, **loads}
    call = _call(desk, "correct", before.window, every, before.trail)
    desk.admit(call)
    trial = model.correct(before.trial, loads)
    if isinstance(trial, Rejected):
        rejected(desk, trial, reply.rejected)
        return
    after = _Tried(trial, before.window, every, before.trail)
    _shown(desk, call, ask.result, after, reply.corrected)


def _accept(desk: Desk, ask: pb.Accept, reply: pb.Reply) -> None:
    model = needs(desk, pb.ABILITY_CORRECTING)
    tried: _Tried = desk.take(ask.trial, _KIND)
    desk.room(ask.result)
    call = _call(desk, "accept", tried.window, tried.loads, tried.trail, windows=1)
    desk.admit(call)
    done = model.accept(tried.trial)
    after = tried.trail.after(tried.window.t1, call.moved)
    stepped(desk, call, done, (ask.result, after), reply)
    if ask.HasField("ahead"):
        ahead = reply.stepped.ahead
        try:
            _predicted(desk, (done.state, after), ask.ahead, ahead.predicted)
        except Refused:  # whoever asks for it by itself is told why
            ahead.ClearField("predicted")


def _call(
    desk: Desk,
    method: str,
    window: Window,
    loads: Mapping[str, Vector],
    trail: Trail,
    windows: int = 0,
) -> Call:
    return desk.call(
        method,
        ports=tuple(loads),
        step=window.h,
        windows=windows,
        inputs={port: Signal.hold(f) for port, f in loads.items()},
        t0=window.t0,
        trail=trail,
    )


def _shown(
    desk: Desk, call: Call, name: int, tried: _Tried, made: pb.Corrected
) -> None:
    """A trial gets its name, and shows what a corrector needs."""
    desk.keep(name, tried, tried.trail, _KIND)
    made.residual = tried.trial.residual
    made.corrections = tried.trial.corrections
    ports = desk.model.ports
    motions = {
        p: m for p, m in tried.trial.motions.items() if isinstance(ports.get(p), Port)
    }
    left = encode.outputs(motions, desk.front.numbers, made.motions)
    desk.tell(call, motions, left + 1)


CORRECTIONS: dict[str, Handler] = {
    "ballasted": _ballasted,
    "predict": _predict,
    "correct": _correct,
    "accept": _accept,
}
