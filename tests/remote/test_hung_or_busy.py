"""A partner that is slow is waited for; one that hangs is told from it."""

from __future__ import annotations

import logging
import os
import signal
import sys
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event, Semaphore
from typing import Any

import pytest

from bondline.errors import LeafHung, SettingError
from bondline.leaves import chain
from bondline.remote.client.line import LineDown, never
from bondline.remote.client.link import Patience
from bondline.remote.client.local import Pipe
from bondline.remote.client.remote import remote_model
from bondline.remote.owner.host import Host
from bondline.remote.owner.served import Served
from bondline.remote.trust.tls import Credentials
from bondline.wire.turns import in_turns
from tests.remote.conftest import Supply, placement
from tests.remote.test_coming_back import Direct
from tests.remote.test_serve_command import flags, served

SHORT = Patience(step=0.5, connect=20.0, grace=5.0)


class Slow:
    """A chain whose pressing waits until it is told."""

    def __init__(self) -> None:
        self.inner, self.go = chain("slow"), Event()

    def __getattr__(self, name: str):
        return getattr(self.inner, name)

    def press(self, state, t, forces):
        self.go.wait(30.0)
        return self.inner.press(state, t, forces)


@dataclass
class Deaf(Direct):
    """A line that swallows so many replies; pulses come through."""

    deaf: int = 0

    def exchange(self, raw: bytes, patience: float, busy=never) -> bytes:
        reply = super().exchange(raw, patience)
        if self.deaf and not busy():
            self.deaf -= 1
            raise LineDown("hung", "no reply")
        return reply


@pytest.fixture
def chain_line() -> Deaf:
    there = Host({"chain": Served("chain", lambda: chain("chain"))})
    return Deaf(lambda: there)


def test_who_works_is_waited_for_longer_than_a_step(supply: Supply):
    slow = Slow()
    there = supply({"slow": Served("slow", lambda: slow)})
    part = remote_model("part", there.dial(), "slow", SHORT)
    start = part.start(0.0)
    asked, pulse = [], part.link.line.pulse

    def counted(raw: bytes, patience: float) -> bytes:
        asked.append(raw)
        if len(asked) == 2:
            slow.go.set()  # after two deadlines
        return pulse(raw, patience)

    part.link.line.pulse = counted
    part.press(start.state, 0.0, {})
    assert len(asked) >= 2
    assert part.link.retries == 0
    part.close()


class Heard(logging.Handler):
    """What the person hears of one partner; the first word lets the work end."""

    def __init__(self, who: str, go: Event) -> None:
        super().__init__()
        self.who, self.go, self.said = who, go, list[str]()

    def emit(self, record: logging.LogRecord) -> None:
        if record.getMessage().startswith(f"{self.who}: "):
            self.said.append(record.getMessage())
            self.go.set()


def test_it_is_said_that_a_partner_is_at_work_and_not_who_else(supply: Supply):
    """A middle server that waits for its own supplier is at work, like any other."""
    slow = Slow()
    below = supply({"slow": Served("slow", lambda: slow)})
    middle = remote_model("inner", below.dial(), "slow", SHORT)
    there = supply({"near": Served("near", lambda: middle)})
    part = remote_model("part", there.dial(), "near", SHORT)
    start = part.start(0.0)
    log, heard = (
        logging.getLogger("bondline.partners"),
        Heard(str(part.link.partner), slow.go),
    )
    log.addHandler(heard)
    try:
        part.press(start.state, 0.0, {})
        part.press(start.state, 0.0, {})
    finally:
        log.removeHandler(heard)
    first, last = heard.said
    assert "it says that it is at work on what it was asked" in first
    assert "work in the placement file" in first
    assert "it has answered, after" in last
    for word in (below.address, "slow", "inner"):
        assert word not in first + last
    for model in (part, middle):
        model.close()


def test_who_answers_on_a_new_connection_is_asked_once_more(chain_line: Deaf):
    """The line was dead, not the partner; its late reply is given again."""
    part = remote_model("part", chain_line, "chain", SHORT)
    part.link.pause = lambda s: None
    start = part.start(0.0)
    chain_line.deaf = 1
    assert part.press(start.state, 0.0, {}).outputs.keys() == start.outputs.keys()
    assert part.link.retries == 1
    chain_line.deaf = 2
    with pytest.raises(LeafHung):
        part.press(start.state, 0.0, {})
    assert part.link.retries == 2, "and only once"


