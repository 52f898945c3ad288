"""A session that takes long to open is in nobody else's way."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest

from bondline.leaves import chain
from bondline.remote import bondline_pb2 as pb
from bondline.remote.limits import Limits
from bondline.remote.owner.host import Host
from bondline.remote.owner.served import Served
from bondline.remote.protocol import spoken

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
