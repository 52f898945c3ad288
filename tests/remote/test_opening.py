"""A session that takes long to open is waited for, and in nobody else's way."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from threading import Event

import pytest

from bondline.errors import LeafHung, LeafLost
from bondline.leaves import chain
from bondline.remote import bondline_pb2 as pb
from bondline.remote.client.line import LineDown, never
from bondline.remote.client.link import Link, Patience
from bondline.remote.client.plain import Plain
from bondline.remote.client.troubles import Partner
from bondline.remote.limits import Limits
from bondline.remote.owner.host import Host
from bondline.remote.owner.served import Served
from bondline.remote.protocol import spoken
from tests.remote.test_coming_back import Direct
from tests.remote.test_waiting import Clock, free_port

LIMIT = 20.0


class Slow:
    """Makes one model at once, and every other one when it is told to."""

    def __init__(self) -> None:
        self.made, self.asked, self.go = 0, Event(), Event()

    def __call__(self):
        self.made += 1
        if self.made > 1:
            self.asked.set()
            assert self.go.wait(LIMIT), "somebody waited for it"
        return chain("slow")


def host(slow: Slow, sessions: int = 8) -> Host:
    quick = Served("quick", lambda: chain("quick"))
    made = Host(
        {"slow": Served("slow", slow), "quick": quick}, limits=Limits(sessions=sessions)
    )
    opened(made, "slow", "first")  # has the model that is there
    return made


def opened(there: Host, model: str, coordinator: str) -> pb.Reply:
    ask = pb.Open(version=spoken(), model=model, coordinator=coordinator)
    raw, _ = there.answer(pb.Request(open=ask).SerializeToString(), "me")
    return pb.Reply.FromString(raw)


def test_others_come_and_go_while_a_model_is_made():
    slow = Slow()
    there = host(slow)
    with ThreadPoolExecutor(1) as late:
        second = late.submit(opened, there, "slow", "second")
        assert slow.asked.wait(LIMIT)
        third = opened(there, "quick", "third").opened
        assert third.session
        assert not second.done()
        close = pb.Request(session=third.session, epoch=third.epoch, sequence=1)
        close.close.SetInParent()
        raw, _ = there.answer(close.SerializeToString(), "me")
        assert pb.Reply.FromString(raw).HasField("done")
        there.sweep()
        slow.go.set()
        assert second.result(LIMIT).opened.session


@pytest.mark.parametrize("again", ["second", "third"])
def test_who_wants_the_place_that_is_being_made_waits_for_it(again: str):
    """The same coordinator once more, or another one where all places are taken."""
    slow = Slow()
    there = host(slow, sessions=8 if again == "second" else 2)
    with ThreadPoolExecutor(2) as late:
        second = late.submit(opened, there, "slow", "second")
        assert slow.asked.wait(LIMIT)
        other = late.submit(opened, there, "quick", again)
        slow.go.set()
        assert second.result(LIMIT).opened.session
        assert other.result(LIMIT).opened.session
    assert len(there.sessions) == 2, "whoever hung up has made room"


@dataclass
class Takes(Direct):
    """A server that takes so long to open a session, then so long for a reply."""

    clock: Clock = field(default_factory=Clock)
    opening: float = 0.0
    working: float = 0.0

    def exchange(self, raw: bytes, patience: float, busy=never) -> bytes:
        first = pb.Request.FromString(raw).HasField("open")
        takes = self.opening if first else self.working
        while takes > patience:
            self.clock.pause(patience)
            if not busy():
                raise LineDown("hung", f"no reply within {patience:.3g} s")
            takes -= patience
        self.clock.pause(takes)
        return super().exchange(raw, patience)


def asked(grace: float = 60.0, **how) -> tuple[pb.Reply, float]:
    """The reply of such a server with a step of 5 s, and when it came."""
    there, clock = Host({"m": Served("m", lambda: chain("m"))}), Clock(0.0)
    line = Takes(lambda: there, clock=clock, **how)
    patience, partner = Patience(5.0, grace=grace), Partner("part", "there:1", "m")
    link = Link(partner, line, patience, pause=clock.pause, clock=clock)
    try:
        return link.ask(pb.Request(start=pb.Start(t0=0.0, result=1))), clock()
    except LeafHung:
        return pb.Reply(), clock()


@pytest.mark.parametrize(
    ("takes", "grace", "opened"),
    [(4.0, 1.0, True), (50.0, 60.0, True), (70.0, 60.0, False)],
)
def test_a_session_may_take_a_step_to_open_or_grace_if_that_is_longer(
    takes: float, grace: float, opened: bool
):
    reply, at = asked(grace, opening=takes)
    assert reply.HasField("stepped") is opened
    assert at == min(takes, grace if grace > 5.0 else takes)


def test_it_is_said_who_takes_long_to_open(caplog):
    asked(opening=50.0)
    first, *_, last = (r.getMessage() for r in caplog.records)
    assert "(no answer yet); it is waited for, 55 s more" in first
    assert "it answers again, after 50 s" in last


def test_only_a_session_that_is_opened_is_waited_for_so_long():
    _, at = asked(working=50.0)
    assert 5.0 < at < 12.0


def test_who_refuses_while_a_session_is_opened_is_known_at_once():
    """Only silence is waited for: whoever is gone is tried again within its grace."""
    with free_port() as port:
        partner = Partner("part", f"127.0.0.1:{port}", "m")
        line = Plain(partner.place)
        link = Link(partner, line, Patience(0.1, grace=2.0))
        with pytest.raises(LeafLost):
            link.open()
        line.close()
    assert link.retries > 2
