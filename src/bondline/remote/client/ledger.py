"""The integrator's own log: what each partner's model sent, as it came.

It has the form of the owner's, and the digest of each request, so that records of the
two can be laid side by side. What comes before the run has a folder waits in memory.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256
from typing import Any

from google.protobuf.message import Message

from bondline.remote import bondline_pb2 as pb
from bondline.remote.codec.count import told
from bondline.remote.log.audit import AuditLog, Entry
from bondline.remote.log.spelling import form, spelled

_WAITING = 64  # records, until there is a log
_FORWARD = ("advance", "realise", "accept")


@dataclass
class Ledger:
    """Writes down what one partner sends; keeps quiet without a log."""

    who: str  # host:port of the partner
    model: str
    log: AuditLog | None = None
    _waiting: list[Entry] = field(default_factory=list)

    def begin(self, log: AuditLog) -> None:
        """From now on into this log, with what came so far."""
        self.log = log
        if self._waiting:
            log.write_all(self._waiting)
        self._waiting.clear()

    def described(self, description: pb.Description) -> None:
        """A description came."""
        said = {"method": "describe", "numbers": told(description)}
        self._write(self._other("call", **said))

    def received(self, raw: bytes, request: pb.Request, reply: pb.Reply) -> None:
        """A reply came."""
        if self.log is None and len(self._waiting) >= _WAITING:
            return
        method = request.WhichOneof("ask") or ""
        answer = reply.WhichOneof("answer")
        session, digest = str(request.session), sha256(raw).hexdigest()
        if answer == "failure":
            said = {"method": method, "session": session, "request": digest}
            self._write(self._other("denied", **said, reason=reply.failure.reason))
            return
        when = {"numbers": left(reply, answer), **_time(request, method)}
        known = _form(self.who, self.model, method, session, tuple(when))
        self._write((known, {**when, "request": f'"{digest}"'}))

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

    def _other(self, kind: str, **what: Any) -> Entry:
        """A record that does not come again and again."""
        return form({"kind": kind, "who": self.who, "model": self.model, **what}), {}

    def _write(self, entry: Entry) -> None:
        if self.log is not None:
            self.log.write_all((entry,))
        elif len(self._waiting) < _WAITING:
            self._waiting.append(entry)


@lru_cache(maxsize=256)
def _form(
    who: str, model: str, method: str, session: str, late: tuple[str, ...]
) -> str:
    """A record of a reply, but for its numbers."""
    said = {"who": who, "model": model, "method": method, "session": session}
    return form({"kind": "call", **said}, "request", *late)


def left(reply: pb.Reply, answer: str | None) -> int:
    """How many numbers left the partner."""
    if answer == "opened":
        return told(reply.opened.description)
    if answer == "stepped":
        return _window(reply.stepped)
    if answer == "tried_block":
        return _block(reply.tried_block)
    return numbers(reply)


def _block(made: pb.TriedBlock) -> int:
    """The numbers of a trial, of the response ahead, and of what was settled first."""
    total = sum([_window(settled) for settled in made.settled])
    for windows in (made.windows, made.ahead.windows):
        for shown in windows:
            total += len(shown.outputs.values) + len(shown.stats.values)
    return total


def _window(made: pb.Stepped) -> int:
    """The numbers of a window, and of the response to the next one."""
    if _rare(made):
        return numbers(made)
    view, after = made.view, made.ahead.responded
    total = 3 * made.HasField("energy") + 3 * after.HasField("energy")
    for shown in (made, after):
        total += len(shown.outputs.values) + len(shown.stats.values)
    for seen in (view.values, view.reactions, view.shapes):
        total += len(seen.values)
    return total


def _rare(made: pb.Stepped) -> bool:
    """Whether there is more to it than a window, and the response to the next one."""
    if made.HasField("flexibility") or made.HasField("moved"):
        return True
    ahead = made.ahead
    return ahead.HasField("predicted") or ahead.responded.HasField("fresh")


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


def _time(request: pb.Request, method: str) -> dict[str, object]:
    """The window of a request, or how many: as far as the request says it. Spelled."""
    said: dict[str, object] = {"windows": int(method in _FORWARD)}
    if method == "realise":
        ask = request.realise
        if ask.HasField("ahead"):  # it is the window that comes along
            said["step"] = spelled(ask.ahead.t1 - ask.t1)
    elif method in ("advance", "respond", "linearise"):
        asked: Any = getattr(request, method)
        said |= {"t0": spelled(asked.t0), "step": spelled(asked.t1 - asked.t0)}
    elif method in ("impulse", "respond_block"):
        block: pb.Block = getattr(request, method).block
        said["step"] = spelled(block.ends[0] - block.starts[0])
        said["block"] = len(block.starts)
    elif method == "try_block":
        said["windows"] = len(request.try_block.more)
    return said
