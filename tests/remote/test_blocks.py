"""Blocks of windows by wire: the bits of blocks in process, one round trip a block."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from bondline.build import Given, open_model
from bondline.leaves import chain
from bondline.remote import bondline_pb2 as pb
from bondline.remote.limits import Limits
from bondline.remote.owner.host import Host, Open
from bondline.remote.owner.published import EVERYTHING
from bondline.remote.owner.served import Served
from bondline.remote.protocol import spoken
from bondline.run import simulate
from bondline.run.layout import Layout
from tests.remote.conftest import Supply
from tests.remote.test_round_trips import Counting


class Frames:
    def __init__(self) -> None:
        self.seen: list[tuple[str, bytes, bytes]] = []

    def write(self, frame, state) -> None:
        layout = Layout.of(frame)
        self.seen.append((layout.dump(), layout.pack(frame), layout.pack_shapes(frame)))


@pytest.mark.parametrize(
    ("model", "step", "count"),
    [
        ("linear_chain/SystemStructure", 0.01, 10),
        ("linear_chain/Nested", 0.01, 10),
        ("truck_frame/SystemStructure", 0.0005, 2),  # products of matrices are large
    ],
)
def test_blocks_by_wire_give_the_bits_of_blocks_in_process(
    project: Path, supply: Supply, model: str, step: float, count: int
):
    path, given = project / "examples" / f"{model}.ssd", Given(block=10)
    there = supply(path)
    whole = open_model(path, given).model
    parts = {name: there.model(name) for name in whole.parts}
    for part in parts.values():
        part.link.line = Counting(part.link.line)
    here, away = Frames(), Frames()
    until = 10 * count * step
    simulate(whole, until, step, record=here)
    simulate(replace(whole, parts=parts), until, step, record=away)
    assert here.seen == away.seen
    for part in parts.values():
        asked = part.link.line.asked
        blocks = asked["try_block"] + asked["settle_block"]
        assert blocks <= count + 3, (
            "one a block of ten windows, and a few to begin anew"
        )
        alone = asked["advance"] + asked["realise"]
        assert alone <= model.startswith("truck"), "by itself where a load begins"
        part.close()


class CountingGate(Open):
    """Lets everything pass, and counts it."""

    calls = 0

    def admit(self, call) -> None:
        self.calls += 1


class Talk:
    """A session that has tried block 0 (3) and has the response to block 1 (4)."""

    def __init__(self, limits: Limits) -> None:
        self.gate, self.number = CountingGate(), 0
        served = Served("chain", lambda: chain("chain"), "d", EVERYTHING)
        self.host = Host({"chain": served}, self.gate, limits)
        self.opened = pb.Opened()
        self.opened = self.ask(open=pb.Open(version=spoken(), coordinator="me")).opened
        self.number = 0
        self.ask(start=pb.Start(t0=0.0, result=1))
        self.ask(respond_block=pb.RespondBlock(state=1, block=block(0), result=2))
        first = pb.TryBlock(response=2, result=3, ahead=block(1), ahead_result=4)
        assert self.ask(try_block=first).HasField("tried_block")

    def ask(self, **what) -> pb.Reply:
        self.number += 1
        own = {"session": self.opened.session, "epoch": self.opened.epoch}
        request = pb.Request(sequence=self.number, **own, **what)
        raw, _ = self.host.answer(request.SerializeToString(), "")
        return pb.Reply.FromString(raw)

    def try_block(self, result: int, end: int, after: int) -> pb.Reply:
        before = pb.Settle(trial=3, same=True, result=end, look=True)
        told = {"ahead": block(2), "ahead_result": after, "before": before}
        return self.ask(try_block=pb.TryBlock(response=4, result=result, **told))

    def settle_block(self, end: int, after: int) -> pb.Reply:
        told = {"ahead": block(1), "ahead_result": after}
        settle = pb.Settle(trial=3, same=True, result=end, look=True)
        return self.ask(settle_block=pb.SettleBlock(settle=settle, **told))

    @property
    def names(self) -> dict[int, object]:
        (session,) = self.host.sessions.values()
        return dict(session.desk.names)


def block(n: int) -> pb.Block:
    ends = [1e-3 * (2 * n + k) for k in range(3)]
    return pb.Block(starts=ends[:-1], ends=ends[1:])


# names that are none, are taken, or are given twice
WRONG = [
    *(("try_block", names) for names in [(0, 6, 7), (5, 0, 7), (5, 6, 0)]),
    *(("try_block", names) for names in [(1, 6, 7), (5, 3, 7), (5, 6, 1)]),
    *(("try_block", names) for names in [(5, 5, 7), (5, 6, 5), (5, 6, 6)]),
    *(("settle_block", names) for names in [(0, 6), (5, 0), (5, 3), (5, 5)]),
]


@pytest.mark.parametrize(("method", "names"), WRONG)
def test_names_of_a_request_are_refused_before_anything_is_computed(
    method: str, names: tuple[int, ...]
):
    talk = Talk(Limits())
    before, calls = talk.names, talk.gate.calls
    failure = getattr(talk, method)(*names).failure
    assert failure.code == pb.CODE_INVALID_ARGUMENT
    assert "is taken, or is none" in failure.reason
    assert (talk.names, talk.gate.calls) == (before, calls)


@pytest.mark.parametrize(("method", "names"), [("try_block", 3), ("settle_block", 2)])
@pytest.mark.parametrize("lacking", [False, True])
def test_all_names_of_a_request_have_room_or_none(
    method: str, names: int, lacking: bool
):
    talk = Talk(Limits(states=4 + names - lacking))
    before, calls = talk.names, talk.gate.calls
    failure = getattr(talk, method)(*range(5, 5 + names)).failure
    if lacking:
        assert failure.code == pb.CODE_RESOURCE_EXHAUSTED
        assert (talk.names, talk.gate.calls) == (before, calls)
    else:
        assert failure == pb.Failure()
        assert set(talk.names) == {1, 2, 3, 4, *range(5, 5 + names)}
