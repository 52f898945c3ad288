"""What cannot be mended ends with its exit code, in time, and can be resumed."""

from __future__ import annotations

import os
import signal
from functools import partial
from pathlib import Path
from threading import Event
from time import monotonic

import pytest

from bondline.build import Given, open_model
from bondline.cli.partners import Where, partners
from bondline.core import Frame
from bondline.errors import LeafHung, LeafLost
from bondline.remote import bondline_pb2 as pb
from bondline.remote.client.dial import Dial
from bondline.remote.client.line import LineDown
from bondline.remote.client.link import Patience
from bondline.remote.client.remote import remote_model
from bondline.remote.trust.tls import Credentials
from bondline.run import Plan, Watch, all_runs, begin
from bondline.wire.turns import in_turns, others_first
from tests.chaos.conftest import Home
from tests.chaos.kills import LIMIT, Lives, once_more
from tests.chaos.proxy import Weather, between
from tests.remote.conftest import Supply

STEP = 0.5  # s: the deadline of a reply
TIMES = (f"step = {STEP}", "grace = 2")


@pytest.fixture
def lives(pendulum: Home, owner: Credentials, integrator: Credentials) -> Lives:
    return Lives(pendulum, owner, integrator)


class Timed:
    """A line that notes when an exchange failed, and how."""

    def __init__(self, line: Dial) -> None:
        self.line, self.failed = line, list[tuple[float, str]]()

    def exchange(self, *args) -> bytes:
        began = monotonic()
        try:
            return self.line.exchange(*args)
        except LineDown as down:
            self.failed.append((monotonic() - began, down.cause))
            raise

    def __getattr__(self, name: str):
        return getattr(self.line, name)


def lower(address: str, secrets: Credentials, grace: float = 2.0):
    line = Timed(Dial(address, secrets))
    part = remote_model("lower", line, "lower", Patience(STEP, 20.0, grace))
    part.link.max_step = STEP
    return part, line


def test_a_half_open_line_is_known_within_the_deadline_and_a_second(
    pendulum: Home, supply: Supply
):
    there = supply(pendulum.model)
    with between(there.server.port) as proxy:
        part, line = lower(proxy.address, there.secrets)
        start = part.start(0.0)
        proxy.go_deaf()
        began = monotonic()
        with pytest.raises(LeafHung) as told:
            part.press(start.state, 0.0, {})
        assert monotonic() - began <= STEP + 1.0
        assert told.value.exit_code == 21
        assert [cause for _, cause in line.failed] == ["hung"], "no pulse, no retry"
        proxy.hear_again()
        part.link.line.close()


def test_a_crash_is_known_within_a_second(lives: Lives):
    process, port = lives.server()
    part, _ = lower(f"127.0.0.1:{port}", lives.integrator, grace=1e-3)
    start = part.start(0.0)
    process.kill()
    process.join(LIMIT)
    began = monotonic()
    with pytest.raises(LeafLost) as told:
        part.press(start.state, 0.0, {})
    assert monotonic() - began <= 1.0
    assert told.value.exit_code == 20
    part.link.line.close()


def halt(pid: int | None) -> None:
    """Stop a process, and see it stopped: a signal takes its time."""
    assert pid is not None
    os.kill(pid, signal.SIGSTOP)
    state = Path(f"/proc/{pid}/stat")
    while state.exists() and state.read_text().rpartition(")")[2].split()[0] != "T":
        Event().wait(1e-3)


def test_a_crash_in_the_middle_of_a_request_is_known_within_a_second(lives: Lives):
    """It is stopped before, so that no reply is on its way."""
    with lives.served() as (proxy, servers):
        part, line = lower(proxy.address, lives.integrator, grace=1e-3)
        start = part.start(0.0)
        halt(servers[0].pid)
        died = list[float]()

        def die() -> None:
            died.append(monotonic())
            servers[0].kill()

        proxy.after(1, die)  # the first bytes of the request
        with pytest.raises(LeafLost) as told:
            part.press(start.state, 0.0, {})
        assert monotonic() - died[0] <= 1.0
        assert told.value.exit_code == 20
        assert [cause for _, cause in line.failed] == ["reset"]
        part.link.line.close()


