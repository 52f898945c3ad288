"""Killed workers and killed clients lose nothing, on real Dask workers."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import psutil
import pytest

from bondline.errors import PartnerUnreachable
from bondline.run import open_run, verify
from bondline.sweep import (
    Here,
    Sweep,
    Watching,
    carry,
    find_sweep,
    local,
    scheduler,
)

LIMIT = 120.0  # s


def hashes(runs: Path, sweep: Sweep) -> list[str]:
    found = [open_run(runs / v.run) for v in sweep.variants()]
    return [verify(run).sha256 for run in found]


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory, want):
    """What the runs are when nothing happens."""
    from tests.sweep.conftest import Home

    home = Home(tmp_path_factory.mktemp("undisturbed"))
    sweep = home.begin(want("upper.mass=8..12kg:5"))
    carry(sweep, Here(), home.runs)
    return hashes(home.runs, sweep)


@pytest.mark.full
def test_a_killed_worker_loses_nothing(home, want, undisturbed):
    sweep = home.begin(want("upper.mass=8..12kg:5"))
    killed: list[int] = []

    def kill_one(standing: Any) -> None:
        if standing.finished and not killed:
            at_work = [v.worker for v in sweep.variants("done")]
            killed.append(int(at_work[0].rpartition(":")[2]))
            os.kill(killed[0], signal.SIGKILL)

    with local(2) as pool:
        assert pool.client.scheduler.address.startswith("tls://127.0.0.1:")
        standing = carry(sweep, pool, home.runs, Watching(kill_one))
    assert killed
    assert standing.counts == {"done": 5}
    assert hashes(home.runs, sweep) == undisturbed


def test_a_killed_client_loses_nothing(home, pendulum, undisturbed):
    """Its workers end with it; the next client does what is left and no more."""
    command = [
        "--project",
        home.path,
        "sweep",
        pendulum,
        "--set",
        "upper.mass=8..12kg:5",
    ]
    command += ["--until", "0.05s", "--jobs", "1", "--name", "s"]
    client = subprocess.Popen(
        [sys.executable, "-m", "bondline", *map(str, command)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    sweep = Sweep(home.sweeps / "s")
    await_one(client, sweep)
    family = psutil.Process(client.pid).children(recursive=True)
    client.kill()
    client.wait(LIMIT)
    psutil.wait_procs(family, LIMIT)
    assert not [p for p in family if p.is_running()]
    before = sweep.standing
    assert before.status == "interrupted"
    kept = {v.run: (home.runs / v.run / "run.sqlite").stat() for v in done(sweep)}
    assert carry(sweep, Here(), home.runs).counts == {"done": 5}
    for name, stat in kept.items():
        assert (home.runs / name / "run.sqlite").stat().st_mtime_ns == stat.st_mtime_ns
    assert hashes(home.runs, sweep) == undisturbed


def done(sweep: Sweep) -> list[Any]:
    return sweep.variants("done")


def await_one(client: subprocess.Popen[bytes], sweep: Sweep) -> None:
    """Until the first variant is done; looks, and lets others work between looks."""
    while client.poll() is None:
        try:
            client.wait(0.05)
        except subprocess.TimeoutExpired:
            if (sweep.path / "sweep.sqlite").is_file() and done(sweep):
                return
    pytest.fail("the client ended before it was killed")


def test_a_scheduler_that_is_not_there_is_told(home, want):
    sweep = home.begin(want("upper.mass=8,9kg"))
    nobody = scheduler("tcp://127.0.0.1:1", sweep.path / "model.ssp", patience=0.2)
    with pytest.raises(PartnerUnreachable, match="does not answer"), nobody:
        pytest.fail("there is none")
    assert find_sweep(home.sweeps, "s").standing.counts == {"waiting": 2}


@pytest.mark.full
def test_a_scheduler_by_its_address_does_the_same(home, want, undisturbed):
    """Tried with one of our own, which is asked by its address like any other."""
    from distributed import LocalCluster

    sweep = home.begin(want("upper.mass=8..12kg:5"))
    with (
        LocalCluster(
            n_workers=1,
            threads_per_worker=1,
            host="127.0.0.1",
            dashboard_address="127.0.0.1:0",
        ) as cluster,
        scheduler(cluster.scheduler_address, sweep.path / "model.ssp") as pool,
    ):
        assert pool.shared
        carry(sweep, pool, home.runs)
    assert hashes(home.runs, sweep) == undisturbed
