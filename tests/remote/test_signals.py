"""FT-28: Ctrl-C and SIGTERM on runs with partners and on servers, once and twice."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bondline.run import Run, find
from tests.remote.conftest import Supply, placement
from tests.remote.test_serve_command import LIMIT, served

ENDLESS = """
import time
from pathlib import Path
from bondline.leaves import chain

class Endless:
    def __init__(self):
        self.inner = chain("endless")
        self.name, self.ports = "endless", self.inner.ports
        self.parameters = self.inner.parameters
        self.capabilities = self.inner.capabilities

    def start(self, t0):
        Path("working").touch()
        while True:
            time.sleep(0.1)

    def advance(self, state, window, inputs):
        raise NotImplementedError
"""
BOTH = (signal.SIGINT, signal.SIGTERM)


def begun(folder: Path, *args: object) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "bondline", "--project", str(folder), "run"]
    return subprocess.Popen(
        [*command, *map(str, args), "--no-progress"],
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )


def until(true) -> None:
    end = time.monotonic() + LIMIT
    while not true():
        assert time.monotonic() < end
        time.sleep(0.01)


@pytest.mark.parametrize("times", [1, 2])
@pytest.mark.parametrize("number", BOTH)
def test_a_signal_before_a_run_began_is_told_by_its_own_code(
    project: Path, tmp_path: Path, number: signal.Signals, times: int
):
    """The partner takes the call, and says nothing."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        file = tmp_path / "p.toml"
        address = f"127.0.0.1:{silent.getsockname()[1]}"
        there = f'[parts.lower]\naddress = "{address}"\ninsecure = true\n'
        file.write_text(there, encoding="utf-8")
        model = project / "examples/double_pendulum"
        process = begun(tmp_path, model, "--placement", file)
        silent.settimeout(LIMIT)
        line, _ = silent.accept()
        for _ in range(times):
            process.send_signal(number)
        _, said = process.communicate(timeout=LIMIT)
        line.close()
    assert process.returncode == 128 + number
    last = [line for line in said.splitlines() if not line.startswith("waiting")]
    told = ["stopped  before a run began"]
    assert last == told or (times > 1 and not last), "the second does not wait"
    assert not list((tmp_path / "runs").glob("*/run.sqlite"))


@pytest.mark.parametrize("number", BOTH)
def test_two_signals_stop_a_run_with_partners_and_lose_nothing(
    project: Path, tmp_path: Path, supply: Supply, number: signal.Signals
):
    model = project / "examples/double_pendulum"
    there = supply(model)
    file = placement(tmp_path / "p.toml", {"lower": there.address}, there.secrets)
    grid, flag = ("--until", "2s", "--step", "2ms"), ("--placement", file)
    process = begun(tmp_path, model, "--name", "a", *grid, *flag)
    folder = tmp_path / "runs" / "a"
    until(lambda: (folder / "run.sqlite").exists() and Run(folder).summary.windows)
    for _ in range(2):
        process.send_signal(number)
    _, said = process.communicate(timeout=LIMIT)
    assert process.returncode == 10, said
    more = begun(tmp_path, "--resume", "a", "--until", "0.5s", *flag)
    more.communicate(timeout=LIMIT)
    assert more.returncode == 0
    here = begun(tmp_path, model, "--name", "b", "--step", "2ms", "--until", "0.5s")
    here.communicate(timeout=LIMIT)
    assert here.returncode == 0
    a, b = (find(tmp_path / "runs", n).summary.sha256 for n in "ab")
    assert a == b


@pytest.mark.parametrize("number", BOTH)
def test_a_server_that_computes_ends_at_the_second_signal(
    tmp_path: Path, number: signal.Signals
):
    """The first lets it finish, which would take for ever."""
    (tmp_path / "endless.py").write_text(ENDLESS, encoding="utf-8")
    flags, err = ["--insecure-loopback"], tmp_path / "err"
    with (
        err.open("w") as file,
        served(tmp_path, "endless:Endless", *flags, stderr=file) as (address, process),
    ):
        asked = subprocess.Popen([sys.executable, "-c", ASK, address])
        until((tmp_path / "working").exists)
        for each in (number, *(n for n in BOTH if n != number)):  # none hides the other
            process.send_signal(each)
        try:
            assert process.wait(8.0) == 10, "before the grace of the first is over"
        finally:
            asked.kill()
            asked.wait()
    assert "stopped  while a window was computed" in err.read_text()


ASK = """
import sys
from bondline.remote.client.plain import Plain
from bondline.remote.client.remote import remote_model
remote_model("endless", Plain(sys.argv[1])).start(0.0)
"""


@pytest.mark.parametrize("number", BOTH)
def test_a_server_that_has_nothing_to_do_ends_well_at_one_or_two(
    tmp_path: Path, number: signal.Signals
):
    with served(tmp_path, "chain", "--insecure-loopback") as (_, process):
        process.send_signal(number)
        process.send_signal(number)
        assert process.wait(LIMIT) == 0
