"""FT-16: the wall clock jumps while a run goes on: nobody runs out of time."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bondline.remote.trust.tls import Credentials
from tests.chaos.conftest import EXAMPLES, Home
from tests.chaos.proxy import between
from tests.remote.conftest import Supply, placement
from tests.remote.test_serve_command import LIMIT, flags, served

LIBRARIES = sorted(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"))
pytestmark = pytest.mark.skipif(
    not LIBRARIES, reason="libfaketime (package faketime) is not installed"
)
MODEL = EXAMPLES / "double_pendulum"
GRID = ("--until", "0.5s", "--step", "10ms")
LONG = pytest.mark.full
JUMPS = 20
DAYS = {"without certificates": (-365.0, 365.0), "with certificates": (0.0, 20.0)}


class Clock:
    """What other processes take for the time of the day."""

    def __init__(self, file: Path) -> None:
        self.file, self.jumps = file, 0
        self.set(0.0)

    def set(self, days: float) -> None:
        """So many days from now, from now on."""
        then = datetime.now(UTC) + timedelta(days=days)
        draft = self.file.with_suffix(".draft")
        draft.write_text(f"@{then:%Y-%m-%d %H:%M:%S}\n")
        draft.replace(self.file)
        self.jumps += 1

    @property
    def environment(self) -> dict[str, str]:
        return {
            **os.environ,
            "TZ": "UTC",
            "LD_PRELOAD": str(LIBRARIES[0]),
            "FAKETIME_TIMESTAMP_FILE": str(self.file),
            "FAKETIME_NO_CACHE": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        }


def run(clock: Clock, home: Home, *words: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "bondline", "--quiet", "--project", home.folder]
    return subprocess.run(
        [*map(str, [*command, "run", *words])],
        env=clock.environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=2 * LIMIT,
    )


@pytest.mark.full  # gRPC is slow where every look at the clock reads a file
@pytest.mark.parametrize("how", DAYS)
def test_a_clock_that_jumps_changes_nothing(
    tmp_path: Path, owner: Credentials, integrator: Credentials, how: str
):
    clock, dice = Clock(tmp_path / "clock"), random.Random(5)
    home = Home(tmp_path, MODEL, GRID)
    lock = flags(owner) if "with c" in how else ["--insecure-loopback"]
    lease = ("--lease", "5", "--max-step", "5")
    with (
        served(tmp_path, f"{MODEL}:lower", *lock, *lease, env=clock.environment) as (
            address,
            _,
        ),
        between(int(address.rpartition(":")[2])) as proxy,
    ):

        def jump() -> None:
            clock.set(dice.uniform(*DAYS[how]))
            if clock.jumps <= JUMPS:
                proxy.after(600, jump)

        proxy.after(600, jump)
        file = placement(tmp_path / "p.toml", {"lower": proxy.address}, integrator)
        if "without" in how:
            part = f'[parts.lower]\naddress = "{proxy.address}"\ninsecure = true\n'
            file.write_text(part)
        done = run(clock, home, MODEL, "--name", "a", *GRID, "--placement", file)
    assert done.returncode == 0, done.stderr
    assert clock.jumps > JUMPS
    assert home.sha("a") == home.run("here")
    # one for calls, and one for windows
    assert proxy.connections == 2, "nobody ran out of time, and dialled again"


@pytest.mark.parametrize(
    ("days", "words"),
    [
        (400.0, "expired"),
        pytest.param(-400.0, "not valid before", marks=pytest.mark.full),
    ],
)
def test_a_certificate_is_judged_by_the_wall_clock_and_says_so(
    tmp_path: Path, supply: Supply, days: float, words: str
):
    there = supply(MODEL)
    clock, home = Clock(tmp_path / "clock"), Home(tmp_path, MODEL, GRID)
    clock.set(days)
    flag = home.place({"lower": there.address}, there.secrets, "grace = 0.1")
    done = run(clock, home, MODEL, *GRID, *flag)
    said = " ".join(done.stderr.split())
    assert done.returncode == 3, said
    assert words in said
    assert "CN=" in said
    assert "try:" in said
