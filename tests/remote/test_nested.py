"""A supplier's assembly with leaves at sub-suppliers: the integrator cannot tell."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from bondline.build import Given, open_model
from bondline.remote.client.remote import remote_model
from bondline.remote.owner.host import Host
from bondline.remote.owner.published import EVERYTHING
from bondline.remote.owner.served import Served
from bondline.run import Keep, simulate
from tests.chaos.conftest import Home
from tests.remote.conftest import MANY, Supply
from tests.remote.test_blocks import Frames
from tests.remote.test_coming_back import Direct


@pytest.mark.parametrize("example", ["linear_chain/Nested.ssd"])
def test_a_served_model_of_served_models_gives_the_same_frames(
    project: Path, supply: Supply, example: str
):
    path = project / "examples" / example
    inner = open_model(path).model.parts["near"]
    below = supply(
        {n: Served(n, lambda p=p: p, n, EVERYTHING) for n, p in inner.parts.items()}
    )

    def assembled():
        return replace(inner, parts={n: below.model(n) for n in inner.parts})

    above = supply({"near": Served("near", assembled, "near", EVERYTHING)})
    near = above.model("near")
    whole = open_model(path).model
    here, away = Frames(), Frames()
    simulate(whole, 0.3, 0.01, record=here)
    simulate(
        replace(whole, parts={**whole.parts, "near": near}), 0.3, 0.01, record=away
    )
    assert here.seen == away.seen
    trips = near.link.trips
    assert trips <= 30 + 15, "still one a window, two companies away"
    near.close()


@pytest.mark.parametrize("block", [1, 10])
def test_what_is_counted_in_a_served_assembly_is_what_a_leaf_counts(
    project: Path, supply: Supply, block: int
):
    """Its owner does not tell of its inside; forces and motion are what they are."""
    path = project / "examples/linear_chain/Nested.ssd"
    whole = open_model(path, Given(block=block)).model
    quiet = replace(EVERYTHING, inner=False)
    there = supply(
        {n: Served(n, lambda p=p: p, n, quiet) for n, p in whole.parts.items()}
    )
    away = replace(whole, parts={n: there.model(n) for n in whole.parts})
    here, seen = Keep(), Keep()
    simulate(whole, 0.3, 0.01, record=here)
    simulate(away, 0.3, 0.01, record=seen)
    for one, two in zip(here.frames, seen.frames, strict=True):
        names = {n.partition(".")[2] for n in two.stats if n.startswith("near.")}
        assert names <= {"solves"}
        assert two.stats.get("near.solves", 1.0) == 1.0
        for name, force in one.forces.items():
            there_too = two.forces[name].coefficients
            assert force.coefficients.tolist() == there_too.tolist()
        assert one.values == two.values
    for part in away.parts.values():
        part.close()


def test_an_assembly_that_stays_with_its_owner_gives_the_same_record(
    project: Path, supply: Supply, tmp_path: Path
):
    """Its inner settings are not known here, and do not count."""
    path = project / "examples/linear_chain/Nested.ssd"
    there = supply(path)
    home = Home(tmp_path, path, ("--step", "10ms"))
    half, whole = ("--until", "100ms"), ("--until", "200ms")
    away = home.place({"near": there.address}, there.secrets)
    golden = home.run("here", *whole)
    assert home.run("away", *whole, *away) == golden
    home.run("half", *half, *away)
    assert home.code("--resume", "half", *whole, *away) == 0
    assert home.sha("half") == golden


@pytest.mark.parametrize("dies", [3, 17, 30])
def test_an_inner_coordinator_that_dies_costs_no_bit(
    project: Path, tmp_path: Path, dies: int
):
    """FT-33: it and its own sessions are gone; both levels make their states again."""
    path = project / "examples/linear_chain/Nested.ssd"
    whole = open_model(path).model
    inner = whole.parts["near"]
    leaves = {
        n: Served(n, lambda p=p: p, n, EVERYTHING) for n, p in inner.parts.items()
    }
    below = Host(leaves, limits=MANY)

    def assembled():
        line = Direct(lambda: below)
        return replace(inner, parts={n: remote_model(n, line, n) for n in inner.parts})

    def coordinator() -> Host:
        return Host({"near": Served("near", assembled, "near", EVERYTHING)})

    lives = [coordinator()]

    def dead(asked: int) -> str:
        if asked == dies:
            lives.append(coordinator())
        return "request" if asked == dies else ""

    near = remote_model("near", Direct(lambda: lives[-1], break_at=dead), "near")
    near.link.pause = lambda s: None
    here, away = Frames(), Frames()
    simulate(whole, 0.3, 0.01, record=here)
    parts = {**whole.parts, "near": near}
    simulate(replace(whole, parts=parts), 0.3, 0.01, record=away)
    assert near.link.recoveries == 1
    assert here.seen == away.seen
