"""Who answers which request."""

from __future__ import annotations

from bondline.remote import bondline_pb2 as pb
from bondline.remote.failures import Refused
from bondline.remote.owner.ability_answers import ABILITIES
from bondline.remote.owner.block_answers import BLOCKS
from bondline.remote.owner.corrector_answers import CARRYING, CORRECTIONS
from bondline.remote.owner.desk import Desk
from bondline.remote.owner.surface_answers import SURFACES
from bondline.remote.owner.window_answers import WINDOWS

_EVERY = {**WINDOWS, **ABILITIES, **BLOCKS, **CORRECTIONS, **SURFACES}


def answer(desk: Desk, request: pb.Request, reply: pb.Reply) -> None:
    """Fill in the reply; raises `Refused`, `Malformed`, or what the model raises.

    What was computed is known to the owner's gate by then, also if it comes to nothing.
    """
    if desk.told:  # of a request that could not be written down nothing left
        desk.told.clear()
        desk.known.clear()  # no G, either
    try:
        _answer(desk, request, reply)
    finally:
        desk.settle()


def _answer(desk: Desk, request: pb.Request, reply: pb.Reply) -> None:
    what = request.WhichOneof("ask") or ""
    handler = _EVERY.get(what)
    if handler is None:
        raise Refused(pb.CODE_INVALID_ARGUMENT, "The request asks for nothing known.")
    if not request.ballast:
        handler(desk, getattr(request, what), reply)
        return
    if what not in CARRYING:
        raise Refused(pb.CODE_INVALID_ARGUMENT, f"No {what} with extra mass.")
    with desk.carrying(desk.take(request.ballast, "ballast")):
        handler(desk, getattr(request, what), reply)