def test_a_stopped_server_is_known_within_its_deadline_and_a_second(lives: Lives):
    process, port = lives.server()
    part, line = lower(f"127.0.0.1:{port}", lives.integrator)
    start = part.start(0.0)
    halt(process.pid)
    began = monotonic()
    with pytest.raises(LeafHung) as told:
        part.press(start.state, 0.0, {})
    assert monotonic() - began <= STEP + 1.0
    assert told.value.exit_code == 21
    assert [cause for _, cause in line.failed] == ["hung"]
    process.kill()
    process.join(LIMIT)
    part.link.line.close()


def test_several_parts_of_a_stopped_server_are_known_at_the_same_time(lives: Lives):
    process, port = lives.server()
    each = [lower(f"127.0.0.1:{port}", lives.integrator) for _ in range(4)]
    states = [part.start(0.0).state for part, _ in each]
    halt(process.pid)
    began = monotonic()
    jobs = [
        partial(part.press, state, 0.0, {})
        for (part, _), state in zip(each, states, strict=True)
    ]
    with pytest.raises(LeafHung):
        in_turns(jobs)
    assert monotonic() - began <= STEP + 1.0
    assert [c for _, line in each for _, c in line.failed] == ["hung"] * len(each)
    process.kill()
    process.join(LIMIT)
    for part, _ in each:
        part.link.line.close()


def test_whose_reply_lies_here_is_not_cut_while_another_is_waited_for(lives: Lives):
    """Its time is up before anybody listens, but it answers whoever asks."""
    process, port = lives.server()
    quick, line = lower(f"127.0.0.1:{port}", lives.integrator)
    state = quick.start(0.0).state

    def slow() -> None:
        others_first()
        Event().wait(STEP + 1.5)

    in_turns([partial(quick.press, state, 0.0, {}), slow])
    assert line.failed == []
    quick.close()
    process.kill()
    process.join(LIMIT)


def test_a_stopped_server_ends_the_run_with_21_and_goes_on_to_the_same_bits(
    lives: Lives,
):
    home = lives.home
    with lives.served() as (proxy, servers):
        pid = servers[0].pid or 0
        flag = lives.places(proxy, *TIMES)
        proxy.after(40_000, lambda: os.kill(pid, signal.SIGSTOP))
        away = home.code(home.model, "--name", "away", *home.flags, *flag)
        assert away == 21
        os.kill(pid, signal.SIGCONT)
        assert home.code("--resume", "away", *flag) == 0
    assert home.sha("away") == home.run("here")


class Asked(Timed):
    """The same, and all that is asked: what it was, and whether it was answered."""

    def __init__(self, line: Dial) -> None:
        super().__init__(line)
        self.asked = list[tuple[str, bool]]()

    def exchange(self, raw: bytes, *more) -> bytes:
        what = pb.Request.FromString(raw).WhichOneof("ask") or ""
        self.asked.append((what, False))
        reply = super().exchange(raw, *more)
        self.asked[-1] = what, True
        return reply


@pytest.mark.parametrize("kill", [signal.SIGSTOP, signal.SIGKILL])
def test_who_is_gone_is_not_asked_again_not_for_a_checkpoint_nor_to_say_goodbye(
    lives: Lives, kill: int, tmp_path: Path
):
    process, port = lives.server()
    address = f"127.0.0.1:{port}"
    places = {"lower": address, "upper": address}
    where = Where(lives.home.place(places, lives.integrator, *TIMES)[1])
    lines: list[Asked] = []

    def end(frame: Frame) -> None:
        if frame.n == 20:
            os.kill(process.pid or 0, kill)

    def go() -> None:
        with partners(where) as there:
            for part in there.values():
                part.link.line = Asked(part.link.line)
                lines.append(part.link.line)
            model = open_model(lives.home.model, Given(), there).model
            plan = Plan(until=0.5, step=0.01, package=b"x")
            begin(tmp_path / "runs", model, plan, watch=Watch(end))

    with pytest.raises((LeafHung, LeafLost)):
        go()
    process.kill()
    process.join(LIMIT)
    (run,) = all_runs(tmp_path / "runs")
    # also those that were not yet committed; the next one was asked for before (ADR 41)
    assert run.summary.windows in (20, 21)
    unheard = {what for line in lines for what, answered in line.asked if not answered}
    assert unheard == {"advance"}, "no checkpoint, no goodbye"


