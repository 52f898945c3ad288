"""Parts in processes of their own: the same bits, and a crash stays inside."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import pytest

from bondline.cli import main
from bondline.core import uniform
from bondline.errors import LeafLost
from bondline.remote.client.local import Pipe
from bondline.remote.client.remote import remote_model
from bondline.run import find
from bondline.wire.pipes import Child, ChildDied, ChildSilent


def run(home: Path, *args: object) -> int:
    return main(["--quiet", "--project", str(home), "run", *map(str, args)])


def sha(home: Path, name: str) -> str:
    return find(home / "runs", name).summary.sha256


def test_processes_give_the_same_record_also_when_resumed(
    project: Path, tmp_path: Path
):
    model = project / "examples" / "double_pendulum"
    assert run(tmp_path, model, "--name", "here", "--until", "0.3s") == 0
    away = (model, "--name", "away", "--until", "0.15s")
    assert run(tmp_path, *away, "--processes") == 0
    assert run(tmp_path, "--resume", "away", "--until", "0.3s", "--processes") == 0
    assert sha(tmp_path, "here") == sha(tmp_path, "away")


def test_a_part_that_crashes_is_started_again_a_few_times(
    project: Path, tmp_path: Path
):
    """As a server would be: its states are made again; then it is named."""
    model = project / "examples" / "double_pendulum"
    command = [sys.executable, "-m", "bondline", "leaf", "pipe", f"{model}:lower"]
    line = Pipe([*command, "--store", str(tmp_path)])
    part = remote_model("lower", line)
    state, window = part.start(0.0).state, uniform(0.0, 0.01, 0)
    before = part.advance(state, window, {}).outputs
    line._deaths = 2  # of three that are forgiven
    os.kill(line.pid, signal.SIGSEGV)
    after = part.advance(state, window, {}).outputs
    assert {n: m.x.tolist() for n, m in after.items()} == {
        n: m.x.tolist() for n, m in before.items()
    }
    assert part.link.recoveries == 1
    os.kill(line.pid, signal.SIGSEGV)
    with pytest.raises(LeafLost, match=r"lower \(partner process.*SIGSEGV") as told:
        part.press(state, 0.0, {})
    assert told.value.exit_code == 20
    part.close()


ECHO = """
from bondline.wire.pipes import Frames
frames = Frames()
print("this must not break a frame", flush=True)
frames.answer(lambda *_: None, lambda kind, raw: bytes([kind]) + raw[::-1])
"""


@pytest.fixture
def echo():
    child = Child([sys.executable, "-c", ECHO])
    yield child
    child.close()


def test_frames_come_back_whatever_is_printed(echo: Child):
    assert echo.call(3, b"abc", 30.0) == b"\x03cba"
    large = bytes(range(256)) * 8000
    assert echo.call(1, large, 30.0)[1:] == large[::-1]


def test_a_child_that_says_nothing_is_silent_and_one_that_ends_has_died(echo: Child):
    echo.call(0, b"", 30.0)
    os.kill(echo.pid, signal.SIGSTOP)
    with pytest.raises(ChildSilent):
        echo.call(0, b"", 0.2)
    os.kill(echo.pid, signal.SIGKILL)
    with pytest.raises(ChildDied, match="SIGKILL"):
        echo.call(0, b"", 30.0)


AT_WORK = """
from threading import Event
from bondline.wire.pipes import Frames
go_on = Event()

def quick(kind, raw):
    if kind == 7:
        go_on.set()
    return raw if kind > 0 else None

def slow(kind, raw):
    go_on.wait()
    return raw[::-1]

Frames().answer(quick, slow)
"""


def test_what_is_quick_is_answered_while_something_slow_is_at_work():
    child = Child([sys.executable, "-c", AT_WORK])
    child.send(0, b"abc")
    assert [child.call(1, bytes([n]), 30.0) for n in range(3)] == [b"\0", b"\1", b"\2"]
    child.send(0, b"def")  # comes too early, and has its turn
    assert child.call(7, b"now", 30.0) == b"now"
    assert child.receive(0, 30.0) == b"cba"
    assert child.receive(0, 30.0) == b"fed"
    assert child.call(1, b"idle", 30.0) == b"idle"
    child.close()


def test_a_process_ends_with_the_one_that_started_it_also_at_work():
    child = Child([sys.executable, "-c", AT_WORK])
    child.send(0, b"abc")
    assert child.call(1, b"at work", 30.0) == b"at work"
    child.close(patience=30.0)
    assert child.epitaph() == "ended with exit code 0"
