"""A model that fails, or that others refuse what it asks for: who is told what."""

from __future__ import annotations

import logging
from asyncio import CancelledError

from bondline.errors import GONE
from bondline.remote import bondline_pb2 as pb
from bondline.remote.failures import public
from bondline.remote.owner.gate import Call, Denied, Gate, note

log = logging.getLogger("bondline.leaf")

FAILED = (Exception, SystemExit, KeyboardInterrupt, CancelledError)
"""What a model may raise; servers hear signals elsewhere."""


def mishap(error: BaseException, gate: Gate, call: Call, secretive: bool) -> pb.Failure:
    """What a partner hears of an error of the model, whose words stay here.

    A refusal by others is the owner's towards this partner: the log of calls has it as
    one, with the words that the partner did not hear. Called while it is handled.
    """
    told = public(error, secretive)
    where = f"session {call.session or '-'}, {call.method or 'a request'}"
    if isinstance(error, GONE):  # it says all: where it came up helps nobody
        log.warning("%s: %s", where, error)
        return told
    if told.code == pb.CODE_INTERNAL:
        log.exception("%s", where)
        return told
    log.warning("%s: %s", where, error)
    code = pb.Code.Name(told.code).removeprefix("CODE_")
    note(gate, call, Denied(code, told.reason, "placement", str(error)))
    return told