def test_a_server_that_stays_away_ends_the_run_with_20(lives: Lives):
    home = lives.home
    with lives.served() as (proxy, servers):
        flag = lives.places(proxy, *TIMES)

        def die() -> None:
            proxy.refuse()
            servers[0].kill()

        proxy.after(40_000, die)
        assert home.code(home.model, "--name", "away", *home.flags, *flag) == 20
    with lives.served() as (proxy, _):
        assert home.code("--resume", "away", *lives.places(proxy)) == 0
    assert home.sha("away") == home.run("here")


def test_no_way_to_a_partner_ends_with_22(pendulum: Home, integrator: Credentials):
    flag = pendulum.place({"lower": "nowhere.invalid:7443"}, integrator, "grace = 0.1")
    assert pendulum.code(pendulum.model, *pendulum.flags, *flag) == 22


@pytest.mark.parametrize("times", [3, pytest.param(20, marks=pytest.mark.full)])
def test_who_was_taken_over_ends_with_23_and_changes_nothing(lives: Lives, times: int):
    """FT-22: it may be stopped for longer than its lease, or not."""
    lives.lease = 0.2
    taken_over(lives, times)


def taken_over(lives: Lives, times: int) -> None:
    """A is stopped, B has its place, A goes on: it is refused, B has its bits."""
    home, lives.sessions = lives.home, 1
    golden = home.run("here")
    with lives.served() as (proxy, _), between(proxy.target) as other:
        new = (home.model, *home.flags)
        flag = home.place({"lower": proxy.address}, lives.integrator)
        file = Path(flag[1])
        there = file.with_name("others.toml")
        there.write_text(file.read_text().replace(proxy.address, other.address))
        for turn in range(times):
            first = lives.coordinator(*new, "--name", f"first-{turn}", *flag)
            pid = first.pid or 0
            after = 30_000 + 997 * turn
            stopped = proxy.reached(after, lambda pid=pid: os.kill(pid, signal.SIGSTOP))
            try:
                assert stopped.wait(LIMIT), lives.words
                second = home.run(f"second-{turn}", "--placement", there, "--takeover")
                os.kill(pid, signal.SIGCONT)
                first.join(LIMIT)
                assert first.exitcode == 23, lives.words
                assert second == golden
            finally:
                first.kill()


FLIPS = {"in the handshake": (40, 700, 1500), "in a request": (4500, 6000, 9000)}


@pytest.mark.parametrize("where", FLIPS)
def test_a_flipped_bit_is_never_taken_for_an_answer(
    pendulum: Home, supply: Supply, where: str
):
    there = supply(pendulum.model)
    with between(there.server.port, Weather(flips=FLIPS[where]), seed=2) as proxy:
        flag = pendulum.place({"lower": proxy.address}, there.secrets, "grace = 10")
        new = (pendulum.model, "--name", "a", *pendulum.flags, *flag)
        code = pendulum.code(*new)
        for _ in FLIPS[where]:
            if code == 21:  # the length of a TLS record grew, whose rest never comes
                code = pendulum.code(*once_more(pendulum, "a", new, flag))
        assert code == 0, "the line is made anew, and the run goes on"
        assert proxy.flipped == len(FLIPS[where])
        assert proxy.connections > proxy.flipped, "each costs a connection"
    assert pendulum.sha("a") == pendulum.run("here")
