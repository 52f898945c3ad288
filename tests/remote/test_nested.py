"""A supplier's assembly with leaves at sub-suppliers: the integrator cannot tell."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from bondline.build import open_model
from bondline.remote.published import EVERYTHING
from bondline.remote.served import Served
from bondline.run import simulate
from tests.chaos.conftest import Home
from tests.remote.conftest import Supply
from tests.remote.test_blocks import Frames


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
