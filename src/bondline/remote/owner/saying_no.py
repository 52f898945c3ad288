"""What the server itself refuses, as the owner's log has it."""

from __future__ import annotations

from bondline.remote import bondline_pb2 as pb
from bondline.remote.codec.malformed import Malformed, NoPort
from bondline.remote.failures import Refused
from bondline.remote.owner.front import Front
from bondline.remote.owner.gate import Denied

_RULES = {
    pb.CODE_RESOURCE_EXHAUSTED: "limits",
    pb.CODE_UNIMPLEMENTED: "abilities",
    pb.CODE_NOT_FOUND: "model",
    pb.CODE_INVALID_ARGUMENT: "request",
}


def said_no(error: Refused | Malformed, front: Front | None = None) -> Denied:
    """A refusal with its rule; the owner reads also which ports are hidden."""
    if isinstance(error, NoPort) and front is not None and front.hidden:
        hidden = ", ".join(p.name for p in front.hidden)
        why = f"the grant to this partner does not name {hidden}."
        return Denied("INVALID_ARGUMENT", f"{error}.", "ports", why)
    if isinstance(error, Malformed):
        return Denied("INVALID_ARGUMENT", f"{error}.", "request")
    failure = error.message
    if failure.kind == pb.KIND_VERSION:
        return Denied("FAILED_PRECONDITION", failure.reason, "version")
    name = pb.Code.Name(failure.code).removeprefix("CODE_")
    return Denied(name, failure.reason, _RULES.get(failure.code, "session"))
