"""Who answers which request."""

from __future__ import annotations

from bondline.remote import bondline_pb2 as pb
from bondline.remote.ability_answers import ABILITIES
from bondline.remote.block_answers import BLOCKS
from bondline.remote.desk import Desk
from bondline.remote.failures import Refused
from bondline.remote.window_answers import WINDOWS

_EVERY = {**WINDOWS, **ABILITIES, **BLOCKS}


def answer(desk: Desk, request: pb.Request, reply: pb.Reply) -> None:
    """Fill in the reply; raises `Refused`, `Malformed`, or what the model raises."""
    what = request.WhichOneof("ask") or ""
    handler = _EVERY.get(what)
    if handler is None:
        raise Refused(pb.CODE_INVALID_ARGUMENT, "The request asks for nothing known.")
    handler(desk, getattr(request, what), reply)
