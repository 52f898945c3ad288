"""kill -9 at any moment, also during a resume: the record goes on to the same bits."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from run_models import double_pendulum

from bondline.run import Plan, Run, begin, create, resume, verify

CHILD = Path(__file__).with_name("run_child.py")
PLAN = Plan(until=0.6, step=0.01)
WINDOWS = 60


@pytest.fixture(scope="module")
def golden(tmp_path_factory: pytest.TempPathFactory) -> str:
    runs = tmp_path_factory.mktemp("golden")
    return begin(runs, double_pendulum(), PLAN).run.summary.sha256


def killed(run: Run, target: int) -> int:
    """Let a process carry the run on; SIGKILL it when it says that it is at `target`.

    Its word travels through a pipe while it works on, so the signal finds it anywhere:
    in a leaf, in a solve, before, in or after a commit.
    """
    process = subprocess.Popen(
        [sys.executable, str(CHILD), str(run.path), "double_pendulum"],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
    )
    assert process.stdout is not None
    with process, process.stdout:
        for line in process.stdout:
            if int(line) >= target:
                process.send_signal(signal.SIGKILL)
                break
    return process.returncode


def kill_twice_and_resume(runs: Path, seed: int) -> tuple[str, int]:
    dice = random.Random(seed)
    first, second = sorted(dice.sample(range(WINDOWS - 3), 2))
    run = create(runs, double_pendulum(), PLAN)
    kills = 0
    for target in (first, second):
        kills += killed(run, target) == -signal.SIGKILL
        summary = run.summary
        assert summary.status == "interrupted"
        # what it had said it had done, less the batch that was not committed yet
        assert summary.windows is None or summary.windows >= target - 3
        assert verify(run).windows <= WINDOWS
    resume(run, double_pendulum())
    return verify(run).sha256, kills


def hunt(runs: Path, golden: str, seeds: range) -> int:
    total = 0
    for seed in seeds:
        found, kills = kill_twice_and_resume(runs, seed)
        assert found == golden, f"seed {seed}"
        total += kills
    return total


def test_20_kills_each_resume_to_the_same_hash(tmp_path: Path, golden: str) -> None:
    assert hunt(tmp_path, golden, range(10)) == 20


@pytest.mark.full
def test_200_kills_each_resume_to_the_same_hash(tmp_path: Path, golden: str) -> None:
    assert hunt(tmp_path, golden, range(100, 200)) == 200
