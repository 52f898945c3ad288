"""What went wrong with a partner, as an error that says who, what, and what to do."""

from __future__ import annotations

from dataclasses import dataclass

from bondline.errors import (
    BondlineError,
    Fenced,
    LeafFailed,
    LeafHung,
    LeafLost,
    NotAllowed,
    NotServed,
    PartnerUnreachable,
    ResourceLimit,
)
from bondline.remote import bondline_pb2 as pb
from bondline.remote.client.line import Line, LineDown
from bondline.remote.failures import KINDS


@dataclass(frozen=True, slots=True)
class Partner:
    """Who is asked, and for what."""

    part: str  # of the assembly: rear.axle
    place: str  # host:port, or a process
    model: str = ""  # its name there

    def __str__(self) -> str:
        return f"{self.part} (partner {self.place})"

    @property
    def here(self) -> bool:
        """Whether it is a process of our own."""
        return ":" not in self.place


ALLOW = "Ask its owner to allow it."  # whose rule it is, is the owner's to know

_CODES: dict[int, tuple[type[BondlineError], str]] = {
    pb.CODE_PERMISSION_DENIED: (NotAllowed, ALLOW),
    pb.CODE_RESOURCE_EXHAUSTED: (
        ResourceLimit,
        "Wait, or ask its owner for more; then resume the run.",
    ),
    pb.CODE_ABORTED: (
        Fenced,
        "Only one coordinator may go on: resume this run once the other one is over.",
    ),
    pb.CODE_FAILED_PRECONDITION: (
        LeafLost,
        "Resume the run: it goes on from its last checkpoint.",
    ),
    pb.CODE_NOT_FOUND: (
        NotServed,
        "Ask the owner for the name of the model, and what is kept there.",
    ),
}
_HELD = "has the session"  # as servers say it
_TAKEOVER = "Wait until it is over, or give --takeover if the other run is yours."
_ANOTHER = (
    "A run cannot go on with another model: start it anew, or ask the owner to serve "
    "the model as it was, and resume the run then."
)
_ELSEWHERE = (
    "The server was started with another --store than the one that the checkpoint is "
    "in, or that was cleared: ask the owner to serve from the old one and resume the "
    "run, or start it anew."
)
CUT = ("refused", "died", "reset")  # known at once, whatever was going on
DOUBTFUL = ("tls", "network", "reset")  # TLS failures look like any of these
_CLASSES = {kind: cls for cls, kind in KINDS.items()}


def failure(partner: Partner, found: pb.Failure) -> BondlineError:
    """A refusal, in the class that its exit code needs."""
    cls, remedy = _CODES.get(found.code, (LeafFailed, "Ask its owner."))
    cls = _CLASSES.get(found.kind, cls)
    return cls(str(partner), found.reason, _remedy(found) or remedy)


def _remedy(found: pb.Failure) -> str:
    """What to do where the code alone does not tell; "" where it does."""
    if found.code == pb.CODE_RESOURCE_EXHAUSTED and _HELD in found.reason:
        return _TAKEOVER
    if found.kind == pb.KIND_VERSION:
        speech = "protocol" in found.reason
        return "Use a version of Bondline that speaks it." if speech else _ANOTHER
    if found.code == pb.CODE_NOT_FOUND and found.kind == pb.KIND_CORRUPT:
        return _ELSEWHERE
    return ""


def kind_error(partner: Partner, kind: pb.Kind, reason: str) -> BondlineError | None:
    """What to raise if a rejected window cannot be helped; None: nothing special."""
    cls = _CLASSES.get(kind)
    return None if cls is None else cls(str(partner), f"{reason}.", "Ask its owner.")


def lost(
    partner: Partner, down: LineDown, line: Line, begun: bool = True
) -> BondlineError:
    """A partner who does not answer, and why; before the session has `begun`, or in it.

    A run may be stored before its sessions begin.
    """
    why = down.detail or down.cause
    resume = "then resume the run."
    if not begun:
        resume = "then call again, or resume the run if one began."
    told = _untrusted(partner, line) if down.cause in DOUBTFUL else None
    if told is not None:
        return told
    if down.cause in CUT:
        return LeafLost(
            str(partner),
            f"{'it is gone' if begun else 'nobody is there'} ({why}).",
            f"Have its owner start it again, {resume}",
        )
    if down.cause == "hung":
        return LeafHung(
            str(partner),
            f"it is connected, but does not answer ({why}).",
            f"Ask its owner whether the solver hangs, {resume}",
        )
    if down.cause == "full" and down.final:
        return ResourceLimit(
            str(partner),
            f"a message is too long for one of both sides ({why}).",
            "Take shorter blocks or fewer surfaces, or ask its owner for a larger "
            "--max-message.",
        )
    if down.cause == "full":
        return ResourceLimit(str(partner), f"it refused ({why}).", "Try again later.")
    return PartnerUnreachable(
        str(partner),
        f"there is no way to it ({why}).",
        f"Check the address and the network, {resume}",
    )


def _untrusted(partner: Partner, line: Line) -> BondlineError | None:
    """What is wrong with which certificate; None: it is not that."""
    found = line.explain()
    return None if found is None else NotAllowed(str(partner), *found)
