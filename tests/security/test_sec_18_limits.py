"""SEC-18: how often, how much and how many: what a server puts up with."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from bondline.core import Signal, uniform
from bondline.errors import BondlineError, ResourceLimit
from bondline.leaves import chain
from bondline.remote import bondline_pb2 as pb
from bondline.remote.limits import Limits
from bondline.remote.owner.host import Host
from bondline.remote.owner.served import Served
from bondline.remote.protocol import spoken
from tests.remote.conftest import ca, integrator, owner, supply  # noqa: F401

CHAIN = {"chain": Served("chain", lambda: chain("chain"))}


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


class Talk:
    """A session of a host whose clock stands still unless it is set."""

    def __init__(self, limits: Limits) -> None:
        self.clock = Clock()
        self.host = Host(CHAIN, limits=limits, clock=self.clock)
        opened = self.answer(
            pb.Request(open=pb.Open(version=spoken(), coordinator="me"))
        ).opened
        self.session, self.epoch, self.number = opened.session, opened.epoch, 0

    def answer(self, request: pb.Request) -> pb.Reply:
        raw, _ = self.host.answer(request.SerializeToString(), "")
        return pb.Reply.FromString(raw)

    def start(self) -> str:
        """Ask for one more state; the words of a refusal."""
        ask = pb.Start(t0=0.0, result=self.number + 1)
        request = pb.Request(session=self.session, epoch=self.epoch, start=ask)
        request.sequence = self.number + 1
        reply = self.answer(request)
        self.number += not reply.HasField("failure")
        return reply.failure.reason


def test_so_many_requests_a_second_and_no_more():
    talk = Talk(Limits(per_second=5.0))
    assert [talk.start() for _ in range(5)] == [""] * 5
    assert "More than 5 requests came in a second" in talk.start()
    talk.clock.now += 0.4
    assert [bool(talk.start()) for _ in range(3)] == [False, False, True]


def test_time_that_the_server_works_counts_as_time():
    """A model that takes long is no reason to refuse who waits for it."""
    talk = Talk(Limits(per_second=5.0))
    for _ in range(20):
        assert talk.start() == ""
        talk.clock.now += 0.21
        pulse = pb.PulseRequest(session=talk.session, epoch=talk.epoch)
        talk.host.pulse(pulse.SerializeToString(), "")


def test_without_a_limit_nobody_counts():
    talk = Talk(Limits())
    assert {talk.start() for _ in range(200)} == {""}


def test_so_many_states_are_kept():
    talk = Talk(Limits(states=3))
    assert [talk.start() for _ in range(3)] == [""] * 3
    assert "3 states are kept already" in talk.start()


def test_a_request_that_is_too_long_is_not_read(supply):  # noqa: F811
    model = supply(CHAIN, Limits(message=2000)).model("chain", grace=1.0)
    state = model.start(0.0).state
    port = next(iter(model.ports))
    size = model.ports[port].size
    force = {port: Signal(_rows(500, size))}
    with pytest.raises(BondlineError) as told:
        model.advance(state, uniform(0.0, 0.01, 0), force)
    said = str(told.value)
    assert "a message is too long for one of both sides" in said
    assert "vs. 2000)" in said
    assert "ask its owner for a larger --max-message" in said
    model.close()


def _rows(rows: int, size: int):
    import numpy as np

    return np.ones((rows, size))


def test_so_many_sessions_at_a_time(supply):  # noqa: F811
    there = supply(CHAIN, Limits(sessions=1))
    one, two = there.model("chain"), there.model("chain")
    one.start(0.0)
    with pytest.raises(ResourceLimit, match="has the session; its lease runs out"):
        two.start(0.0)
    one.close()
    two.start(0.0)
    two.close()


def test_an_owner_sets_them_on_the_command_line():
    words = [sys.executable, "-m", "bondline", "leaf", "serve", "--help"]
    said = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    found = set(re.findall(r"--[a-z-]+", said))
    assert {"--requests-per-second", "--max-message", "--sessions", "--states"} <= found
