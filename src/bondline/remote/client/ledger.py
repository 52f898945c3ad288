"""The integrator's own log: what each partner's model sent, as it came.

It has the form of the owner's, and the digest of each request, so that records of the
two can be laid side by side. What comes before the run has a folder waits in memory.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from google.protobuf.message import Message

from bondline.remote import bondline_pb2 as pb
from bondline.remote.codec.count import told
from bondline.remote.log.audit import AuditLog

_WAITING = 64  # records, until there is a log
_FORWARD = ("advance", "realise", "accept")


@dataclass
class Ledger:
    """Writes down what one partner sends; keeps quiet without a log."""

    who: str  # host:port of the partner
    model: str
    log: AuditLog | None = None
    _waiting: list[tuple[str, dict[str, Any]]] = field(default_factory=list)

    def begin(self, log: AuditLog) -> None:
        """From now on into this log, with what came so far."""
        self.log = log
        for kind, what in self._waiting:
            log.write(kind, **what)
        self._waiting.clear()

    def described(self, description: pb.Description) -> None:
        """A description came."""
        self._write("call", method="describe", numbers=told(description))

    def received(self, raw: bytes, request: pb.Request, reply: pb.Reply) -> None:
        """A reply came."""
        if self.log is None and len(self._waiting) >= _WAITING:
            return
        method = request.WhichOneof("ask") or ""
        said = {"method": method, "session": str(request.session)}
        said["request"] = sha256(raw).hexdigest()
        if reply.HasField("failure"):
            self._write("denied", **said, reason=reply.failure.reason)
            return
        opened = reply.HasField("opened")
        left = told(reply.opened.description) if opened else numbers(reply)
        self._write("call", **said, numbers=left, **_time(request, method))

    def head(self) -> tuple[int, str]:
        """Of the log; (-1, "") without one."""
        if self.log is None:
            return -1, ""
        head = self.log.head()
        self.log.seal()  # after it: what is told is on the disk, whoever else writes
        return head

    def heard(self, head: tuple[int, str] | None) -> None:
        """Write down the partner's head."""
        if self.log is not None and head is not None:
            self.log.heard(self.who, *head)

    def _write(self, kind: str, **what: Any) -> None:
        what = {"who": self.who, "model": self.model, **what}
        if self.log is not None:
            self.log.write(kind, **what)
        elif len(self._waiting) < _WAITING:
            self._waiting.append((kind, what))


def numbers(message: Message) -> int:
    """All float64 numbers in rows of a message, and the three of each energy."""
    total = 0
    for described, value in message.ListFields():
        if described.message_type is None:
            if described.type == described.TYPE_DOUBLE and described.is_repeated:
                total += len(value)
        elif described.message_type.full_name == _ENERGY:
            total += 3
        elif described.is_repeated:
            total += sum(numbers(each) for each in value)
        else:
            total += numbers(value)
    return total


_ENERGY = pb.Energy.DESCRIPTOR.full_name


def _time(request: pb.Request, method: str) -> dict[str, Any]:
    """The window of a request, or how many: as far as the request says it."""
    ask: Any = getattr(request, method, None)
    if method in ("advance", "respond", "linearise"):
        said = {"t0": ask.t0, "step": ask.t1 - ask.t0}
    elif method == "realise" and ask.HasField("ahead"):
        said = {"step": ask.ahead.t1 - ask.t1}  # of the window that comes along
    elif method in ("impulse", "respond_block"):
        starts, ends = ask.block.starts, ask.block.ends
        said = {"step": ends[0] - starts[0], "block": len(starts)}
    else:
        said = {}
    windows = len(ask.more) if method == "try_block" else int(method in _FORWARD)
    return {**said, "windows": windows}
