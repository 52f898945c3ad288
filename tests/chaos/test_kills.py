"""kill -9 of owners' servers and of coordinators at random: nothing is lost."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from bondline.remote.trust.tls import Credentials
from tests.chaos.conftest import Home
from tests.chaos.kills import Lives, Toll, coordinators_killed, leaves_killed

W1 = ("--until", "3s", "--step", "10ms")  # wang2003's double pendulum, 300 windows
KILLED = [leaves_killed, coordinators_killed]


@pytest.fixture
def lives(
    project: Path, tmp_path: Path, owner: Credentials, integrator: Credentials
) -> Lives:
    model = project / "examples" / "double_pendulum"
    return Lives(Home(tmp_path, model, W1), owner, integrator)


def check(lives: Lives, toll: Toll, kills: int, ended: int = 0) -> None:
    """So many runs may give up: a server that never stays is no partner."""
    assert toll.kills >= kills
    assert toll.lost == []
    assert len(toll.ended) <= ended, toll.ended
    assert all("ended with 20" in words for words in toll.ended), "to be resumed"
    assert set(toll.hashes) == {lives.home.run("here")}


@pytest.mark.parametrize("killed", KILLED)
def test_20_kills_change_no_bit(lives: Lives, killed: Callable[..., Toll]):
    check(lives, killed(lives, 20, seed=3), 20)


@pytest.mark.full
@pytest.mark.parametrize("killed", KILLED)
def test_100_kills_change_no_bit(lives: Lives, killed: Callable[..., Toll]):
    check(lives, killed(lives, 100, seed=4), 100, ended=1)


def test_an_epoch_never_comes_twice(lives: Lives):
    leaves_killed(lives, 2, seed=5)
    before = (lives.store / "epoch").read_text()
    leaves_killed(lives, 1, seed=6)
    assert int((lives.store / "epoch").read_text()) > int(before)
