"""Mutated messages: to a host, which answers; to a client, which says who lied."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random

from bondline.build import Given, open_model
from bondline.core import uniform
from bondline.errors import BondlineError
from bondline.remote import bondline_pb2 as pb
from bondline.remote.client.link import Patience
from bondline.remote.client.remote import remote_model
from bondline.remote.limits import Limits
from bondline.remote.owner.host import Host
from bondline.remote.owner.shelf import Shelf
from bondline.run import simulate
from tests.fuzz.mutate import changed, message_changed
from tests.remote.conftest import parts_of
from tests.remote.test_coming_back import Direct

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
WHO = "integrator"
_A_RUN = 500  # trials with one client


@dataclass
class Recorded(Direct):
    """A line to a host that keeps what was said, and may change what is heard."""

    said: list[tuple[str, bytes]] = field(default_factory=list)
    heard: Callable[[bytes], bytes] = bytes

    def exchange(self, raw: bytes, patience: float, busy=None) -> bytes:
        self.said.append(("answer", raw))
        return self.heard(super().exchange(raw, patience, busy))

    def describe(self, raw: bytes, patience: float) -> bytes:
        self.said.append(("describe", raw))
        return self.heard(super().describe(raw, patience))


def _host(example: str, folder: Path | None = None) -> Host:
    shelf = Shelf(folder) if folder else None
    limits = Limits(sessions=4, states=64)
    return Host(parts_of(EXAMPLES / example), limits=limits, shelf=shelf)


def conversation(example: str, given: Given, folder: Path) -> list[tuple[str, bytes]]:
    """Everything that a short run asks."""
    host = _host(example, folder)
    line = Recorded(lambda: host)
    model = open_model(EXAMPLES / example, given).model
    name = list(model.parts)[-1]
    part = remote_model(name, line, name)
    whole = replace(model, parts={**model.parts, name: part})
    end = simulate(whole, 0.1, 0.01)
    whole.dump(end.state)
    return line.said


@dataclass
class ToHost:
    """A changed request to a host with a session; it answers and logs no surprise."""

    folder: Path
    refused: int = 0
    served: int = 0

    def __post_init__(self) -> None:
        log = logging.getLogger("bondline.leaf")
        self._surprises, log.propagate = _Surprises(), False
        log.addHandler(self._surprises)
        self._talks = [
            (example, conversation(example, given, self.folder))
            for example, given in (
                ("double_pendulum", Given()),
                ("linear_chain", Given()),
                ("linear_chain", Given(block=5)),
            )
        ]
        self._hosts = {e: _host(e, self.folder) for e, _ in self._talks}

    def __call__(self, dice: Random) -> None:
        example, talk = dice.choice(self._talks)
        method, raw = dice.choice(talk)
        host = self._hosts[example]
        if dice.random() < 0.5:
            raw, method = changed(raw, dice), dice.choice((method, "pulse"))
            self._heard(host, method, raw)
            return
        if method == "describe":
            ask = _parsed(pb.DescribeRequest(), raw)
            message_changed(ask, dice)
            self._heard(host, method, ask.SerializeToString())
            return
        request = _parsed(pb.Request(), raw)
        message_changed(request, dice)
        self._in_session(host, request, dice)

    def _in_session(self, host: Host, request: pb.Request, dice: Random) -> None:
        """The same with the numbers of a session that lives, and states to work on."""
        if not host.sessions or dice.random() < 0.02:
            name = next(reversed(host.models))
            ask = pb.Open(version=pb.Version(major=1), coordinator="a", model=name)
            host.sessions.clear()
            self._heard(host, "answer", pb.Request(open=ask).SerializeToString())
            self._ask(host, pb.Request(start=pb.Start(t0=0.0, result=1)))
        self._ask(host, request)

    def _ask(self, host: Host, request: pb.Request) -> None:
        session = next(iter(host.sessions.values()))
        request.session, request.epoch = session.number, session.epoch
        request.sequence = session.sequence + 1
        self._heard(host, "answer", request.SerializeToString())

    def _heard(self, host: Host, method: str, raw: bytes) -> None:
        if method == "answer":
            reply = _parsed(pb.Reply(), host.answer(raw, WHO)[0])
            no = reply.HasField("failure")
            assert no or reply.WhichOneof("answer")
            self.refused, self.served = self.refused + no, self.served + (not no)
        elif method == "describe":
            _parsed(pb.DescribeReply(), host.describe(raw, WHO))
        else:
            _parsed(pb.PulseReply(), host.pulse(raw, WHO))
        self._surprises.check()


class _Surprises(logging.Handler):
    """Errors that the wire itself made: a request got too far.

    A model's own (no solution in a window of 1e-300 s) are told as such.
    """

    def __init__(self) -> None:
        super().__init__()
        self.last: BaseException | None = None

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        if error is not None and "/remote/" in _where(error):
            self.last = error

    def check(self) -> None:
        last, self.last = self.last, None
        if last is not None:
            raise AssertionError("the host did not see it coming") from last


def _where(error: BaseException) -> str:
    """The file of ours in which it came up."""
    frames = [f.filename for f in traceback.extract_tb(error.__traceback__)]
    return [f for f in frames if "/bondline/" in f][-1]


def _parsed(message, raw: bytes):
    message.ParseFromString(raw)
    return message


class ToClient:
    """A changed reply to a client: it goes on, or says what is wrong with whom."""

    def __init__(self) -> None:
        self.told = self.believed = 0
        self._parts = {}
        for example in ("double_pendulum", "linear_chain"):
            host = _host(example)
            line = Recorded(lambda host=host: host)
            self._parts[example] = (line, self._fresh(line))

    def _fresh(self, line: Recorded):
        name = list(line.host().models)[-1]
        part = remote_model(name, line, name, Patience(1.0, 1.0, 0.01))
        part.link.pause = lambda s: None
        return part

    def __call__(self, dice: Random) -> None:
        example = dice.choice(tuple(self._parts))
        line, part = self._parts[example]
        if (self.told + self.believed) % _A_RUN == 0:  # what it remembers of lies grows
            part = self._fresh(line)
            self._parts[example] = line, part
        kind = pb.DescribeReply if dice.random() < 0.2 else pb.Reply
        start = None if kind is pb.DescribeReply else part.start(0.0)
        line.heard = lambda raw: _lie(kind, raw, dice)
        try:
            if start is None:
                self._looked_at(self._fresh(line))
            else:
                self._used(part, start, dice)
            self.believed += 1
        except BondlineError:
            self.told += 1
        finally:
            line.heard, line.said = bytes, []
            line.host().sessions.clear()

    def _looked_at(self, part) -> None:
        assert isinstance(dict(part.ports), dict)
        assert isinstance(dict(part.parameters), dict)
        assert part.capabilities is not None

    def _used(self, part, start, dice: Random) -> None:
        window = uniform(0.0, 0.01, 0)
        match dice.randrange(4):
            case 0:
                part.start(0.0)
            case 1:
                part.advance(start.state, window, {})
            case 2 if hasattr(part, "linearise"):
                part.linearise(start.state, window, {})
            case _ if hasattr(part, "respond"):
                part.respond(start.state, window, {})
            case _:
                part.press(start.state, 0.0, {})


def _lie(kind: type, raw: bytes, dice: Random) -> bytes:
    if dice.random() < 0.5:
        return changed(raw, dice)
    message = _parsed(kind(), raw)
    keep = getattr(message, "sequence", None)
    message_changed(message, dice)
    if keep is not None and dice.random() < 0.9:
        message.sequence = keep
    return message.SerializeToString()
