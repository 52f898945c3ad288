"""A partner who is away is waited for, and the person is told so, sparingly."""

from __future__ import annotations

import json
import logging
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from threading import Event

import pytest

from bondline.errors import LeafLost
from bondline.leaves import chain
from bondline.remote import bondline_pb2 as pb
from bondline.remote.client.line import LineDown
from bondline.remote.client.link import Link, Patience
from bondline.remote.client.troubles import Partner
from bondline.remote.client.waiting import Absence
from bondline.remote.owner.host import Host
from bondline.remote.owner.published import EVERYTHING
from bondline.remote.owner.served import Served
from bondline.remote.owner.shelf import Shelf
from tests.remote.conftest import parts_of, serving
from tests.remote.test_coming_back import Direct
from tests.remote.test_serve_command import LIMIT

PARTNER = Partner("axle", "axles.example:7443", "axle")
SAID = re.compile(
    r"axle \(partner axles\.example:7443\): it does not answer since \d\d:\d\d:\d\d "
    r"\((?P<why>[^)]*)\); it is waited for, (?P<left>\d+) s more\. (?P<remedy>.*); "
    r"grace in the placement file says how long to wait\."
)


@dataclass
class Clock:
    """Time goes on while somebody pauses, and not else."""

    now: float = 100.0

    def __call__(self) -> float:
        return self.now

    def pause(self, seconds: float) -> None:
        self.now += seconds


@dataclass
class Away(Direct):
    """Nobody there until then."""

    clock: Clock = field(default_factory=Clock)
    back: float = 0.0  # by the clock
    cause: str = "refused"

    def exchange(self, raw: bytes, patience: float, busy=None) -> bytes:
        if self.clock() < self.back:
            raise LineDown(self.cause)
        return super().exchange(raw, patience, busy)


def asked(caplog: pytest.LogCaptureFixture, seconds: float, cause: str = "refused"):
    """What is said while a partner is away for so long, and its times."""
    host = Host({"axle": Served("axle", lambda: chain("axle"), "", EVERYTHING)})
    clock = Clock()
    line = Away(lambda: host, clock=clock, back=clock() + seconds, cause=cause)
    link = Link(PARTNER, line, Patience(grace=60.0), pause=clock.pause, clock=clock)
    with caplog.at_level(logging.INFO, "bondline.partners"):
        try:
            link.ask(pb.Request(start=pb.Start(t0=0.0, result=1)))
        finally:
            said = [r.getMessage() for r in caplog.records]
    return said


def test_who_is_back_at_once_is_not_talked_about(caplog):
    assert asked(caplog, 0.7) == []


@pytest.mark.parametrize(
    ("cause", "why", "remedy"),
    [
        ("refused", "nobody listens there", "Ask its owner whether the server runs"),
        ("reset", "the connection was cut", "Ask its owner whether the server runs"),
        ("unreachable", "there is no way to it", "Check the address and the network"),
        ("network", "there is no way to it", "Check the address and the network"),
    ],
)
def test_it_is_said_who_is_away_since_when_how_long_and_what_to_do(
    caplog, cause, why, remedy
):
    first, *_, last = asked(caplog, 10.0, cause)
    told = SAID.fullmatch(first)
    assert told is not None, first
    assert told["why"] == why
    assert 50 < int(told["left"]) < 60
    assert told["remedy"].startswith(remedy)
    assert re.fullmatch(re.escape(str(PARTNER)) + r": it answers .* \d+ s\.", last)


def test_a_minute_is_a_few_sentences(caplog):
    with pytest.raises(LeafLost):
        asked(caplog, 1e9)
    said = [SAID.fullmatch(r.getMessage()) for r in caplog.records]
    left = [int(told["left"]) for told in said if told is not None]
    assert len(left) == len(said)
    assert 3 <= len(said) <= 5
    assert all(a - b >= 15 for a, b in pairwise(left))


