"""`./run chaos` counts what went wrong, goes on, and says how to repeat it."""

from __future__ import annotations

import pytest

from tests.chaos.__main__ import Campaign
from tests.chaos.kills import Toll


@pytest.fixture
def told(capsys: pytest.CaptureFixture[str]) -> tuple[Campaign, str]:
    """A campaign whose second lot goes wrong in every way."""
    campaign = Campaign("leaves", 210, "golden")

    def kill(lot: int, seed: int) -> Toll:
        if seed != 57:
            return Toll(lot, ["golden"])
        return Toll(lot, ["golden", "other"], ["x ended with 20: gone"], ["y"])

    campaign.fight(kill, seed=7)
    return campaign, capsys.readouterr().out


def test_a_lost_run_is_counted_and_the_next_one_begins(told: tuple[Campaign, str]):
    campaign, _ = told
    assert (campaign.killed, campaign.runs) == (210, 7)
    assert (campaign.lost, campaign.other, campaign.ended) == (1, 1, 1)
    assert campaign.failed


def test_every_hundred_kills_it_says_how_far_it_is(told: tuple[Campaign, str]):
    lines = [line for line in told[1].splitlines() if line.startswith("leaves: ")]
    done = [line.partition(" kills")[0] for line in lines]
    assert done == [f"leaves: {n} of 210" for n in (100, 200, 210)]
    assert all("s left" in line for line in lines)


def test_what_went_wrong_is_told_with_its_seed(told: tuple[Campaign, str]):
    assert "x ended with 20: gone\n  y is lost\n  a run has other bits" in told[1]
    assert "to repeat: ./run chaos 50 57 leaves" in told[1]


def test_a_lot_that_cannot_be_fought_says_its_seed_too(capsys):
    def broken(lot: int, seed: int) -> Toll:
        raise OSError("no more processes")

    with pytest.raises(OSError, match="no more processes"):
        Campaign("leaves", 100, "golden").fight(broken, seed=3)
    assert "./run chaos 50 3 leaves" in capsys.readouterr().out
