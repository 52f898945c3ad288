"""Servers that die and come back, lines that break: the same bits, or a named end."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Barrier

import numpy as np
import pytest

from bondline.build import open_model
from bondline.core import Window
from bondline.errors import Fenced, LeafLost, ResourceLimit
from bondline.remote import bondline_pb2 as pb
from bondline.remote.client.line import LineDown
from bondline.remote.client.link import Patience
from bondline.remote.client.remote import remote_model
from bondline.remote.limits import Limits
from bondline.remote.owner.host import Host
from bondline.remote.owner.shelf import Shelf
from bondline.run import simulate
from tests.remote.conftest import parts_of

PATIENCE = Patience(5.0, 5.0, 5.0)


@dataclass
class Direct:
    """A line to a host in this process; `break_at` says when which half gets lost."""

    host: Callable[[], Host]
    identity: str = "integrator"
    asked: int = 0
    break_at: Callable[[int], str] = lambda n: ""
    place: str = "here"

    def exchange(self, raw: bytes, patience: float, busy=None) -> bytes:
        self.asked += 1
        lost = self.break_at(self.asked)
        if lost == "request":
            raise LineDown("reset", "before it came")
        reply = self.host().answer(raw, self.identity)[0]
        if lost == "reply":
            raise LineDown("reset", "after it was served")
        return reply

    def describe(self, raw: bytes, patience: float) -> bytes:
        return self.host().describe(raw, self.identity)

    def pulse(self, raw: bytes, patience: float) -> bytes:
        return self.host().pulse(raw, self.identity)

    def explain(self) -> None:
        return None

    def while_idle(self, every, call) -> None: ...

    def hang_up(self) -> None: ...

    def close(self) -> None: ...


@pytest.fixture(params=["linear_chain", "double_pendulum"])
def example(request: pytest.FixtureRequest, project: Path) -> Path:
    return project / "examples" / request.param


def glued(path: Path, line: Direct, dumped: int = 0):
    """Forces at the end of a run with one part behind `line`; the part."""
    model = open_model(path).model
    name = list(model.parts)[-1]
    part = remote_model(name, line, name, PATIENCE)
    part.link.pause = lambda s: None
    whole = replace(model, parts={**model.parts, name: part})

    class Keeping:
        def write(self, frame, state) -> None:
            if dumped and frame.n % dumped == 0:
                whole.dump(state)

    end = simulate(whole, 0.3, 0.01, record=Keeping())
    return end.state.forces, part


@pytest.fixture
def here(example: Path) -> np.ndarray:
    return simulate(open_model(example).model, 0.3, 0.01).state.forces


@pytest.mark.parametrize("half", ["request", "reply"])
def test_what_got_lost_is_asked_again_and_served_once(example, here, half: str):
    host = Host(parts_of(example))
    line = Direct(lambda: host, break_at=lambda n: half if n % 3 == 0 else "")
    away, part = glued(example, line)
    assert (away == here).all()
    session = next(iter(host.sessions.values()))
    assert part.link.retries > 10
    assert session.sequence == part.link.trips - 1, "one number a request, none twice"


@pytest.mark.parametrize("dumped", [0, 7])
def test_a_server_that_was_started_again_makes_its_states_again(
    example, here, dumped: int, tmp_path: Path
):
    shelf = Shelf(tmp_path)
    hosts = [Host(parts_of(example), shelf=shelf)]
    epochs = []

    def restart(n: int) -> str:
        if n in (20, 60):
            epochs.append(max(hosts[-1].sessions, default=0))
            hosts.append(Host(parts_of(example), shelf=shelf))
        return ""

    away, part = glued(example, Direct(lambda: hosts[-1], break_at=restart), dumped)
    assert (away == here).all()
    assert part.link.recoveries >= 1
    assert part.link.epoch > epochs[0]


def test_all_that_a_client_holds_is_there_again(example):
    """Also what the request that found the server gone has nothing to do with."""
    hosts = [Host(parts_of(example))]
    line = Direct(lambda: hosts[-1])
    name = list(hosts[0].models)[-1]
    part = remote_model(name, line, name, PATIENCE)
    root = part.start(0.0).state
    one, other = (part.advance(root, Window(0.0, h), {}).state for h in (0.01, 0.02))
    before = part.advance(one, Window(0.01, 0.02), {}).outputs
    hosts.append(Host(parts_of(example)))
    part.advance(other, Window(0.02, 0.03), {})
    after = part.advance(one, Window(0.01, 0.02), {}).outputs
    assert part.link.recoveries == 1
    assert repr(after) == repr(before)


def test_long_ways_are_gone_again_with_few_states_at_a_time(example):
    limits = Limits(states=8)
    hosts = [Host(parts_of(example), limits=limits)]
    line = Direct(lambda: hosts[-1])
    name = list(hosts[0].models)[-1]
    part = remote_model(name, line, name, PATIENCE)
    state = part.start(0.0).state
    for n in range(20):
        state = part.advance(state, Window(0.01 * n, 0.01 * (n + 1)), {}).state
    hosts.append(Host(parts_of(example), limits=limits))
    part.press(state, 0.2, {})
    assert part.link.recoveries == 1


def test_a_state_that_nobody_can_make_again_ends_the_run_with_a_name(example):
    hosts = [Host(parts_of(example))]
    line = Direct(lambda: hosts[-1])
    name = list(hosts[0].models)[-1]
    part = remote_model(name, line, name, PATIENCE)
    start = part.start(0.0)
    part.link.memory._log.clear()
    hosts.append(Host(parts_of(example)))
    with pytest.raises(LeafLost, match=r"started again.*Resume"):
        part.press(start.state, 0.0, {})


@pytest.fixture
def chain(project: Path) -> Host:
    models = parts_of(project / "examples" / "linear_chain")
    return Host({"one": models["one"]}, limits=Limits(sessions=1), clock=Clock())


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_a_second_coordinator_is_told_who_has_the_session(chain: Host):
    first = remote_model("one", Direct(lambda: chain))
    first.start(0.0)
    next(iter(chain.sessions.values())).streams = 1
    chain.clock.now += 20.0
    second = remote_model("one", Direct(lambda: chain))
    with pytest.raises(ResourceLimit) as told:
        second.start(0.0)
    assert told.value.exit_code == 60
    assert first.link.coordinator in str(told.value)
    assert "in 40 s" in str(told.value)


def test_who_takes_over_fences_the_first_one_off(chain: Host):
    first = remote_model("one", Direct(lambda: chain))
    began = first.start(0.0)
    next(iter(chain.sessions.values())).streams = 1
    second = remote_model("one", Direct(lambda: chain), takeover=True)
    second.start(0.0)
    mine = next(iter(chain.sessions.values()))
    names = dict(mine.desk.names)
    with pytest.raises(Fenced, match="taken the session over") as told:
        first.press(began.state, 0.0, {})
    assert told.value.exit_code == 23
    assert mine.desk.names == names, "nothing was changed"


def test_who_was_fenced_off_stays_so_however_often_it_happens(chain: Host):
    part, held = remote_model("one", Direct(lambda: chain)), list[tuple]()
    for _ in range(100):
        held.append((part, part.start(0.0).state))
        next(iter(chain.sessions.values())).streams = 1
        part = remote_model("one", Direct(lambda: chain), takeover=True)
        part.start(0.0)
        for first, state in held[-3:]:
            with pytest.raises(Fenced):
                first.press(state, 0.0, {})
    assert len(chain.sessions) == 1


def test_of_ten_who_open_at_once_one_wins(chain: Host):
    def race(k: int) -> pb.Reply:
        ask = pb.Open(version=pb.Version(major=1), coordinator=f"run-{k}")
        together.wait(30.0)
        return sent(chain, pb.Request(open=ask), f"partner-{k}")

    together = Barrier(10)
    with ThreadPoolExecutor(10) as pool:
        for _ in range(100):
            replies = list(pool.map(race, range(10)))
            (won,) = [k for k, r in enumerate(replies) if r.HasField("opened")]
            lost = {r.failure.code for r in replies if r.HasField("failure")}
            assert lost == {pb.CODE_RESOURCE_EXHAUSTED}
            ask = request(replies[won].opened, 1, close=pb.Close())
            assert sent(chain, ask, f"partner-{won}").HasField("done")


def test_a_silent_session_ends_with_its_lease_and_a_pulse_renews_it(chain: Host):
    first = remote_model("one", Direct(lambda: chain))
    first.start(0.0)
    chain.clock.now += 50.0
    first.link.renew()
    chain.clock.now += 50.0
    chain.sweep()
    assert chain.sessions
    chain.clock.now += 61.0
    chain.sweep()
    assert not chain.sessions


@pytest.mark.parametrize("takeover", [True, False])
def test_who_wakes_up_after_its_lease_is_fenced_off_by_who_took_over(
    chain: Host, takeover: bool
):
    """Without a takeover nobody is: it opens again, and goes on."""
    first = remote_model("one", Direct(lambda: chain))
    first.link.pause = lambda s: None
    state = first.start(0.0).state
    chain.clock.now += 61.0
    chain.sweep()
    second = remote_model("one", Direct(lambda: chain), takeover=takeover)
    second.start(0.0)
    second.close()
    with pytest.raises(Fenced) if takeover else nullcontext():
        first.press(state, 0.0, {})


def test_a_session_whose_stream_broke_makes_room_for_its_own_coordinator(chain: Host):
    first = remote_model("one", Direct(lambda: chain))
    first.start(0.0)
    again = remote_model("one", Direct(lambda: chain))
    again.start(0.0)
    other = remote_model("one", Direct(lambda: chain, identity="other"))
    with pytest.raises(ResourceLimit):
        other.start(0.0)


def sent(host: Host, request: pb.Request, identity: str = "a") -> pb.Reply:
    reply = pb.Reply()
    reply.ParseFromString(host.answer(request.SerializeToString(), identity)[0])
    return reply


@pytest.fixture
def opened(chain: Host) -> pb.Opened:
    ask = pb.Open(version=pb.Version(major=1), coordinator="a-run")
    return sent(chain, pb.Request(open=ask)).opened


def request(opened: pb.Opened, sequence: int, **ask) -> pb.Request:
    return pb.Request(
        session=opened.session, epoch=opened.epoch, sequence=sequence, **ask
    )


def test_the_same_number_with_other_bytes_is_refused(chain: Host, opened: pb.Opened):
    first = request(opened, 1, start=pb.Start(t0=0.0, result=1))
    other = request(opened, 1, start=pb.Start(t0=1.0, result=1))
    reply = sent(chain, first)
    assert reply.HasField("stepped")
    assert sent(chain, first) == reply
    assert sent(chain, other).failure.code == pb.CODE_INVALID_ARGUMENT


def test_requests_come_in_order(chain: Host, opened: pb.Opened):
    late = request(opened, 3, start=pb.Start(t0=0.0, result=1))
    assert sent(chain, late).failure.code == pb.CODE_FAILED_PRECONDITION


def test_an_older_epoch_and_another_identity_are_refused(chain, opened: pb.Opened):
    ask = request(opened, 1, start=pb.Start(t0=0.0, result=1))
    assert sent(chain, ask, "b").failure.code == pb.CODE_PERMISSION_DENIED
    ask.epoch -= 1
    assert sent(chain, ask).failure.code == pb.CODE_ABORTED


@pytest.mark.parametrize(
    "ask",
    [
        {},
        {"start": pb.Start(t0=float("nan"), result=1)},
        {"start": pb.Start(t0=0.0, result=0)},
        {"breaks": pb.Breaks(t0=1.0, t1=0.0)},
        {"breaks": pb.Breaks(t0=0.0, t1=float("inf"))},
    ],
)
def test_nonsense_is_refused_and_the_session_lives(chain, opened: pb.Opened, ask):
    assert sent(chain, request(opened, 1, **ask)).failure.code == 3
    good = request(opened, 2, start=pb.Start(t0=0.0, result=1))
    assert sent(chain, good).HasField("stepped")


def test_states_are_limited(chain: Host, opened: pb.Opened):
    chain.sessions[opened.session].desk.limits = Limits(states=2)
    for n in (1, 2):
        ask = request(opened, n, start=pb.Start(t0=0.0, result=n))
        assert sent(chain, ask).HasField("stepped")
    more = request(opened, 3, start=pb.Start(t0=0.0, result=3))
    assert sent(chain, more).failure.code == pb.CODE_RESOURCE_EXHAUSTED
    more = request(opened, 4, release=[1], start=pb.Start(t0=0.0, result=3))
    assert sent(chain, more).HasField("stepped")


@pytest.mark.parametrize("half", ["request", "reply"])
def test_who_gave_up_once_can_ask_again(project: Path, half: str):
    """Whether the partner has served what was asked last is not known any more."""
    example, broken = project / "examples/linear_chain", [False]
    host = Host(parts_of(example))
    line = Direct(lambda: host, break_at=lambda n: half if broken[0] else "")
    name = list(open_model(example).model.parts)[-1]
    part = remote_model(name, line, name, Patience(5.0, 5.0, 0.0))
    state = part.start(0.0).state
    broken[0] = True
    with pytest.raises(LeafLost):
        part.advance(state, Window(0.0, 0.01), {})
    broken[0] = False
    there = host.models[name].make()
    twin = there.advance(there.start(0.0).state, Window(0.0, 0.01), {})
    again = part.advance(state, Window(0.0, 0.01), {})
    for port, motion in twin.outputs.items():
        assert (again.outputs[port].x == motion.x).all()


def test_who_was_sent_away_for_haste_goes_on_later(project: Path):
    example, now = project / "examples/linear_chain", [0.0]
    host = Host(parts_of(example), limits=Limits(per_second=1.0), clock=lambda: now[0])
    name = list(open_model(example).model.parts)[-1]
    part = remote_model(name, Direct(lambda: host), name, PATIENCE)
    state = part.start(0.0).state
    with pytest.raises(ResourceLimit):
        part.advance(state, Window(0.0, 0.01), {})
    now[0] = 2.0
    assert part.advance(state, Window(0.0, 0.01), {}).state is not state