def test_one_long_attempt_at_a_first_answer_is_said_meanwhile(caplog):
    """The network swallows everything: nothing fails until the deadline."""
    told = Event()

    class Said(logging.Handler):
        def emit(self, record):
            told.set()

    @dataclass
    class Swallowed(Direct):
        def describe(self, raw: bytes, patience: float) -> bytes:
            assert told.wait(LIMIT)
            return super().describe(raw, patience)

    host = Host({"axle": Served("axle", lambda: chain("axle"), "", EVERYTHING)})
    log, handler = logging.getLogger("bondline.partners"), Said()
    log.addHandler(handler)
    try:
        Link(PARTNER, Swallowed(lambda: host)).describe("axle")
    finally:
        log.removeHandler(handler)
    first, *_ = (r.getMessage() for r in caplog.records)
    assert "no answer yet" in first


@pytest.mark.parametrize("away", [0.0, 10.0], ids=["at once", "after it was said"])
def test_nothing_is_said_once_there_is_an_answer(caplog, away: float):
    """A timer that has begun cannot be called back: the answer may overtake it."""
    clock = Clock()
    absence = Absence(PARTNER, clock() + 60.0, clock)
    began = clock()
    clock.pause(away)
    if away:
        absence.still("refused", began)
    absence.over()
    before = [r.getMessage() for r in caplog.records]
    assert len(before) == (2 if away else 0), before
    absence.late(began)
    assert [r.getMessage() for r in caplog.records] == before


def test_nothing_is_said_of_a_process_of_our_own(caplog):
    """Nobody has to be asked to start it again, or to look after it."""
    clock = Clock()
    absence = Absence(Partner("axle", "process 7"), clock() + 60.0, clock)
    began = clock()
    clock.pause(30.0)
    absence.still("died", began)
    absence.late(began)
    absence.over()
    assert not caplog.records


@contextmanager
def free_port() -> Iterator[int]:
    """A port where nobody listens, and which nobody else takes."""
    with socket.socket() as held:
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        held.bind(("127.0.0.1", 0))
        yield held.getsockname()[1]


COMMANDS = {
    "run": ["run", "{model}", "--until", "50ms"],
    "a server with suppliers": ["leaf", "serve", "{model}", "--insecure-loopback"],
}


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_say_it_on_stderr_and_go_on_when_the_partner_comes(
    project: Path, tmp_path: Path, command: str
):
    model = project / "examples" / "double_pendulum"
    file = tmp_path / "p.toml"
    words = [word.format(model=model) for word in COMMANDS[command]]
    head = [sys.executable, "-m", "bondline", "--json"]
    with free_port() as port:
        place = f"127.0.0.1:{port}"
        text = f'[parts.lower]\naddress = "{place}"\ninsecure = true\n'
        file.write_text(text, encoding="utf-8")
        process = subprocess.Popen(
            [*head, *words, "--placement", file.name],
            cwd=tmp_path,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert process.stderr is not None
        assert process.stdout is not None
        try:
            first = next(line for line in process.stderr if "waiting" in line)
        except BaseException:
            process.kill()
            raise
    shelf = Shelf(tmp_path / "owner")
    host = Host({"lower": parts_of(model)["lower"]}, shelf=shelf)
    with process, serving(host, None, f"127.0.0.1:{port}"):
        told = ""
        while not told.endswith("\n}\n"):
            line = process.stdout.readline()
            assert line, "it ended before it answered"
            told += line
        process.terminate()
        rest = process.stderr.read()
    assert f"waiting  lower (partner {place}): it does not answer since" in first
    assert "it answers again" in rest
    assert "error" not in json.loads(told)


@dataclass
class Cut(Away):
    """At work for long, then gone for a while."""

    works: float = 0.0

    def exchange(self, raw: bytes, patience: float, busy=None) -> bytes:
        self.clock.now += self.works
        self.works = 0.0
        return super().exchange(raw, patience, busy)


@pytest.mark.parametrize(("away", "lost"), [(40.0, False), (80.0, True)])
def test_grace_is_for_who_is_lost_not_for_who_works(away: float, lost: bool):
    """However long a window took before its server was started again."""
    host = Host({"axle": Served("axle", lambda: chain("axle"), "", EVERYTHING)})
    clock = Clock()
    back = clock() + 500.0 + away
    line = Cut(lambda: host, clock=clock, back=back, cause="reset", works=500.0)
    link = Link(PARTNER, line, Patience(grace=60.0), pause=clock.pause, clock=clock)
    ask = pb.Request(start=pb.Start(t0=0.0, result=1))
    if lost:
        with pytest.raises(LeafLost):
            link.ask(ask)
    else:
        assert link.ask(ask).HasField("stepped")
