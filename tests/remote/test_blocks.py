"""Blocks of windows by wire: the bits of blocks in process, one round trip a block."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from bondline.build import Given, open_model
from bondline.core import Capabilities, uniform
from bondline.leaves import Structure, chain
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


@pytest.mark.parametrize(("start", "h"), [(0.0, 0.01), (1e6, 1e-4)])
def test_a_run_far_from_the_start_of_time_goes_in_blocks_to_its_shorter_end(
    project: Path, supply: Supply, start: float, h: float
):
    """Its windows wobble, and owners take none of them for another length."""
    path, given = project / "examples/linear_chain/SystemStructure.ssd", Given(block=10)
    there = supply(path)
    whole = open_model(path, given).model
    parts = {name: there.model(name) for name in whole.parts}
    here, away = Frames(), Frames()
    until = start + 34.5 * h
    simulate(whole, until, h, start=start, record=here)
    done = simulate(replace(whole, parts=parts), until, h, start=start, record=away)
    for part in parts.values():
        part.close()
    assert done.windows == 35
    assert here.seen == away.seen


class CountingGate(Open):
    """Lets everything pass, and counts it."""

    calls = 0

    def admit(self, call) -> None:
        self.calls += 1


class Talk:
    """A session that has tried block 0 (3) and has the response to block 1 (4)."""

    def __init__(self, limits: Limits, model: object = None) -> None:
        self.gate, self.number = CountingGate(), 0
        served = Served("chain", lambda: model or chain("chain"), "d", EVERYTHING)
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


def rows(starts, ends):
    return pb.Block(starts=starts, ends=ends)


UNEVEN = rows([0.0, 1e-3], [1e-3, 5e-3])
NEARLY = rows([0.0, 1e-3], [1e-3, 2e-3 * (1.0 + 1e-6)])
BACKWARDS = rows([1e-3, 0.0], [2e-3, 1e-3])
GAP = rows([0.0, 2e-3], [1e-3, 3e-3])
TWICE = rows([0.0, 0.0], [1e-3, 1e-3])
LENGTH, ORDER = "windows of a block have one length", "windows of a block follow each"


def ways(talk: Talk, given: pb.Block) -> dict[str, pb.Reply]:
    """Every way in which windows come in."""
    respond = pb.RespondBlock(state=1, block=given, result=5)
    attempt = pb.TryBlock(response=4, result=6, ahead=given, ahead_result=7)
    settle = pb.Settle(trial=3, same=True, result=8)
    last = pb.SettleBlock(settle=settle, ahead=given, ahead_result=9)
    return {
        "impulse": talk.ask(impulse=pb.Ring(state=1, block=given, powers=1)),
        "respond_block": talk.ask(respond_block=respond),
        "try_block": talk.ask(try_block=attempt),
        "settle_block": talk.ask(settle_block=last),
    }


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (UNEVEN, f"{LENGTH}, but number 1 is 0.001 s long and number 2 is 0.004 s"),
        (NEARLY, LENGTH),
        (BACKWARDS, ORDER),
        (GAP, f"{ORDER} other, but number 1 ends at 0.001 s and the next one starts"),
        (TWICE, ORDER),
    ],
)
def test_a_block_is_windows_of_one_length_in_a_row(given: pb.Block, said: str):
    """Else it would be computed as if it were, and nobody would know."""
    talk = Talk(Limits())
    before, calls = talk.names, talk.gate.calls
    replies = ways(talk, given)
    if said.startswith(ORDER):  # H of a linear model depends on lengths alone
        assert replies.pop("impulse").rung.lags == 2
        calls += 1
    for method, reply in replies.items():
        assert reply.failure.code == pb.CODE_INVALID_ARGUMENT, method
        assert said in reply.failure.reason
        assert reply.failure.reason.partition("; ")[2], "what to do instead"
    assert (talk.names, talk.gate.calls) == (before, calls)


@pytest.mark.parametrize(
    ("start", "h"),
    [(0.0, 0.1), (0.3, 1.0 / 3.0), (1e6, 1e-4), (-1e6, 1e-4), (1e9, 1e-3)],
)
def test_windows_of_a_uniform_grid_are_of_one_length(start: float, h: float):
    """They wobble by what their times are rounded to, far more than h is."""
    grid = [uniform(start, h, n) for n in range(10_000, 14_000)]
    long = rows([w.t0 for w in grid], [w.t1 for w in grid])
    talk = Talk(Limits())
    talk.ask(start=pb.Start(t0=grid[0].t0, result=5))
    respond = pb.RespondBlock(state=5, block=long, result=6)
    assert talk.ask(respond_block=respond).HasField("responded_block")
    assert talk.ask(impulse=pb.Ring(state=5, block=long, powers=1)).HasField("rung")


@dataclass(frozen=True)
class Bent:
    """A chain that does not say that it is linear."""

    inner: Structure

    def __getattr__(self, name):
        return getattr(self.inner, name)

    @property
    def capabilities(self) -> Capabilities:
        return replace(self.inner.capabilities, linear=False)


def test_impulses_of_what_is_not_linear_are_along_windows_in_a_row():
    talk = Talk(Limits(), Bent(chain("chain")))
    ask = pb.Ring(state=1, block=TWICE, powers=1)
    assert ORDER in talk.ask(impulse=ask).failure.reason
    ask.block.CopyFrom(block(0))
    assert talk.ask(impulse=ask).rung.lags == 2