def test_a_stopped_server_hangs(
    project: Path, tmp_path: Path, owner: Credentials, integrator: Credentials
):
    model = project / "examples" / "double_pendulum"
    from bondline.remote.client.placement import connected, read_placement

    with served(tmp_path, f"{model}:lower", *flags(owner), "--max-step", "0.5") as (
        address,
        process,
    ):
        file = placement(tmp_path / "p.toml", {"lower": address}, integrator)
        text = file.read_text().replace("[client]", "[client]\nstep = 0.5\ngrace = 5")
        file.write_text(text)
        part = connected(read_placement(file))["lower"]
        start = part.start(0.0)
        os.kill(process.pid, signal.SIGSTOP)
        os.waitpid(process.pid, os.WUNTRACED)  # it may still answer until then
        with pytest.raises(LeafHung, match=r"lower .*does not answer") as told:
            part.press(start.state, 0.0, {})
        assert told.value.exit_code == 21
        os.kill(process.pid, signal.SIGCONT)
        part.link.line.close()


def test_a_stopped_process_hangs_and_is_ended(project: Path, tmp_path: Path):
    model = project / "examples" / "double_pendulum"
    command = [sys.executable, "-m", "bondline", "leaf", "pipe", f"{model}:lower"]
    line = Pipe([*command, "--store", str(tmp_path)])
    part = remote_model("lower", line, patience=SHORT)
    start = part.start(0.0)
    os.kill(line.pid, signal.SIGSTOP)
    os.waitpid(line.pid, os.WUNTRACED)
    with pytest.raises(LeafHung, match=r"lower \(partner process") as told:
        part.press(start.state, 0.0, {})
    assert told.value.exit_code == 21
    with pytest.raises(ProcessLookupError):
        os.kill(line.pid, 0)


@dataclass
class Leisurely:
    """A chain that takes its time for a start; others are quick."""

    inner: Any = field(default_factory=lambda: chain("slow"))

    def __getattr__(self, name: str):
        return getattr(self.inner, name)

    def start(self, t0: float):
        Event().wait(1.5)
        return self.inner.start(t0)


def test_who_has_answered_is_not_cut_while_another_works(supply: Supply):
    """In turns: its reply lies there, longer than it would be waited for."""
    models = {
        "slow": Served("slow", Leisurely),
        "quick": Served("quick", lambda: chain("quick")),
    }
    there, patience = supply(models), Patience(0.5, 10.0, 10.0)
    parts = [remote_model(n, there.dial(), n, patience) for n in models]
    for _ in range(2):
        in_turns([lambda p=p: p.start(0.0) for p in parts])
    slow, quick = (p.link for p in parts)
    assert (slow.retries, quick.retries) == (0, 0)
    assert slow.waited > 1.0 > quick.waited, "who made us wait is told"
    for part in parts:
        part.close()


def refused() -> None:
    """As where a new connection wants a certificate that is just being renewed."""
    raise SettingError("me.pem", "it cannot be read.", "Restore it.")


def test_renewing_fails_silently_where_certificates_are_renewed(chain_line: Deaf):
    part = remote_model("part", chain_line, "chain", SHORT)
    part.start(0.0)
    asked = []

    def pulse(raw: bytes, patience: float) -> bytes:
        asked.append(raw)
        return refused()

    chain_line.pulse = pulse
    part.link.renew()
    assert asked


@pytest.mark.parametrize("works", [False, True], ids=["idle", "asked"])
def test_no_callback_ends_the_watch(supply: Supply, caplog, works: bool):
    """Who hangs is cut after it as before, and it is said once what went wrong."""
    slow = Slow()
    line = supply({"slow": Served("slow", lambda: slow)}).dial()
    part = remote_model("part", line, "slow", SHORT)
    start = part.start(0.0)
    failed = Semaphore(0)

    def fails() -> bool:
        failed.release()
        return bool(refused())

    if works:
        part.link._busy = lambda work: fails()
    else:
        line.while_idle(0.0, fails)
        assert failed.acquire(timeout=20.0)
        assert failed.acquire(timeout=20.0), "it is called again"
        line.while_idle(float("inf"), fails)
        part.link.line.pulse = lambda raw, patience: b""  # no session, so not at work
    with pytest.raises(LeafHung):
        part.press(start.state, 0.0, {})
    said = [r.getMessage() for r in caplog.records if "me.pem" in r.getMessage()]
    assert len(said) == 1
    assert said[0].startswith(line.place)
    slow.go.set()
    part.close()
