"""A little of `./run fuzz`: whatever comes, an answer, soon, in little memory."""

from __future__ import annotations

from pathlib import Path

import pytest

from bondline.remote import bondline_pb2 as pb
from bondline.remote.owner.host import Host
from tests.fuzz.conversations import ToTalk
from tests.fuzz.files import Archive, Xml
from tests.fuzz.hunt import Hunt, hunt
from tests.fuzz.messages import ToClient, ToHost
from tests.remote.conftest import parts_of
from tests.remote.test_coming_back import sent


def nothing(found: Hunt) -> None:
    assert not found.finds, found.finds[0]


def test_changed_requests_are_answered(tmp_path: Path):
    trial = ToHost(tmp_path)
    nothing(hunt("requests", trial, 1000, seed=11))
    assert trial.refused > 100
    assert trial.served > 50, "else nothing gets past the door"


def test_changed_replies_are_told(tmp_path: Path):
    trial = ToClient()
    nothing(hunt("replies", trial, 300, seed=11))
    assert trial.told > 50
    assert trial.believed > 10


def test_changed_conversations_end_or_go_on():
    trial = ToTalk()
    nothing(hunt("conversations", trial, 1000, seed=11))
    assert trial.answered > 300
    assert trial.amiss > 300


def test_changed_files_give_a_model_or_problems(tmp_path: Path):
    nothing(hunt("xml", Xml(tmp_path), 300, seed=11))


def test_changed_archives_give_a_model_or_problems(tmp_path: Path):
    nothing(hunt("archives", Archive(tmp_path), 200, seed=11))


@pytest.mark.full
def test_more_changed_files_give_a_model_or_problems(tmp_path: Path):
    nothing(hunt("xml", Xml(tmp_path), 5000, seed=12))


FOUND = {
    "a state where a response belongs": pb.Request(
        realise=pb.Realise(response=1, t1=0.01, result=2)
    ),
    "a state where a trial belongs": pb.Request(
        settle_block=pb.SettleBlock(settle=pb.Settle(trial=1))
    ),
    "impulses of 4 billion powers": pb.Request(
        impulse=pb.Ring(
            state=1, powers=2**32 - 1, block=pb.Block(starts=[0.0], ends=[0.01])
        )
    ),
    "the end of time": pb.Request(start=pb.Start(t0=1e308, result=2)),
}


@pytest.mark.parametrize("what", FOUND)
def test_what_was_found_is_refused(what: str, project: Path):
    host = Host(parts_of(project / "examples" / "linear_chain"))
    name = next(iter(host.models))
    ask = pb.Open(version=pb.Version(major=1), coordinator="a", model=name)
    opened = sent(host, pb.Request(open=ask)).opened
    for n, each in enumerate((pb.Request(start=pb.Start(result=1)), FOUND[what]), 1):
        each.session, each.epoch, each.sequence = opened.session, opened.epoch, n
        reply = sent(host, each)
    assert reply.failure.code == pb.CODE_INVALID_ARGUMENT
